"""botocore's descriptions of the services, found and read quickly, for boto3 and moto. For speed alone.

May touch moto's internals: how it makes its loader of these descriptions, and the boto3 session that it asks which regions
there are. botocore's own loader looks at each of its 18,000 files before it opens one, and reads JSON the slow way; boto3's
session, moto and the session that moto makes for itself then read the same descriptions once each.
"""

from __future__ import annotations

import gzip
import json
import marshal
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import botocore.loaders
import moto
import moto.core.loaders
import moto.core.utils
from botocore.exceptions import DataNotFoundError
from moto.core.base_backend import AccountSpecificBackend

from bentocola.cloud.imports import TESTED_MOTO, collector_at_rest

__all__ = ["LentToMoto", "loader"]

_copies: dict[str, bytes] = {}
"""The descriptions that were read, by their paths, packed: each reader unpacks a copy, for some change what they got.

botocore itself does, to the addresses of S3's operations, and moto's routes of requests depend on them.
"""
_moto: Any = moto.core.utils  # as a value: it does not export the function that is replaced in it


class _Files(botocore.loaders.JSONFileLoader):  # type: ignore[misc]
    """Reads botocore's JSON files as plain dicts, which keep their order too; the descriptions once for all readers.

    Asked for an `OrderedDict`, as botocore does, Python's JSON reader cannot go its quick way.
    """

    def load_file(self, file_path: str) -> Any:
        """Return the content of the file, or None when there is none. `file_path` comes without its extension."""
        with collector_at_rest():
            if file_path in _copies:
                return marshal.loads(_copies[file_path])
            content = _read(file_path)
            # What a student has in ~/.aws/models may change at any time.
            if os.path.basename(file_path) == "service-2" and file_path.startswith(_OWN_FILES):
                _copies[file_path] = marshal.dumps(content)
            return content


_OWN_FILES = os.path.join(botocore.loaders.Loader.BUILTIN_DATA_PATH, "")
_UNPACK: dict[str, Callable[[bytes], bytes]] = {".json": bytes, ".json.gz": gzip.decompress}


def _read(file_path: str) -> Any:
    for extension, unpack in _UNPACK.items():
        try:
            packed = Path(file_path + extension).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            continue
        return json.loads(unpack(packed).decode("utf-8"))
    return None


def _quick(ordinary: Any) -> Any:
    """Make a kind of loader that finds one description without a list of all services."""

    class QuickLoader(ordinary):  # type: ignore[misc]
        def __init__(self, **options: Any) -> None:
            super().__init__(file_loader=_Files(), **options)
            self._looking_for = threading.local()

        def load_service_model(self, service_name: str, type_name: str, api_version: str | None = None) -> Any:
            """Return a description. As botocore's own, which asks for a list of all services to see whether this one is there."""
            self._looking_for.service = service_name
            try:
                return super().load_service_model(service_name, type_name, api_version)
            finally:
                del self._looking_for.service

        def list_available_services(self, type_name: str) -> Any:
            """Return the names of all services; while one is looked for and is there, its name alone."""
            service = getattr(self._looking_for, "service", None)
            try:
                if service and self.determine_latest_version(service, type_name):
                    return [service]
            except DataNotFoundError:
                pass
            return super().list_available_services(type_name)

    return QuickLoader


def loader() -> Any:
    """Return a loader for a session of botocore's, to be registered as its component `data_loader`."""
    return _quick(botocore.loaders.Loader)()


class LentToMoto:
    """Lets moto use our loader and the given session, from creation to `restore`."""

    def __init__(self, session: Any) -> None:
        """`session`: the boto3 session that is asked which regions there are. moto would make one of its own."""
        self._own: tuple[Any, Any] | None = None
        if moto.__version__ != TESTED_MOTO:
            return
        self._own = _moto.create_loader, vars(AccountSpecificBackend)["get_session"]
        moto_loader = _quick(moto.core.loaders.Loader)
        _moto.create_loader = lambda: moto_loader(extra_search_paths=[moto.core.loaders.moto_root])
        AccountSpecificBackend.get_session = classmethod(lambda cls: session)  # type: ignore[method-assign, assignment]

    def restore(self) -> None:
        """Give moto its own back."""
        if self._own is not None:
            _moto.create_loader, AccountSpecificBackend.get_session = self._own  # type: ignore[method-assign]
            self._own = None
