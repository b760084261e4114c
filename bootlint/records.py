"""Frozen, slotted records: what a frozen dataclass is, at a tenth of the cost of defining it.

bootlint is started at every commit. Some seventy dataclasses cost it 46 ms of CPU before it did anything, four
times the start of Python itself: each generates and compiles five methods. A record shares its methods with all
others and compiles its `__init__` when the first instance is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast, dataclass_transform, overload

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")


class FrozenRecordError(AttributeError):
    """Somebody tried to change a record."""


class _Factory:
    """A default that is made anew for each record."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make


def field(*, default_factory: Callable[[], _T]) -> _T:
    """The default of a field that is made anew for each record, such as `dict`."""
    return cast("_T", _Factory(default_factory))


@overload
def record(cls: type[_T], /) -> type[_T]: ...
@overload
def record(*, order: bool = False, lazy: bool = False) -> Callable[[type[_T]], type[_T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: type[_T] | None = None, /, *, order: bool = False, lazy: bool = False
) -> type[_T] | Callable[[type[_T]], type[_T]]:
    """Make a class with annotated fields a record.

    `order` compares records field by field; `lazy` leaves room for `cached_property`. `__post_init__` runs as in a
    dataclass. Records do not inherit fields.
    """
    if cls is not None:
        return _made(cls, order=order, lazy=lazy)
    return lambda cls: _made(cls, order=order, lazy=lazy)


def names_of(cls: type) -> tuple[str, ...]:
    """The fields of a record."""
    return tuple(cls.__annotations__)


def replace(instance: _T, /, **changes: object) -> _T:
    """The record with some fields changed. Raises TypeError for a field that it does not have."""
    values = {name: getattr(instance, name) for name in names_of(type(instance))}
    return type(instance)(**{**values, **changes})


def _made(cls: type[_T], *, order: bool, lazy: bool) -> type[_T]:
    """The class once more, with slots and the shared methods."""
    names = tuple(cls.__annotations__)
    kept = {
        key: value for key, value in cls.__dict__.items() if key not in (*names, "__dict__", "__weakref__")
    }
    defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
    shared: dict[str, object] = {
        "__slots__": (*names, "__dict__") if lazy else names,
        "__init__": _first_init(names, defaults),
        "__repr__": _repr,
        "__eq__": _eq,
        "__hash__": _hash,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__reduce__": _reduce,
    }
    if order:
        shared["__lt__"] = _lt
    namespace = {**shared, **kept, "__qualname__": cls.__qualname__}
    return cast("type[_T]", type(cls.__name__, cls.__bases__, namespace))


def _values(instance: object) -> tuple[object, ...]:
    return tuple([getattr(instance, name) for name in names_of(type(instance))])


def _first_init(names: tuple[str, ...], defaults: dict[str, object]) -> Callable[..., None]:
    """An `__init__` that compiles the real one, puts it in its place and calls it."""

    def __init__(self: object, *args: object, **kwargs: object) -> None:  # noqa: N807 - it becomes the method
        cls = type(self)
        compiled = _compiled_init(cls, names, defaults)
        setattr(cls, "__init__", compiled)  # noqa: B010 - a type checker forbids the plain assignment
        compiled(self, *args, **kwargs)

    return __init__


def _compiled_init(cls: type, names: tuple[str, ...], defaults: dict[str, object]) -> Callable[..., None]:
    """`__init__` with the fields as parameters; the source holds nothing but their names."""
    parameters = [f"{name}=_default_{name}" if name in defaults else name for name in names]
    lines = [f"def __init__({', '.join(('self', *parameters))}):"]
    for name in names:
        value = name
        if isinstance(defaults.get(name), _Factory):
            value = f"_default_{name}.make() if {name} is _default_{name} else {name}"
        lines.append(f" _set(self, {name!r}, {value})")
    lines.append(" self.__post_init__()" if hasattr(cls, "__post_init__") else " return None")
    namespace: dict[str, object] = {"_set": object.__setattr__}
    namespace |= {f"_default_{name}": default for name, default in defaults.items()}
    exec("\n".join(lines), namespace)  # noqa: S102 - the field names of a class of ours
    return cast("Callable[..., None]", namespace["__init__"])


def _repr(self: object) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names_of(type(self)))
    return f"{type(self).__qualname__}({shown})"


def _eq(self: object, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _lt(self: object, other: object) -> bool:
    return _values(self) < _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: object) -> int:
    return hash(_values(self))


def _refuse(self: object, name: str, *_: object) -> None:
    raise FrozenRecordError(f"{type(self).__qualname__}.{name} cannot be changed")


def _reduce(self: object) -> tuple[type, tuple[object, ...]]:
    return type(self), _values(self)
