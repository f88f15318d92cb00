"""The build hook: compiles the message catalogues, for wheels and for editable installations.

Each `bentocola/locales/<language>/LC_MESSAGES/bentocola.po` gets a `bentocola.mo` beside it; nothing else is touched.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileCatalogues(BuildHookInterface[Any]):
    """Compile each catalogue before hatchling collects the files of the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write every `.mo`; raise Babel's `PoFileError`, which names the line, for a catalogue that cannot be read."""
        for source in sorted(Path(self.root).glob("bentocola/locales/*/LC_MESSAGES/bentocola.po")):
            with source.open("rb") as file:
                catalogue = read_po(file, locale=source.parts[-3], abort_invalid=True)
            # Written aside and renamed: a course that runs from this folder never reads half a catalogue.
            unfinished = source.with_suffix(".mo.part")
            with unfinished.open("wb") as file:
                write_mo(file, catalogue)
            os.replace(unfinished, source.with_suffix(".mo"))
