"""A proxy that lets nobody out: whoever a browser wants to ask, it writes down, and refuses.

A browser that is to go through it for everything but the site is watched as a whole: pages, workers, service workers, and what
it would ask for itself.
"""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import CHROMIUM, FLAGS

__all__ = ["Elsewhere", "elsewhere", "enclosed"]

_NOBODY = "nobody.invalid"


class Elsewhere(socketserver.ThreadingTCPServer):
    """`asked`: the first line of each request, such as `CONNECT example.org:443 HTTP/1.1`."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Refuse)
        self.asked: list[str] = []

    @property
    def port(self) -> int:
        """Where it listens, on 127.0.0.1."""
        return int(self.server_address[1])


class _Refuse(socketserver.StreamRequestHandler):
    server: Elsewhere

    def handle(self) -> None:
        """Write down and refuse. A connection that is opened in advance, and never used, asks for nothing."""
        if line := self.rfile.readline(4096).decode("latin-1").strip():
            self.server.asked.append(line)
            self.wfile.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


@contextmanager
def elsewhere() -> Iterator[Elsewhere]:
    """Listen until the block ends."""
    with Elsewhere() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@contextmanager
def enclosed(site: str, proxy: int) -> Iterator[Browser]:
    """A Chromium that reaches the site at the address `site`, and for everything else goes to the port `proxy`."""
    flags = [
        f"--proxy-server=http://127.0.0.1:{proxy}",
        f"--proxy-bypass-list=<-loopback>;{urlsplit(site).netloc};{_NOBODY}",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        # Who is signed in, whether there are messages, what a form's fields are for: Chromium asks by itself, and here nobody.
        f"--gaia-url=https://{_NOBODY}",
        f"--gcm-checkin-url=https://{_NOBODY}",
        f"--autofill-server-url=https://{_NOBODY}",
    ]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *flags])
        yield chromium
        chromium.close()
