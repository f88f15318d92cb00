"""What the candidate may do with what a test handed over to it: this list, and nothing else. Pure.

It may call a function, read public attributes of an instance and call its public methods, iterate and index, compare and count.
It reaches no class, module, frame or code by way of what it was given, and changes no attribute.
"""

from __future__ import annotations

import types
from typing import Any

from autograder.crossing.errors import is_exception
from autograder.crossing.specials import SPECIALS
from autograder.kept import keep

__all__ = ["may_get", "may_hand_over", "may_special"]

keep(globals())

_INTERNAL = (
    types.FrameType,
    types.CodeType,
    types.ModuleType,
    types.TracebackType,
    types.CellType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
)
_FUNCTIONS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
)
_RUNNING = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
_SAID_OF_ALL = frozenset({"__name__", "__qualname__", "__doc__", "__module__", "__signature__"})
_OF_RUNNING = frozenset({"send", "throw", "close", "asend", "athrow", "aclose"})
_OF_FUNCTIONS = frozenset({"__call__", "__str__", "__repr__", "__format__", "__hash__"})


def may_hand_over(value: object) -> bool:
    """Whether an object may get a number at all."""
    return not isinstance(value, _INTERNAL)


def may_get(value: object, name: Any) -> bool:
    """Whether an attribute may be read."""
    if type(name) is not str or not may_hand_over(value):
        return False
    if name in _SAID_OF_ALL:
        return True
    if name.startswith("_") or isinstance(value, (type, *_FUNCTIONS)) or is_exception(value):
        return False
    return name in _OF_RUNNING if isinstance(value, _RUNNING) else True


def may_special(value: object, name: Any) -> bool:
    """Whether a special method may be asked."""
    if type(name) is not str or name not in SPECIALS or not may_hand_over(value) or is_exception(value):
        return False
    if isinstance(value, type):
        return name in _OF_FUNCTIONS or name == "__instancecheck__"
    return name in _OF_FUNCTIONS if isinstance(value, _FUNCTIONS) else name != "__dir__"
