"""Strategy folders: a manifest and memory-mapped arrays. Reading one never executes code."""

import json
import os
import platform
import re
import shutil
import tempfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from math import prod
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from liarsolve._checks import check_flag
from liarsolve.errors import InputError, InputTypeError, StorageError

STRATEGY = "liarsolve strategy"
CHECKPOINT = "liarsolve checkpoint"
FORMAT_VERSION = 1
MANIFEST = "manifest.json"

_MANIFEST_BYTES = 16 * 1024 * 1024
"""More than any manifest has; a larger file is not read into memory."""

_MOST_WORDS = 300

_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}")
"""Names of arrays, and so of files: none leads elsewhere, on any system."""

_FRACTION = re.compile(r"-?[0-9]{1,4000}(/[1-9][0-9]{0,3999})?")

_HEADER = re.compile(
    rb"\{'descr': '([^']{1,40})', 'fortran_order': (True|False), "
    rb"'shape': \(((?:[0-9]{1,18}, ?)*(?:[0-9]{1,18})?)\), \} *\n"
)

_DTYPES = frozenset(
    np.dtype(kind).str
    for kind in ("b1", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f4", "f8")
)
"""Numbers as this machine stores them: no objects, which could run code."""

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
    target = _path(folder)
    overwrite = check_flag("overwrite", overwrite)
    temporary = None
    try:
        if target.exists() or target.is_symlink():
            if not overwrite:
                raise StorageError(
                    f"{target} exists already; choose another folder, or overwrite it"
                )
            check_replaceable(target, kind=kind)
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{target.name[:100]}.", dir=target.parent))
        _write_files(temporary, {"format": kind, **manifest}, arrays)
        temporary.chmod(0o777 & ~_umask())
        _put_in_place(temporary, target)
    except OSError as error:
        if isinstance(error, StorageError):
            raise
        raise StorageError(f"{target} could not be written: {error.strerror or error}") from error
    finally:
        if temporary is not None and temporary.exists():
            shutil.rmtree(temporary, ignore_errors=True)


def check_replaceable(folder: Path, *, kind: str = STRATEGY) -> None:
    """Make sure that a folder is ours, and that nothing foreign would go with it.

    Raises
    ------
    StorageError
        If it is something else, or somebody has put files of their own there.
    """
    manifest = _read_manifest(folder, kind)
    ours = {MANIFEST, *(f"{name}.npy" for name in manifest["arrays"])}
    foreign = sorted(path.name for path in folder.iterdir() if path.name not in ours)
    if foreign:
        raise StorageError(
            f"{folder} is not replaced, since it also holds {foreign[0]}; move that away, or "
            "choose another folder"
        )


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
    document["crc32"] = _manifest_checksum(json.loads(json.dumps(document)))
    (folder / MANIFEST).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def read_folder(
    folder: str | PathLike[str], *, kind: str = STRATEGY, verify: bool | None = None
) -> tuple[dict[str, Any], dict[str, NDArray[Any]], bool]:
    """Open a folder: its manifest, its arrays, and whether they were verified.

    The arrays are read-only memory maps.

    Parameters
    ----------
    folder : path
        What `write_folder` wrote.
    kind : str
        What the manifest has to say that it is.
    verify : bool, optional
        Whether to read every file and compare checksums; by default only in folders of up to
        256 MiB.

    Raises
    ------
    StorageError
        If there is no such folder, it is not a stored strategy, or it is damaged.
    """
    if verify is not None:
        verify = check_flag("verify", verify)
    source = _path(folder)
    try:
        manifest = _read_manifest(source, kind)
        described = {
            name: _describe(source, name, entry) for name, entry in manifest["arrays"].items()
        }
        if verify is None:
            verify = sum(array.n_bytes for array in described.values()) <= CHECKED_BYTES
        arrays = {
            name: _open_array(source, name, array, verify=verify)
            for name, array in described.items()
        }
        _refuse_unknown_arrays(source, described)
    except OSError as error:
        if isinstance(error, StorageError):
            raise
        raise StorageError(f"{source} cannot be read: {error.strerror or error}") from error
    return manifest, arrays, verify


def _path(folder: object) -> Path:
    """Take what names a folder."""
    wanted = f"a folder is named by text or a path, got {folder!r}"
    if not isinstance(folder, str | PathLike):
        raise InputTypeError(wanted)
    try:
        path = Path(folder)
    except TypeError:  # a path of bytes
        raise InputTypeError(wanted) from None
    if "\0" in str(path) or not str(folder):
        raise InputError(wanted)
    return path


def _read_manifest(folder: Path, kind: str) -> dict[str, Any]:
    if not folder.exists():
        raise StorageError(f"there is no folder {folder}")
    path = folder / MANIFEST
    if not path.is_file():
        raise StorageError(f"{folder} is not a {kind}: it has no {MANIFEST}")
    _refuse_outside(folder, path)
    size = path.stat().st_size
    if size > _MANIFEST_BYTES:
        raise StorageError(f"{path} is damaged: no manifest has {size:,} bytes")
    try:
        manifest = json.loads(path.read_bytes().decode(), object_pairs_hook=_without_doubles)
    except RecursionError:
        raise StorageError(f"{path} is damaged: it is nested too deeply") from None
    except ValueError as error:
        raise StorageError(f"{path} is damaged: {error}") from error
    if not isinstance(manifest, dict) or manifest.get("format") != kind:
        raise StorageError(f"{folder} is not a {kind}: its {MANIFEST} does not say so")
    found = manifest.get("format_version")
    if type(found) is not int or found != FORMAT_VERSION:
        if type(found) is int and found > FORMAT_VERSION:
            raise StorageError(
                f"{folder} was written by a newer liarsolve (format version {found}, this one "
                f"reads version {FORMAT_VERSION}); update liarsolve to open it"
            )
        raise StorageError(
            f"{folder} has format version {shorten(repr(found))}, this liarsolve reads version "
            f"{FORMAT_VERSION}"
        )
    if manifest.get("crc32") not in (None, _manifest_checksum(manifest)):
        raise StorageError(f"{path} is damaged: its checksum is not that of its entries")
    if not isinstance(manifest.get("arrays"), dict):
        raise StorageError(f"{path} is damaged: it does not describe its arrays")
    return manifest


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"it has two entries {double!r}")
    return entries


