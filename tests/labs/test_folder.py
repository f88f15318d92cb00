"""The student's folder: nothing of theirs is overwritten, the trace is on disk, and two servers never share it."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bentocola.cloud.cloud import Cloud
from bentocola.cloud.door import Request
from bentocola.labs.catalogue import read_lab
from bentocola.labs.folder import Folder, InUse
from bentocola.labs.journal import Journal
from tests.labs.student import Student

FRESH = {"app.py": "fresh\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A folder that is open."""
    folder = Folder(tmp_path / "lab")
    folder.open()
    return folder


def test_starter_is_handed_out_once(folder: Folder) -> None:
    """A file that is there is left alone, and told of."""
    assert folder.hand_out(FRESH) == []
    assert (folder.path / "app.py").read_text() == "fresh\n"
    (folder.path / "app.py").write_text("mine")
    assert folder.hand_out(FRESH) == ["app.py"]

    assert (folder.path / "app.py").read_text() == "mine"


def test_beginning_anew(folder: Folder) -> None:
    """A file that the student changed stays, with the starter beside it; one that they did not touch is the new starter."""
    folder.hand_out(FRESH)
    assert folder.begin_anew({"app.py": "fresher\n"}) == []
    assert (folder.path / "app.py").read_text() == "fresher\n"
    (folder.path / "app.py").write_text("mine")
    assert folder.begin_anew(FRESH) == ["app-starter.py"]

    assert (folder.path / "app.py").read_text() == "mine"
    assert (folder.path / "app-starter.py").read_text() == "fresh\n"


def test_starter_beside_is_the_student_s_own_too(folder: Folder) -> None:
    """Once they have changed it, the next one gets another name."""
    folder.hand_out(FRESH)
    (folder.path / "app.py").write_text("mine")
    folder.begin_anew(FRESH)
    assert folder.begin_anew(FRESH) == ["app-starter.py"]
    (folder.path / "app-starter.py").write_text("mine too")

    assert folder.begin_anew(FRESH) == ["app-starter-2.py"]
    assert (folder.path / "app-starter.py").read_text() == "mine too"


def test_deleted_file_comes_back(folder: Folder) -> None:
    """Beginning anew brings the starter back."""
    folder.hand_out(FRESH)
    (folder.path / "app.py").unlink()

    assert folder.begin_anew(FRESH) == []
    assert (folder.path / "app.py").exists()


def test_folder_is_held_by_one(folder: Folder) -> None:
    """Until it lets go."""
    with pytest.raises(InUse):
        Folder(folder.path).open()
    folder.close()
    Folder(folder.path).open()


@pytest.mark.parametrize("text", ["", "{", "[]", "1", "[" * 100_000])
def test_broken_settings(folder: Folder, text: str) -> None:
    """Then nothing is remembered, and the lab opens all the same."""
    (folder.path / ".bentocola" / "lab.json").write_text(text)

    assert folder.settings == {}
    folder.remember(port=5005)
    assert folder.settings == {"port": 5005}


@pytest.mark.parametrize(
    ("name", "damaged"),
    [
        *(("prefix", value) for value in (5, None, [])),
        *(("port", value) for value in (0, 65536, 99999, -1, True, "5005", 1.5, None)),
        *(("language", value) for value in ("fr", 1, None, [], {})),
        *(("handed_out", value) for value in ([], "app.py", None, {"app.py": 1})),
        ("name", 5),
        ("ready_file", 5),
        ("another", 1),
    ],
)
def test_damaged_setting(folder: Folder, name: str, damaged: object) -> None:
    """It is as if it had not been remembered; the others and the student's files stay."""
    folder.hand_out(FRESH)
    (folder.path / "app.py").write_text("mine")
    sound = {"name": "lab", "prefix": "p", "language": "ja", "port": 65535}
    folder.remember(**sound)
    (folder.path / ".bentocola" / "lab.json").write_text(json.dumps({**folder.settings, name: damaged}))

    assert name not in folder.settings
    assert all(folder.settings[other] == value for other, value in sound.items() if other != name)
    folder.hand_out(FRESH)
    folder.begin_anew(FRESH)
    assert (folder.path / "app.py").read_text() == "mine"


