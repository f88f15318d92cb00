"""boto3's default session while the cloud runs: a fresh one, so that none made earlier brings its profile or keys along.

It reads botocore's descriptions of the services quickly, and moto shares it.
"""

from __future__ import annotations

import gc
from itertools import count

import boto3
import botocore.session

from bentocola.cloud import models

__all__ = ["Default"]

_restored = count(1)
_MOST_KEPT = 8
"""After so many sessions, garbage is collected: the clients of each hold some 10 MB of descriptions, in cycles."""


class Default:
    """Puts a fresh default session in place on creation; `restore` brings the former one back."""

    def __init__(self) -> None:
        self._former = boto3.DEFAULT_SESSION
        core = botocore.session.get_session()
        core.register_component("data_loader", models.loader())
        session = boto3.Session(botocore_session=core)
        self._lent = models.LentToMoto(session)
        boto3.DEFAULT_SESSION = session

    def restore(self) -> None:
        """Bring back the session that was there."""
        self._lent.restore()
        boto3.DEFAULT_SESSION = self._former
        # Python does that by a count of new objects, which misses those made while it rested (`imports.collector_at_rest`).
        if next(_restored) % _MOST_KEPT == 0:
            gc.collect()
