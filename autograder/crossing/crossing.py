"""One end of what crosses between examiner and candidate, over the exam peer: `Crossing`.

Ops: `do` (something with what was handed over), `lookup` (a name of the candidate's), `push` (values into the candidate's names).
Each message carries a table of values, what changed of the values that both sides hold, and which handles are free again. It
touches `os.environ` of the candidate's process and the namespace that it is given.
"""

from __future__ import annotations

import inspect
import itertools
import os
from collections import deque
from collections.abc import Callable, MutableMapping
from typing import Any, Literal

from autograder import interrupts
from autograder.crossing import errors, permits, specials
from autograder.crossing.awaiting import Driver
from autograder.crossing.outside import Outside
from autograder.crossing.shares import Share
from autograder.crossing.values import Reader, Writer
from autograder.frames import ProtocolError
from autograder.kept import keep
from autograder.peer import Peer

__all__ = ["Crossing"]

keep(globals())


class _Link:
    """Where a stand-in leads: see `standins.Link`."""

    __slots__ = ("count", "crossing", "handle", "kind", "owner", "seen", "strict")

    def __init__(self, crossing: Crossing, handle: int, kind: str) -> None:
        self.crossing = crossing
        self.owner = crossing.outside
        self.handle = handle
        self.kind = kind
        self.count = 1
        self.seen = False
        self.strict = crossing.strict

    def __del__(self) -> None:
        # Anywhere and any time: nothing is done here but noting it.
        self.crossing.free.append([self.handle, self.count])

    def special(self, name: str, arguments: tuple[Any, ...]) -> Any:
        return self.crossing.do(self.handle, "special", (name, *arguments))

    def call(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        return self.crossing.do(self.handle, "call", (arguments, named))

    def get(self, name: str) -> Any:
        if self.strict and name in _COMPARING:
            raise TypeError(f"A comparison with a value of the test is not left to an object of the student's: {name}.")
        found = self.crossing.do(self.handle, "get", (name,))
        return _signature(found) if name == "__signature__" else found

    def set(self, name: str, value: object) -> None:
        self.crossing.do(self.handle, "set", (name, value))

    def delete(self, name: str) -> None:
        self.crossing.do(self.handle, "delete", (name,))

    def equal(self, other: object) -> bool:
        return self.crossing.do(self.handle, "equal", (other,)) is True

    def wait(self) -> Any:
        return self.crossing.do(self.handle, "await", ())

    def copy(self, deep: bool) -> Any:
        return self.crossing.do(self.handle, "copy", (deep,))


_VARIABLES: Any = getattr(os.environ, "_data", os.environ)
"""The variables as they are kept: to ask whether any changed takes a tenth of the time that way."""
_COMPARING = frozenset({"startswith", "endswith", "issubset", "issuperset", "isdisjoint"})
"""Methods of built-in values that say whether they are alike. A built-in value would have come as one."""


class Crossing:
    """One end. `side`: "examiner" (trusts nothing that comes, and hands over no more than `permits` lists) or "candidate"."""

    def __init__(
        self,
        peer: Peer,
        side: Literal["examiner", "candidate"],
        *,
        namespace: MutableMapping[str, Any] | None = None,
    ) -> None:
        """`namespace`: the candidate's names, which the examiner asks for; it may be set later."""
        self.strict = side == "examiner"
        self.namespace: MutableMapping[str, Any] = {} if namespace is None else namespace
        self.outside = Outside(strict=self.strict, link=lambda handle, kind: _Link(self, handle, kind))
        self.free: deque[list[int]] = deque()
        self._peer = peer
        self._side = side
        self._numbers = itertools.count(1)
        self._generations = itertools.count(1)
        self._environ = dict(os.environ)
        self._raw_environ = dict(_VARIABLES)
        self._driver = Driver()
        peer.handle("do", self._on_do)
        if self.strict:
            self._new_lasting()
        else:
            peer.own_threads = True
            peer.handle("lookup", self._on_lookup)
            peer.handle("push", self._on_push)

    @property
    def modules(self) -> frozenset[str]:
        """The packages that the examiner uses its own of when a name of the candidate's is a module. Others become stand-ins."""
        return self.outside.modules

    @modules.setter
    def modules(self, names: frozenset[str]) -> None:
        self.outside.modules = names

    def encode(self, value: object) -> dict[str, Any]:
        """Return a value as JSON. Raises TypeError for what is not handed over."""
        return Writer(self.outside).table(value)

    def decode(self, table: Any) -> Any:
        """Return the value of what the other side encoded. Raises ProtocolError."""
        return Reader(table, self.outside).root

    def lookup(self, name: str) -> Any:
        """Return what a name stands for in the candidate. Raises NameError."""
        head = self._ask("lookup", {"name": name}, None, ())
        if head.get("missing") is True:
            raise NameError(f"name {name!r} is not defined", name=name)
        return self._answer_of(head, lasting=True)

    def push(self, values: dict[str, Any], environ: dict[str, str | None] | None = None) -> None:
        """Bind names in the candidate, and set its environment variables (None: take one away)."""
        head = self._ask("push", {"environ": environ or {}}, None, values)
        self._answer_of(head)

    def forget(self) -> None:
        """A cell is over: what was looked up in it is no longer kept alike on both sides."""
        if self.strict:
            self._new_lasting()

    def do(self, handle: int, what: str, arguments: tuple[Any, ...]) -> Any:
        """Have the other side do something with an object of its own, and return or raise what came of it."""
        share = Share(f"{self._side[0]}{next(self._numbers)}")
        shares = self.outside.shares
        try:
            head = self._ask("do", {"handle": handle, "what": what, "share": share.name}, share, arguments)
            return self._answer_of(head)
        finally:
            if share in shares.stack():
                shares.close(share)

    # Messages.

    def _ask(self, op: str, head: dict[str, Any], share: Share | None, root: object) -> dict[str, Any]:
        writer = self._write(head, root)
        if share is not None:
            share.add(writer.objects, writer.nodes)
            self.outside.shares.open(share)
        if self.strict:
            head["lasting"] = self.outside.lasting[0].name
            changed = self._environ_changes()
            if changed:
                head["variables"] = changed
        answer, _ = self._peer.call(op, head)
        if type(answer) is not dict:
            raise ProtocolError("Expected an answer.")
        return answer

    def _write(self, head: dict[str, Any], root: object) -> Writer:
        """Put a value into a message, and what changed of those that are shared."""
        writer = Writer(self.outside)
        head["root"] = writer.ref(root)
        writer.finish()
        shares = (*self.outside.shares.stack(), *self.outside.lasting)
        head["changes"] = [change for share in shares for change in share.changes(writer)]
        writer.finish()
        head["nodes"] = writer.nodes
        free = []
        while self.free:
            free.append(self.free.popleft())
        if free:
            head["free"] = free
        return writer

    def _read(self, head: Any) -> Reader:
        if type(head) is not dict:
            raise ProtocolError("Expected a message.")
        self.outside.handles.release(head.get("free", []))
        reader = Reader(head, self.outside)
        for share, number, node in head.get("changes", ()):
            self.outside.shares.named(share).take(number, reader.nodes[node], reader)
        return reader

    def _answer_of(self, head: dict[str, Any], *, lasting: bool = False) -> Any:
        try:
            reader = self._read(head)
            root = reader.root
            if lasting and "first" in head:
                self.outside.lasting[0].add(reader.objects, reader.nodes, head["first"])
        except (TypeError, ValueError, KeyError, IndexError) as error:
            raise ProtocolError(f"An answer does not hold together: {error}") from error
        if head.get("raised") is True:
            if not errors.is_exception(root):
                raise ProtocolError("What was raised is no exception.")
            raise root
        return root

    def _reply(self, head: dict[str, Any], compute: Callable[[], Any]) -> tuple[dict[str, Any], Writer]:
        """Run somebody's code, and write what came of it."""
        try:
            result = compute()
        except BaseException as error:  # it is told to the other side, whatever it is
            if self.strict and isinstance(error, KeyboardInterrupt):
                # Whoever interrupts the examiner means all of it, not this call-back alone.
                interrupts.again()
            result = error
            head["raised"] = True
        try:
            return head, self._write(head, result)
        except Exception as error:
            # What cannot cross is an error of its own; what changed before it stays.
            head["raised"] = True
            return head, self._write(head, error)

    # What the other side asks.

    def _on_do(self, head: Any, body: bytes) -> dict[str, Any]:
        reader = self._begin(head)
        value = self.outside.handles.own(head.get("handle"))
        share = Share(self._name_of_theirs(head.get("share")))
        share.add(reader.objects, reader.nodes)
        self.outside.shares.open(share)
        try:
            return self._reply({}, lambda: self._done(value, head.get("what"), reader.root))[0]
        finally:
            self.outside.shares.close(share)

    def _name_of_theirs(self, name: Any) -> str:
        if type(name) is not str or not name.startswith("c" if self.strict else "e"):
            raise ProtocolError("A share has a name of its maker's.")
        return name

    def _begin(self, head: Any) -> Reader:
        if type(head) is dict and not self.strict:
            self._keep_lasting(head.get("lasting"))
            for name, text in (head.get("variables") or {}).items():
                _set_variable(name, text)
        return self._read(head)

    def _done(self, value: Any, what: Any, arguments: Any) -> Any:
        if type(arguments) is not tuple:
            raise ProtocolError("Expected arguments.")
        if what == "call":
            positional, named = arguments
            return value(*positional, **named)
        if what == "special":
            name, *others = arguments
            if self.strict and not permits.may_special(value, name):
                raise TypeError(f"A {type(value).__name__} of the other process has no {str(name)[:100]}.")
            return specials.ask(value, name, tuple(others))
        if what == "get":
            return self._attribute(value, arguments[0])
        if what == "equal":
            return bool(value == arguments[0])
        if what == "await":
            return self._driver.drive(value)
        if self.strict:
            raise AttributeError("What belongs to the other process is not changed from here.")
        if what == "set":
            return setattr(value, *arguments)
        if what == "delete":
            return delattr(value, *arguments)
        if what == "copy":
            import copy

            return (copy.deepcopy if arguments[0] else copy.copy)(value)
        raise ProtocolError("Expected something that can be done.")

    def _attribute(self, value: Any, name: Any) -> Any:
        if self.strict and not permits.may_get(value, name):
            raise AttributeError(f"A {type(value).__name__} of the other process has no attribute {str(name)[:100]!r}.")
        if name == "__signature__":
            return _parameters(value)
        return getattr(value, name)

    def _on_lookup(self, head: Any, body: bytes) -> dict[str, Any]:
        self._begin(head)
        name = head["name"]
        if name not in self.namespace:
            return {"missing": True}
        lasting = self.outside.lasting[0]
        answer, writer = self._reply({}, lambda: self.namespace[name])
        first = lasting.reserve(writer.objects)
        if first is not None:
            answer["first"] = first
            lasting.add(writer.objects, writer.nodes, first)
        return answer

    def _on_push(self, head: Any, body: bytes) -> dict[str, Any]:
        reader = self._begin(head)
        for name, text in head["environ"].items():
            _set_variable(name, text)
        self.namespace.update(reader.root)
        return self._reply({}, lambda: None)[0]

    # What outlasts a call.

    def _new_lasting(self) -> None:
        self._keep_lasting(f"kept{next(self._generations)}")

    def _keep_lasting(self, name: Any) -> None:
        """Begin to keep what is looked up under this name, and end with what was kept before the last one."""
        outside = self.outside
        if any(share.name == name for share in outside.lasting):
            return
        share = Share(str(name))
        outside.shares.keep(share)
        for old in outside.lasting[1:]:
            outside.shares.drop(old.name)
        outside.lasting = [share, *outside.lasting[:1]]

    def _environ_changes(self) -> dict[str, str | None]:
        raw = dict(_VARIABLES)
        if raw == self._raw_environ:
            return {}
        now = dict(os.environ)
        before, self._environ, self._raw_environ = self._environ, now, raw
        gone: dict[str, str | None] = dict.fromkeys(before.keys() - now.keys())
        return gone | {name: text for name, text in now.items() if before.get(name) != text}


_KINDS: list[Any] = [
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.KEYWORD_ONLY,
    inspect.Parameter.VAR_KEYWORD,
]
"""By their number in Python."""


def _set_variable(name: str, text: str | None) -> None:
    if text is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = text


def _parameters(value: Any) -> list[Any]:
    """Return a signature as values; `_signature` puts it together again."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        raise AttributeError("__signature__") from None
    empty = inspect.Parameter.empty
    return [
        (
            parameter.name,
            int(parameter.kind),
            parameter.default is not empty,
            None if parameter.default is empty else parameter.default,
            parameter.annotation is not empty,
            None if parameter.annotation is empty else parameter.annotation,
        )
        for parameter in found.parameters.values()
    ]


def _signature(found: Any) -> inspect.Signature:
    empty = inspect.Parameter.empty
    try:
        return inspect.Signature(
            [
                inspect.Parameter(
                    name,
                    _KINDS[kind],
                    default=default if has_default else empty,
                    annotation=annotation if has_annotation else empty,
                )
                for name, kind, has_default, default, has_annotation, annotation in found
            ]
        )
    except (TypeError, ValueError, IndexError) as error:
        raise ProtocolError("A signature does not hold together.") from error
