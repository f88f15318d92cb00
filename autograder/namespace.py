"""The examiner's namespace: what its cells have bound, and behind that the candidate's names, asked for at each use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from autograder.names import Owners

__all__ = ["Namespace", "plain_values"]

_MOST_PLAIN = 100_000
"""Values inside a value: a larger one is no setting that both rooms have to share."""


class Namespace(dict[str, Any]):
    """Globals of the examiner's cells.

    `lookup(name)` asks the candidate and raises NameError. It is called while a cell runs, for names that are the candidate's.
    """

    def __init__(self, lookup: Callable[[str], Any]) -> None:
        super().__init__()
        self._lookup = lookup
        self._owners: Owners | None = None
        self._bound_at: dict[str, int] = {}
        self.bound_by_last_cell: frozenset[str] = frozenset()

    @contextmanager
    def cell(self, owners: Owners) -> Iterator[None]:
        """Run one cell of the source inside. Afterwards `bound_by_last_cell` are the names that it was seen to bind."""
        self._owners = owners
        for name in owners.candidate:
            if self._theirs(name):
                self.pop(name, None)
        before = dict(self)
        try:
            yield
        finally:
            self._owners = None
            bound = {name for name, value in self.items() if name not in before or before[name] is not value}
            self.bound_by_last_cell = frozenset(bound)
            self._bound_at.update(dict.fromkeys(bound, owners.at))

    def _theirs(self, name: object) -> bool:
        owners = self._owners
        return owners is not None and type(name) is str and owners.from_candidate(name, self._bound_at.get(name, -1))

    def __missing__(self, name: str) -> Any:
        if not self._theirs(name):
            raise KeyError(name)
        try:
            return self._lookup(name)
        except NameError:
            # Python then looks into the builtins, and says itself that there is no such name.
            raise KeyError(name) from None

    def __contains__(self, name: object) -> bool:
        if super().__contains__(name):
            return True
        try:
            self.__missing__(name)  # type: ignore[arg-type]
        except KeyError:
            return False
        return True

    def get(self, name: str, default: Any = None) -> Any:
        """As a dict's, the candidate's names included."""
        try:
            return self[name]
        except KeyError:
            return default

    def copy(self) -> Namespace:
        """Return another one with the same names, which asks the candidate as well. (IPython formats `!echo {name}` in one.)"""
        other = Namespace(self._lookup)
        other.update(self)
        other._owners, other._bound_at = self._owners, self._bound_at
        return other


def plain_values(namespace: Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Return those of the names whose values are plain: text, numbers, bool, None, and lists and dicts of them."""
    return {
        name: value
        for name in names
        if not name.startswith("_") and _is_plain(value := dict.__getitem__(namespace, name))
    }


def _is_plain(value: Any) -> bool:
    todo, seen = [value], 0
    while todo:
        seen += 1
        if seen > _MOST_PLAIN:
            return False
        one = todo.pop()
        if type(one) is list:
            todo.extend(one)
        elif type(one) is dict:
            todo.extend(one.keys())
            todo.extend(one.values())
        elif one is not None and type(one) not in (str, int, float, bool):
            return False
    return True
