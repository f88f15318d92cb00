"""What crosses otherwise than as a plain value: functions, instances, classes, modules, clients and exceptions.

Touches the tables of one crossing, `sys.modules` (to look up, never to load) and boto3 through `clients`.
"""

from __future__ import annotations

import builtins
import sys
import threading
import types
import weakref
from collections.abc import Callable
from typing import Any, Protocol

from autograder.crossing import errors, permits, specials, standins
from autograder.crossing.clients import Clients
from autograder.crossing.handles import Handles
from autograder.crossing.shares import Share, Shares
from autograder.crossing.values import Reader, Writer
from autograder.frames import ProtocolError
from autograder.kept import keep

__all__ = ["Outside", "Remote"]

keep(globals())

Node = list[Any]

_PURE = frozenset(
    (
        *("abs", "all", "any", "ascii", "bin", "callable", "chr", "divmod", "enumerate", "filter", "format", "hash"),
        *("hex", "id", "isinstance", "issubclass", "iter", "len", "map", "max", "min", "next", "oct", "ord", "pow"),
        *("repr", "reversed", "round", "sorted", "sum", "zip"),
    )
)
"""The built-in functions that do no more than compute: each process uses its own. Any other is asked where it came from."""
_VALUE_TYPES = frozenset(
    {"collections", "collections.abc", "datetime", "decimal", "fractions", "numbers", "pathlib", "uuid"}
)
"""Modules whose classes each process has for itself."""
_PURE_MODULES = frozenset(
    (
        *("base64", "bisect", "boto3", "botocore", "calendar", "cmath", "collections", "copy", "csv", "dataclasses"),
        *("datetime", "decimal", "enum", "fractions", "functools", "hashlib", "heapq", "itertools", "json", "math"),
        *("numbers", "numpy", "operator", "pandas", "random", "re", "statistics", "string", "textwrap", "time"),
        *("typing", "uuid"),
    )
)
"""Modules that the examiner has for itself when a name of the candidate's stands for one."""
_MAX_NESTED = 3
_ORIGIN = "_crossing_origin"


class Origin:
    """Kept in an exception: which one of the other process's it is."""

    def __init__(self, link: Remote) -> None:
        self.link = link


class Remote(Protocol):
    """A link, as this module needs it."""

    handle: int
    count: int
    owner: object


