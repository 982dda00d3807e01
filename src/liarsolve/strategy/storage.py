"""Strategy folders: a manifest and memory-mapped arrays. Reading one never executes code."""

import json
import os
import platform
import shutil
import tempfile
import zlib
from collections.abc import Mapping
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarsolve.errors import InputTypeError, StorageError

STRATEGY = "liarsolve strategy"
CHECKPOINT = "liarsolve checkpoint"
FORMAT_VERSION = 1
MANIFEST = "manifest.json"

CHECKED_BYTES = 256 * 1024 * 1024
"""Folders up to this size have their checksums tested when they are opened (about 0.2 s)."""


def write_folder(
    folder: str | PathLike[str],
    manifest: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    *,
    kind: str = STRATEGY,
    overwrite: bool = False,
) -> None:
    """Write all files into a temporary folder beside the target, then rename it.

    Raises
    ------
    StorageError
        If the target exists and may not be replaced, or the disk refuses.
    """
    target = _as_path(folder)
    if target.exists() or target.is_symlink():
        if not overwrite:
            raise StorageError(f"{target} exists already; choose another folder, or overwrite it")
        _read_manifest(target, kind)  # replace only what is ours
    temporary = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        _write_files(temporary, {"format": kind, **manifest}, arrays)
        temporary.chmod(0o777 & ~_umask())
        _put_in_place(temporary, target)
    except OSError as error:
        raise StorageError(f"{target} could not be written: {error.strerror or error}") from error
    finally:
        if temporary is not None and temporary.exists():
            shutil.rmtree(temporary, ignore_errors=True)


def _put_in_place(temporary: Path, target: Path) -> None:
    """Rename; what stood there is moved aside first and removed last."""
    aside = temporary.with_name(temporary.name + ".old")
    if target.exists():
        target.rename(aside)
    try:
        temporary.rename(target)
    except OSError:
        if aside.exists():
            aside.rename(target)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _write_files(
    folder: Path, manifest: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    described = {}
    for name, array in arrays.items():
        array = np.ascontiguousarray(array)
        with (folder / f"{name}.npy").open("wb") as file:
            np.save(file, array, allow_pickle=False)
            file.flush()
            os.fsync(file.fileno())
        described[name] = {
            "dtype": array.dtype.str,
            "shape": list(array.shape),
            "crc32": _checksum(array),
        }
    document = {
        "format": manifest["format"],
        "format_version": FORMAT_VERSION,
        "versions": {
            "liarsolve": version("liarsolve"),
            "numpy": np.__version__,
            "numba": version("numba"),
            "python": platform.python_version(),
        },
        **manifest,
        "arrays": described,
    }
    (folder / MANIFEST).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def read_folder(
    folder: str | PathLike[str], *, kind: str = STRATEGY, verify: bool | None = None
) -> tuple[dict[str, Any], dict[str, NDArray[Any]], bool]:
    """Open a folder: its manifest, its arrays, and whether they were verified.

    The arrays are read-only memory maps.

    Parameters
    ----------
    verify : bool, optional
        Whether to read every file and compare checksums; by default only in folders of up to
        256 MiB.

    Raises
    ------
    StorageError
        If there is no such folder, it is not a stored strategy, or it is damaged.
    """
    source = _as_path(folder)
    manifest = _read_manifest(source, kind)
    arrays = {}
    described = manifest["arrays"]
    if verify is None:
        verify = sum(_declared_bytes(d) for d in described.values()) <= CHECKED_BYTES
    for name, description in described.items():
        arrays[name] = _open_array(source, name, description, verify=verify)
    return manifest, arrays, verify


def _as_path(folder: object) -> Path:
    """Take the path of a folder.

    Raises
    ------
    InputTypeError
        If it is none.
    """
    if not isinstance(folder, str | PathLike):
        raise InputTypeError(f"a folder is named by a path, such as 'two-each', got {folder!r}")
    return Path(folder)


def _read_manifest(folder: Path, kind: str) -> dict[str, Any]:
    if not folder.exists():
        raise StorageError(f"there is no folder {folder}")
    path = folder / MANIFEST
    if not path.is_file():
        raise StorageError(f"{folder} is not a {kind}: it has no {MANIFEST}")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StorageError(f"{path} is damaged: {error}") from error
    if not isinstance(manifest, dict) or manifest.get("format") != kind:
        raise StorageError(f"{folder} is not a {kind}: its {MANIFEST} does not say so")
    if manifest.get("format_version") != FORMAT_VERSION:
        raise StorageError(
            f"{folder} has format version {manifest.get('format_version')!r}, "
            f"this liarsolve reads version {FORMAT_VERSION}"
        )
    if not isinstance(manifest.get("arrays"), dict):
        raise StorageError(f"{path} is damaged: it does not describe its arrays")
    return manifest


def _declared_bytes(description: Any) -> int:  # Any: parsed JSON
    try:
        shape = [int(n) for n in description["shape"]]
        return int(np.dtype(description["dtype"]).itemsize * np.prod(shape, dtype=np.int64))
    except (KeyError, TypeError, ValueError):
        return 0  # opening the array will complain


def _open_array(
    folder: Path, name: str, description: Any, *, verify: bool
) -> NDArray[Any]:  # Any: parsed JSON
    path = folder / f"{name}.npy"
    if Path(name).name != name:
        raise StorageError(f"{folder / MANIFEST} is damaged: {name!r} is not the name of an array")
    try:
        # An empty file cannot be mapped.
        empty = 0 in description["shape"]
        array: NDArray[Any] = np.load(path, mmap_mode=None if empty else "r", allow_pickle=False)
        declared = (np.dtype(description["dtype"]), tuple(description["shape"]))
        checksum = int(description["crc32"])
    except FileNotFoundError:
        raise StorageError(f"{folder} is damaged: {path.name} is missing") from None
    except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
        raise StorageError(f"{path} is damaged: {error}") from error
    if (array.dtype, array.shape) != declared:
        raise StorageError(
            f"{path} is damaged: the manifest says {declared[0]}{list(declared[1])}, "
            f"the file holds {array.dtype}{list(array.shape)}"
        )
    if not array.flags.c_contiguous:
        raise StorageError(f"{path} is damaged: its rows do not follow one another")
    if verify and _checksum(array) != checksum:
        raise StorageError(f"{path} is damaged: its checksum is not that of the manifest")
    return array


def _checksum(array: NDArray[Any]) -> int:
    return zlib.crc32(array.data)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
