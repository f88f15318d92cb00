"""Why the system refuses a file, a folder or a port, as a phrase in the reader's language. It reads the error, and that alone."""

from __future__ import annotations

import errno

from bentocola.messages import phrase

__all__ = ["why"]


def why(error: OSError) -> str:
    """Return the reason for a place of a message; the system's own words for one that no file of a student's leads to."""
    return _REASONS.get(error.errno or 0) or error.strerror or str(error)


_NO_PERMISSION = phrase("you have no permission there")
_NO_SPACE = phrase("the disk is full; delete what you no longer need")
_REASONS = {
    errno.ENOENT: phrase("its folder does not exist; make it first"),
    errno.ENOTDIR: phrase("a part of that path is a file and no folder"),
    errno.EISDIR: phrase("it is a folder and no file"),
    errno.EEXIST: phrase("a file of that name is there already"),
    errno.EACCES: _NO_PERMISSION,
    errno.EPERM: _NO_PERMISSION,
    errno.EROFS: phrase("that disk can only be read"),
    errno.ENOSPC: _NO_SPACE,
    getattr(errno, "EDQUOT", -1): _NO_SPACE,  # Windows has none
    errno.ENAMETOOLONG: phrase("its name is too long"),
}
