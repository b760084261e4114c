"""Frozen, slotted records: what a frozen dataclass is, at a tenth of the cost of defining it.

bootlint is started at every commit. Some seventy dataclasses cost it 46 ms of CPU before it did anything, four
times the start of Python itself: each generates and compiles five methods. Those of a record are closures; only
its `__init__` is compiled, and only when so many instances are made that this is worth 0.2 ms.
"""

from __future__ import annotations

from operator import attrgetter

from bootlint.typed import TYPE_CHECKING, TypeVar, cast, dataclass_transform, overload

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")
_MANY = 20  # instances


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
    cls = type(instance)
    values = [changes.pop(name) if name in changes else getattr(instance, name) for name in names_of(cls)]
    if changes:
        raise TypeError(f"{cls.__qualname__} has no field {', '.join(changes)}")
    return cls(*values)


def _made(cls: type[_T], *, order: bool, lazy: bool) -> type[_T]:
    """The class once more, with slots and the methods of a record."""
    names = tuple(cls.__annotations__)
    kept = {
        key: value for key, value in cls.__dict__.items() if key not in (*names, "__dict__", "__weakref__")
    }
    defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
    added: dict[str, object] = {
        "__slots__": (*names, "__dict__") if lazy else names,
        "__match_args__": names,
        "__init__": _first_init(names, defaults, checked="__post_init__" in kept),
        **_comparisons(names, order=order),
        "__repr__": _repr,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
    }
    namespace = {**added, **kept, "__qualname__": cls.__qualname__}
    return cast("type[_T]", type(cls.__name__, cls.__bases__, namespace))


def _comparisons(names: tuple[str, ...], *, order: bool) -> dict[str, object]:
    """The methods that look at all fields at once."""
    values = attrgetter(*names) if len(names) > 1 else _one_by_one(names)

    def eq(self: object, other: object) -> bool:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    def lt(self: object, other: object) -> bool:
        return values(self) < values(other) if type(other) is type(self) else NotImplemented

    methods: dict[str, object] = {
        "__eq__": eq,
        "__hash__": lambda self: hash(values(self)),
        "__reduce__": lambda self: (type(self), values(self)),
    }
    return methods | {"__lt__": lt} if order else methods


def _one_by_one(names: tuple[str, ...]) -> Callable[[object], tuple[object, ...]]:
    """`attrgetter` for one field or none, of which it makes no tuple."""
    return lambda self: tuple([getattr(self, name) for name in names])


def _first_init(names: tuple[str, ...], defaults: dict[str, object], *, checked: bool) -> Callable[..., None]:
    """An `__init__` that needs no compiling. One that is compiled, and faster, takes its place when it pays off.

    That one is also called where fields are missing or unknown: it says so as any function does.
    """
    fields = dict.fromkeys(names)
    put = object.__setattr__
    made = 0

    def __init__(self: object, *given: object, **named: object) -> None:  # noqa: N807 - it becomes the method
        nonlocal made
        made += 1
        placed = dict(zip(names, given, strict=False))
        values = {**defaults, **placed, **named}
        as_expected = (
            len(placed) == len(given) and named.keys().isdisjoint(placed) and values.keys() == fields.keys()
        )
        if made > _MANY or not as_expected:
            cls = type(self)
            compiled = _compiled_init(cls, names, defaults, checked=checked)
            setattr(cls, "__init__", compiled)  # noqa: B010 - a type checker forbids the plain assignment
            compiled(self, *given, **named)
            return
        for name, value in values.items():
            put(self, name, value.make() if isinstance(value, _Factory) else value)
        if checked:
            self.__post_init__()  # type: ignore[attr-defined]

    return __init__


def _compiled_init(
    cls: type, names: tuple[str, ...], defaults: dict[str, object], *, checked: bool
) -> Callable[..., None]:
    """`__init__` with the fields as parameters; the source holds nothing but their names."""
    parameters = [f"{name}=_default_{name}" if name in defaults else name for name in names]
    lines = [f"def __init__({', '.join(('self', *parameters))}):"]
    for name in names:
        value = name
        if isinstance(defaults.get(name), _Factory):
            value = f"_default_{name}.make() if {name} is _default_{name} else {name}"
        lines.append(f" _put_{name}(self, {value})")
    lines.append(" self.__post_init__()" if checked else " return None")
    namespace: dict[str, object] = {f"_put_{name}": cls.__dict__[name].__set__ for name in names}
    namespace |= {f"_default_{name}": default for name, default in defaults.items()}
    exec("\n".join(lines), namespace)  # noqa: S102 - the field names of a class of ours
    return cast("Callable[..., None]", namespace["__init__"])


def _repr(self: object) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names_of(type(self)))
    return f"{type(self).__qualname__}({shown})"


def _refuse(self: object, name: str, *_: object) -> None:
    raise FrozenRecordError(f"{type(self).__qualname__}.{name} cannot be changed")
