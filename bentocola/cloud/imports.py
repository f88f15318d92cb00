"""Imports boto3 and moto without what a student's first call does not need. For speed alone: without it everything is the same.

May touch moto's internals: it knows which of its modules, and of the packages below it, are imported for something that few
ever use. `import moto` alone loads its mocks of HTTP and the addresses of all its services, and only `mock_aws` wants them.

What is left out is loaded when somebody uses it, by Python's ordinary import. What somebody has imported before stays as it
is, and another moto than the tested one is imported in its own way.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["TESTED_MOTO", "collector_at_rest", "quick", "real"]

TESTED_MOTO = "5.2.5"
"""The moto whose imports this module knows."""


@contextmanager
def quick() -> Iterator[None]:
    """While it is open, imports leave out what can wait, and Python's collector rests."""
    stand_ins: list[tuple[_Wait, _StandIn]] = []
    try:
        with collector_at_rest():
            _stand_in(stand_ins)
            yield
    finally:
        _step_aside(stand_ins)


_frozen_by_others = False
"""Whether that was seen once."""


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """While it is open, Python's collector rests, for what is made is there to stay.

    It walks through all objects again and again while many are made: a sixth of the time, in a start where nothing else is
    spared. Afterwards it takes the new ones for some that have long been there, or its next rounds would make up for these. It
    still finds what becomes garbage later.
    """
    global _frozen_by_others
    resting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        # Somebody may keep objects frozen, before a fork say, and it is theirs to end. To count them walks through them all.
        _frozen_by_others = _frozen_by_others or gc.get_freeze_count() > 0
        if not _frozen_by_others:
            gc.freeze()
            gc.unfreeze()
        if resting:
            gc.enable()


@dataclass(frozen=True)
class _Wait:
    """A module that can wait."""

    module: str
    passed_on: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Who imports names from it, only to pass them on: a module by its name, and the names. They are there on demand."""
    constants: Mapping[str, Any] = field(default_factory=dict)
    """What others import from it and use at once."""
    package: bool = False
    """Whether modules below it are imported while it waits. They are forgotten afterwards: the package has its own."""


_CAN_WAIT = (
    # `mock_aws`; with it the mocks of HTTP (responses, unittest.mock, yaml, asyncio) and the addresses of all services.
    _Wait("moto.core.decorator", {"moto": ("mock_aws",)}),
    _Wait(
        "moto.core.models",
        {"moto.core": ("patch_client", "patch_resource")},
        {"DEFAULT_ACCOUNT_ID": "123456789012"},
    ),
    # Reads the metadata of installed packages, to know the version of responses.
    _Wait("moto.core.versions", constants={"PYTHON_311": sys.version_info >= (3, 11)}),
    # moto.iam.models, which each service asks who calls, would look at certificates with it.
    _Wait("cryptography.x509"),
    # AWS's own policies, 5 MB of text in it, which moto.iam.models reads if it is told to.
    _Wait("moto.iam.aws_managed_policies", constants={"aws_managed_policies_data": ""}),
    # moto wants one dict of it, `requests.structures`, which is built on two classes of Python's own.
    _Wait("requests", package=True),
    _Wait("requests.compat", constants={"Mapping": Mapping, "MutableMapping": MutableMapping}),
    # A web server, which werkzeug passes on.
    _Wait("werkzeug.serving", {"werkzeug": ("run_simple",)}),
    # For transfers with several processes, which boto3 does not make.
    _Wait("multiprocessing.managers", {"s3transfer.compat": ("BaseManager",)}),
)


# The stand-ins


class _StandIn(ModuleType):
    """Is found in place of a module by those who import it now. What it does not have itself, it takes from the real one."""

    def __getattr__(self, attribute: str) -> Any:
        if attribute in ("__path__", "__all__", "__file__"):  # what an import asks of any module
            raise AttributeError(f"module {self.__name__!r} has no attribute {attribute!r}")
        return getattr(real(self.__name__), attribute)


def real(name: str) -> ModuleType:
    """Import the module itself, also while another stands in for it.

    Safe in any thread: from here on it is Python's own import, with its locks.
    """
    stand_in = sys.modules.get(name)
    if isinstance(stand_in, _StandIn):
        _forget(stand_in)
    return importlib.import_module(name)


def _forget(stand_in: _StandIn) -> None:
    """Take the stand-in away, and what was imported below it."""
    name = stand_in.__name__
    if sys.modules.get(name) is not stand_in:
        return
    del sys.modules[name]
    for below, module in list(sys.modules.items()):
        if below.startswith(f"{name}.") and not isinstance(module, _StandIn):
            del sys.modules[below]


class _Later:
    """Stands for a function or a class of a module that waits: is the real one as soon as it is called or derived from."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name

    def _found(self) -> Any:
        return getattr(real(self._module), self._name)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._found()(*arguments, **named)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[Any, ...]:
        return (self._found(),)

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._found(), attribute)


