"""The cloud that a notebook gets: a local cloud that can be looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentocola.cloud.cloud import Cloud

if TYPE_CHECKING:
    from bentocola.views.aws import AwsView

__all__ = ["ViewedCloud"]


class ViewedCloud(Cloud):
    """A local cloud with a view."""

    def view(self) -> AwsView:
        """Return the AWS view of this cloud: queues, mappings, runs, items and write decisions, as they happen.

        The last line of a cell shows it; printing it says the same in a few lines.
        """
        from bentocola.views.aws import AwsView

        return AwsView.of(self)
