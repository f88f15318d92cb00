"""Cloud: one set of mocked services with its clock and recorder.

This module puts the parts together; they do not know each other.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import boto3

from bentocola.cloud import amendments, clock, sessions
from bentocola.cloud.clock import Clock
from bentocola.cloud.door import ACCOUNT, DEFAULT_REGION, Door
from bentocola.cloud.environment import AwsEnvironment
from bentocola.cloud.functions.poller import Handler, Round, poll_once
from bentocola.cloud.imports import TESTED_MOTO
from bentocola.cloud.names import EDITIONS, Names
from bentocola.cloud.recorder import Recorder
from bentocola.cloud.story import tell
from bentocola.cloud.trace import Trace
from bentocola.cloud.wires.guard import NetworkGuard
from bentocola.cloud.wires.in_process import InProcessWire
from bentocola.errors import NothingLeavesError, UnknownEditionError, UntestedMotoError
from bentocola.messages import translate

__all__ = ["TESTED_MOTO", "Cloud", "start"]

_running: Cloud | None = None


class Cloud:
    """A running local cloud. `names`: the edition's names; `clock`: its time; `trace`: what happened. Made by `start`."""

    def __init__(self, edition: str) -> None:
        self.edition = edition
        self.names: Names = EDITIONS[edition]
        self.clock = Clock(say=self.say)
        self._recorder = Recorder(self.clock, partial(tell, edition))
        self._door = Door([self._recorder], before_call=self.clock.tick, say=self.say)
        self._environment = AwsEnvironment()
        self._session = sessions.Default()
        self._wire = InProcessWire(self._door.handle)
        self._wire.connect()
        self._guard = NetworkGuard(self._refuse)
        self._guard.connect()
        self.clock.install()
        self._door.empty()
        self._stopped = False

    @property
    def trace(self) -> Trace:
        """What happened since the start, or since `trace.clear()`. Print it to read it as a numbered list."""
        return self._recorder.trace

    @property
    def set_aside(self) -> list[str]:
        """The names of the AWS settings that were found on this machine and are not used here."""
        return self._environment.set_aside

    def say(self, message: str, /, **values: object) -> str:
        """Return a message of the catalogue in this cloud's language."""
        return translate(self.edition, message, **values)

    def poll_once(self, queue_url: str, handler: Handler, **options: Any) -> Round:
        """Do what Lambda does for a queue, once. The options are those of `functions.poller.poll_once`."""
        return poll_once(boto3.client("sqs"), self._recorder, queue_url, handler, **options)

    def stop(self) -> None:
        """End the local cloud: what it held is gone, and this process's AWS settings are as `start` found them.

        One that has ended already, or was replaced by a later `start`, is left alone.
        """
        global _running
        if self._stopped:
            return
        self._stopped = True
        self._guard.disconnect()
        self._wire.disconnect()
        self._door.empty()
        self.clock.uninstall()
        self._session.restore()
        self._environment.restore()
        if _running is self:
            _running = None

    def _refuse(self, host: str) -> NothingLeavesError:
        return NothingLeavesError(
            self.say(
                "{host} is an address of AWS, and nothing leaves this machine while the local cloud runs. "
                "Ask with a boto3 client, or end the local cloud first: cloud.stop()",
                host=host,
            )
        )

    def __repr__(self) -> str:
        return self.say(
            "Local cloud: S3, SQS and DynamoDB. Account {account}, region {region}. Nothing leaves this machine.",
            account=ACCOUNT,
            region=DEFAULT_REGION,
        )


def start(edition: str) -> Cloud:
    """Start an empty local cloud in place of the one that runs, if any. See `bentocola.start`."""
    global _running
    if edition not in list(EDITIONS):  # a list, because it compares: whatever a student passes need not be hashable
        raise UnknownEditionError(edition, list(EDITIONS))
    _check_moto()
    amendments.install()
    again = _running is not None
    if _running is not None:
        _running.stop()
    _running = cloud = Cloud(edition)
    if again:
        print(cloud.say("A local cloud was running already. This one starts empty in its place."))
    if cloud.set_aside:
        message = "Your own AWS settings stay as they are, and this notebook does not use them: {names}."
        print(cloud.say(message, names=", ".join(cloud.set_aside)))
    return cloud


def _check_moto() -> None:
    from moto import __version__ as installed

    if installed != TESTED_MOTO and (broken := amendments.broken(clock)):
        raise UntestedMotoError(installed, TESTED_MOTO, broken)
