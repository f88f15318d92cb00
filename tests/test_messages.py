"""The message catalogues: complete, in step with the code and with each other, and in the style that a machine can check."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from bentocola.messages import LANGUAGES, both, translate
from tools import views

ROOT = Path(__file__).parents[1]
PACKAGES = ("bentocola", "autograder", "preview")

# What turns a message into words, by its name, and which of its arguments the message is.
TRANSLATORS = {"translate": 1, "both": 0, "say": 0, "_say": 0, "phrase": 0, "_expect": 1}


@cache
def catalogue(language: str) -> Catalog:
    """Read a catalogue's source."""
    path = ROOT / "bentocola" / "locales" / language / "LC_MESSAGES" / "bentocola.po"
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def entries(language: str) -> list[Message]:
    """Return the messages of a catalogue, without its header."""
    return [message for message in catalogue(language) if message.id]


def places(text: str) -> set[tuple[str, str | None, str | None]]:
    """Return the `{named}` places of a text, with their conversion and format."""
    return {
        (name, conversion, spec) for _, name, spec, conversion in string.Formatter().parse(text) if name is not None
    }


# What the code says


@cache
def sources() -> dict[str, ast.Module]:
    """Return the tree of each source file, by its path."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def translations(tree: ast.Module) -> Iterator[tuple[ast.Call, str | None]]:
    """Yield each call of a translator, with its message where it stands in the call, or in a name just above it."""
    named = [node for node in ast.walk(tree) if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)]
    for call, message in _calls(tree):
        if isinstance(message, ast.Name):
            above = [node for node in named if node.lineno < call.lineno and node.targets[0].id == message.id]
            message = max(above, key=lambda node: node.lineno).value if above else message
        yield call, message.value if isinstance(message, ast.Constant) and isinstance(message.value, str) else None


def _calls(node: ast.AST) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Yield each call of a translator below `node`, with its message; what a translator itself passes on is none."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef) and child.name in TRANSLATORS:
            continue
        if isinstance(child, ast.Call):
            called = child.func
            name = (
                called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
            )
            if name in TRANSLATORS and len(child.args) > TRANSLATORS[name] and not _is_of_bytes(child):
                yield child, child.args[TRANSLATORS[name]]
        yield from _calls(child)


def _is_of_bytes(call: ast.Call) -> bool:
    """Whether a call is of `bytes.translate(None, delete)`."""
    return isinstance(call.args[0], ast.Constant) and call.args[0].value is None


def texts_of_data(path: str, name: str) -> set[str]:
    """Return the texts in the value of a module's name, but for the keys of its dicts and single letters."""
    for node in sources()[path].body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return set(_texts(node.value))
    raise LookupError(f"{path} has no {name}")


def _texts(node: ast.AST | None) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from _texts(value)
    elif node is not None:
        for child in ast.iter_child_nodes(node):
            yield from _texts(child)


def replies() -> set[str]:
    """Return the replies of the lessons' questions."""
    from bentocola.quiz import QUESTIONS

    return {reply for question in QUESTIONS.values() for reply in question.replies.values()}


def texts_of_labs() -> set[str]:
    """Return the titles of the labs, and the comments of the files that students begin with."""
    from bentocola.labs.catalogue import messages

    return messages()


def checks_of_the_installation() -> set[str]:
    """Return the first text of each pair that `_checks` of the self-check gives back."""
    path = "bentocola/selfcheck.py"
    (function,) = (node for node in ast.walk(sources()[path]) if getattr(node, "name", "") == "_checks")
    pairs = [node.elts[0] for node in ast.walk(function) if isinstance(node, ast.Tuple) and len(node.elts) == 2]
    return {first.value for first in pairs if isinstance(first, ast.Constant) and isinstance(first.value, str)}


NOTES = {"Note": 0, "_of": 1}
"""What makes a note, by its name, and which of its arguments the message is."""


def notes() -> set[str]:
    """Return the messages of the notes that the autograder makes, for whoever reads them in their language."""
    found = texts_of_data("autograder/intake/notes.py", "MESSAGES")
    for path, tree in sources().items():
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and path.startswith("autograder/")]
        made = [
            (call, NOTES[call.func.id]) for call in calls if isinstance(call.func, ast.Name) and call.func.id in NOTES
        ]
        texts = [call.args[place] for call, place in made if len(call.args) > place]
        found |= {text.value for text in texts if isinstance(text, ast.Constant) and isinstance(text.value, str)}
    return found | texts_of_data("autograder/jail/protection.py", "REASONS")


