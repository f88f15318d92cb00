"""The AWS view in a notebook: what there is in a cloud, what ran, and what DynamoDB decided, as it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import traitlets

from bentocola.views import summary
from bentocola.views.sources import CloudSource, ServedSource
from bentocola.views.widget import View

if TYPE_CHECKING:
    from bentocola.cloud.cloud import Cloud

__all__ = ["AwsView"]


class AwsView(View):
    """Shows a cloud. The last line of a cell draws it; printing it says the same in a few lines.

    When its cloud has ended, it says so and keeps what it showed: it follows no other.
    """

    lab = traitlets.Dict(allow_none=True, default_value=None).tag(sync=True)
    """The lab that the cloud belongs to: {"name": …, "prefix": …}."""

    @classmethod
    def of(cls, cloud: Cloud) -> AwsView:
        """Return a view of a cloud of this process."""
        return cls(CloudSource(cloud), kind="aws", language=cloud.edition)

    @classmethod
    def served(cls, endpoint: str, *, language: str, lab: dict[str, str] | None = None) -> AwsView:
        """Return a view of the cloud that is served at `endpoint`, http://127.0.0.1:PORT.

        It may end and be served there again: the view waits for it.
        """
        return cls(ServedSource(endpoint), kind="aws", language=language, lab=lab)

    def __repr__(self) -> str:
        return summary.aws(self.language, self.told())
