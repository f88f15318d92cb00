"""The fixed words of the site, in one language, by the templates' names. Pure."""

from __future__ import annotations

from functools import partial

from bentocola.messages import translate

__all__ = ["LANGUAGE_NAMES", "words"]

LANGUAGE_NAMES = {"es": "Español", "ja": "日本語"}


def words(language: str) -> dict[str, str]:
    """Return them."""
    say = partial(translate, language)
    return {
        "course": say("Event pipelines"),
        "about": say(
            "A course on event pipelines: from an upload to a table, in notebooks, on a local cloud without an account."
        ),
        "skip": say("To the content"),
        "contents": say("Contents"),
        "pages": say("Pages of the course"),
        "before": say("Before: {title}", title="{title}"),
        "after": say("Next: {title}", title="{title}"),
        "nearby": say("Pages before and after"),
        "module": say("Module {number}", number="{number}"),
        "lesson": say("Lesson"),
        "lab": say("Lab"),
        "assignment": say("Assignment"),
        "own_cell": say("Your cell"),
        "own_words": say("Your text"),
        "output": say("What the cell prints"),
        "picture": say("Picture that the cell draws"),
        "missing": say("This page does not exist"),
        "missing_help": say("The address may be an old one. All pages of the course stand in the contents."),
        "reading": say("Reading settings"),
        "reading_kept": say("Your choice holds for all pages, and stays in this browser."),
        "paper": say("Background"),
        "paper_white": say("White"),
        "paper_cream": say("Cream"),
        "paper_dark": say("Dark"),
        "paper_contrast": say("High contrast"),
        "code": say("Code"),
        "code_tint": say("In colours"),
        "code_plain": say("In one colour"),
        "size": say("Size of the text"),
        "lines": say("Space between lines"),
        "lines_normal": say("Normal"),
        "lines_wide": say("Wide"),
        "ruby": say("Readings over kanji"),
        "ruby_on": say("Show"),
        "ruby_off": say("Hide"),
        "changed": say("Changed: {setting}", setting="{setting}"),
    }
