"""A site on loopback, and what its pages ask for."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import BrowserContext, Request

from preview.command import Handler

__all__ = ["Site", "served"]


@dataclass
class Site:
    """`address`: where it stands, with a slash. `elsewhere`: what a watched browser asked of anybody else."""

    address: str
    folder: Path
    elsewhere: list[str] = field(default_factory=list)

    @property
    def pages(self) -> list[str]:
        """All pages, by their paths."""
        return sorted(path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*.html"))

    def watch(self, context: BrowserContext) -> BrowserContext:
        """Write down what this browser asks of anybody but the site."""

        def seen(request: Request) -> None:
            if not request.url.startswith((self.address, f"blob:{self.address}", "data:")):
                self.elsewhere.append(request.url)

        context.on("request", seen)
        return context


@contextmanager
def served(folder: Path) -> Iterator[Site]:
    """Serve the folder as `preview serve` does, until the block ends."""
    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield Site(f"http://127.0.0.1:{server.server_port}/", folder)
        server.shutdown()
        thread.join()
