"""A Markdown cell has the same shape in both editions and is plain CommonMark."""

from __future__ import annotations

import pytest

from tests.parity.building import SmallCourse, markdown

SAME = {
    "words": ("# Una idea\n\nDos frases. Y otra.", "# 考え\n\n文が1つ。"),
    "link to another page": ("[AWS](https://a.example/es)", "[AWS](https://a.example/ja)"),
    "a comment in a code block is no heading": ("```python\n# uno\n```", "```python\nx = 1\n```"),
    "glossed code": ("La clave `orders/3.json`.", "キー `3` と `4`。"),
    "braces before code": ("`pedidos/{customer}` y `x`", "`orders/{customer}` と `x`"),
    "ellipsis": (":: dos puntos ::", "コロン"),
}
DIFFERENT = {
    "heading level": ("## Una", "### 1つ", "The heading levels differ: [2] in Spanish, [3] in Japanese."),
    "heading missing": ("# A\n\n## B", "# A", "The heading levels differ: [1, 2] in Spanish, [1] in Japanese."),
    "code block missing": (
        "```\nx\n```",
        "x",
        "The numbers of fenced code blocks differ: 1 in Spanish, 0 in Japanese.",
    ),
    "link missing": (
        "| a |\n|---|\n| [x](y) |",
        "| a |\n|---|\n| x |",
        "The numbers of links differ: 1 in Spanish, 0 in Japanese.",
    ),
    "picture missing": ("![x](y.png)", "x", "The numbers of pictures differ: 1 in Spanish, 0 in Japanese."),
    "mark scheme missing": (
        "Explica.\n\n### BEGIN MARK SCHEME\n\nx\n\n### END MARK SCHEME",
        "説明\n\n### 採点\n\nx\n\n### END MARK SCHEME",
        "The markers of nbgrader differ: ['BEGIN MARK SCHEME', 'END MARK SCHEME'] in Spanish, "
        "['END MARK SCHEME'] in Japanese.",
    ),
}
MYST = {
    "directive": ("```{note} Ojo\nx\n```", "```{note} Ojo"),
    "colon fence": (":::{tip}\nx\n:::", ":::{tip}"),
    "role": ("Mira {ref}`la cola`.", "{ref}`la cola`"),
    "label": ("(la-cola)=\n\nx", "(la-cola)="),
}


def _compared(course: SmallCourse, es: str, ja: str) -> list[str]:
    return course.compared([markdown("m01-idea", es)], [markdown("m01-idea", ja)])


@pytest.mark.parametrize(("es", "ja"), SAME.values(), ids=SAME.keys())
def test_other_words_pass(course: SmallCourse, es: str, ja: str) -> None:
    """Two teachers may say one idea in their own words."""
    assert _compared(course, es, ja) == []


@pytest.mark.parametrize(("es", "ja", "sentence"), DIFFERENT.values(), ids=DIFFERENT.keys())
def test_another_shape_is_named(course: SmallCourse, es: str, ja: str, sentence: str) -> None:
    """The message names the cell and what differs."""
    assert _compared(course, es, ja) == [f"lesson 01-upload, cell m01-idea: {sentence}"]


@pytest.mark.parametrize(("source", "shown"), MYST.values(), ids=MYST.keys())
def test_myst_is_refused(course: SmallCourse, source: str, shown: str) -> None:
    """JupyterLab would show it raw, whichever edition has it."""
    assert (
        f"lesson 01-upload, cell m01-idea: It has MyST syntax in Spanish (`{shown}`), which JupyterLab shows raw."
        in (_compared(course, source, source))
    )


def test_attachments_are_refused(course: SmallCourse) -> None:
    """A picture is a file, not a part of the notebook."""
    cell = markdown("m01-idea", "x") | {"attachments": {"a.png": {"image/png": "AAAA"}}}

    assert course.compared([cell], [markdown("m01-idea", "x")]) == [
        "lesson 01-upload, cell m01-idea: It has an attachment in Spanish: put the picture into a file."
    ]
