"""The plain page of a served cloud: it is whole in itself, and follows the cloud that it comes from."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator
from html.parser import HTMLParser

import boto3
import pytest

from bentocola.cli.control import Control
from bentocola.cloud.door import Request, Response
from bentocola.cloud.wires.http import CONTROL, HttpWire
from bentocola.views.page import page
from bentocola.views.viewed import ViewedCloud
from tests.views.chromium import browser_test, opened, shoot

LAB = {"name": "idempotent-consumer", "prefix": "lab05"}


class Elements(HTMLParser):
    """The elements of a page, with what stands in its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element."""
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Keep a script's text."""
        if self.found and self.found[-1][0] == "script" and data.strip():
            self.scripts.append((self.found[-1][1], data))


@pytest.mark.parametrize(("language", "title"), [("es", "Vista de AWS"), ("ja", "AWSビュー")])
def test_the_page_is_in_the_lab_s_language(language: str, title: str) -> None:
    """Language and title are there before any script has run; the title names the lab."""
    text = page(language, LAB)

    assert f'<html lang="{language}">' in text
    assert f"<title>idempotent-consumer · {title}</title>" in text
    assert f"<title>{title}</title>" in page(language)


def test_the_page_names_no_other_address() -> None:
    """No element loads anything, but for an icon that is empty."""
    loads = [attrs[name] for _, attrs in Elements(page("es", LAB)).found for name in ("src", "href") if name in attrs]

    assert loads == ["data:,"]


def test_the_page_runs_its_own_script_only() -> None:
    """The policy names the one script by its digest; the others hold data, and do not end early."""
    elements = Elements(page("es", LAB))
    (policy,) = (attrs["content"] or "" for _, attrs in elements.found if "http-equiv" in attrs)
    (script,) = (text for attrs, text in elements.scripts if attrs["type"] == "module")

    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}' blob:;" in policy
    assert policy.startswith("default-src 'none'")
    assert [attrs.get("id") for attrs, _ in elements.scripts if attrs["type"] == "application/json"] == [
        "options",
        "views",
    ]
    assert all("<" not in text for attrs, text in elements.scripts if attrs["type"] == "application/json")


@pytest.fixture
def served(start: Callable[..., ViewedCloud]) -> Iterator[HttpWire]:
    """A live cloud over HTTP, with its page."""
    cloud = start("ja", live=True)

    def shown(request: Request) -> Response:
        return Response(200, {"Content-Type": "text/html; charset=utf-8"}, page("ja", LAB).encode())

    control = Control(cloud, {f"{CONTROL}view": {"GET": shown}})
    wire = HttpWire(cloud.handle, say=cloud.say, control=control)
    wire.bind()
    wire.connect()
    yield wire
    wire.disconnect()


@browser_test
def test_the_page_follows_its_cloud(served: HttpWire) -> None:
    """What is there is drawn, and what happens comes by itself; only the page's own origin is asked."""
    sqs = boto3.client("sqs")
    sqs.create_queue(QueueName="first")
    with opened(f"{served.endpoint}/_bentocola/view") as (shown, asked):
        shown.get_by_text("first").first.wait_for()
        sqs.create_queue(QueueName="second")
        shown.get_by_text("second").first.wait_for()
        shoot(shown, "page-ja")

    assert all(address.startswith((served.endpoint, f"blob:{served.endpoint}", "data:")) for address in asked)
