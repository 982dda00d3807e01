"""Standard output and standard error, which may be full, closed, or read by nobody any more."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import IO, Any

from liarsolve.errors import LiarsolveError

READER_LEFT = (errno.EPIPE, errno.ESHUTDOWN, errno.ECONNRESET)
"""Numbers of the errors of a pipe that nobody reads any more."""


class OutputError(LiarsolveError, OSError):
    """Standard output that does not take what is printed."""


class _Answer:
    """Standard output that remembers its first failure, whoever swallows it."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self.failure: OSError | None = None

    def write(self, text: str) -> int:
        with self._noting_failure():
            return self._stream.write(text)

    def flush(self) -> None:
        with self._noting_failure():
            self._stream.flush()

    @contextmanager
    def _noting_failure(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno in READER_LEFT:
                self.failure = error
                raise
            reason = error.strerror or error
            self.failure = OutputError(f"standard output could not be written: {reason}")
            raise self.failure from error

    def __getattr__(self, name: str) -> Any:  # Any: whatever the stream has
        return getattr(self._stream, name)


class _Remarks:
    """Standard error that drops what cannot be written: no result is worth less for it."""

    def __init__(self, stream: IO[str] | None) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        if self._stream is not None:
            try:
                self._stream.write(text)
            except OSError:
                _let_go(self._stream)
        return len(text)

    def flush(self) -> None:
        if self._stream is not None:
            try:
                self._stream.flush()
            except OSError:
                _let_go(self._stream)

    def isatty(self) -> bool:
        return self._stream is not None and self._stream.isatty()

    def __getattr__(self, name: str) -> Any:  # Any: whatever the stream has
        return getattr(self._stream, name)


@contextmanager
def guarded_output() -> Iterator[None]:
    """Turn output that cannot be written into an error, at exit included.

    What was printed is written out before the end, since the interpreter itself could only report
    a failure by a traceback. Characters that the encoding of the output lacks are escaped.

    Raises
    ------
    OutputError
        If standard output is closed or refuses what was printed.
    BrokenPipeError
        If the reader of a pipe has left, as in ``| head -1``.
    """
    remarks: Any = _Remarks(sys.stderr)  # a stream in all that is asked of one
    with redirect_stderr(remarks):
        if sys.stdout is None:
            raise OutputError("standard output is closed; send it somewhere, such as to /dev/null")
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="backslashreplace")
        answer: Any = _Answer(sys.stdout)
        try:
            with redirect_stdout(answer):
                yield
        finally:
            with suppress(OSError):
                answer.flush()
            if answer.failure is not None:
                _let_go(sys.stdout)
                raise answer.failure


def describe_failure(error: OSError) -> str:
    """Say what the system refused, and about which file."""
    reason = error.strerror or str(error)
    if error.filename is not None:
        return f"{error.filename}: {reason}"
    try:
        Path.cwd()
    except OSError:
        return "the folder that you are in is not there any more; go to another one"
    return reason


def print_remark(text: str) -> None:
    """Print a line on standard error, if anybody can read it there."""
    if sys.stderr is not None:
        try:
            print(text, file=sys.stderr, flush=True)
        except OSError:
            _let_go(sys.stderr)


def _let_go(stream: IO[str]) -> None:
    """Send nowhere what is left in a buffer, so that the interpreter does not try again."""
    with suppress(OSError):  # a stream without a number, as in tests
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
