"""botocore's descriptions of the services, each read once for boto3 and moto together. For speed alone.

May touch moto's internals: how it makes its loader of these descriptions, and the boto3 session that it asks for the names of
regions. botocore's own loader looks at each of its 18,000 files to know which services there are, reads a description for
each loader anew, and does so the slow way; moto makes more loaders than one. Where this module does not fit another botocore
or moto, it makes what they would make.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import botocore.loaders
import moto
import moto.core.loaders
import moto.core.utils
from botocore.exceptions import DataNotFoundError
from moto.core.base_backend import AccountSpecificBackend

from bentocola.cloud.imports import TESTED_MOTO

__all__ = ["LentToMoto", "loader"]

_SHARED = ("endpoint-rule-set-1", "endpoints", "partitions", "service-2")
"""What everybody only reads. Whoever wants anything else (moto adds to paginators, for one) gets a copy of its own."""

_read: dict[str, Any] = {}


class _Files(botocore.loaders.JSONFileLoader):  # type: ignore[misc]
    """Reads botocore's JSON files: the shared ones once, and all as plain dicts, which keep their order too.

    Asking for `OrderedDict`, as botocore does, keeps Python's JSON reader from its quick way.
    """

    def load_file(self, file_path: str) -> Any:
        """Return the content of the file, or None when there is none. `file_path` comes without its extension."""
        if file_path in _read:
            return _read[file_path]
        found = _content(file_path)
        if found is not None and os.path.basename(file_path) in _SHARED and _is_builtin(file_path):
            _read[file_path] = found
        return found


def _content(file_path: str) -> Any:
    """Read a file of either kind that botocore has."""
    unpackers: dict[str, Callable[[bytes], bytes]] = {".json": bytes, ".json.gz": gzip.decompress}
    for extension, unpack in unpackers.items():
        try:
            packed = Path(file_path + extension).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            continue
        return json.loads(unpack(packed).decode("utf-8"))
    return None


def _is_builtin(file_path: str) -> bool:
    """Tell what botocore ships from what a student may have in `~/.aws/models`, and change."""
    return file_path.startswith(botocore.loaders.Loader.BUILTIN_DATA_PATH + os.sep)


def _quick(ordinary: Any) -> Any:
    """Make a kind of loader that finds a description by its service's name, without a list of all services first."""

    class QuickLoader(ordinary):  # type: ignore[misc]
        def __init__(self, **options: Any) -> None:
            super().__init__(file_loader=_Files(), **options)
            self._models: dict[tuple[str, str, str | None], Any] = {}

        def load_service_model(self, service_name: str, type_name: str, api_version: str | None = None) -> Any:
            """Return a description, with what its extras add. As botocore's own, which see."""
            key = (service_name, type_name, api_version)
            if key not in self._models:
                self._models[key] = self._load(*key)
            return self._models[key]

        def _load(self, service_name: str, type_name: str, api_version: str | None) -> Any:
            try:
                version = api_version or self.determine_latest_version(service_name, type_name)
                model = self.load_data(os.path.join(service_name, version, type_name))
            except DataNotFoundError:
                # No such service, most likely. The ordinary way knows which there are, and says so.
                return super().load_service_model(service_name, type_name, api_version)
            for extras in self._find_extras(service_name, type_name, version):
                model = self._with_extras(model, extras)
            return model

        def _with_extras(self, model: dict[str, Any], extras: dict[str, Any]) -> dict[str, Any]:
            # botocore's own processor changes the model in place, and others read this one too.
            if extras.keys() <= {"version", "merge"}:
                return _merged(model, extras.get("merge", {}))
            model = deepcopy(model)
            self._extras_processor.process(model, [extras])
            return model

    return QuickLoader


def _merged(base: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    """What `botocore.utils.deep_merge` makes of `base`, in new dicts as far as something differs."""
    merged = dict(base)
    for key, value in extra.items():
        dicts = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = _merged(base[key], value) if dicts else value
    return merged


def loader() -> Any:
    """Return a loader for a session of botocore's, to be registered as its component `data_loader`."""
    ordinary = botocore.loaders.Loader
    known = all(hasattr(ordinary, name) for name in ("_find_extras", "determine_latest_version", "load_data"))
    return _quick(ordinary)() if known else ordinary()


class LentToMoto:
    """Lets moto use our loader and this session, from creation to `restore`."""

    def __init__(self, session: Any) -> None:
        """`session`: the boto3 session that answers moto's question which regions there are. moto makes one of its own else."""
        self._own: tuple[Any, Any] | None = None
        if moto.__version__ != TESTED_MOTO:
            return
        self._own = moto.core.utils.create_loader, vars(AccountSpecificBackend)["get_session"]
        moto_loader = _quick(moto.core.loaders.Loader)
        moto.core.utils.create_loader = lambda: moto_loader(extra_search_paths=[moto.core.loaders.moto_root])
        AccountSpecificBackend.get_session = classmethod(lambda cls: session)  # type: ignore[method-assign, assignment]

    def restore(self) -> None:
        """Give moto its own back."""
        if self._own is not None:
            moto.core.utils.create_loader, AccountSpecificBackend.get_session = self._own  # type: ignore[method-assign]
            self._own = None
