"""awscli, with what the course adds to it: the address, the refusals, version 2's ways. One process runs one command.

It uses awscli through its events and its command line driver, and changes the process it is in: only `warm` and `cold` import it.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import awscli
import awscli.help
from awscli import EnvironmentVariables, __version__, argparser, clidriver
from awscli.alias import AliasLoader
from awscli.customizations.commands import BasicCommand
from awscli.plugin import load_plugins
from botocore import __version__ as botocore_version
from botocore.loaders import create_loader
from botocore.session import Session

from bentocola.cli.aws import loopback, tail, version2
from bentocola.cli.language import CommandError, say

__all__ = ["new_driver", "run", "shared_loader"]

_loader: Any = None
# It would send whoever mistypes to install version 2, which does not talk to the local cloud.
argparser.USAGE = argparser.USAGE.replace(f"{argparser.AWS_CLI_V2_MESSAGE}\n\n", "")
_READS_ONLY = ("list", "list-profiles", "get", "help")


def run(arguments: list[str], endpoint: str) -> int:
    """Run one command and return its exit status. What it prints, and where it fails, is awscli's own.

    `endpoint`: the local cloud's address, for what does not name another on this machine.
    """
    sys.argv = ["aws", *arguments]
    loopback.stay()
    driver = new_driver(endpoint)
    try:
        return int(driver.main(arguments) or 0)
    except SystemExit as ended:  # how the parser of arguments ends
        if isinstance(ended.code, int):
            return ended.code
        if ended.code is None:
            return 0
        print(ended.code, file=sys.stderr)
        return 1


def shared_loader() -> Any:
    """Return the one reader of the services' descriptions, which keeps what it has read."""
    global _loader
    if _loader is None:
        # The folder that awscli adds to AWS_DATA_PATH when it is imported; the variable is not there for every command.
        _loader = create_loader(str(Path(awscli.__file__).parent / "data"))
    return _loader


def new_driver(endpoint: str) -> Any:
    """Return awscli's driver, as awscli makes it but for the plug-ins and aliases of the person's own files."""
    session = Session(EnvironmentVariables)
    session.user_agent_name, session.user_agent_version = "aws-cli", __version__
    session.user_agent_extra = f"botocore/{botocore_version}"
    session.register_component("data_loader", shared_loader())
    events = session.get_component("event_emitter")
    load_plugins({}, event_hooks=events)
    version2.register(events)
    tail.register(events)
    events.register("building-command-table.main", _add_refused)
    events.register("top-level-args-parsed", _Endpoint(endpoint))
    driver = clidriver.CLIDriver(session=session)
    driver.alias_loader = AliasLoader("")
    if not (shutil.which("groff") or shutil.which("mandoc")):
        awscli.help.PosixHelpRenderer._convert_doc_content = _plain_help
    return driver


class _Endpoint:
    """Puts the address where --endpoint-url would stand, and refuses what would change or leave this machine."""

    def __init__(self, endpoint: str) -> None:
        self._course = endpoint

    def __call__(self, parsed_args: Any, session: Any, remaining_args: list[str], **event: Any) -> None:
        command = parsed_args.command
        if command == "configure" and next(iter(remaining_args), "") not in _READS_ONLY:
            raise CommandError(_not_configured())
        if parsed_args.profile:
            session.set_config_variable("profile", parsed_args.profile)
        profile = _profile(session)
        parsed_args.endpoint_url = loopback.endpoint_for(
            command, parsed_args.endpoint_url, os.environ, profile, self._course
        )


def _profile(session: Any) -> dict[str, Any]:
    """The settings of the profile in force, those of its `services` section too."""
    from botocore.exceptions import ProfileNotFound

    try:
        settings = dict(session.get_scoped_config())
    except ProfileNotFound:  # awscli will say so
        return {}
    sections = session.full_config.get("services", {})
    return {**settings, "services": sections.get(settings.get("services"), {})}


def _add_refused(command_table: dict[str, Any], session: Any, **event: Any) -> None:
    for name in ("sso", "login", "logout"):
        command_table[name] = _Refused(session, name)


class _Refused(BasicCommand):  # type: ignore[misc]
    """A command that would sign in to a real account."""

    _UNDOCUMENTED = True

    def __init__(self, session: Any, name: str) -> None:
        super().__init__(session)
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def __call__(self, args: list[str], parsed_globals: Any) -> int:
        raise CommandError(_not_configured())


def _not_configured() -> str:
    return say(
        "In the course's shell, aws uses the course's own keys, and there is nothing to configure or to sign in to. "
        "Your own settings in ~/.aws are left as they are."
    )


def _plain_help(renderer: Any, contents: bytes) -> bytes:
    """A page of help as text, as awscli makes it on Windows: neither groff nor mandoc is there to lay it out."""
    from awscli.bcdoc.textwriter import TextWriter
    from docutils.core import publish_string

    overrides = awscli.help.PosixHelpRenderer._DEFAULT_DOCUTILS_SETTINGS_OVERRIDES
    return bytes(publish_string(contents, writer=TextWriter(), settings_overrides=overrides))
