"""Jupyter's settings for students that are computed: a terminal opens in the lab's shell, where `aws` reaches the local cloud.

And what belongs to JupyterLite alone is left to it: an environment that makes the site has it, and JupyterLab would try it.
"""

import os
import sys

c = get_config()  # noqa: F821 (Jupyter provides it)


def _without_jupyterlite(handler, page_config):
    """Take JupyterLite's kernel from what the page loads. To disable it would not do: it is loaded first, and fails."""
    found = page_config["federated_extensions"]
    page_config["federated_extensions"] = [one for one in found if not one["name"].startswith("@jupyterlite/")]
    return page_config


c.ServerApp.tornado_settings = {"page_config_hook": _without_jupyterlite}
if os.name != "nt":
    # A workspace can open a terminal, but not say what runs in it. On Windows the lab's shell is opened by hand.
    shell = [sys.executable, "-m", "bentocola.cli", "lab", "terminal", "--jupyterlab"]
    c.ServerApp.terminado_settings = {"shell_command": shell}
