"""Jupyter's settings for students that are computed: a terminal opens in the lab's shell, where `aws` reaches the local cloud."""

import os
import sys

c = get_config()  # noqa: F821 (Jupyter provides it)

if os.name != "nt":
    # A workspace can open a terminal, but not say what runs in it. On Windows the lab's shell is opened by hand.
    c.ServerApp.terminado_settings = {"shell_command": [sys.executable, "-m", "bentocola.cli", "lab", "terminal"]}
