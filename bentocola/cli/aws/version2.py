"""What version 2 of the AWS CLI documents and version 1 lacks: accepted, and done as version 2 does it.

It changes awscli through the events that it offers its plug-ins. Sources: the AWS CLI user guide, "New features and changes in
AWS CLI version 2", https://docs.aws.amazon.com/cli/latest/userguide/cliv2-migration-changes.html, and its command line options,
https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-options.html
"""

from __future__ import annotations

import base64
import binascii
from typing import Any

from awscli.arguments import CustomArgument
from awscli.paramfile import LOCAL_PREFIX_MAP, URIArgumentHandler, register_uri_param_handler
from awscli.shorthand import ModelVisitor

from bentocola.cli.language import CommandError, say

__all__ = ["register"]

_FORMATS = ["base64", "raw-in-base64-out"]


def register(events: Any) -> None:
    """Add the options, and version 2's reading of blobs and addresses. `events`: the session's event emitter."""
    events.register("building-top-level-params", _add_options)
    events.register("top-level-args-parsed", _look_at_options)
    events.register_first("choose-signer.s3", _sign_in_the_new_way)
    # Version 1 would fetch a parameter that looks like an address, and use what it got.
    events.unregister("session-initialized", register_uri_param_handler)
    events.register("session-initialized", _read_files_only)


def _add_options(argument_table: dict[str, Any], **event: Any) -> None:
    for argument in (
        CustomArgument(
            "cli-binary-format",
            choices=_FORMATS,
            help_text="The formatting style to be used for binary blobs. The default format is base64.",
        ),
        CustomArgument("no-cli-pager", action="store_true", help_text="Disable cli pager for output."),
        CustomArgument("cli-auto-prompt", action="store_true", help_text="Not offered here."),
        CustomArgument("no-cli-auto-prompt", action="store_true", help_text="Disable automatically prompt."),
    ):
        argument.add_to_arg_table(argument_table)


def _look_at_options(parsed_args: Any, session: Any, **event: Any) -> None:
    if parsed_args.cli_auto_prompt:
        raise CommandError(say("The aws of the course has no --cli-auto-prompt. Leave it out, or read: aws help"))
    form = parsed_args.cli_binary_format or session.get_scoped_config().get("cli_binary_format", "base64")
    if form != "raw-in-base64-out":
        session.register("provide-client-params", _decode_blobs)


def _sign_in_the_new_way(signature_version: Any, **event: Any) -> Any:
    """Version 1 signs an address with Signature Version 2, unless it is told otherwise; version 2 never does."""
    return {"v4-query": "s3v4-query", "v4-presign-post": "s3v4-presign-post"}.get(signature_version)


def _read_files_only(session: Any, **event: Any) -> None:
    session.register("load-cli-arg", URIArgumentHandler(dict(LOCAL_PREFIX_MAP)))


def _decode_blobs(params: dict[str, Any], model: Any, **event: Any) -> None:
    """A blob that is given as text is base64. One that was read with fileb:// is bytes, and is left as it is."""
    if model.input_shape:
        _Decoding().visit(params, model.input_shape)


class _Decoding(ModelVisitor):  # type: ignore[misc]
    def _visit_scalar(self, parent: Any, shape: Any, name: Any, value: Any) -> None:
        if shape.type_name != "blob" or not isinstance(value, str):
            return
        try:
            parent[name] = base64.b64decode(value)
        except (binascii.Error, ValueError):
            raise CommandError(f'Invalid base64: "{value}"') from None  # AWS's words
