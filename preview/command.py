"""The command line of the preview. What it says is for who maintains the site, and is English."""

from __future__ import annotations

import argparse
import functools
import http.server
import sys
from collections.abc import Sequence
from pathlib import Path

from preview.site import BuildError, build

__all__ = ["Handler", "main"]

ROOT = Path(__file__).parents[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line says, and return the exit status: 1 when the site could not be made."""
    parser = argparse.ArgumentParser(prog="bentocola preview", description="The course as a static site.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, does in (("build", "make the site"), ("serve", "make the site and show it on this machine")):
        command = commands.add_parser(name, help=does, description=does)
        command.add_argument("--out", type=Path, default=ROOT / "site", help="the folder to write (default: site)")
        command.add_argument("--base-url", default="/", help="where the site will stand on its server (default: /)")
        command.add_argument(
            "--lite", action="store_true", help="with JupyterLite beside, in lite/: the course in JupyterLab"
        )
        if name == "serve":
            command.add_argument("--port", type=int, default=8000, help="on 127.0.0.1; 0: any that is free")
    asked = parser.parse_args(arguments)
    try:
        made = build(ROOT, asked.out, asked.base_url, with_lite=asked.lite)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{made.pages} pages in {asked.out} ({made.written} of {made.files} files were written anew).")
    if asked.lite:
        print(f"JupyterLite in {asked.out / 'lite'}: {made.lite_files} files, {made.lite_bytes / 1e6:.1f} MB.")
    if asked.command == "serve":
        _serve(asked.out, asked.port)
    return 0


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the folder; what is not there gets the site's own page for it."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer 404 with the site's page."""
        page = Path(self.directory) / "404.html"
        if code != 404 or not page.is_file():
            super().send_error(code, message, explain)
            return
        content = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing of each request."""


def _serve(folder: Path, port: int) -> None:
    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        print(f"http://127.0.0.1:{server.server_port}/  (Ctrl+C ends it)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
