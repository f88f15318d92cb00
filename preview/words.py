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
        "to_come": say("Still to come: {numbers}", numbers="{numbers}"),
        "lesson": say("Lesson"),
        "lab": say("Lab"),
        "assignment": say("Assignment"),
        "lab_elsewhere": say(
            "**This lab needs a terminal, and a page has none.** "
            "You can read it here. To do it, open the course on your computer."
        ).replace("*", ""),
        "own_cell": say("Your cell"),
        "own_words": say("Your text"),
        "output": say("What the cell prints"),
        "show_output": say("Show what it prints"),
        "picture": say("Picture that the cell draws"),
        "in_lite": say("Open this notebook in JupyterLab, in the browser"),
        "missing": say("This page does not exist"),
        "missing_help": say("The address may be an old one. All pages of the course stand in the contents."),
        "glossary": say("Glossary"),
        "glossary_about": say("The key words of the course, each in a sentence or two."),
        "met": say("In the course: {title}", title="{title}"),
        "search": say("Search"),
        "search_about": say("Find a word in all pages of the course, or a name from the code."),
        "search_needs": say("To search, this page needs JavaScript. All pages of the course stand in the contents."),
        "query": say("Word to search for"),
        "searching": say("Searching."),
        "found": say("Pages with “{query}”: {number}.", query="{query}", number="{number}"),
        "found_none": say("No page has “{query}”. Try another word, or look in the glossary.", query="{query}"),
        "search_failed": say("The search could not be loaded. Check the connection, and search again."),
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
        "ruby_off": say("Hide"),
        "ruby_terms": say("Over key words"),
        "ruby_all": say("Over all words"),
        "ruby_failed": say("The readings of all words could not be loaded. Check the connection, and choose again."),
        "changed": say("Changed: {setting}", setting="{setting}"),
    }