def lines_of(student: Student) -> list[dict[str, Any]]:
    """The lines of the trace on disk."""
    text = (Path(student.room._folder.path) / ".bentocola" / "trace.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_trace_is_on_disk_as_it_grows(student: Student) -> None:
    """Line for line what the trace holds, at each answer."""
    student.connect()
    student.guard()
    student.ask("lab/check")  # what the cloud did by itself is on disk by the next answer at the latest
    first, *steps = lines_of(student)

    assert steps == json.loads(json.dumps(student.room.cloud.trace.steps))
    assert first["initial"] == json.loads(json.dumps(student.room.cloud.trace.data()["initial"]))


def test_reset_keeps_the_trace_and_the_file(student: Student) -> None:
    """The cloud is as it was given, at once and with the same names; what happened before stands in a file of its own."""
    student.connect()
    student.guard()
    own = student.room._folder.path / "app.py"
    own.write_text("# mine\n")
    student.ask("lab/check")
    steps = lines_of(student)[1:]
    status, told = student.ask("lab/reset")
    assert status == 200
    assert own.read_text() == "# mine\n"
    assert (own.parent / "app-starter.py").read_text() == read_lab("idempotent-consumer").starter("es")["app.py"]
    (kept,) = (own.parent / ".bentocola").glob("trace-*.jsonl")
    assert str(kept) in "\n".join(told["said"])
    assert [json.loads(line) for line in kept.read_text().splitlines()][1:] == steps
    again = Student(student.room)
    assert not again.check(1)["holds"]
    again.connect()
    again.guard()
    again.repeat()

    assert again.check()["holds"]


def test_two_resets_at_once(student: Student) -> None:
    """One comes after the other: no cloud is begun while another is, and the lab is whole afterwards."""
    begun = 0
    begin = student.room._start

    def alone(language: str) -> Cloud:
        nonlocal begun
        begun += 1
        assert student.room._beginning.locked()
        return begin(language)

    student.room._start = alone
    with ThreadPoolExecutor(2) as pool:
        assert [status for status, _ in pool.map(student.ask, ["lab/reset"] * 2)] == [200, 200]
    assert begun == 2
    again = Student(student.room)
    again.connect()

    assert again.check(1)["holds"]


def test_earlier_cloud_is_not_gone_back_to(student: Student) -> None:
    """Who was about to write down what it did comes too late once the lab has begun anew."""
    student.connect()
    earlier = student.room.cloud.trace
    student.ask("lab/reset")
    student.room.journal.write(earlier)

    assert lines_of(student)[0]["story"] == student.room.cloud.trace.story


def test_text_that_no_file_holds(student: Student) -> None:
    """Half a surrogate pair in a stored item: the lab goes on, and its trace on disk is whole."""
    body = b'{"TableName": "lab05-orders", "Item": {"id": {"S": "a\\ud800"}}}'
    headers = {
        "X-Amz-Target": "DynamoDB_20120810.PutItem",
        "Authorization": "Credential=A/1/us-east-1/dynamodb/aws4_request",
    }
    put = Request("POST", "http://127.0.0.1:5005/", headers, body)
    assert student.room.handle(put).status == 200

    assert lines_of(student)[-1]["decision"]["key"] == "a?"


def test_earlier_trace_is_kept(student: Student, tmp_path: Path) -> None:
    """Who opens the same folder again is told where it is; one without a step is not worth keeping."""
    student.connect()
    student.room.stop()
    file = student.room._folder.trace_file
    kept = Journal(file).kept
    assert kept is not None
    assert kept.exists()
    assert not file.exists()
    file.write_text('{"at": "2026-01-01T00:00:00.000Z"}\n')

    assert Journal(file).kept is None


def test_half_a_trace(tmp_path: Path) -> None:
    """A file that is none is no obstacle."""
    file = tmp_path / "trace.jsonl"
    for text in ("", "{", "[]\n{}\n", '{"at": 1}\n{"n": 1}\n'):
        file.write_text(text)
        Journal(file).close()


def test_two_students(open_lab: Callable[..., Student]) -> None:
    """A folder that somebody has open is not opened twice."""
    open_lab()
    with pytest.raises(InUse):
        open_lab()
