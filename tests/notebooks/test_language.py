"""The prose keeps the style that was agreed on, as far as a machine can tell.

Judged are the texts of lessons and assignments and the comments in their code; for single words, the messages too.
"""

from __future__ import annotations

import re
from pathlib import Path
from statistics import median

import nbformat
import pytest
from babel.messages.pofile import read_po

from tests.notebooks.prose import Passage, passages
from tests.notebooks.test_structure import NOTEBOOKS, place
from tests.repository import ROOT

RUNNING = {"paragraph", "item", "comment"}

NOT_IN_SPANISH = {
    "vosotros, ustedes, vos": r"\b(?:vosotr[oa]s|vuestr[oa]s?|ustedes|usted|vos)\b",
    "eventual": r"(?<!consistencia )\beventual",
    "remover": r"\brem(?:ov(?:er|id[oa]s?|iendo)|ueve)",
    "soportar": r"\bsoporta",
    "asumir": r"\basum",
    "correr": r"\bcorr(?:er|es?|en|iendo|ió|ido)\b",
    "librería": r"\blibrer[ií]a",
    "fichero, ordenador, computadora": r"\b(?:ficheros?|ordenador(?:es)?|computador[ae]s?)\b",
    "worker": r"\bworkers?\b",
    "el terminal": r"\b(?:el|un|del|al) terminal\b",
    "bare cadena": r"\bcadenas?\b(?! de pasos)",
    "@": r"@",
    "perfect": r"\b(?:he|has|ha|hemos|han) \w+(?:[aí]do|to|cho)\b",
    "…, creando": r", (?!cuando\b)\w+(?:ando|iendo|yendo)\b",
    "straight quotation marks": r'"',
    "decimals": r"\d,\d|(?<=\s)(?![45]\.[1-4]\b)\d+\.\d",
}
NOT_IN_JAPANESE = {
    "することができます": r"することができ",
    "を行う": r"を行[うっいわえ]",
    "あなた": r"あなた",
    "だから": r"(?:^|[、。])だから",
    "生徒, 学生": r"生徒|学生",
    "によって": r"によって",
    "間違い": r"間違い",
    "kanji for kana": r"下さい|出来[るなまた]|[すた]る?事|[るた]時[はに、]",
    "kanji numerals": r"[一二三四五六七八九十](?:つ|回)",
    "final ー": r"(?:ユーザ|サーバ|フォルダ|コンピュータ|ハンドラ|コンシューマ|プロデューサ)(?!ー)",
    "full-width letters and digits": r"[０-９Ａ-Ｚａ-ｚ]",
    "half-width punctuation": r"[ぁ-んァ-ヺ一-龯][,.!?:;]",
    "half-width parentheses": r"(?<!^[a-z])[()]",
}
_JAPANESE = "ぁ-んァ-ヺー一-龯々、。「」（）：！？"
SPACED = {"typed space": rf"[{_JAPANESE}] +[!-~]|[!-~] +[{_JAPANESE}]"}


def notebooks(language: str) -> pytest.MarkDecorator:
    """Ask a test of each notebook of one language."""
    paths = [path for path in NOTEBOOKS if language in path.parts]
    return pytest.mark.parametrize("path", paths, ids=lambda path: str(place(path)))


def read(path: Path) -> list[Passage]:
    """Return the prose of a notebook."""
    return passages(nbformat.read(path, as_version=4))


def messages(language: str) -> list[Passage]:
    """Return the messages of a language, with code and the places for values as x."""
    path = ROOT / "bentocola" / "locales" / language / "LC_MESSAGES" / "bentocola.po"
    with path.open("rb") as file:
        told = [message for message in read_po(file) if message.id]
    return [
        Passage(str(message.id), "message", re.sub(r"`[^`]+`|\{[^}]*\}", "x", str(message.string))) for message in told
    ]


def found(rules: dict[str, str], told: list[Passage]) -> list[str]:
    """Return a line for each place where a rule's pattern stands."""
    return [
        f"{passage.cell}: {rule} ({match[0]}): {passage.text}"
        for passage in told
        for rule, pattern in rules.items()
        for match in re.finditer(pattern, passage.text, re.IGNORECASE)
    ]


def sentences(told: list[Passage], language: str, kinds: set[str]) -> list[tuple[str, str]]:
    """Return cell and text of each sentence in passages of these kinds."""
    return [(passage.cell, text) for passage in told if passage.kind in kinds for text in passage.sentences(language)]


def words(sentence: str) -> int:
    """Count the words of a Spanish sentence."""
    return len(re.findall(r"[^\W_][\w./%+#-]*", sentence))


def characters(sentence: str) -> int:
    """Count the characters of a Japanese sentence."""
    return len(sentence.replace(" ", ""))


@notebooks("es")
def test_spanish_sentences_are_short(path: Path) -> None:
    """Half of the sentences have 15 words or fewer, and none has more than 25."""
    told = sentences(read(path), "es", RUNNING)

    assert [f"{cell}: {words(text)}: {text}" for cell, text in told if words(text) > 25] == []
    assert median(words(text) for _, text in told) <= 15


@notebooks("ja")
def test_japanese_sentences_are_short(path: Path) -> None:
    """Half of the sentences have 35 characters or fewer, none has more than 60, and none more than two commas."""
    told = sentences(read(path), "ja", RUNNING)

    assert [f"{cell}: {characters(text)}: {text}" for cell, text in told if characters(text) > 60] == []
    assert [f"{cell}: {text}" for cell, text in told if text.count("、") > 2] == []
    assert median(characters(text) for _, text in told) <= 35


@notebooks("es")
def test_spanish_without_the_words_to_avoid(path: Path) -> None:
    """None of the words, forms and signs stands there that the style rules out."""
    assert found(NOT_IN_SPANISH, read(path)) == []


@notebooks("ja")
def test_japanese_without_the_words_to_avoid(path: Path) -> None:
    """None of the words, forms and signs stands there that the style rules out."""
    assert found(NOT_IN_JAPANESE, read(path)) == []


@notebooks("ja")
def test_japanese_has_no_typed_spaces(path: Path) -> None:
    """No space stands between Japanese and half-width text, but after the mark of a list or a word in bold."""
    assert found(SPACED, read(path)) == []


@notebooks("ja")
def test_japanese_sentences_do_not_all_end_alike(path: Path) -> None:
    """Not four sentences of one passage in a row end in 〜ます。"""
    told = read(path)
    alike = "1" * 4
    rows = {
        passage.text: "".join(str(int(text.endswith("ます。"))) for text in passage.sentences("ja")) for passage in told
    }

    assert [text for text, row in rows.items() if alike in row] == []


@notebooks("es")
def test_spanish_questions_and_calls_are_opened(path: Path) -> None:
    """Each ? has its ¿ in the same passage, each ! its ¡, and each » its «."""
    uneven = [
        f"{passage.cell}: {passage.text}"
        for passage in read(path)
        for opening, closing in ("¿?", "¡!", "«»")
        if passage.text.count(opening) != passage.text.count(closing)
    ]

    assert uneven == []


def test_messages_without_the_words_to_avoid() -> None:
    """What the course says while it runs keeps to the same words."""
    quoted = {"straight quotation marks", "decimals", "half-width parentheses", "half-width punctuation"}
    spanish = {rule: pattern for rule, pattern in NOT_IN_SPANISH.items() if rule not in quoted}
    japanese = {rule: pattern for rule, pattern in NOT_IN_JAPANESE.items() if rule not in quoted}

    assert found(spanish, messages("es")) + found(japanese, messages("ja")) == []
