"""Checkpoints of a running solve, so that one that was killed can go on.

A checkpoint is a folder ``checkpoint-<iteration>`` inside the folder that the user named. It
appears whole under its final name, and older ones are removed only then, so that a kill at any
moment leaves the last one that was finished.
"""

import shutil
from os import PathLike
from pathlib import Path
from typing import Any

from liarsolve.errors import StorageError
from liarsolve.solvers import SolverState
from liarsolve.strategy.storage import CHECKPOINT, read_folder, write_folder

_PREFIX = "checkpoint-"


def write_checkpoint(
    folder: str | PathLike[str], settings: dict[str, Any], state: SolverState
) -> None:
    """Write a checkpoint, then remove those before it.

    Raises
    ------
    StorageError
        If the disk refuses; the checkpoint before is still there.
    """
    name = f"{_PREFIX}{state.values['iteration']:09d}"
    target = Path(folder) / name
    _remove_unfinished(folder)
    manifest = {"settings": settings, "state": state.values}
    write_folder(target, manifest, state.arrays, kind=CHECKPOINT, overwrite=True)
    for older in list_checkpoints(folder):
        if older.name < name:
            shutil.rmtree(older, ignore_errors=True)


def read_checkpoint(folder: str | PathLike[str]) -> tuple[dict[str, Any], SolverState]:
    """Settings and state of the last checkpoint in a folder.

    Raises
    ------
    StorageError
        If there is none, or it is damaged.
    """
    found = list_checkpoints(folder)
    if not found:
        raise StorageError(f"there is no checkpoint in {folder}")
    manifest, arrays, _ = read_folder(found[-1], kind=CHECKPOINT, verify=True)
    settings, values = manifest.get("settings"), manifest.get("state")
    if not isinstance(settings, dict) or not isinstance(values, dict):
        raise StorageError(f"{found[-1]} is damaged: its manifest has no settings and state")
    return settings, SolverState(values, arrays)


def list_checkpoints(folder: str | PathLike[str]) -> list[Path]:
    """Finished checkpoints in a folder, the oldest first."""
    source = Path(folder)
    return sorted(source.glob(f"{_PREFIX}*")) if source.is_dir() else []


def remove_checkpoints(folder: str | PathLike[str]) -> None:
    """Remove the checkpoints of a solve that is done, and the folder if nothing else is in it."""
    source = Path(folder)
    _remove_unfinished(folder)
    for path in list_checkpoints(folder):
        shutil.rmtree(path, ignore_errors=True)
    if source.is_dir() and not any(source.iterdir()):
        source.rmdir()


def _remove_unfinished(folder: str | PathLike[str]) -> None:
    """Remove what a kill in the middle of writing has left."""
    for path in Path(folder).glob(f".{_PREFIX}*"):
        shutil.rmtree(path, ignore_errors=True)
