"""Files are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write `data` under a temporary name beside `path`, then rename it; raise OSError when that fails."""
    target = Path(path)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)  # mkstemp makes files that only the owner can read
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
