"""Whether there is a gradebook that the installed nbgrader can write: asked before anything is. It changes nothing."""

from __future__ import annotations

import re
from pathlib import Path

from autograder.voice import Stop

__all__ = ["require_file", "require_schema", "unusable"]


def _file_of(db_url: str) -> Path | None:
    return Path(db_url.removeprefix("sqlite:///")) if db_url.startswith("sqlite:///") else None


def require_file(db_url: str, assignment: str) -> None:
    """Raise Stop where there is no file: nbgrader would make an empty one."""
    path = _file_of(db_url)
    if path is not None and not path.is_file():
        raise Stop(
            lambda say: say(
                "There is no gradebook at {path}. Run this first: nbgrader generate_assignment {name}",
                path=path,
                name=assignment,
            )
        )


def require_schema(db_url: str) -> None:
    """Raise Stop unless the database is of the version that the installed nbgrader writes. It changes nothing."""
    from sqlalchemy import create_engine, inspect, text
    from sqlalchemy.exc import DatabaseError

    engine = create_engine(db_url)
    try:
        with engine.connect() as connection:
            tables = inspect(connection).get_table_names()
            versions = (
                list(connection.execute(text("SELECT version_num FROM alembic_version")).scalars())
                if "alembic_version" in tables
                else []
            )
    except DatabaseError as error:
        raise unusable(db_url, error) from error
    finally:
        engine.dispose()
    known, newest = _versions()
    if not tables or versions == [newest]:
        return
    path = _file_of(db_url) or db_url
    if all(version in known for version in versions):
        raise Stop(
            lambda say: say(
                "The gradebook {path} is of an older version of nbgrader. Keep a copy of it, then run: nbgrader db upgrade",
                path=path,
            )
        )
    raise Stop(
        lambda say: say(
            "The gradebook {path} is of a newer version of nbgrader than is installed here. Install that version: it cannot"
            " be written without harm.",
            path=path,
        )
    )


def _versions() -> tuple[set[str], str]:
    """Return the versions of the database that the installed nbgrader knows, and the newest, as its migrations say."""
    import nbgrader.dbutil

    texts = [path.read_text(encoding="utf-8") for path in Path(nbgrader.dbutil.ALEMBIC_DIR, "versions").glob("*.py")]
    own = {match[1] for text in texts if (match := re.search(r"^revision = ['\"](\w+)", text, re.MULTILINE))}
    before = {match[1] for text in texts if (match := re.search(r"^down_revision = ['\"](\w+)", text, re.MULTILINE))}
    (newest,) = own - before
    return own, newest


def unusable(db_url: str, error: Exception) -> Stop:
    """Return what to stop with when the database refuses."""
    path = _file_of(db_url) or db_url
    original = getattr(error, "orig", error)
    return Stop(
        lambda say: say(
            "The gradebook {path} cannot be read or written: {error}. Check that it is nbgrader's and that you may write it.",
            path=path,
            error=original,
        )
    )