# Where a message comes from data and not from the call itself: how to find the data's messages.
INDIRECT = {
    "autograder/doctor.py": lambda: texts_of_data("autograder/jail/protection.py", "LAYERS"),
    # What another language said is said again: it was found where it was said first.
    "autograder/retold.py": set[str],
    "autograder/voice.py": notes,
    "bentocola/checks/frame.py": lambda: (
        texts_of_data("bentocola/checks/misconceptions.py", "MISCONCEPTIONS")
        | texts_of_data("bentocola/checks/misconceptions.py", "SLIPS")
    ),
    "bentocola/cloud/story.py": lambda: (
        texts_of_data("bentocola/cloud/story.py", "_WHO") | texts_of_data("bentocola/cloud/story.py", "_FAULTS")
    ),
    "bentocola/labs/catalogue.py": texts_of_labs,
    "bentocola/quiz.py": replies,
    "bentocola/selfcheck.py": checks_of_the_installation,
}


@cache
def used() -> dict[str, str]:
    """Return each message of the code, with a file that uses it."""
    found = dict.fromkeys(views.messages(), "bentocola/views/source")
    for path, tree in sources().items():
        found |= {text: path for _, text in translations(tree) if text is not None}
    for path, messages in INDIRECT.items():
        found |= dict.fromkeys(messages(), path)
    return found


def test_code_is_read() -> None:
    """The test finds messages of each kind: in a call, after the language, split over lines, and in data."""
    assert used()["advance() expects a number of seconds, 0 or more; it got {got!r}."] == "bentocola/cloud/clock.py"
    assert used()["Nothing has happened yet."] == "bentocola/cloud/story.py"
    assert used()["DynamoDB"] == "bentocola/cloud/story.py"
    assert any(text.startswith("The local cloud was tested with moto {tested}; moto ") for text in used())


def test_every_message_is_found() -> None:
    """A message that does not stand in the call comes from data that this test knows how to read."""
    unknown = {
        f"{path}:{call.lineno}"
        for path, tree in sources().items()
        for call, text in translations(tree)
        if text is None and path not in INDIRECT
    }

    assert unknown == set()


def test_values_fill_the_places() -> None:
    """A call passes a value for each place of its message, and no other."""
    wrong = []
    for path, tree in sources().items():
        for call, text in translations(tree):
            passed = {keyword.arg for keyword in call.keywords}
            if text is not None and None not in passed and passed != {name for name, _, _ in places(text)}:
                wrong.append(f"{path}:{call.lineno} passes {sorted(map(str, passed))}: {text}")

    assert wrong == []


VIEWS_CALL = re.compile(r"""\bsay\(\s*("(?:[^"\\\n]|\\.)*")\s*(?:,\s*\{([^{}]*)\})?\s*,?\s*\)""")
"""A call of `say` in TypeScript: the message, and the values where they are written out and hold no object of their own."""


def views_calls() -> Iterator[tuple[str, str, set[str]]]:
    """Yield the file, the message and the names of the values of each such call."""
    for path in views.sources():
        if path.suffix in (".ts", ".tsx"):
            for message, values in VIEWS_CALL.findall(path.read_text(encoding="utf-8")):
                named = re.findall(r"(?:^|,)\s*(\.\.\.)?(\w+)(?=\s*[:,]|\s*$)", re.sub(r"\([^()]*\)", "", values))
                if not any(spread for spread, _ in named):
                    yield path.name, ast.literal_eval(message), {name for _, name in named}


def test_values_fill_the_places_of_the_views() -> None:
    """In TypeScript too, a call passes a value for each place of its message, and no other."""
    calls = list(views_calls())

    assert ("Runs.tsx", "delivery {count}", {"count"}) in calls
    assert [call for call in calls if {name for name, _, _ in places(call[1])} != call[2]] == []


