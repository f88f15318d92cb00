"""Exceptions as nodes. Touches nothing but memory: a class of the other process is never loaded, only looked up or imitated.

A built-in exception arrives as its class. One of the standard library's or of botocore's that both processes have loaded, too.
Any other class arrives as an imitation: a class of the same name whose bases are the nearest ones known here, so that
`except ValueError` and `except TheStudentsOwn` both take it. Of its behaviour nothing comes along, of its text 2,000 characters.
"""

from __future__ import annotations

import builtins
import sys
from typing import Any, Protocol

from autograder.frames import ProtocolError
from autograder.kept import keep
from bentocola.errors import WorkerStopped

__all__ = ["MAX_TEXT", "CandidateExit", "Classes", "bases_of", "is_exception", "is_exception_class", "make", "text_of"]

keep(globals())

MAX_TEXT = 2000
_TOLD = "_text_there"
_MAX_DEEP = 8
_MAX_IMITATIONS = 1000
_NOT_RAISED_HERE = frozenset({"unittest", "doctest", "pdb", "bdb"})
"""Of the standard library: whose exceptions tell a test runner something."""
_KNOWN_PACKAGES = frozenset({"botocore", "boto3", "s3transfer"})

Node = list[Any]


class CandidateExit(Exception):
    """What is no Exception in the other process: SystemExit, KeyboardInterrupt and the like, which must not end this one."""

    kind: str = "BaseException"
    """The name of its class there."""


class Handles(Protocol):
    """What was handed over to the other process, and what came from it."""

    def hand_over(self, value: object) -> int: ...
    def own(self, handle: Any) -> object: ...


class Services(Protocol):
    """The clients of this process."""

    def service_of(self, kind: type) -> str | None: ...
    def exceptions_of(self, service: Any) -> Any: ...


def bases_of(kind: type) -> tuple[type, ...]:
    """Return a class's method resolution order, without asking its metaclass."""
    return type.__dict__["__mro__"].__get__(kind)  # type: ignore[no-any-return]


def is_exception(value: object) -> bool:
    """Whether it is something that can be raised."""
    return BaseException in bases_of(type(value))


def is_exception_class(value: Any) -> bool:
    """Whether it is a class of exceptions that may be raised in the other process."""
    return type in bases_of(type(value)) and (Exception in bases_of(value) or value is WorkerStopped)


def text_of(error: BaseException) -> str:
    """Return what an exception says of itself, cut to length. It may run the code of its class."""
    try:
        return str.__str__(str(error))[:MAX_TEXT]
    except BaseException as other:  # whatever a class of the student's does there
        return f"(its text could not be made: {type(other).__name__})"


def _said_by(kind: type) -> tuple[str, str]:
    """Return the module and the name of a class as its own dictionary says them."""
    module = type.__getattribute__(kind, "__dict__").get("__module__", "builtins")
    name = type.__dict__["__qualname__"].__get__(kind)
    return (module if type(module) is str else "", name if type(name) is str else "")


def _known(module: Any, name: Any) -> Any:
    """Return an exception class of a loaded module, if its exceptions cross as themselves; None otherwise."""
    if type(module) is not str or type(name) is not str:
        return None
    package = module.partition(".")[0]
    if package in _NOT_RAISED_HERE or not (package in sys.stdlib_module_names or package in _KNOWN_PACKAGES):
        return None
    found = vars(sys.modules[module]).get(name) if module in sys.modules else None
    return found if found is not None and is_exception_class(found) else None


