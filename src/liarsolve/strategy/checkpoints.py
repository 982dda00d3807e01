"""Checkpoints of a running solve, so that one that was killed can go on.

A checkpoint is a folder ``checkpoint-<iteration>`` inside the folder that the user named. It
appears whole under its final name, and older ones are removed only then, so that a kill at any
moment leaves the last one that was finished.
"""

import shutil
import tempfile
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from liarsolve.errors import InputTypeError, StorageError
from liarsolve.game import Abstraction
from liarsolve.solvers import SolverState, StopReason
from liarsolve.solvers.core.limits import Limits
from liarsolve.solvers.imperfect_recall.solve import DEFAULT_ITERATIONS
from liarsolve.strategy.storage import CHECKPOINT, read_folder, write_folder

_PREFIX = "checkpoint-"


class CheckpointWarning(UserWarning):
    """A checkpoint could not be written; the solve goes on without it."""


@dataclass(eq=False)
class CheckpointWriter:
    """Writes checkpoints, and warns once where that fails: the result is worth more than they."""

    folder: Path
    settings: dict[str, Any]
    has_warned: bool = False

    def __call__(self, state: SolverState) -> None:
        """Write a checkpoint if the disk allows it."""
        try:
            write_checkpoint(self.folder, self.settings, state)
        except OSError as error:  # a `StorageError` is one too
            if not self.has_warned:
                self.has_warned = True
                words = f"a checkpoint could not be written, the solve goes on: {error}"
                warnings.warn(words, CheckpointWarning, stacklevel=2)


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


@dataclass(frozen=True, eq=False)
class StoredSolve:
    """What a checkpoint holds."""

    settings: dict[str, Any]
    state: SolverState

    @property
    def abstraction(self) -> Abstraction | None:
        """What the players leave out of account."""
        parts = self.settings["abstraction"]
        return None if parts is None else Abstraction(**parts)

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return int(self.state.values["iteration"])

    @property
    def seconds(self) -> float:
        """Time that they took, and all that belongs to them."""
        return float(self.state.values["seconds"])

    @property
    def limits(self) -> Limits:
        """Target and limits with which the solve was begun, or resumed the last time."""
        own = {name: self.settings["limits"][name] for name in asdict(Limits(target=1.0))}
        return Limits(**own)

    @property
    def spent(self) -> str | None:
        """Name of the limit that has stopped the solve; None if it was killed."""
        stop = self.state.values.get("stop")
        return None if stop is None else _SPENT.get(StopReason[stop])

    def limits_to_go_on(self, new: Mapping[str, Any]) -> Limits:
        """Limits to go on with; iterations and seconds of ``new`` count from now."""
        values = asdict(self.limits)
        if self.spent is not None:
            values[self.spent] = None
            if self.abstraction is not None and self.spent == "max_iterations":
                values["max_iterations"] = self.iteration + DEFAULT_ITERATIONS
        done = {"max_iterations": self.iteration, "max_seconds": self.seconds}
        for name, value in new.items():
            values[name] = value + done.get(name, 0) if value is not None else None
        return Limits(**values)


_SPENT = {
    StopReason.ITERATION_LIMIT: "max_iterations",
    StopReason.TIME_LIMIT: "max_seconds",
}


def read_checkpoint(folder: str | PathLike[str]) -> StoredSolve:
    """Settings and state of the last checkpoint in a folder.

    Raises
    ------
    StorageError
        If there is none, or it is damaged.
    """
    found = list_checkpoints(folder)
    if not found:
        raise StorageError(f"there is no checkpoint in {str(folder)!r}")
    manifest, arrays, _ = read_folder(found[-1], kind=CHECKPOINT, verify=True)
    settings, values = manifest.get("settings"), manifest.get("state")
    if not isinstance(settings, dict) or not isinstance(values, dict):
        raise StorageError(f"{found[-1]} is damaged: its manifest has no settings and state")
    return StoredSolve(settings, SolverState(values, arrays))


def check_folder(folder: object) -> Path:
    """Take the path of a folder.

    Raises
    ------
    InputTypeError
        If it is none, such as a number.

    Examples
    --------
    >>> check_folder(5)
    Traceback (most recent call last):
    liarsolve.errors.InputTypeError: checkpoint is the path of a folder, got 5
    """
    if not isinstance(folder, str | PathLike):
        raise InputTypeError(f"checkpoint is the path of a folder, got {folder!r}")
    return Path(folder)


def prepare_folder(folder: str | PathLike[str]) -> None:
    """See that checkpoints can be written to a folder that holds nothing else.

    Raises
    ------
    StorageError
        If it holds something, is no folder, or nothing can be written to it.
    """
    source = Path(folder)
    if list_checkpoints(source):
        raise StorageError(
            f"{folder} holds the checkpoint of another solve; resume it, or choose another folder"
        )
    if source.is_dir():
        other = next((p for p in source.iterdir() if not p.name.startswith(f".{_PREFIX}")), None)
        if other is not None:
            raise StorageError(
                f"{folder} holds something else than checkpoints, such as {other.name}; choose an "
                "empty folder or a new one"
            )
    probe_folder(source)


def probe_folder(folder: Path) -> None:
    """See that something can be written to a folder; one that is missing stays missing.

    Raises
    ------
    StorageError
        If it cannot.
    """
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = error.strerror or error
        raise StorageError(f"no checkpoint can be written to {folder}: {reason}") from error
    finally:
        for path in missing:
            with suppress(OSError):  # it was never made
                path.rmdir()


def list_checkpoints(folder: str | PathLike[str]) -> list[Path]:
    """Finished checkpoints in a folder, the oldest first."""
    source = Path(folder)
    try:
        return sorted(source.glob(f"{_PREFIX}*")) if source.is_dir() else []
    except OSError as error:  # a name that no folder can have, or no right to look
        raise StorageError(f"{source} cannot be read: {error.strerror}") from error


def remove_checkpoints(folder: str | PathLike[str]) -> None:
    """Remove the checkpoints of a solve that is done, and the folder if nothing else is in it."""
    source = Path(folder)
    _remove_unfinished(folder)
    for path in list_checkpoints(folder):
        shutil.rmtree(path, ignore_errors=True)
    with suppress(OSError):  # something else is in it
        source.rmdir()


def _remove_unfinished(folder: str | PathLike[str]) -> None:
    """Remove what a kill in the middle of writing has left."""
    for path in Path(folder).glob(f".{_PREFIX}*"):
        shutil.rmtree(path, ignore_errors=True)
