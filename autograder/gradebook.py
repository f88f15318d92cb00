"""The one writer into nbgrader's gradebook: rows as stock nbgrader's `autograde` leaves them, one transaction a submission.

It may touch nbgrader's models through SQLAlchemy, and nothing on disk. What a person has entered (manual scores, comments,
extra credit) it never changes.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import TracebackType
from typing import Any, Literal, Self

from autograder.gradebook_file import require_file, require_schema, unusable
from autograder.nbgrader_imports import lean
from autograder.records import Record
from autograder.voice import Stop

__all__ = ["Book", "Mark", "Unchanged", "marks_of", "with_comments"]

Unchanged = Literal["unchanged"]
_NO_RESPONSE = "No response."
"""nbgrader's own text, which formgrader shows."""


@dataclass(frozen=True)
class Mark:
    """What is written about one cell. `score`: None leaves it to a person; "unchanged": nbgrader's row stays as it is."""

    score: float | None | Unchanged = "unchanged"
    comment: str | None | Unchanged = "unchanged"


@dataclass(frozen=True)
class _Cell:
    id: str
    name: str
    kind: str
    """"GradeCell", "SolutionCell" or "TaskCell"."""
    most: float


@dataclass(frozen=True)
class _Notebook:
    id: str
    cells: tuple[_Cell, ...] = field(default=())


def marks_of(record: Record) -> dict[str, Mark]:
    """Return the scores that a record says, by grade_id: of each cell with points.

    As in nbgrader's SaveAutoGrades: a test's points; 0 for an answer that is as it was released, None for one that a person
    reads. A test without a score is left to a person too.
    """
    return {check.cell: Mark(check.earned) for check in record.checks}


def with_comments(marks: Mapping[str, Mark], answers: Mapping[str, bool]) -> dict[str, Mark]:
    """Return marks with nbgrader's comment on each solution cell. `answers`: whether there is one, by grade_id."""
    said = {
        cell: replace(marks.get(cell, Mark()), comment=None if answered else _NO_RESPONSE)
        for cell, answered in answers.items()
    }
    return {**marks, **said}


