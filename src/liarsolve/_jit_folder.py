"""The folder in which machine code is kept: chosen in one place, so that it can be named."""

import os
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import caching

# numba's types do not cover these.
_config: Any = numba.config
_Cache: Any = caching.FunctionCache
_Impl: Any = caching.CompileResultCacheImpl
_Locator: Any = caching.InTreeCacheLocator

PACKAGE = Path(__file__).parent
IN_TREE = "__pycache__"
"""Folder beside each module in which its machine code is, as its byte code."""


def cache_folder() -> Path | None:
    """Folder that holds the machine code of this package; None if none can be written.

    It is what ``NUMBA_CACHE_DIR`` says, if that says anything; else the package's own, where each
    module has a folder beside it; else one of the user's.
    """
    return _choose_folder(_config.CACHE_DIR)


@cache
def _choose_folder(named: str) -> Path | None:
    if named:
        folder = Path(named).absolute()
        return folder if _is_writable(folder) else None
    if _is_writable(PACKAGE / IN_TREE):
        return PACKAGE
    user = user_cache_folder(os.environ, sys.platform)
    return user if user is not None and _is_writable(user) else None


def user_cache_folder(environment: Mapping[str, str], platform: str) -> Path | None:
    """Folder for caches by the platform's convention; None if the user has no home."""
    variable = "LOCALAPPDATA" if platform == "win32" else "XDG_CACHE_HOME"
    named = environment.get(variable, "")
    if platform != "darwin" and os.path.isabs(named):
        return Path(named) / "liarsolve"
    home = os.path.expanduser("~")  # stays "~" where there is none
    if not os.path.isabs(home):
        return None
    below = {"win32": "AppData/Local", "darwin": "Library/Caches"}.get(platform, ".cache")
    return Path(home) / below / "liarsolve"


def is_compiling() -> bool:
    """Whether kernels are compiled at all, and not run as Python (``NUMBA_DISABLE_JIT=1``)."""
    return not _config.DISABLE_JIT


def why_no_folder() -> str:
    """Sentence for users whose machine code cannot be kept, and what they can do."""
    named = _config.CACHE_DIR
    if named:
        return (
            f"NUMBA_CACHE_DIR={named} cannot be written, so that every run compiles anew; "
            "name a folder that can"
        )
    return (
        "there is no folder for machine code that can be written, so that every run compiles "
        "anew; name one by the environment variable NUMBA_CACHE_DIR"
    )


def _is_writable(folder: Path) -> bool:
    """Whether files can be made there; the folder is made if it is missing."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        return True
    return False


class _ChosenFolder(_Locator):  # type: ignore[misc]  # Any, see there
    """Place of the files of one module within the chosen folder, with a stamp of its text.

    The stamp covers the modules from which it takes kernels, since their code is copied into its
    own; numba looks at the module itself alone.
    """

    def __init__(self, func: Any, path: str) -> None:  # Any: numba's
        super().__init__(func, path)
        self._borrowed = borrowed_files(func)
        folder = cache_folder()
        if folder is not None and folder != PACKAGE:
            self._cache_path = str(folder / self.get_suitable_cache_subpath(path))

    def get_source_stamp(self) -> Any:  # Any: numba's
        own = super().get_source_stamp()
        stats = [os.stat(path) for path in self._borrowed]
        return (own, *((stat.st_mtime, stat.st_size) for stat in stats)) if stats else own

    @classmethod
    def from_function(cls, func: Any, path: str) -> Any:  # Any: numba's
        return None if cache_folder() is None else super().from_function(func, path)


def borrowed_files(func: Any) -> list[str]:  # Any: numba's
    """Files of other modules whose kernels are known to the module of a kernel."""
    kernels = (value for value in func.__globals__.values() if hasattr(value, "py_func"))
    files = {kernel.py_func.__code__.co_filename for kernel in kernels}
    return sorted(files - {func.__code__.co_filename})


class _PlacedFiles(_Impl):  # type: ignore[misc]  # Any, see there
    _locator_classes = (_ChosenFolder,)


class PlacedCache(_Cache):  # type: ignore[misc]  # Any, see there
    """Machine code of one kernel, in the chosen folder."""

    _impl_class = _PlacedFiles


def cached_files() -> list[Path]:
    """Files of the machine code of this package."""
    folder = cache_folder()
    if folder is None:
        return []
    modules = {path.parent for path in PACKAGE.rglob("*_kernels.py")}
    if folder == PACKAGE:
        places = [module / IN_TREE for module in modules]
    else:
        subpath = _Locator.get_suitable_cache_subpath
        places = [folder / subpath(str(module / "_kernels.py")) for module in modules]
    return [path for place in places for path in place.glob("*.nb[ic]")]
