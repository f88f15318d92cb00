"""What a machine is said to give is what was tried there, in each layer; and what the doctor says of it."""

from __future__ import annotations

import errno
import multiprocessing
import os
import subprocess
import sys
from typing import Any

import pytest

from autograder.doctor import examine
from autograder.jail import LAYERS, Protection, kernel, probe, protection, seccomp, syscalls
from autograder.records import Note
from autograder.voice import voice

from .jailed_rooms import become_ordinary, lay_open

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux has rooms with locks.")
as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="Takes rights away from root.")


def _tried_elsewhere(prepare: Any, writing: Any) -> None:
    lay_open(sys.base_prefix)
    prepare()
    writing.send(probe().as_json())


def probe_after(prepare: Any) -> Protection:
    """Return what `probe` says in a process that was changed before."""
    context = multiprocessing.get_context("fork")
    reading, writing = context.Pipe(duplex=False)
    process = context.Process(target=_tried_elsewhere, args=(prepare, writing))
    process.start()
    writing.close()
    try:
        assert reading.poll(60)
        return Protection.from_json(reading.recv())
    finally:
        process.join()


def without(*names: str) -> Any:
    """Return what makes the kernel refuse these system calls, as a container's filter does."""

    def prepare() -> None:
        numbers = {**syscalls.NUMBERS[kernel.machine()], "landlock_create_ruleset": 444}
        refused = b"".join(seccomp.only_if(numbers[name], seccomp.answer(errno.EPERM)) for name in names)
        seccomp.install(seccomp.load_number() + refused + seccomp.LET_THROUGH)

    return prepare


@on_linux
def test_what_is_said_is_whole() -> None:
    """A level, each layer that is looked at here, and a reason for each that does not hold."""
    found = probe()
    assert found.level in "ABCD"
    assert set(found.layers) == set(LAYERS) - (set() if os.geteuid() == 0 else {"uid"})
    if found.level == "A":
        assert all(found.layers.values())
        assert found.reasons == {}
    for name, holds in found.layers.items():
        assert holds or name in found.reasons
    assert Protection.from_json(found.as_json()) == found


@on_linux
@as_root
def test_without_namespaces_it_is_level_b() -> None:
    """As in a pod: neither root nor a user namespace may be used."""
    full = probe_after(lambda: None)
    if full.level != "A":
        pytest.skip("This machine gives less from the start.")
    found = probe_after(without("unshare"))
    assert (found.level, found.layers["namespaces"], found.layers["landlock"]) == ("B", False, True)
    assert "unshare" in found.reasons["namespaces"].values["detail"]


@on_linux
@as_root
def test_without_landlock_namespaces_make_level_b() -> None:
    """As on an older kernel: a room is locked all the same, by namespaces."""
    if probe_after(lambda: None).level != "A":
        pytest.skip("This machine gives less from the start.")
    found = probe_after(without("landlock_create_ruleset"))
    assert (found.level, found.layers["namespaces"], found.layers["landlock"]) == ("B", True, False)


@on_linux
@as_root
def test_with_neither_it_is_level_c() -> None:
    """Then there are limits alone, and the reasons for both are said."""
    found = probe_after(without("unshare", "landlock_create_ruleset"))
    assert found.level == "C"
    assert {"namespaces", "landlock"} <= set(found.reasons)


@on_linux
@as_root
def test_an_ordinary_user_has_level_a_by_user_namespaces() -> None:
    """Where the machine allows them; else the reason is said."""
    found = probe_after(become_ordinary)
    assert found.level == "A" or "namespaces" in found.reasons or "A" in found.reasons


@pytest.mark.parametrize(("system", "level", "limits"), [("darwin", "C", True), ("win32", "D", False)])
def test_other_systems_say_plainly_what_they_lack(
    system: str, level: str, limits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """macOS has limits, Windows nothing."""
    monkeypatch.setattr(sys, "platform", system)
    found = probe()
    assert (found.level, found.layers["limits"], found.layers["namespaces"]) == (level, limits, False)
    assert all(holds or name in found.reasons for name, holds in found.layers.items())


def test_a_trial_that_says_nothing_is_no_protection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the level is C, whatever the machine may have."""
    monkeypatch.setattr(sys, "platform", "linux")

    def fails(*arguments: Any, **more: Any) -> Any:
        raise subprocess.TimeoutExpired("python", 60)

    monkeypatch.setattr(subprocess, "run", fails)
    found = probe()
    assert (found.level, any(found.layers.values())) == ("C", False)
    assert found.reasons["landlock"].code == "trial"


def test_the_doctor_says_each_layer_and_each_reason() -> None:
    """And, below level B, what to do."""
    found = Protection(
        "C",
        {"namespaces": False, "landlock": True},
        {"namespaces": Note(protection.REASONS["namespaces"], {"detail": "unshare: not permitted"}, code="namespaces")},
    )
    lines = examine(voice("es"), found).splitlines()
    looked_for = ("(namespaces)", "unshare: not", "(Landlock)")
    places = [next(place for place, line in enumerate(lines) if text in line) for text in looked_for]
    assert places == sorted(places)
    assert lines[places[0]][0] != lines[places[2]][0]
    assert any("Python 3." in line for line in lines)
    assert len(lines) > len(examine(voice("es"), Protection("A", found.layers, found.reasons)).splitlines())
