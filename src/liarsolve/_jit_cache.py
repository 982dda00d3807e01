"""Machine code on disk with a checksum, so that a damaged file is compiled anew.

numba itself reads whatever stands in its files: one that was cut short by a full disk would end
every later run, and one with a flipped bit would run as it is.
"""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from numba.core import caching

from liarsolve._jit_folder import PlacedCache

_Files: Any = caching.IndexDataCacheFile

_MARK = b"crc32"
_TAIL = len(_MARK) + 4


class _DamagedFileError(ValueError):
    """A file that does not end in its own checksum."""


class _SummedFile:
    """A file that counts the checksum of what is written to it."""

    def __init__(self, file: Any) -> None:  # Any: numba's, binary
        self._file = file
        self.checksum = 0

    def write(self, content: bytes) -> int:
        self.checksum = zlib.crc32(content, self.checksum)
        return int(self._file.write(content))


class _CheckedFiles(_Files):  # type: ignore[misc]  # Any, see there
    """Files of one kernel, each followed by its checksum, which unpickling passes over."""

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[_SummedFile]:
        with super()._open_for_write(filepath) as file:
            summed = _SummedFile(file)
            yield summed
            file.write(_MARK + summed.checksum.to_bytes(4, "big"))

    def _load_index(self) -> Any:  # Any: numba's
        with suppress(FileNotFoundError):  # as numba takes it: nothing is cached
            _check_file(self._index_path)
        try:
            return super()._load_index()
        except (ImportError, AttributeError) as error:  # of a version with other names
            raise _DamagedFileError(self._index_path) from error

    def _load_data(self, name: str) -> Any:  # Any: numba's
        _check_file(self._data_path(name))
        return super()._load_data(name)

    def discard(self) -> None:
        """Forget everything; data files without an index are overwritten sooner or later."""
        with suppress(OSError):
            Path(self._index_path).unlink()


def _check_file(path: str) -> None:
    content = Path(path).read_bytes()
    body, tail = content[:-_TAIL], content[-_TAIL:]
    if tail != _MARK + zlib.crc32(body).to_bytes(4, "big"):
        raise _DamagedFileError(path)


class KernelCache(PlacedCache):
    """Machine code of one kernel on disk; whatever is wrong there, the kernel is compiled."""

    def __init__(self, func: Any) -> None:  # Any: numba's
        super().__init__(func)
        stamp, base = self._impl.locator.get_source_stamp(), self._impl.filename_base
        self._cache_file = _CheckedFiles(self._cache_path, base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:  # Any: numba's
        """Read the code for a signature; None if there is none that is whole."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # damage, or code of modules that have moved: unpickling raises anything
            self._cache_file.discard()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:  # Any: numba's
        """Write the code for a signature, unless the disk refuses: it runs all the same."""
        with suppress(OSError, _DamagedFileError):
            super().save_overload(sig, data)
