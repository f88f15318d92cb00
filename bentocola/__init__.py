"""What a notebook imports: `bentocola.start("es")` opens the course's local cloud for plain boto3.

Everything heavy (boto3, moto) is imported by `start`, so that `import bentocola` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bentocola.views.viewed import ViewedCloud

__all__ = ["__version__", "start"]

__version__ = "0.1.0"


def start(edition: str, *, live: bool = False) -> ViewedCloud:
    """Start an empty local cloud for this process and return it.

    `edition` is "es" or "ja": it chooses the names of the course's resources and the language of messages. From here on every
    boto3 client in this process, whether it was made before or after, talks to the local cloud; nothing leaves the machine.
    Calling it again starts over with an empty cloud.

    Time stands still until `cloud.clock.advance(seconds)`, and what services do by themselves happens in `cloud.settle()`: so
    a lesson is the same each time. With `live`, time is real and services work by themselves, in threads.

    `cloud.view()`, as the last line of a cell, shows what is in the cloud and what happens there.

    Raises `bentocola.errors.UnknownEditionError` for another edition and `bentocola.errors.UntestedMotoError` when the
    installed moto breaks one of the amendments.
    """
    from bentocola.cloud.imports import quick

    # Around the import as well: it is what brings boto3 and moto in, and half of what a start takes.
    with quick():
        from bentocola.cloud.cloud import start as start_cloud
        from bentocola.views.viewed import ViewedCloud

        return start_cloud(edition, live=live, kind=ViewedCloud)
