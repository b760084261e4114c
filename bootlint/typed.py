"""What the code uses of `typing`, for a run that has no time for it.

Importing `typing` takes a third of the time that Python needs to start, and its NamedTuple another quarter, since it
compiles annotations. Type checkers see the real names, a run sees stand-ins that do as little as they can.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Literal as Literal
    from typing import NamedTuple as NamedTuple
    from typing import NoReturn as NoReturn
    from typing import Protocol as Protocol
    from typing import TypeVar as TypeVar
    from typing import cast as cast
    from typing import dataclass_transform as dataclass_transform
    from typing import overload as overload
else:

    class Literal:
        __class_getitem__ = classmethod(type(list[str]))  # `get_args` knows these, too

    class _NamedTuple(type):
        def __new__(cls, name, bases, namespace):
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            from collections import namedtuple

            fields = namespace.pop("__annotations__")
            defaults = [namespace.pop(field) for field in fields if field in namespace]
            base = namedtuple(name, fields, defaults=defaults, module=namespace["__module__"])
            return type(name, (base,), {"__slots__": (), **namespace})

    class NamedTuple(metaclass=_NamedTuple):
        pass

    class NoReturn:
        pass

    class Protocol:
        pass

    def TypeVar(name, **_):  # noqa: N802
        return name

    def cast(_, value):
        return value

    def dataclass_transform(**_):
        return lambda function: function

    def overload(function):
        return function
