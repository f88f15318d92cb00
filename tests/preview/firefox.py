"""Debian's Firefox, driven by WebDriver BiDi over its own port: Playwright drives only a Firefox that was built for it.

A fresh profile in a temporary folder, without anything that Firefox would ask of others by itself. It starts one process and ends
it. https://w3c.github.io/webdriver-bidi/ says what the commands mean.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import websocket

__all__ = ["FIREFOX", "KEYS", "NEEDS_FIREFOX", "Firefox", "Tab", "Visitor", "launched"]

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
NEEDS_FIREFOX = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(FIREFOX is None, reason="Firefox is not installed: apt-get install firefox-esr"),
]
"""The marks of each module of tests with it."""
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "ArrowDown": "\ue015", "ArrowRight": "\ue014", "Escape": "\ue00c"}
_SECONDS = 60
"""For one answer. Most take a few milliseconds."""
_OFFLINE: dict[str, object] = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.discovery.enabled": False,
    "browser.newtabpage.enabled": False,
    "browser.region.network.url": "",
    "browser.safebrowsing.downloads.remote.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.search.update": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.healthreport.uploadEnabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.push.connection.enabled": False,
    "extensions.getAddons.cache.enabled": False,
    "extensions.systemAddon.update.enabled": False,
    "extensions.update.enabled": False,
    "media.gmp-manager.updateEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True,
    "network.predictor.enabled": False,
    "network.prefetch-next": False,
    "network.trr.mode": 5,
    "security.OCSP.enabled": 0,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "toolkit.telemetry.enabled": False,
    "toolkit.telemetry.server": "",
    "remote.active-protocols": 1,
}
"""Preferences. No telemetry, update, captive portal, safe browsing or remote settings; of the protocols, BiDi alone."""
_SEEN = (
    "log.entryAdded",
    "network.beforeRequestSent",
    "network.fetchError",
    "network.responseCompleted",
    "script.message",
)
# Runs in each page before its own scripts.
_FIRST = """(tell) => {
  addEventListener("securitypolicyviolation", (event) => tell(`${event.effectiveDirective} blocked ${event.blockedURI}`));
  new MutationObserver((_, observer) => {
    if (!document.body) return;
    observer.disconnect();
    window.beforePaint = { ...document.documentElement.dataset };
  }).observe(document, { childList: true, subtree: true });
}"""


class Firefox:
    """`faults`: console errors, failed requests and what a policy blocked. `asked`: the addresses of all requests."""

    def __init__(self, socket: websocket.WebSocket) -> None:
        self.faults: list[str] = []
        self.asked: list[str] = []
        self._socket = socket
        self._sent = 0

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Give one BiDi command and return its result. What happened meanwhile is written down. Raises RuntimeError."""
        self._sent += 1
        self._socket.send(json.dumps({"id": self._sent, "method": method, "params": parameters}))
        while True:
            told = json.loads(self._socket.recv())
            if told["type"] == "event":
                self._happened(told["method"], told["params"])
            elif told["id"] == self._sent:
                if told["type"] == "error":
                    raise RuntimeError(f"{method}: {told['error']}: {told['message']}")
                return dict(told["result"])

    @contextmanager
    def visitor(self) -> Iterator[Visitor]:
        """Somebody who never was on the site: with storage of their own, until the block ends."""
        name = self.call("browser.createUserContext")["userContext"]
        yield Visitor(self, name)
        self.call("browser.removeUserContext", userContext=name)

    def _happened(self, name: str, told: dict[str, Any]) -> None:
        address = told.get("request", {}).get("url", "")
        match name:
            case "log.entryAdded" if told["level"] == "error":
                self.faults.append(told["text"])
            case "script.message":
                self.faults.append(told["data"]["value"])
            case "network.beforeRequestSent":
                self.asked.append(address)
            case "network.fetchError":
                self.faults.append(f"{told['errorText']}: {address}")
            case "network.responseCompleted" if told["response"]["status"] >= 400:
                self.faults.append(f"{told['response']['status']}: {address}")


class Visitor:
    """Whose tabs share what the browser keeps."""

    def __init__(self, firefox: Firefox, name: str) -> None:
        self._firefox, self._name = firefox, name

    def tab(self, address: str) -> Tab:
        """Open a page in a tab of its own."""
        found = self._firefox.call("browsingContext.create", type="tab", userContext=self._name)
        tab = Tab(self._firefox, found["context"])
        tab.goto(address)
        return tab


