"""Rounds in a folder, each written as soon as it is solved, and not solved again."""

from dataclasses import replace
from hashlib import sha256
from json import dumps
from pathlib import Path

from liarsolve._checks import check_number
from liarsolve.errors import StorageError
from liarsolve.matches.rounds import RoundJob, RoundResult, is_known
from liarsolve.matches.values import read_json, write_json
from liarsolve.rules import CupRules
from liarsolve.solvers import StopReason
from liarsolve.strategy import BiddingSolution, load


def _path(folder: Path | None, job: RoundJob) -> Path | None:
    """File of a round in the folder: its name is a digest of all that its result depends on."""
    if folder is None or is_known(job):
        return None
    text = dumps([job.to_dict(), job.max_seconds, job.is_kept], sort_keys=True)
    return folder / f"round-{sha256(text.encode()).hexdigest()[:24]}.json"


def write_round(folder: Path | None, job: RoundJob, result: RoundResult) -> None:
    """Write a round as soon as it is solved, with its strategies where they were wanted."""
    path = _path(folder, job)
    if path is None:
        return
    if result.solution is not None:  # first, so that what is in the file is there
        result.solution.save(path.with_suffix(""), overwrite=True)
    stop = None if result.stop is None else result.stop.name.lower()
    found = {"bounds": list(result.bounds), "stop": stop, "seconds": result.seconds}
    write_json(path, job.to_dict() | found)


def look_up_round(folder: Path | None, job: RoundJob) -> RoundResult | None:
    """A round that was solved before, by another call; None if it is not there.

    Raises
    ------
    StorageError
        If its file is damaged.
    """
    path = _path(folder, job)
    if path is None or not path.exists():
        return None
    found = read_json(path)
    try:
        low, high = (check_number("a bound", b, at_least=0, at_most=1) for b in found["bounds"])
        stop = StopReason[found["stop"].upper()]
        seconds = check_number("seconds", found["seconds"], at_least=0)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise StorageError(f"{path} is damaged: {error}; remove it") from error
    result = RoundResult(bounds=(low, high), stop=stop, seconds=seconds)
    if not job.is_kept or isinstance(job.rules, CupRules):
        return result
    solution = load(path.with_suffix(""))
    if not isinstance(solution, BiddingSolution):
        raise StorageError(f"{path} is damaged: its strategies are of another game; remove it")
    return replace(result, solution=solution)