class Outside:
    """One process's side of what crosses. `link(handle, kind)` makes what a stand-in is asked through."""

    def __init__(self, *, strict: bool, link: Callable[[int, str], Any]) -> None:
        self.strict = strict
        self.handles = Handles()
        self.clients = Clients()
        self.shares = Shares()
        self.classes = errors.Classes(self.handles, self.clients)
        self.modules: frozenset[str] = _PURE_MODULES
        """On the strict side: the modules that a name of the other process may stand for."""
        self.lasting: list[Share] = []
        self._link = link
        self._standins: weakref.WeakValueDictionary[int, standins.StandIn] = weakref.WeakValueDictionary()
        self._lock = threading.Lock()
        self._here = threading.local()

    # Writing.

    def known(self, value: object) -> Node | None:
        """See `values.Outside`."""
        for share in (*reversed(self.shares.stack()), *self.lasting):
            number = share.numbers.get(id(value))
            if number is not None and share.objects.get(number) is value:
                return ["shared", share.name, number]
        return None

    def write(self, value: Any, writer: Writer) -> Node:
        """See `values.Outside`. Raises TypeError for what is not handed over at all."""
        kind = type(value)
        bases = errors.bases_of(kind)
        if standins.StandIn in bases:
            link: Any = standins.link_of(value)
            if link.owner is self:
                return ["own", link.handle]
        elif types.ModuleType in bases:
            return self._module(value)
        elif type in bases:
            node = self._class(value)
            if node is not None:
                return node
        elif BaseException in bases:
            return self._exception(value)
        elif types.TracebackType in bases and self.strict:
            return ["constant", "None"]  # what `__exit__` gets beside an exception
        elif kind is types.BuiltinFunctionType:
            name = value.__name__
            if name in _PURE and getattr(builtins, name, None) is value:
                return ["builtin", name]
        else:
            node = self.clients.write(value)
            if node is not None:
                return node
        return self._thing(value)

    def _thing(self, value: Any) -> Node:
        if self.strict and not permits.may_hand_over(value):
            raise TypeError(f"A {type(value).__name__} is not handed over to the other process.")
        kind = type(value)
        name = type.__dict__["__name__"].__get__(kind)
        return ["thing", self.handles.hand_over(value), name[:100], _kind_of(value), specials.found_in(value)]

    def _module(self, value: types.ModuleType) -> Node:
        name = vars(value).get("__name__")
        known = name if type(name) is str and sys.modules.get(name) is value and name != "__main__" else ""
        return ["module", known, None if self.strict else self._thing(value)]

    def _class(self, value: type) -> Node | None:
        name = type.__dict__["__name__"].__get__(value)
        module = type.__getattribute__(value, "__dict__").get("__module__", "builtins")
        if errors.is_exception_class(value):
            return ["class", self.classes.write(value)]
        if getattr(builtins, name, None) is value:
            return ["builtin", name]
        if value is types.NoneType:
            return ["builtin", "NoneType"]
        if type(module) is str and _value_type(module, name) is value:
            return ["type", module, name]
        return None

    def _exception(self, error: BaseException) -> Node:
        own = object.__getattribute__(error, "__dict__")
        origin = own.get(_ORIGIN)
        if type(origin) is Origin and origin.link.owner is self:
            return ["own", origin.link.handle]
        nested = getattr(self._here, "nested", 0)
        kind = type(error)
        if not errors.is_exception_class(kind):
            name = type.__dict__["__name__"].__get__(kind)[:100]
            return ["exit", name, errors.text_of(error), self.handles.hand_over(error)]
        arguments: Any = BaseException.__dict__["args"].__get__(error)
        tells = type.__getattribute__(kind, "__str__")
        text = None if tells in _USUAL_TEXTS or kind.__module__ == "builtins" else errors.text_of(error)
        arguments = errors.whole_arguments(error, arguments)
        values = {name: value for name, value in own.items() if type(name) is str and not name.startswith("_")}
        values |= errors.beside(error, own)
        cause = None if self.strict else BaseException.__dict__["__cause__"].__get__(error)
        if self.strict and isinstance(error, AssertionError):
            # Of a test's own: what it says is for whoever reads the test.
            arguments, text, values = (), None, {}
        if nested >= _MAX_NESTED:
            arguments, values, cause = (errors.text_of(error),), {}, None
        self._here.nested = nested + 1
        try:
            table = Writer(self).table((arguments, values, cause))
        finally:
            self._here.nested = nested
        return ["exception", self.handles.hand_over(error), self.classes.write(kind), text, table]

    # Reading.

    def read(self, node: Node, reader: Reader) -> tuple[object, Callable[[], None] | None]:
        """See `values.Outside`."""
        kind = node[0]
        if kind == "thing":
            return self._read_thing(*node[1:]), None
        if kind == "own":
            return self.handles.own(node[1]), None
        if kind == "shared":
            return self.shares.named(node[1]).objects[node[2]], None
        if kind == "exception":
            return self._read_exception(*node[1:]), None
        if kind in ("client", "resource", "paginator", "waiter"):
            return self.clients.read(node), None
        if kind == "class":
            return self.classes.read(node[1]), None
        if kind == "builtin":
            return self._read_builtin(node[1]), None
        if kind == "type":
            return self._read_type(node[1], node[2]), None
        if kind == "module":
            return self._read_module(node[1], node[2]), None
        if kind == "exit":
            return self._read_exit(*node[1:]), None
        raise ProtocolError(f"There is no value of the kind {str(kind)[:40]!r}.")

    def _read_thing(self, handle: Any, name: Any, kind: Any, found: Any) -> standins.StandIn:
        if type(handle) is not int or type(name) is not str or type(kind) is not str or type(found) is not list:
            raise ProtocolError("A stand-in has a number, a name and a kind.")
        with self._lock:
            standin = self._standins.get(handle)
            if standin is not None:
                link: Any = standins.link_of(standin)
                link.count += 1
                return standin
            chosen = tuple(special for special in found if type(special) is str and special in specials.SPECIALS)
            standin = standins.make(self._link(handle, kind), name, chosen)
            self._standins[handle] = standin
            return standin

    def _read_builtin(self, name: Any) -> Any:
        if name == "NoneType":
            return types.NoneType
        found = vars(builtins).get(name)
        if not (isinstance(found, type) or name in _PURE):
            raise ProtocolError("Expected a built-in type, or a function that only computes.")
        return found

    def _read_type(self, module: Any, name: Any) -> Any:
        found = _value_type(module, name) if type(module) is str and type(name) is str else None
        if found is None:
            raise ProtocolError("Expected a class of values that both processes have.")
        return found

    def _read_module(self, name: Any, thing: Any) -> Any:
        if type(name) is not str:
            raise ProtocolError("A module has a name.")
        if name in sys.modules and (not self.strict or name.partition(".")[0] in self.modules):
            return sys.modules[name]
        if thing is None:
            raise ProtocolError(f"The module {name[:100]!r} is not loaded here.")
        return self._read_thing(*thing[1:])

    def _read_exit(self, name: Any, text: Any, handle: Any) -> errors.CandidateExit:
        if type(name) is not str or type(text) is not str or type(handle) is not int:
            raise ProtocolError("An exit has a name and a text.")
        error = errors.CandidateExit(f"{name[:100]}: {text[: errors.MAX_TEXT]}" if text else name[:100])
        error.kind = name[:100]
        vars(error)[_ORIGIN] = Origin(self._link(handle, "exception"))
        return error

    def _read_exception(self, handle: Any, kind: Any, text: Any, table: Any) -> BaseException:
        if type(handle) is not int or not (text is None or type(text) is str):
            raise ProtocolError("An exception has a number, a class and a text.")
        nested = getattr(self._here, "nested", 0)
        if nested > _MAX_NESTED:
            raise ProtocolError("Exceptions are nested deeper than they are sent.")
        self._here.nested = nested + 1
        try:
            arguments, values, cause = Reader(table, self).root
        finally:
            self._here.nested = nested
        if type(arguments) is not tuple or type(values) is not dict:
            raise ProtocolError("An exception has arguments and values.")
        clean = {name: value for name, value in values.items() if type(name) is str and not name.startswith("_")}
        error = errors.make(self.classes.read(kind), arguments, text and text[: errors.MAX_TEXT], clean)
        if cause is not None and errors.is_exception(cause):
            error.__cause__ = cause
        vars(error)[_ORIGIN] = Origin(self._link(handle, "exception"))
        return error


_USUAL_TEXTS = (
    BaseException.__str__,
    KeyError.__str__,
    OSError.__str__,
    UnicodeDecodeError.__str__,
    UnicodeEncodeError.__str__,
)


def _value_type(module: str, name: str) -> Any:
    if module not in _VALUE_TYPES or module not in sys.modules:
        return None
    found = vars(sys.modules[module]).get(name)
    return found if isinstance(found, type) else None


def _kind_of(value: Any) -> str:
    kind = type(value)
    if kind is types.FunctionType:
        return "function"
    if kind is types.MethodType:
        return "method"
    if kind is types.BuiltinFunctionType:
        return "builtin"
    if kind is types.GeneratorType:
        return "generator"
    if kind is types.CoroutineType:
        return "coroutine"
    return "class" if type in errors.bases_of(kind) else "object"