class Tab:
    """A page that somebody looks at. Every expression is JavaScript, and may be a promise."""

    def __init__(self, firefox: Firefox, name: str) -> None:
        self._firefox, self._name = firefox, name

    def goto(self, address: str) -> None:
        """Open a page, and wait until it is loaded."""
        self._firefox.call("browsingContext.navigate", context=self._name, url=address, wait="complete")

    def reload(self) -> None:
        """Load the page again."""
        self._firefox.call("browsingContext.reload", context=self._name, wait="complete")

    def ask(self, expression: str) -> Any:
        """Return what an expression comes to, as JSON has it. Raises AssertionError with what it threw."""
        found = self._firefox.call(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression})) ?? 'null')()",
            target={"context": self._name},
            awaitPromise=True,
            userActivation=True,
        )
        assert found["type"] == "success", found["exceptionDetails"]["text"]
        return json.loads(found["result"]["value"])

    def until(self, expression: str) -> None:
        """Wait until an expression holds. One that never does ends with the answer's time."""
        self.ask(
            "new Promise((resolve) => {"
            f"const look = () => ({expression}) ? resolve() : setTimeout(look, 20);"
            "look(); })"
        )

    def press(self, *keys: str) -> None:
        """Press keys one after the other, in the tab that is in front by then: by names of `KEYS`, or as typed."""
        self._firefox.call("browsingContext.activate", context=self._name)
        strokes = [(kind, KEYS.get(key, key)) for key in keys for kind in ("keyDown", "keyUp")]
        actions = [{"type": kind, "value": value} for kind, value in strokes]
        self._firefox.call(
            "input.performActions", context=self._name, actions=[{"type": "key", "id": "keys", "actions": actions}]
        )

    def shoot(self, name: str) -> None:
        """Keep a picture of the window, if anybody asked for one: in the folder that BENTOCOLA_SHOTS names."""
        if folder := os.environ.get("BENTOCOLA_SHOTS"):
            data = self._firefox.call("browsingContext.captureScreenshot", context=self._name)["data"]
            (Path(folder) / f"{name}.png").write_bytes(base64.b64decode(data))


@contextmanager
def launched(site: str, proxy: int, preferences: dict[str, object] | None = None) -> Iterator[Firefox]:
    """Start Firefox, and end it after the block.

    `site`: the address that it reaches by itself; `proxy`: the port on 127.0.0.1 that it goes to for everything else.
    """
    assert FIREFOX is not None
    through: dict[str, object] = {"network.proxy.type": 1, "network.proxy.allow_hijacking_localhost": True}
    for kind in ("http", "ssl"):
        through |= {f"network.proxy.{kind}": "127.0.0.1", f"network.proxy.{kind}_port": proxy}
    through["network.proxy.no_proxies_on"] = urlsplit(site).netloc
    chosen = _OFFLINE | through | (preferences or {})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in chosen.items())
        (Path(folder) / "user.js").write_text("".join(lines), encoding="utf-8")
        command = [FIREFOX, "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"]
        # A released Firefox hears the preference for its remote settings only with this.
        environment = os.environ | {"HOME": folder, "MOZ_REMOTE_SETTINGS_DEVTOOLS": "1"}
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                yield _connected(process)
            finally:
                process.terminate()


def _connected(process: subprocess.Popen[str]) -> Firefox:
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if "WebDriver BiDi listening on" in line:
            break
    else:
        raise RuntimeError("Firefox ended before anybody could drive it: " + "".join(said))
    threading.Thread(target=process.stderr.read, daemon=True).start()  # nobody reads on, and a full pipe would stop it
    address = said[-1].split()[-1] + "/session"
    firefox = Firefox(websocket.create_connection(address, timeout=_SECONDS, suppress_origin=True))
    firefox.call("session.new", capabilities={})
    firefox.call("session.subscribe", events=list(_SEEN))
    channel = {"type": "channel", "value": {"channel": "policy"}}
    firefox.call("script.addPreloadScript", functionDeclaration=_FIRST, arguments=[channel])
    return firefox