def _stand_in(stand_ins: list[tuple[_Wait, _StandIn]]) -> None:
    """Put a stand-in in the place of each module that can wait and that nobody has imported, and add it to the list."""
    if _installed_moto() != TESTED_MOTO:
        return
    for wait in _CAN_WAIT:
        # Who has been imported already has what it passes on.
        if wait.module in sys.modules or any(name in sys.modules for name in wait.passed_on):
            continue
        stand_in = _StandIn(wait.module)
        names = [name for passed_on in wait.passed_on.values() for name in passed_on]
        vars(stand_in).update({name: _Later(wait.module, name) for name in names}, **wait.constants)
        if wait.package:
            spec = importlib.util.find_spec(wait.module)
            vars(stand_in)["__path__"] = spec.submodule_search_locations if spec else []
        sys.modules[wait.module] = stand_in
        stand_ins.append((wait, stand_in))
    if any(wait.module == "moto.core.models" for wait, _ in stand_ins):
        from botocore.handlers import BUILTIN_HANDLERS

        BUILTIN_HANDLERS.append(("before-send", _ask_the_mocks))


@cache
def _installed_moto() -> str:
    """Return the version of the installed moto, read from its source: importing it is what is put off."""
    try:
        spec = importlib.util.find_spec("moto")
        source = Path(spec.origin).read_text(encoding="utf-8") if spec and spec.origin else ""
    except (OSError, ValueError):
        return ""
    return source.partition('__version__ = "')[2].partition('"')[0]


def _step_aside(stand_ins: list[tuple[_Wait, _StandIn]]) -> None:
    """Take the stand-ins away: whoever imports one of the modules from now on gets the real one.

    What they lent goes too, and is there again when it is asked for.
    """
    for wait, stand_in in stand_ins:
        _forget(stand_in)
        for holder, names in wait.passed_on.items():
            if holder in sys.modules:
                lent = [name for name in names if vars(sys.modules[holder]).get(name) is vars(stand_in)[name]]
                _on_demand(sys.modules[holder], wait.module, lent)
        if wait.module == "moto.iam.aws_managed_policies" and "moto.iam.models" in sys.modules:
            _give_policies_to(sys.modules["moto.iam.models"])


def _on_demand(holder: ModuleType, module: str, names: list[str]) -> None:
    """Let `holder` find the `names` in `module`, and whatever else importing that module would have given it."""
    if "__getattr__" in vars(holder):  # it looks for things in its own way, and that is not for us to change
        vars(holder).update({name: getattr(real(module), name) for name in names})
        return
    for name in names:
        delattr(holder, name)

    def find(attribute: str) -> Any:
        # Python and its tools look for many of these, and mean nothing of ours; but for `from moto import *`.
        if attribute.startswith("__") and attribute != "__all__":
            raise AttributeError(f"module {holder.__name__!r} has no attribute {attribute!r}")
        real = importlib.import_module(module)
        for name in names:
            vars(holder).setdefault(name, getattr(real, name))
        vars(holder).pop("__getattr__", None)
        return getattr(holder, attribute)

    vars(holder)["__getattr__"] = find  # https://peps.python.org/pep-0562/


def _give_policies_to(iam: Any) -> None:
    """Let moto's IAM have the text of AWS's policies when it sees that it is told to read it."""
    is_told_to = iam.load_iam_aws_managed_policies
    if is_told_to.__module__ == __name__:  # since an earlier start
        return

    def load_iam_aws_managed_policies() -> Any:
        if told := is_told_to():
            iam.aws_managed_policies_data = real("moto.iam.aws_managed_policies").aws_managed_policies_data
        return told

    iam.load_iam_aws_managed_policies = load_iam_aws_managed_policies


def _ask_the_mocks(**event: Any) -> Any:
    """What moto.core.models adds to every session of botocore when it is imported, for the sessions that are made before that.

    Without it, a client made while the local cloud runs and used under `mock_aws` after its end would reach for the network.
    """
    mocks = sys.modules.get("moto.core.models")
    stubber = vars(mocks).get("botocore_stubber") if mocks else None
    return stubber(**event) if stubber else None
