"""JupyterLite beside the site's pages: the whole course in JupyterLab, in a page, for who wants more than a page's cells.

Everything comes from the site's own folder: Python and the local cloud are the pages', the rest is cut from what is installed.
"""

from preview.lite.copies import address
from preview.lite.made import LiteError, files

__all__ = ["LiteError", "address", "files"]