def _manifest_checksum(manifest: Mapping[str, Any]) -> int:
    """Checksum of all other entries, however they are spaced and ordered.

    Folders that were written before there was one are read without.
    """
    entries = {name: value for name, value in manifest.items() if name != "crc32"}
    return zlib.crc32(json.dumps(entries, sort_keys=True).encode())


def _refuse_outside(folder: Path, path: Path) -> None:
    """Refuse a link that leads out of the folder: a folder may come from anywhere."""
    if path.resolve().parent != folder.resolve():
        raise StorageError(f"{path} leads out of the folder")


@dataclass(frozen=True)
class _Description:
    """What a manifest says about an array."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    crc32: int

    @property
    def n_bytes(self) -> int:
        return self.dtype.itemsize * prod(self.shape)

    def __str__(self) -> str:
        return f"{self.dtype}{list(self.shape)}"


def _describe(folder: Path, name: str, entry: Any) -> _Description:  # Any: parsed JSON
    if not _NAME.fullmatch(name):
        raise StorageError(f"{folder / MANIFEST} is damaged: {name!r} is not the name of an array")
    problem = f"{folder / MANIFEST} is damaged: it describes {name} as {shorten(repr(entry))}"
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "crc32"}:
        raise StorageError(problem)
    dtype, shape, crc32 = entry["dtype"], entry["shape"], entry["crc32"]
    if (
        not isinstance(dtype, str)
        or dtype not in _DTYPES
        or type(crc32) is not int
        or not isinstance(shape, list)
    ):
        raise StorageError(problem)
    if len(shape) > 4 or not all(type(n) is int and 0 <= n < 2**48 for n in shape):
        raise StorageError(problem)
    return _Description(np.dtype(dtype), tuple(shape), crc32)


def refuse_other_arrays(arrays: Mapping[str, Any], wanted: Iterable[str]) -> None:
    """Refuse arrays that nothing is read from.

    Raises
    ------
    StorageError
        With the name of the first.
    """
    others = sorted(set(arrays) - set(wanted))
    if others:
        raise StorageError(f"there is no place for the array {others[0]}")


def shorten(words: str) -> str:
    """Cut what may be as long as a damaged file.

    >>> shorten("x" * 1000)[-5:]
    'xx...'
    """
    return words if len(words) <= _MOST_WORDS else words[: _MOST_WORDS - 3] + "..."


def _refuse_unknown_arrays(folder: Path, described: Mapping[str, Any]) -> None:
    for path in sorted(folder.glob("*.npy")):
        if path.stem not in described:
            raise StorageError(f"{folder} is damaged: {path.name} is not in its manifest")


def _open_array(folder: Path, name: str, declared: _Description, *, verify: bool) -> NDArray[Any]:
    """Map a file whose header says just what the manifest does, and whose size fits."""
    path = folder / f"{name}.npy"
    if not path.is_file():
        raise StorageError(f"{folder} is damaged: {path.name} is missing")
    _refuse_outside(folder, path)
    with path.open("rb") as file:
        try:
            dtype, shape, is_fortran = _read_header(file)
        except ValueError:
            raise StorageError(f"{path} is damaged: it does not begin as an array") from None
        start = file.tell()
    if (dtype, shape) != (declared.dtype.str, declared.shape):
        found = f"{dtype if dtype not in _DTYPES else np.dtype(dtype)}{list(shape)}"
        raise StorageError(
            f"{path} is damaged: the manifest says {declared}, the file holds {found}"
        )
    if is_fortran and len(shape) > 1:
        raise StorageError(f"{path} is damaged: its rows do not follow one another")
    n_bytes = path.stat().st_size - start
    if n_bytes != declared.n_bytes:
        raise StorageError(
            f"{path} is damaged: {declared} takes {declared.n_bytes:,} bytes, it has {n_bytes:,}"
        )
    array: NDArray[Any]
    if n_bytes == 0:  # nothing to map
        array = np.empty(shape, declared.dtype)
        array.flags.writeable = False
    else:
        array = np.memmap(path, declared.dtype, mode="r", offset=start, shape=shape)
    if verify and _checksum(array) != declared.crc32:
        raise StorageError(f"{path} is damaged: its checksum is not that of the manifest")
    return array


def _read_header(file: IO[bytes]) -> tuple[str, tuple[int, ...], bool]:
    """Type, shape and order of a file, if it begins just as `numpy.save` writes it.

    numpy's own reader takes the header for a piece of Python, and says how to load objects.
    """
    start = file.read(10)
    length = int.from_bytes(start[8:], "little")
    header = _HEADER.fullmatch(file.read(length))
    if start[:8] != b"\x93NUMPY\x01\x00" or header is None:
        raise ValueError("no header of an array")
    dtype, order, shape = (part.decode() for part in header.groups())
    return dtype, tuple(int(n) for n in shape.split(",") if n.strip()), order == "True"


def read_fraction(value: Any) -> Fraction | None:  # Any: parsed JSON
    """Read a fraction as its ``str`` writes it, or None for none.

    Raises
    ------
    ValueError
        If it is something else: ``Fraction`` alone would also calculate 1e999999999.
    """
    if value is None:
        return None
    if not isinstance(value, str) or not _FRACTION.fullmatch(value):
        raise ValueError(f"{shorten(repr(value))} is no fraction such as -1/9")
    return Fraction(value)


def _checksum(array: NDArray[Any]) -> int:
    return zlib.crc32(array.data)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
