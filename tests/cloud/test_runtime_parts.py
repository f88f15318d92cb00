"""The parts of the runtime that need no function: packages, alarms, limits, the lines of a log."""

from __future__ import annotations

import datetime
import io
import os
import stat
import threading
import zipfile
from pathlib import Path

import pytest

from bentocola.cloud.functions import package
from bentocola.cloud.functions.alarms import Alarms
from bentocola.cloud.functions.environment import trace_header
from bentocola.cloud.functions.handling import Paths
from bentocola.cloud.functions.runtime import EventTooLargeError, Run, check_event, timed_out
from tests.cloud.deployed import ROLE, deployed, zipped

BAD = "Could not unzip uploaded file. Please check your file, then try to upload again."


def one_entry(name: str, *, mode: int = 0o644, flags: int = 0, size: int | None = None) -> bytes:
    """A package with one entry that is not as others."""
    packed = io.BytesIO()
    entry = zipfile.ZipInfo("x" * len(name))
    entry.external_attr = mode << 16
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(entry, "content")
        entry.orig_filename = entry.filename = name  # zipfile would repair it
        entry.flag_bits |= flags
        entry.file_size = size or entry.file_size
    return packed.getvalue().replace(b"x" * len(name), name.encode())


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (b"", BAD),
        (b"print('no zip')", BAD),
        (zipped({"a.py": "x" * 1000})[:-40], BAD),
        (zipped({"a.py": "abc"}).replace(b"abc", b"abd", 1), BAD),
        (one_entry("../out.py"), BAD),
        (one_entry("a/../../out.py"), BAD),
        (one_entry("..\\out.py"), BAD),
        (one_entry("/etc/out.py"), BAD),
        (one_entry("C:/out.py"), BAD),
        (one_entry("link", mode=stat.S_IFLNK | 0o777), BAD),
        (one_entry("secret.py", flags=1), BAD),
        (zipped({}), "Uploaded file must be a non-empty zip"),
        (one_entry("large.bin", size=262_144_000), "Unzipped size must be smaller than 262144000 bytes"),
    ],
    ids=["empty", "text", "cut", "changed", "up", "up later", "up on Windows", "absolute", "drive", "link", "encrypted",
         "nothing in it", "large"],
)  # fmt: skip
def test_package_that_lambda_refuses(code: bytes, message: str, tmp_path: Path) -> None:
    """In AWS's words, before anything is written outside."""
    with pytest.raises(package.PackageError) as refused:
        package.check(code)
    assert str(refused.value) == message

    folder = tmp_path / "task"
    folder.mkdir()
    with pytest.raises(package.PackageError):
        package.unpack(code, folder)
    assert os.listdir(tmp_path) == ["task"]


def test_package_is_unpacked(tmp_path: Path) -> None:
    """With its folders."""
    code = zipped({"a.py": "1", "lib/b.py": "2", "empty/": ""})
    package.check(code)
    package.unpack(code, tmp_path)

    assert (tmp_path / "lib" / "b.py").read_text() == "2"
    assert sorted(os.listdir(tmp_path)) == ["a.py", "empty", "lib"]


def test_package_with_a_file_in_a_file(tmp_path: Path) -> None:
    """No folder can hold both."""
    with pytest.raises(package.PackageError):
        package.unpack(zipped({"a": "1", "a/b": "2"}), tmp_path)


def test_limit_of_an_event_depends_on_who_waits() -> None:
    """6 MB, and 1 MB for an asynchronous one; bytes count, not characters."""
    check_event("x" * 6_291_456)
    check_event("x" * 1_048_576, asynchronous=True)
    with pytest.raises(EventTooLargeError, match="^6291457 byte payload .* RequestResponse .*limit 6291456 bytes"):
        check_event("x" * 6_291_457)
    with pytest.raises(EventTooLargeError, match="^1048578 byte payload .* Event .*limit 1048576 bytes"):
        check_event("é" * 524_289, asynchronous=True)


def test_alarm_rings_and_others_are_called_off() -> None:
    """In the order of their times, each once."""
    alarms, rung, done = Alarms(), [], threading.Event()
    off = alarms.call_later(0.001, lambda: rung.append("off"))
    off()
    alarms.call_later(3600, lambda: rung.append("late"))
    alarms.call_later(0.002, done.set)
    alarms.call_later(0.0, lambda: rung.append("now"))
    assert done.wait(30)
    off()
    alarms.close()

    assert rung == ["now"]
    assert not any(thread.name == "bentocola-alarms" for thread in threading.enumerate())


def test_alarms_that_are_called_off_do_not_pile_up() -> None:
    """A function that runs often sets one each time, long before it is due."""
    alarms = Alarms()
    keep = alarms.call_later(3600, lambda: None)
    for _ in range(1000):
        alarms.call_later(3601, lambda: None)()

    assert len(alarms._times) < 20
    keep()
    alarms.close()


def test_log_joins_what_comes_in_pieces() -> None:
    """A line is one event however it was written; text that is no UTF-8 is shown all the same."""
    record = Run(deployed(""), "r", str.format)
    for piece in (b"a", b"b\nc", "弁".encode()[:2], "弁".encode()[2:], b"\n\n\xff"):
        record.written(piece)
    record.event(b"two\nlines")
    record.end_line()

    assert record.events == ["ab\n", "c弁\n", "\n", "\ufffd\n", "two\nlines\n"]


def test_timeout_s_line_has_the_course_s_time() -> None:
    """In UTC, to the millisecond."""
    now = datetime.datetime(2026, 3, 1, 9, 30, 5, 7000, tzinfo=datetime.UTC)

    assert timed_out("r-1", 3, now).line == "2026-03-01T09:30:05.007Z r-1 Task timed out after 3.00 seconds\n"


def test_paths_are_named_as_on_aws(tmp_path: Path) -> None:
    """The task's, Python's own and boto3's; others are left."""
    paths = Paths(str(tmp_path), ["/x/site-packages"])

    assert paths.file(str(tmp_path / "a" / "b.py")) == "/var/task/a/b.py"
    assert paths.file("/x/site-packages/boto3/session.py").endswith("/site-packages/boto3/session.py")
    assert paths.file(os.__file__).startswith("/var/lang/lib/python3.")
    assert paths.file("<string>") == "<string>"


def test_trace_header_has_aws_s_form() -> None:
    """And is the same for the same run."""
    header = trace_header("r-1", 1_772_357_400)

    assert header == trace_header("r-1", 1_772_357_400)
    assert header.startswith("Root=1-69a40718-")
    assert [len(part) for part in header.split(";")] == [40, 23, 9]


def test_secrets_are_not_shown() -> None:
    """A specification or credentials in a traceback or a log tell no key and no code."""
    assert "secret-of-the-role" not in repr(ROLE)
    assert "session-of-the-role" not in repr(ROLE)
    assert "code=" not in repr(deployed(""))
