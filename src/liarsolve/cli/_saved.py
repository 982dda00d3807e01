"""Sizes of saved strategies, in words."""

from os import PathLike
from pathlib import Path


def folder_bytes(folder: str | PathLike[str]) -> int:
    """Bytes of all files in a stored strategy."""
    return sum(path.stat().st_size for path in Path(folder).iterdir() if path.is_file())


def describe_saved(folder: str) -> str:
    """Name a folder that was just written, with its size."""
    from liarsolve.strategy.disk_space import format_bytes

    return f"{folder}, {format_bytes(folder_bytes(folder))}"
