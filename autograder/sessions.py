"""Lets a process read, parse and build once what botocore and moto make of constants again and again. For speed alone.

moto drops boto3's session at each start, so there are many sessions. Nothing here depends on a session's own settings, and
nothing of it changes in use. Touches functions of botocore's and moto's, once a process.
"""

from __future__ import annotations

import functools
import importlib
import sys
from types import FunctionType, MethodType
from typing import Any

__all__ = ["share", "share_names"]


def share() -> None:
    """Put it in place."""
    _descriptions()
    _models()
    _endpoints()
    _hooks()
    _mocks()


def share_names() -> None:
    """Remember the names that moto works out letter by letter, in those of its modules that are imported by now."""
    from moto.core import utils

    theirs = utils.camelcase_to_underscores
    remembered = functools.lru_cache(10_000)(theirs)
    for name, module in list(sys.modules.items()):
        if name.startswith("moto.") and vars(module).get("camelcase_to_underscores") is theirs:
            module.camelcase_to_underscores = remembered  # type: ignore[attr-defined]


def _descriptions() -> None:
    """One loader of service descriptions: each would read and parse them again."""
    import botocore.loaders
    import botocore.session

    create_loader = functools.cache(botocore.loaders.create_loader)
    botocore.loaders.create_loader = create_loader
    botocore.session.create_loader = create_loader


def _models() -> None:
    """One model of a service, which remembers the shapes that it has worked out, and one set of a client's methods.

    A client's class is still its own: what a notebook puts into it is in no other's.
    """
    from botocore.client import ClientCreator

    load, make = ClientCreator._load_service_model, ClientCreator._create_methods
    models: dict[tuple[str, int], tuple[object, Any]] = {}
    methods: dict[int, tuple[object, dict[str, Any]]] = {}

    def load_service_model(self: Any, service_name: str, api_version: str | None = None) -> Any:
        description = self._loader.load_service_model(service_name, "service-2", api_version=api_version)
        key = service_name, id(description)
        if key not in models:
            models[key] = (
                description,
                load(self, service_name, api_version),
            )  # the first keeps the id from being given again
        return models[key][1]

    def create_methods(self: Any, service_model: Any) -> dict[str, Any]:
        key = id(service_model)
        if key not in methods:
            methods[key] = service_model, make(self, service_model)
        return dict(methods[key][1])

    ClientCreator._load_service_model = load_service_model
    ClientCreator._create_methods = create_methods


def _endpoints() -> None:
    """One tree of rules for a service's addresses, with what it has found, and one context for TLS, which nothing uses."""
    import botocore.httpsession
    import botocore.regions

    make = botocore.regions.EndpointProvider
    made: dict[tuple[int, int, frozenset[str]], tuple[object, object, Any]] = {}

    def provider(ruleset_data: Any, partition_data: Any, excluded_params: Any = None) -> Any:
        key = id(ruleset_data), id(partition_data), frozenset(excluded_params or ())
        if key not in made:
            found = make(ruleset_data, partition_data, excluded_params)
            made[key] = ruleset_data, partition_data, found
        return made[key][2]

    botocore.regions.EndpointProvider = provider
    botocore.httpsession.create_urllib3_context = functools.cache(botocore.httpsession.create_urllib3_context)


def _hooks() -> None:
    """Ask of a function once what it accepts, and look once through the former names of an event: 170 and 236 a session."""
    import botocore.hooks

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

    nodes = botocore.hooks.NodeList

    def copied(node: dict[str, Any]) -> dict[str, Any]:
        return {
            key: nodes(value.first[:], value.middle[:], value.last[:])
            if type(value) is nodes
            else copied(value)
            if type(value) is dict
            else value
            for key, value in node.items()
        }

    # Each client gets a copy of its session's hooks, a tree of 400 nodes.
    botocore.hooks._PrefixTrie._recursive_copy = lambda self, node: copied(node)


def _mocks() -> None:
    """Make the 1,300 objects once that moto puts up for the library `requests` at each start."""
    models: Any = importlib.import_module("moto.core.models")
    models.CallbackResponse = functools.cache(models.CallbackResponse)