class Book:
    """The gradebook of a course, for one assignment. Use it in a `with`."""

    def __init__(self, db_url: str, course_id: str, assignment: str, config: Any = None) -> None:
        """Raise Stop where there is no gradebook, no such assignment in it, or one of another version of nbgrader."""
        lean()
        require_file(db_url, assignment)
        from nbgrader.api import Gradebook
        from sqlalchemy.exc import DatabaseError

        self.assignment = assignment
        self._config = config
        self._url = db_url
        require_schema(db_url)
        try:
            self._gradebook = Gradebook(db_url, course_id)
        except DatabaseError as error:
            raise unusable(db_url, error) from error
        self._session = self._gradebook.db
        try:
            self._require_assignment()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._gradebook.close()

    def _require_assignment(self) -> None:
        from nbgrader.api import Assignment

        found = (
            self._session.query(Assignment.id, Assignment.duedate).filter(Assignment.name == self.assignment).first()
        )
        if found is None or not self._notebooks_of(found[0]):
            name = self.assignment
            raise Stop(
                lambda say: say(
                    "The gradebook does not know {name} yet. Run this first: nbgrader generate_assignment {name}",
                    name=name,
                )
            )
        self._assignment_id: str = found[0]
        self._due: datetime.datetime | None = found[1]

    def _notebooks_of(self, assignment_id: str) -> dict[str, str]:
        from nbgrader.api import Notebook

        rows = self._session.query(Notebook.name, Notebook.id).filter(Notebook.assignment_id == assignment_id)
        return dict(rows.order_by(Notebook.name).all())

    @cached_property
    def notebooks(self) -> dict[str, _Notebook]:
        """The assignment's notebooks with their cells, by name."""
        from nbgrader.api import BaseCell, GradeCell, TaskCell
        from sqlalchemy import select

        names = self._notebooks_of(self._assignment_id)
        base, grade, task = BaseCell.__table__, GradeCell.__table__, TaskCell.__table__
        found = self._session.execute(
            select(base.c.id, base.c.name, base.c.type, base.c.notebook_id, grade.c.max_score, task.c.max_score)
            .select_from(base.outerjoin(grade, grade.c.id == base.c.id).outerjoin(task, task.c.id == base.c.id))
            .where(base.c.notebook_id.in_(names.values()))
            .order_by(base.c.name)
        ).all()
        return {
            name: _Notebook(
                notebook_id,
                tuple(
                    _Cell(cell_id, cell, kind, most_of_grade if most_of_grade is not None else most_of_task or 0.0)
                    for cell_id, cell, kind, of, most_of_grade, most_of_task in found
                    if of == notebook_id
                ),
            )
            for name, notebook_id in names.items()
        }

    def require_cells(self, graded: Mapping[str, Mapping[str, float]]) -> None:
        """Raise Stop unless the gradebook has these cells with these points, by notebook: else another source was released."""
        there = {
            name: {cell.name: cell.most for cell in notebook.cells if cell.kind != "SolutionCell"}
            for name, notebook in self.notebooks.items()
        }
        expected = {name: dict(cells) for name, cells in graded.items()}
        if there == expected:
            return
        differing = sorted(
            cell
            for name in {*there, *expected}
            for cell in {*there.get(name, {}), *expected.get(name, {})}
            if there.get(name, {}).get(cell) != expected.get(name, {}).get(cell)
        )
        name, cells = self.assignment, ", ".join(differing[:5]) or ", ".join(sorted({*there} ^ {*expected}))
        raise Stop(
            lambda say: say(
                "The source of {name} has changed since it was put into the gradebook ({cells})."
                " Run this first: nbgrader generate_assignment {name} --force",
                name=name,
                cells=cells,
            )
        )

    def students(self) -> set[str]:
        """The students whom the gradebook knows."""
        from nbgrader.api import Student

        return {student for (student,) in self._session.query(Student.id)}

    def saved(self) -> dict[str, dict[str, dict[str, float | None]]]:
        """Return the automatic scores that are in the gradebook, by student, notebook and cell."""
        from nbgrader.api import BaseCell, Grade, Notebook, SubmittedAssignment, SubmittedNotebook
        from sqlalchemy import select

        sub, book, grade = SubmittedAssignment.__table__, SubmittedNotebook.__table__, Grade.__table__
        cell, notebook = BaseCell.__table__, Notebook.__table__
        rows = self._session.execute(
            select(sub.c.student_id, notebook.c.name, cell.c.name, grade.c.auto_score)
            .select_from(
                sub.join(book, book.c.assignment_id == sub.c.id)
                .join(notebook, notebook.c.id == book.c.notebook_id)
                .outerjoin(grade, grade.c.notebook_id == book.c.id)
                .outerjoin(cell, cell.c.id == grade.c.cell_id)
            )
            .where(sub.c.assignment_id == self._assignment_id)
        )
        found: dict[str, dict[str, dict[str, float | None]]] = {}
        for student, name, grade_id, score in rows:
            scores = found.setdefault(student, {}).setdefault(name, {})
            if grade_id is not None:
                scores[grade_id] = score
        self._session.rollback()
        return found

    def waiting(self) -> frozenset[tuple[str, str, str]]:
        """Return what a person has yet to grade: student, notebook and cell."""
        from nbgrader.api import BaseCell, Grade, Notebook, SubmittedAssignment, SubmittedNotebook
        from sqlalchemy import select

        sub, book, grade = SubmittedAssignment.__table__, SubmittedNotebook.__table__, Grade.__table__
        cell, notebook = BaseCell.__table__, Notebook.__table__
        rows = self._session.execute(
            select(sub.c.student_id, notebook.c.name, cell.c.name)
            .select_from(
                sub.join(book, book.c.assignment_id == sub.c.id)
                .join(notebook, notebook.c.id == book.c.notebook_id)
                .join(grade, grade.c.notebook_id == book.c.id)
                .join(cell, cell.c.id == grade.c.cell_id)
            )
            .where(sub.c.assignment_id == self._assignment_id, grade.c.needs_manual_grade)
        )
        found = frozenset((student, name, grade_id) for student, name, grade_id in rows)
        self._session.rollback()
        return found

    def given(self, student: str) -> dict[str, tuple[dict[str, dict[str, Any]], float]]:
        """Return what the gradebook has for a student, by notebook: cells, and the late penalty.

        Of each cell: {"score": points or None, "by_hand": whether a person gave them, "comment": text}.
        """
        from nbgrader.api import SubmittedAssignment, SubmittedNotebook

        books = (
            self._session.query(SubmittedNotebook)
            .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
            .filter(SubmittedAssignment.assignment_id == self._assignment_id, SubmittedAssignment.student_id == student)
        )
        found = {}
        for book in books:
            comments = {comment.name: comment.comment or "" for comment in book.comments}
            cells = {
                grade.name: {
                    # Points given by hand count on, as in nbgrader's export, also while they wait to be looked at again.
                    "score": None if grade.needs_manual_grade and grade.manual_score is None else grade.score,
                    "by_hand": grade.manual_score is not None,
                    "comment": comments.get(grade.name, ""),
                }
                for grade in book.grades
            }
            for name, comment in comments.items():
                cells.setdefault(name, {"score": None, "comment": comment})
            found[book.name] = (cells, book.late_submission_penalty or 0.0)
        self._session.rollback()
        return found

    def save(
        self,
        student: str,
        timestamp: datetime.datetime | None,
        marks: Mapping[str, Mapping[str, Mark]],
        missing: Iterable[str] = (),
    ) -> None:
        """Write a submission's scores, all or none.

        `marks`: of each graded notebook, by cell; `missing`: notebooks that were not handed in, or refused, which get 0. The
        student and the submission are made where they are not there. Raises SQLAlchemy's errors; then nothing is written.
        """
        from nbgrader.api import SubmittedNotebook

        try:
            submitted = self._submission(student, timestamp)
            rows = {
                notebook_id: row
                for row, notebook_id in self._session.execute(
                    _columns(SubmittedNotebook, "id", "notebook_id", assignment_id=submitted)
                )
            }
            for name in missing:
                notebook = self.notebooks[name]
                zero = {cell.name: Mark(0.0) for cell in notebook.cells if cell.kind != "SolutionCell"}
                self._write(notebook, rows[notebook.id], zero, reviewed=False)
            for name, cells in marks.items():
                notebook = self.notebooks[name]
                self._write(notebook, rows[notebook.id], cells, reviewed=True)
                self._set_penalty(student, submitted, rows[notebook.id])
            self._session.commit()
        except BaseException:
            self._session.rollback()
            raise

    def _submission(self, student: str, timestamp: datetime.datetime | None) -> str:
        """Return the id of the student's submission, made with all its rows where there is none."""
        from nbgrader.api import Comment, Grade, Student, SubmittedAssignment, SubmittedNotebook, new_uuid
        from sqlalchemy import insert, update

        found = self._session.execute(
            _columns(SubmittedAssignment, "id", assignment_id=self._assignment_id, student_id=student)
        ).first()
        if found is not None:
            if timestamp is not None:
                table = SubmittedAssignment.__table__
                self._session.execute(update(table).where(table.c.id == found[0]).values(timestamp=timestamp))
            return str(found[0])
        if self._session.execute(_columns(Student, "id", id=student)).first() is None:
            self._session.execute(insert(Student.__table__).values(id=student))
        submitted: str = new_uuid()
        self._session.execute(
            insert(SubmittedAssignment.__table__).values(
                id=submitted, assignment_id=self._assignment_id, student_id=student, timestamp=timestamp
            )
        )
        books, grades, comments = [], [], []
        for notebook in self.notebooks.values():
            book = new_uuid()
            books.append({"id": book, "assignment_id": submitted, "notebook_id": notebook.id, "flagged": False})
            for cell in notebook.cells:
                row = {"notebook_id": book, "cell_id": cell.id}
                if cell.kind != "SolutionCell":
                    grades.append({"id": new_uuid(), "needs_manual_grade": True, **row})
                if cell.kind != "GradeCell":
                    comments.append({"id": new_uuid(), **row})
        for model, rows in ((SubmittedNotebook, books), (Grade, grades), (Comment, comments)):
            if rows:
                self._session.execute(insert(model.__table__), rows)
        return submitted

    def _write(self, notebook: _Notebook, row: str, marks: Mapping[str, Mark], *, reviewed: bool) -> None:
        """`reviewed`: what a person scored before is to be looked at again, as in nbgrader's SaveAutoGrades."""
        from nbgrader.api import Comment, Grade
        from sqlalchemy import and_, bindparam, or_, update

        grade, comment = Grade.__table__, Comment.__table__
        scores = [
            {"cell": cell.id, "score": marks[cell.name].score}
            for cell in notebook.cells
            if cell.kind == "GradeCell" and marks.get(cell.name, Mark()).score != "unchanged"
        ]
        if not reviewed:
            scores += [
                {"cell": cell.id, "score": marks[cell.name].score} for cell in notebook.cells if cell.kind == "TaskCell"
            ]
        texts = [
            {"cell": cell.id, "text": marks[cell.name].comment}
            for cell in notebook.cells
            if cell.kind == "SolutionCell" and marks.get(cell.name, Mark()).comment != "unchanged"
        ]
        if scores:
            score = bindparam("score", type_=grade.c.auto_score.type)
            to_person = or_(grade.c.manual_score.is_not(None), score.is_(None)) if reviewed else False
            self._session.execute(
                update(grade)
                .where(and_(grade.c.notebook_id == row, grade.c.cell_id == bindparam("cell")))
                .values(auto_score=score, needs_manual_grade=to_person),
                scores,
            )
        if texts:
            self._session.execute(
                update(comment)
                .where(and_(comment.c.notebook_id == row, comment.c.cell_id == bindparam("cell")))
                .values(auto_comment=bindparam("text")),
                texts,
            )

    def _set_penalty(self, student: str, submitted: str, row: str) -> None:
        """Set the late penalty by the course's own plugin, as nbgrader's AssignLatePenalties does."""
        from nbgrader.api import SubmittedAssignment, SubmittedNotebook
        from sqlalchemy import update

        table = SubmittedNotebook.__table__
        penalty = None
        if self._due is not None and (rule := self._late_rule) is not None:
            self._session.expire_all()
            late = self._session.get(SubmittedAssignment, submitted).total_seconds_late
            if late > 0:
                book = self._session.get(SubmittedNotebook, row)
                asked = rule.plugin_inst.late_submission_penalty(student, book.score, late)
                penalty = None if asked is None else rule._check_late_penalty(book, asked)
        self._session.execute(update(table).where(table.c.id == row).values(late_submission_penalty=penalty))

    @cached_property
    def _late_rule(self) -> Any:
        # Only for an assignment with a due date: its import takes as long as a submission.
        from nbgrader.preprocessors import AssignLatePenalties

        rule = AssignLatePenalties(config=self._config) if self._config is not None else AssignLatePenalties()
        if not rule.enabled:
            return None
        rule.init_plugin()
        return rule


def _columns(model: Any, *names: str, **equal: str) -> Any:
    from sqlalchemy import select

    table = model.__table__
    return select(*(table.c[name] for name in names)).where(*(table.c[name] == value for name, value in equal.items()))