class Classes:
    """The exception classes of both processes, as this one knows them."""

    def __init__(self, handles: Handles, services: Services) -> None:
        self._handles = handles
        self._services = services
        self._imitations: dict[int, type[Exception]] = {}
        self._imitated: dict[type, int] = {}

    def write(self, kind: type, deep: int = 0) -> Node:
        """Return what the other process finds the class by, or makes an imitation from."""
        module, name = _said_by(kind)
        if module == "builtins" and getattr(builtins, name, None) is kind:
            return ["builtin", name]
        if kind is WorkerStopped:
            return ["stopped"]
        if kind in self._imitated:
            return ["own", self._imitated[kind]]
        service = self._services.service_of(kind) if module == "botocore.errorfactory" else None
        if service is not None:
            return ["modelled", service, name]
        if _known(module, name) is kind:
            return ["known", module, name]
        if deep == _MAX_DEEP:
            return [
                "builtin",
                next(base.__name__ for base in bases_of(kind) if getattr(builtins, base.__name__, None) is base),
            ]
        parents = [base for base in type.__dict__["__bases__"].__get__(kind) if is_exception_class(base)]
        return [
            "like",
            type.__dict__["__name__"].__get__(kind)[:100],
            self._handles.hand_over(kind),
            "__str__" in type.__getattribute__(kind, "__dict__"),
            [self.write(parent, deep + 1) for parent in parents[:_MAX_DEEP]],
        ]

    def read(self, node: Any, deep: int = 0) -> type[BaseException]:
        """Return the class. Raises ProtocolError for what is no class of exceptions."""
        if type(node) is not list or not node or deep > _MAX_DEEP:
            raise ProtocolError("Expected a class of exceptions.")
        match node:
            case ["builtin", str() as name]:
                found: Any = vars(builtins).get(name)
            case ["stopped"]:
                found = WorkerStopped
            case ["own", handle]:
                found = self._handles.own(handle)
            case ["modelled", service, str() as name]:
                found = vars(type(self._services.exceptions_of(service))).get(name)
                if found is None:
                    found = _known("botocore.exceptions", "ClientError")
            case ["known", module, name]:
                found = _known(module, name)
                if found is None:
                    found = Exception
            case ["like", str() as name, int() as handle, _, list() as parents]:
                found = self._imitations.get(handle)
                if found is None:
                    found = self._imitate(name, handle, [self.read(parent, deep + 1) for parent in parents])
            case _:
                found = None
        if found is None or not is_exception_class(found):
            raise ProtocolError("Expected a class of exceptions that may be raised here.")
        return found  # type: ignore[no-any-return]

    def _imitate(self, name: str, handle: int, parents: list[type[BaseException]]) -> type[Exception]:
        body = {"__str__": _told, "__module__": "__main__"}
        bases: Any = [base for base in parents if Exception in bases_of(base)] or [Exception]
        if len(self._imitations) >= _MAX_IMITATIONS:
            return bases[0]  # type: ignore[no-any-return]
        name = name if name.isidentifier() else "StudentError"
        try:
            made: type[Exception] = type(name, tuple(bases), body)
        except TypeError:  # bases that do not go together here
            made = type(name, (bases[0],), body)
        self._imitations[handle] = made
        self._imitated[made] = handle
        return made


def _told(self: Any) -> str:
    """`str` of an imitation: what its class's own `__str__` said there, or the usual."""
    text = vars(self).get(_TOLD)
    return text if type(text) is str else BaseException.__str__(self)


_NAMED = (NameError, ImportError, AttributeError)
_NOTES = "notes there"
"""No identifier, so that no value of an exception's is called so."""


def whole_arguments(error: BaseException, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what makes the exception again: an OSError keeps its file names apart from its arguments."""
    if OSError in bases_of(type(error)) and len(arguments) == 2:
        file, other = (OSError.__dict__[name].__get__(error) for name in ("filename", "filename2"))
        return arguments if file is None else (*arguments, file, None, other)
    return arguments


def beside(error: BaseException, own: dict[str, Any]) -> dict[str, Any]:
    """Return what an exception holds in other places than its arguments and its public attributes."""
    found: dict[str, Any] = {}
    for kind in _NAMED:
        if kind in bases_of(type(error)):
            found["name"] = kind.__dict__["name"].__get__(error)
    notes = own.get("__notes__")
    if type(notes) is list:
        found[_NOTES] = [note[:MAX_TEXT] for note in notes[:10] if type(note) is str]
    return found


def make(
    kind: type[BaseException], arguments: tuple[Any, ...], text: str | None, values: dict[str, Any]
) -> BaseException:
    """Return an exception of a class that `Classes.read` gave, without running an `__init__` that nobody here wrote.

    `text`: what it says of itself, where that is not what its arguments say.
    """
    notes, name = values.pop(_NOTES, None), values.pop("name", None)
    if kind.__module__ == "builtins":
        try:
            error = kind(*arguments)
        except Exception:  # UnicodeDecodeError and the like, of arguments that are none
            error = next(base for base in bases_of(kind) if base in (Exception, ValueError, OSError))(text or "")
    else:
        error = kind.__new__(kind, *arguments)
        error.args = arguments[:2] if OSError in bases_of(kind) else arguments
        if text is not None:
            vars(error)[_TOLD] = text
    vars(error).update(values)
    if name is not None:
        error.name = name  # type: ignore[attr-defined]
    for note in notes if type(notes) is list else ():
        if type(note) is str:
            error.add_note(note[:MAX_TEXT])
    return error
