"""Where machine code is kept, and what is said where it cannot be."""

from pathlib import Path

import numba
import pytest

from liarsolve import _jit, _jit_folder
from liarsolve._jit_folder import cache_folder, cached_files, user_cache_folder, why_no_folder
from liarsolve.cli.main import main
from liarsolve.errors import StorageError
from liarsolve.strategy import warm_up


def add_one(x):
    return x + 1


@pytest.fixture
def no_folder(tmp_path):
    """A path below a file, so that nobody can make a folder there, not even root."""
    (tmp_path / "file").write_text("")
    return tmp_path / "file" / "below"


@pytest.fixture(autouse=True)
def choose_anew(monkeypatch, tmp_path):
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setattr(_jit_folder, "PACKAGE", tmp_path / "package")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    _jit_folder._choose_folder.cache_clear()
    yield
    _jit_folder._choose_folder.cache_clear()


def kernel_path():
    """Folder of the machine code of a kernel; None if it is not kept."""
    path = _jit.kernel(add_one)._cache.cache_path
    return None if path is None else Path(path)


needs_numba = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")


@needs_numba
def test_the_folder_that_the_environment_names_comes_first(monkeypatch, tmp_path):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "named"))
    assert cache_folder() == tmp_path / "named"
    assert kernel_path().parent == tmp_path / "named"


@needs_numba
def test_else_machine_code_lies_beside_its_module(tmp_path):
    assert cache_folder() == tmp_path / "package"
    assert kernel_path() == Path(__file__).parent / "__pycache__"


@needs_numba
@pytest.mark.skipif("sys.platform != 'linux'", reason="the convention of Linux")
def test_else_in_the_folder_of_the_user(monkeypatch, tmp_path, no_folder):
    monkeypatch.setattr(_jit_folder, "PACKAGE", no_folder)
    assert cache_folder() == tmp_path / "user" / "liarsolve"
    assert kernel_path().parent == tmp_path / "user" / "liarsolve"


@needs_numba
def test_else_nowhere_and_the_sentence_says_what_to_do(monkeypatch, no_folder):
    monkeypatch.setattr(_jit_folder, "PACKAGE", no_folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(no_folder))
    monkeypatch.setenv("LOCALAPPDATA", str(no_folder))
    monkeypatch.setenv("HOME", str(no_folder))
    assert cache_folder() is None
    assert kernel_path() is None
    assert _jit.kernel(add_one)(4) == 5
    assert cached_files() == []
    assert why_no_folder() == (
        "there is no folder for machine code that can be written, so that every run compiles "
        "anew; name one by the environment variable NUMBA_CACHE_DIR"
    )


def test_a_named_folder_that_cannot_be_written_is_not_replaced_by_another(
    monkeypatch, no_folder, capsys
):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(no_folder))
    assert cache_folder() is None
    expected = (
        f"NUMBA_CACHE_DIR={no_folder} cannot be written, so that every run compiles anew; "
        "name a folder that can"
    )
    with pytest.raises(StorageError, match="cannot be written"):
        next(warm_up.warm_up())
    assert main(["warm-up"]) == 1
    assert capsys.readouterr() == ("", f"liarsolve warm-up: {expected}\n")


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({}, "linux", "/home/ann/.cache/liarsolve"),
        ({"XDG_CACHE_HOME": "/var/tmp/ann"}, "linux", "/var/tmp/ann/liarsolve"),
        ({"XDG_CACHE_HOME": "caches"}, "linux", "/home/ann/.cache/liarsolve"),
        ({"XDG_CACHE_HOME": "/var/tmp/ann"}, "darwin", "/home/ann/Library/Caches/liarsolve"),
        ({"LOCALAPPDATA": "/c/local"}, "win32", "/c/local/liarsolve"),
    ],
)
@pytest.mark.skipif("sys.platform == 'win32'", reason="the paths are those of other systems")
def test_the_folder_of_the_user_follows_the_platform(monkeypatch, environment, platform, expected):
    monkeypatch.setenv("HOME", "/home/ann")
    assert user_cache_folder(environment, platform) == Path(expected)


def test_a_user_without_a_home_has_no_folder(monkeypatch):
    # `expanduser` then leaves "~" as it is, which must not become a folder of that name.
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    assert user_cache_folder({}, "linux") is None
