"""Whether a strategy fits on the disk, before any of it is written."""

import shutil
from os import PathLike
from pathlib import Path

from liarsolve.errors import StorageError

_REST = 1 << 20
"""Room for the manifest and the headers of the arrays."""


def refuse_if_too_large(folder: str | PathLike[str], n_bytes: int) -> None:
    """Refuse to write a folder where its arrays would not fit.

    Raises
    ------
    StorageError
        If the disk has less than that free.
    """
    if not isinstance(folder, str | PathLike):
        return  # writing it will say what is wrong
    place = next((p for p in Path(folder).absolute().parents if p.is_dir()), None)
    if place is None:
        return  # writing it will say what is wrong
    try:
        free = shutil.disk_usage(place).free
    except OSError:
        return
    if free < n_bytes + _REST:
        raise StorageError(
            f"{folder} could not be written: the strategy takes {format_bytes(n_bytes)}, and "
            f"{place} has {format_bytes(free)} free; choose another disk; a compact copy "
            "takes less"
        )


def format_bytes(n_bytes: float) -> str:
    """Write a size with the unit that suits it.

    >>> format_bytes(612), format_bytes(20_480), format_bytes(1_300_000), format_bytes(2.5e9)
    ('612 bytes', '20.5 kB', '1.3 MB', '2.5 GB')
    """
    for power, unit in ((4, "TB"), (3, "GB"), (2, "MB"), (1, "kB")):
        amount = n_bytes / 1000**power
        if amount >= 0.9995:
            return f"{amount:,.3g} {unit}" if amount < 999.5 else f"{amount:,.0f} {unit}"
    return f"{n_bytes:,.0f} bytes"
