"""Imports and makes once, in the nursery, what every submission would otherwise import and make for itself.

It starts no thread, opens no socket and leaves no client or cloud behind: what is forked from it must be as good as new. May
touch botocore's loader of service descriptions, which is shared by all sessions of a process from then on.
"""

from __future__ import annotations

import functools
import gc
import importlib
import importlib.util
import os
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from types import FunctionType, MethodType
from typing import Any

from autograder import pages
from autograder.imports import light

__all__ = ["EXTRA", "warm", "warm_extra"]

_MODULES = (
    "ipykernel.zmqshell",
    "IPython.core.completer",
    "IPython.core.magics.execution",
    "IPython.core.magics.script",
    "IPython.core.ultratb",
    "asyncio",
    "comm",
    "concurrent.futures",
    "multiprocessing.popen_fork",
    "nbclient",
    "nbformat.v4",
    "boto3.s3.inject",
    "boto3.s3.transfer",
    "boto3.dynamodb.transform",
    "boto3.resources.factory",
    "bentocola",
    "bentocola.checks",
    "bentocola.cloud.cloud",
    "autograder.candidate",
    "autograder.examiner",
    "autograder.intake",
    "autograder.invigilator",
    "autograder.paper",
    "autograder.aws.candidate",
    "autograder.aws.examiner",
    "autograder.jail",
    "autograder.sitting.day",
)
_SERVICES = {
    "s3": "list_buckets",
    "sqs": "list_queues",
    "dynamodb": "list_tables",
    "lambda": "list_functions",
    "sts": "get_caller_identity",
}
_FAKE = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}

EXTRA = frozenset({"matplotlib", "matplotlib.pyplot", "numpy", "pandas", "scipy", "sympy"})
"""Slow packages that other courses use: imported beforehand if the source imports them and they are installed."""


def warm() -> None:
    """Import and make everything.

    Raises RuntimeError if something that was imported started a thread, for a fork would lose it.
    """
    environ = dict(os.environ)
    gc.disable()
    try:
        with light():
            for module in _MODULES:
                importlib.import_module(module)
        _share_what_sessions_make()
        _call_each_service()
        gc.collect()  # what was read in between makes room for what comes
        _make_what_all_share()
    finally:
        os.environ.clear()
        os.environ.update(environ)
        gc.enable()
    _settle()
    if threading.active_count() != 1:
        names = ", ".join(thread.name for thread in threading.enumerate())
        raise RuntimeError(f"The nursery must have one thread to fork from, and has {names}.")


def warm_extra(modules: Iterable[str]) -> None:
    """Import those of the source's `modules` that are in `EXTRA` and installed."""
    for module in sorted(EXTRA.intersection(modules)):
        # A package that fails here fails in the cell that asks for it, where it belongs.
        with suppress(Exception):
            importlib.import_module(module)
    _settle()


def _settle() -> None:
    """Lay down what there is, to be shared: else the collector of each child would touch, and so copy, every page."""
    gc.freeze()
    pages.gather()


def _share_what_sessions_make() -> None:
    """Let all sessions of botocore have one loader of descriptions, and remember what they work out from constants.

    Each reads and parses the descriptions of its services again, asks of 170 functions what they accept, and looks through its
    list of former names 236 times. moto drops boto3's session at each start, so there are many sessions.
    """
    import botocore.hooks
    import botocore.loaders
    import botocore.session

    ask = botocore.hooks.accepts_kwargs
    remembered = functools.cache(ask)

    def accepts_kwargs(called: Any) -> Any:
        function = called.__func__ if isinstance(called, MethodType) else called
        # Other callables need not be hashable, nor live for ever.
        return remembered(function) if isinstance(function, FunctionType) else ask(called)

    botocore.hooks.accepts_kwargs = accepts_kwargs

    aliaser = botocore.hooks.EventAliaser
    make_aliaser = aliaser.__init__
    former_names: dict[str, str] = {}

    def init(self: Any, event_emitter: Any, event_aliases: Any = None) -> None:
        make_aliaser(self, event_emitter, event_aliases)
        if self._event_aliases == botocore.hooks.EVENT_ALIASES:
            self._alias_name_cache = former_names

    aliaser.__init__ = init

    make = botocore.loaders.create_loader
    made: dict[str | None, object] = {}

    def create_loader(search_path_string: str | None = None) -> object:
        if search_path_string not in made:
            made[search_path_string] = make(search_path_string)
        return made[search_path_string]

    botocore.loaders.create_loader = create_loader
    botocore.session.create_loader = create_loader


def _make_what_all_share() -> None:
    """Make the shell that rooms adopt, what their jails show, and the checker of notebooks."""
    import nbformat

    from autograder import jail, shell

    first = shell.warm()
    assert first.display_formatter is not None
    first.display_formatter.format(0)  # type: ignore[no-untyped-call]
    _show_an_error(first)
    jail.prepare()
    nbformat.validate({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def _show_an_error(shell: Any) -> None:
    """Have IPython lay out a traceback: the first one costs eight times as much as those after it."""
    try:
        raise LookupError
    except LookupError:
        shell.InteractiveTB.structured_traceback(*sys.exc_info())


def _call_each_service() -> None:
    """Make a client of each service and call it, in a local cloud and under moto alone, so that both are imported and made."""
    import boto3
    from moto import mock_aws

    import bentocola

    cloud = bentocola.start("es")
    try:
        _call_all()
    finally:
        cloud.stop()
    os.environ.update(_FAKE)
    with mock_aws():
        _call_all()
    boto3.DEFAULT_SESSION = None


def _call_all() -> None:
    import boto3

    for service, operation in _SERVICES.items():
        getattr(boto3.client(service), operation)()
    for service in ("dynamodb", "s3", "sqs"):
        boto3.resource(service)
