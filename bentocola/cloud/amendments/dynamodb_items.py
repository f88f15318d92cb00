"""How many items a table holds, without a walk through them; and a query that looks at one partition only.

moto 5.2.5 (`moto/dynamodb/models/table.py`) holds a table's items in a dict of dicts. Whoever wants to know how many they are
collects and sorts them all (`all_items`), and so does each query, comparing them in Python. What is answered stays the same.

AWS: an item count is approximate there, "updated approximately every six hours"
(https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html); this one is for the trace.
"""

from __future__ import annotations

import copy
import inspect
from collections import defaultdict
from typing import Any

__all__ = ["install", "item_count", "self_test"]


def item_count(table: Any) -> int:
    """Return the number of items in one of moto's tables, in no more time for many than for few."""
    items = table.items
    return items.count if isinstance(items, _Items) else len(table)


class _Count:
    """A number that partitions share."""

    def __init__(self) -> None:
        self.value = 0


class _Partition(dict[Any, Any]):
    """The items under one partition key, by their sort keys."""

    __slots__ = ("_count",)

    def __init__(self, count: _Count) -> None:
        super().__init__()
        self._count = count

    def __setitem__(self, key: Any, item: Any) -> None:
        before = len(self)
        super().__setitem__(key, item)
        self._count.value += len(self) - before

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(key)
        self._count.value -= 1

    def pop(self, key: Any, *default: Any) -> Any:
        before = len(self)
        found = super().pop(key, *default)
        self._count.value += len(self) - before
        return found


class _Items(defaultdict[Any, Any]):
    """moto's `Table.items`, which knows how many it holds. `has_range_key`: whether a partition holds several."""

    def __init__(self, has_range_key: bool) -> None:
        super().__init__()
        self._has_range_key = has_range_key
        self._count = _Count()

    @property
    def count(self) -> int:
        return self._count.value if self._has_range_key else len(self)

    def __missing__(self, key: Any) -> _Partition:
        partition = _Partition(self._count)
        self[key] = partition
        return partition

    def __deepcopy__(self, memo: dict[int, Any]) -> _Items:
        copied = _Items(self._has_range_key)
        for key, held in self.items():
            key = copy.deepcopy(key, memo)
            if isinstance(held, _Partition):
                partition = copied[key]
                for sort_key, item in held.items():
                    partition[copy.deepcopy(sort_key, memo)] = copy.deepcopy(item, memo)
            else:
                copied[key] = copy.deepcopy(held, memo)
        return copied


_THEIRS: dict[str, Any] = {}


def _new_table(table: Any, *arguments: Any, **named: Any) -> None:
    _THEIRS["__init__"](table, *arguments, **named)
    table.items = _Items(table.has_range_key)


def _all_items(table: Any) -> list[Any]:
    """moto's, in the same order, but the keys' values are taken once and compared by Python itself."""
    if table.range_key_attr:
        items = [item for partition in table.items.values() for item in partition.values()]
        return sorted(items, key=lambda item: (item.hash_key.cast_value, item.range_key.cast_value))
    return sorted(table.items.values(), key=lambda item: item.hash_key.cast_value)


def _query(table: Any, hash_key: Any, *arguments: Any, **named: Any) -> Any:
    """moto's, which picks a partition's items out of all: there are no others to pick from."""
    of_an_index = named.get("index_name") or (arguments[6] if len(arguments) > 6 else None)
    if of_an_index or hash_key is None:
        return _THEIRS["query"](table, hash_key, *arguments, **named)
    held = table.items.get(hash_key)
    if isinstance(held, _Partition):
        items = sorted(held.values(), key=lambda item: item.range_key.cast_value)
    else:
        items = [] if held is None else [held]
    table.all_items = lambda: items  # for this one call: the door lets one in at a time
    try:
        return _THEIRS["query"](table, hash_key, *arguments, **named)
    finally:
        del table.all_items


_AMENDED = {"__init__": _new_table, "all_items": _all_items, "query": _query}


def install() -> None:
    """Let moto's tables count what they hold, and look for it where it is."""
    from moto.dynamodb.models.table import Table

    for name, ours in _AMENDED.items():
        if (theirs := getattr(Table, name)) is not ours:
            _THEIRS[name] = theirs
            setattr(Table, name, ours)


def self_test() -> None:
    """Raise if a table of this moto no longer counts right while items come, are replaced and go."""
    from moto.dynamodb.models.table import Table

    names = ["self", "hash_key", "range_comparison", "range_objs", "limit", "exclusive_start_key", "scan_index_forward"]
    names += ["projection_expressions", "index_name"]
    theirs = _THEIRS.get("query", Table.query)
    if (got := list(inspect.signature(theirs).parameters)[: len(names)]) != names:
        raise TypeError(f"query takes {got}, expected {names}")
    install()
    for sort_key in (None, "b"):
        schema = [{"AttributeName": "a", "KeyType": "HASH"}]
        schema += [{"AttributeName": sort_key, "KeyType": "RANGE"}] if sort_key else []
        attributes = [{"AttributeName": key["AttributeName"], "AttributeType": "S"} for key in schema]
        make: Any = Table
        table = make("abc", "123456789012", "us-east-1", schema, attributes)
        for value in ("1", "2", "2"):
            held = table.put_item({"a": {"S": value}, "b": {"S": value}})
        table.delete_item(held.hash_key, held.range_key)
        table.delete_item(held.hash_key, held.range_key)
        if not item_count(table) == len(table.all_items()) == len(copy.deepcopy(table).all_items()) == 1:
            raise TypeError(f"{item_count(table)} items are counted, {len(table.all_items())} are held")
