"""A record of assignment 01 with each kind of verdict in it, and what belongs to it: paper, graded notebook, gradebook."""

from __future__ import annotations

from functools import cache
from typing import Any

from traitlets.config import PyFileConfigLoader

from autograder import paper as papers
from autograder.feedback import Given, Grades
from autograder.records import CheckResult, LimitHit, Note, Record, Said
from autograder.sheet import Paper
from bentocola.messages import LANGUAGES, translate
from tests.repository import ROOT

ASSIGNMENT = "01-upload-to-table"
STUDENT = "lucia-7"
COMMENT = "Buen ejemplo.\nFalta decir por qué cambia el id."

ANSWERS = {
    "order-keys": "def order_keys(body):\n    import json\n\n    message = json.loads(body)\n"
    '    return [record["s3"]["object"]["key"] for record in message["Records"]]',
    "save-once": "def save_once(dynamodb, table, item):\n    # Sin condición: la segunda escritura gana.\n"
    "    dynamodb.put_item(TableName=table, Item=item)\n    return True",
    "work-batch": "def work_batch(sqs, queue_url, work):\n    while True:\n        pass",
    "handler": "def handler(event, context):\n    return save_all(event)",
    "prediction-again": "prediction_again = 0",
    "prediction-items": "prediction_items = 2",
    "prediction-key": 'prediction_key = "sato"',
    "prediction-deleted": "prediction_deleted = 2",
    "answer-in-words": "El id cambia en cada envío. Si Lucía sube el pedido dos veces, hay dos elementos.",
}


@cache
def paper(language: str) -> Paper:
    """The assignment of a language, prepared with its course's own settings."""
    folder = ROOT / "assignments" / language
    settings = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
    return papers.prepare(
        folder / "source" / ASSIGNMENT, assignment=ASSIGNMENT, language=language, clear_settings=settings
    )


def notebook(language: str, answers: dict[str, str] | None = None) -> dict[str, Any]:
    """The graded notebook: tests restored from the source, hidden ones too, and the student's answers."""
    answers = ANSWERS if answers is None else answers
    cells = []
    for place in paper(language).notebooks[0].layout:
        known = paper(language).notebooks[0].cell(place.grade_id or "")
        metadata = dict(known.metadata) if known else {}
        text = known.text if known and known.kept_whole else place.text
        cell = {"cell_type": place.cell_type, "metadata": metadata, "source": answers.get(place.grade_id or "", text)}
        if place.cell_type == "code":
            cell |= {
                "execution_count": 1,
                "outputs": [{"output_type": "stream", "name": "stdout", "text": "OUTPUT-OF-A-CELL"}],
            }
        cells.append(cell)
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def course(message: str, hint: tuple[str, str] | None = None, **values: object) -> Said:
    """What a test cell of ours says: a line for what happened, one for how it works, one for what to try."""
    texts = {}
    for language in LANGUAGES:
        lines = [translate(language, message, **values)]
        if hint:
            lines.append(translate(language, "How it works: {fact}", fact=translate(language, hint[0])))
            lines.append(translate(language, "Try now: {experiment}", experiment=translate(language, hint[1])))
        texts[language] = "\n".join(lines)
    return Said("course", texts)


def checks() -> dict[str, CheckResult]:
    """Every kind of verdict and of explanation, by test cell."""
    from bentocola.checks.misconceptions import MISCONCEPTIONS

    gave = "What happened: {answer} gave {got}. The test expects {expected}."
    blank = (
        "{answer} is still empty. Write your prediction in the cell above, run it and repeat this test. "
        "So far: 0 of {points} points."
    )
    said: dict[str, tuple[float | None, str | None, tuple[Said, ...]]] = {
        "test-order-keys-several": (2, None, ()),
        "test-order-keys-encoded": (
            0,
            "error",
            (
                course(
                    gave,
                    MISCONCEPTIONS["key-as-is"],
                    answer="order_keys",
                    got="['pedidos/luc%C3%ADa/3.json']",
                    expected="['pedidos/lucía/3.json']",
                ),
            ),
        ),
        "test-order-keys-no-records": (
            0,
            "error",
            (
                Said(
                    "raised", {"": "KeyError: 'Records'"}, line='return [record["s3"] for record in message["Records"]]'
                ),
            ),
        ),
        "test-save-once-repeat": (1, "error", (Said("hidden"),)),
        "test-save-once-keeps": (
            0,
            "error",
            (Said("assertion", {"": "the first one stays"}, line="assert shop.items(table) == [shipped]"),),
        ),
        "test-save-once-second-order": (1, None, ()),
        "test-save-once-other-errors": (0, "error", (Said("hidden"),)),
        "test-work-batch-ids": (0, "time", (Said("cause", cause="time"),)),
        "test-work-batch-delete-after": (0, "gone", (Said("cause", cause="gone"),)),
        "test-work-batch-comes-back": (0, "memory", (Said("cause", cause="memory"),)),
        "test-work-batch-until-empty": (None, "test-fault", ()),
        "test-handler-stores": (0, "exit", (Said("cause", cause="exit"),)),
        "test-handler-bad-keys": (0, "error", ()),
        "test-handler-mixed": (2, None, ()),
        "test-handler-twice": (2, None, ()),
        "test-prediction-again": (0, "error", (course(blank, answer="prediction_again", points="1"),)),
        "test-prediction-items": (1, None, ()),
        "test-prediction-key": (1, None, ()),
        "test-prediction-deleted": (1, None, ()),
        "answer-in-words": (None, None, ()),
    }
    cells = {cell.grade_id: cell for cell in paper("es").notebooks[0].cells}
    return {
        cell: CheckResult(cell, cells[cell].points, None if earned is None else float(earned), cause, said=explained)
        for cell, (earned, cause, explained) in said.items()
    }


def record(**changes: Any) -> Record:
    """The record of the student's notebook."""
    known: dict[str, Any] = {
        "assignment": ASSIGNMENT,
        "student": STUDENT,
        "notebook": ASSIGNMENT,
        "digest": "5f0c9d2a7be14410c3d1" * 3,
        "level": "A",
        "repairs": (
            Note(
                "The answer cell {cell} was there several times. The last one counts; the others run too.",
                {"cell": "order-keys"},
                "order-keys",
                "duplicate-answer",
            ),
            Note("A mark for the byte order stood before the notebook; it was left out.", code="bom"),
        ),
        "limits": (LimitHit("test-work-batch-ids", "time", {"seconds": "30"}), LimitHit("handler", "output")),
        "checks": tuple(checks().values()),
        "ran": {"at": "2026-11-30T07:05:24+00:00", "seconds": 1.5},
    }
    return Record(**{**known, **changes})


def grades() -> Grades:
    """What the gradebook has: a person has read the answer in words, and it came late."""
    given = {cell: Given(check.earned) for cell, check in checks().items()}
    given["answer-in-words"] = Given(2.0, True, COMMENT)
    return Grades(given, late_penalty=1.0)
