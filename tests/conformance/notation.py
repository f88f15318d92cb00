"""The notation of the behaviours' files: YAML with references and made values. Nothing in it is ever run as Python.

`$(path)` refers to something saved, by a JMESPath; alone in its text it keeps the value's type. The tags `!repeat`, `!json`,
`!zip` and `!bytes` make values that nobody wants to write out.
"""

from __future__ import annotations

import base64
import io
import json
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import jmespath
import yaml
from jmespath import functions

__all__ = ["Made", "MissingError", "filled", "look_up", "read"]

_REFERENCE = re.compile(r"\$\((?P<path>(?:[^()]|\([^()]*\))*)\)")


class MissingError(Exception):
    """A reference to what an earlier result does not have."""


class _Functions(functions.Functions):
    """JMESPath's functions, and what it takes to look into a message, a log or a key."""

    @functions.signature({"types": ["string"]})
    def _func_from_json(self, text: str) -> Any:
        try:
            return json.loads(text)
        except ValueError:
            return None

    @functions.signature({"types": ["string"]})
    def _func_from_base64(self, text: str) -> str:
        return base64.b64decode(text).decode(errors="replace")

    @functions.signature({"types": ["string"]})
    def _func_url_decoded(self, text: str) -> str:
        return unquote_plus(text)


_OPTIONS = jmespath.Options(custom_functions=_Functions())


def look_up(path: str, values: Any) -> Any:
    """Return what the JMESPath `path` finds in `values`; None where it finds nothing."""
    return jmespath.search(path, values, options=_OPTIONS)


@dataclass(frozen=True)
class Made:
    """A value that a tag stands for; it is made once the references in it are known."""

    tag: str
    of: Any

    def value(self, saved: Mapping[str, Any]) -> Any:
        """Return it."""
        of = filled(self.of, saved)
        if self.tag == "!repeat":
            text, times = of
            return str(text) * int(times)
        if self.tag == "!merge":
            return {name: value for part in of for name, value in part.items()}
        if self.tag == "!plus":
            return int(of[0]) + int(of[1])
        if self.tag == "!times":
            return [of[0]] * int(of[1])
        if self.tag == "!json":
            return json.dumps(of, ensure_ascii=False)
        if self.tag == "!bytes":
            return base64.b64decode(of)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name, text in of.items():
                # A date that never changes, so that the same source is the same zip.
                archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), text)
        return packed.getvalue()


class _Loader(yaml.SafeLoader):
    """YAML's safe loader, with the tags. A key said twice is an error, not the last one's."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        own = (key for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge")
        keys = [self.construct_object(key, deep=True) for key in own]
        if repeated := {key for key in keys if keys.count(key) > 1}:
            raise yaml.constructor.ConstructorError(None, None, f"said twice: {sorted(repeated)}", node.start_mark)
        return dict(super().construct_mapping(node, deep))


def _made(loader: _Loader, suffix: str, node: yaml.Node) -> Made:
    if suffix not in ("repeat", "json", "zip", "bytes", "plus", "merge", "times"):
        raise yaml.constructor.ConstructorError(None, None, f"there is no !{suffix}", node.start_mark)
    if isinstance(node, yaml.MappingNode):
        return Made(f"!{suffix}", loader.construct_mapping(node, deep=True))
    if isinstance(node, yaml.SequenceNode):
        return Made(f"!{suffix}", loader.construct_sequence(node, deep=True))
    return Made(f"!{suffix}", loader.construct_scalar(node))


_Loader.add_multi_constructor("!", _made)


def read(path: Path) -> Any:
    """Read a file of behaviours."""
    return yaml.load(path.read_text(encoding="utf-8"), _Loader)  # a safe loader: it makes plain values only


def filled(value: Any, saved: Mapping[str, Any]) -> Any:
    """Return `value` with its references looked up in `saved` and its made values made."""
    if isinstance(value, Made):
        return value.value(saved)
    if isinstance(value, dict):
        return {filled(key, saved): filled(inner, saved) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, saved) for inner in value]
    if not isinstance(value, str):
        return value
    if whole := _REFERENCE.fullmatch(value):
        return _referred(whole["path"], saved)
    return _REFERENCE.sub(lambda found: str(_referred(found["path"], saved)), value)


def _referred(path: str, saved: Mapping[str, Any]) -> Any:
    found = look_up(path, saved)
    if found is None:
        raise MissingError(f"$({path}) refers to nothing that was saved")
    return found