# Catalogue and code


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated(language: str) -> None:
    """Each message of the code has a text in each language."""
    texts = {str(message.id): message.string for message in entries(language)}

    assert {f"{path}: {text}" for text, path in used().items() if not texts.get(text)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_else_is_translated(language: str) -> None:
    """A catalogue holds what the code says, no message that is no longer used, none that is only a guess."""
    messages = entries(language)

    assert {str(message.id) for message in messages} - set(used()) == set()
    assert list(catalogue(language).obsolete) == []
    assert [message.id for message in messages if message.fuzzy] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_places_are_the_same(language: str) -> None:
    """A translation has the places of its message, each with the same conversion, and no other."""
    differing = [message.id for message in entries(language) if places(str(message.id)) != places(str(message.string))]

    assert differing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_catalogue_is_the_source(language: str) -> None:
    """What a student reads is what the source says. When this fails: `pybabel compile -D bentocola -d bentocola/locales`."""
    stale = [m.id for m in entries(language) if translate(language, str(m.id)) != m.string]

    assert stale == []


def test_both_languages_are_one_line_each() -> None:
    """Where the reader's language is not known, each has a line of its own, Spanish first."""
    assert (
        both("S3 sends an event to the queue.") == "S3 envía un evento a la cola.\nS3がキューへイベントを送りました。"
    )


def test_text_in_a_value_is_no_template() -> None:
    """What stands in a value comes out as it is, braces and all."""
    assert (
        translate("es", "{who} deleted the item {key}.", who="{key}", key="%s {who}")
        == "{key} borra el elemento %s {who}."
    )


# Style, as far as a machine can tell

JAPANESE = r"[\u3001-\u303f\u3040-\u30ff\u3400-\u9fff\uff01-\uff5e]"


def readable(text: str) -> str:
    """Return a text without its code: what stands between backticks, and what a place will hold."""
    return re.sub(r"\{[^{}]*\}", "X", re.sub(r"`[^`]*`", "X", text))


def faults(language: str, *patterns: str) -> list[Any]:
    """Return the texts in which one of the patterns is found."""
    return [message.string for message in entries(language) if re.search("|".join(patterns), str(message.string))]


def sentences(language: str, ends: str) -> Iterator[str]:
    """Yield each sentence of each text."""
    for message in entries(language):
        yield from filter(str.strip, re.split(ends, readable(str(message.string))))


def test_japanese_has_no_space_beside_latin() -> None:
    """No typed space between Japanese and Latin letters or digits; a place's value may need one, so places are not looked at."""
    assert faults("ja", rf"{JAPANESE} +[A-Za-z0-9`]", rf"[A-Za-z0-9`)] +{JAPANESE}", rf"{JAPANESE} +{JAPANESE}") == []


def test_japanese_keeps_apart_from_an_address() -> None:
    """A terminal and a notebook make a link of an address up to the next space, whatever script goes on there."""
    assert faults("ja", rf"\{{(?:endpoint|address)\}}{JAPANESE}") == []


def test_japanese_punctuation_is_full_width() -> None:
    """Beside Japanese, parentheses, colons, commas, question marks and full stops are full-width."""
    assert faults("ja", rf"{JAPANESE}[(:,?!;.]", rf"[),?!;.]{JAPANESE}(?<!\(\){JAPANESE})") == []


def test_japanese_digits_and_letters_are_half_width() -> None:
    """Digits and Latin letters are half-width."""
    assert faults("ja", r"[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]") == []


def test_japanese_sentences_are_short() -> None:
    """No sentence has more than 60 characters, or more than two 、."""
    long = [text for text in sentences("ja", r"(?<=[。！？])|\n") if len(text) > 60 or text.count("、") > 2]

    assert long == []


def test_japanese_words() -> None:
    """Words that the style does without: how a student is not addressed, a mistake is not called, a verb is not stretched."""
    words = ("あなた", "生徒", "学生", "間違い", "することができ", "を行", "だから", "出来", "下さい")
    in_kana = (r"[ぁ-ん]事[^ぁ-ん]*[はがをにもで。]", r"[うるたい]時[にはも、]")

    assert faults("ja", *words, *in_kana) == []


def test_spanish_sentences_are_short() -> None:
    """No sentence has more than 25 words."""
    long = [text for text in sentences("es", r"(?<=[.!?])\s+|\n") if len(text.split()) > 25]

    assert long == []


def test_spanish_opens_questions_and_exclamations() -> None:
    """Each ? and ! has its opening sign."""
    pairs = [(str(m.string), readable(str(m.string))) for m in entries("es")]

    assert [
        text for text, said in pairs if said.count("?") != said.count("¿") or said.count("!") != said.count("¡")
    ] == []


def test_spanish_words() -> None:
    """Words that the style does without: other forms of address, and words that only a translation uses."""
    words = ("vosotros", "ustedes", "usted", "vos", "librería", "remover", "soportar", "asumir", "corre", "correr", "@")

    assert faults("es", *(rf"\b{word}\b" if word.isalpha() else word for word in words)) == []
