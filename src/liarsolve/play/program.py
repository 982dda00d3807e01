"""Players that are programs: one JSON object a line on their standard input and output."""

import json
import os
import selectors
import shlex
import subprocess
from contextlib import suppress
from time import monotonic
from typing import Any

import numpy as np

from liarsolve.errors import InputError, LiarsolveError, PlayerError
from liarsolve.play.bidding.rounds import PlayedRound
from liarsolve.play.bidding.turn import Turn
from liarsolve.play.cup.rounds import PlayedCupRound
from liarsolve.play.cup.turn import CupTurn
from liarsolve.play.match import MatchSeat, Score
from liarsolve.rules import BiddingMatch, CupMatch, CupRules, parse_action, parse_cup_action
from liarsolve.rules.match_log import write_action, write_hand
from liarsolve.rules.score_text import score_to_dict

__all__ = ["PROTOCOL", "ProgramPlayer"]

PROTOCOL = 1
"""Number of the protocol that docs/bots.md describes."""
_LONGEST = 1 << 20
"""Bytes of an answer; legal ones have some dozens."""
_SHOWN = 80
_PATIENCE = 1.0
"""Seconds that a program has to end by itself after the last match."""


class ProgramPlayer:
    """A player that is a program: it is told what its seat sees, and answers with an action.

    It is started when a match begins and runs on through the following ones; after it has failed
    it is started anew for the next match. Whatever goes wrong with it is a `PlayerError`.

    Parameters
    ----------
    command : str
        The program and its arguments, as in a terminal; no shell reads it.
    timeout : float
        Seconds for every answer.

    Raises
    ------
    InputError
        If there is no program in the command, or the timeout is no time.

    Examples
    --------
    >>> ProgramPlayer("./mybot --level 3")
    ProgramPlayer('./mybot --level 3')
    """

    def __init__(self, command: str, *, timeout: float = 5.0) -> None:
        self.command, self.timeout = command, timeout
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise InputError(f"the command {command!r} cannot be read: {error}") from error
        if not self._words:
            raise InputError("a player that is a program needs a command, such as ./mybot")
        if not 0.0 < timeout < 1e6:
            raise InputError(f"a program has a time above 0 to answer, got {timeout}")
        self._name = " ".join(command.split())
        if len(self._name) > _SHOWN:
            self._name = f"{self._name[: _SHOWN - 3]}..."
        self._process: subprocess.Popen[bytes] | None = None
        self._read = b""
        self._match: BiddingMatch | CupMatch | None = None
        self._seat: MatchSeat | None = None

    def begin_match(self, match: BiddingMatch | CupMatch, player: int) -> None:
        """Start the program if it does not run, and tell it which match begins."""
        self._match = match
        if self._process is None or self._process.poll() is not None:
            self._start()
        self._send(
            {
                "type": "match_begins",
                "protocol": PROTOCOL,
                "family": match.rules.family,
                "rules": match.rules.to_dict(),
                "n_players": match.n_players,
                "seat": player + 1,
            }
        )

    def begin_round(self, seat: MatchSeat) -> None:
        """Tell the score before a round."""
        self._seat = seat
        self._send(
            {
                "type": "round_begins",
                "round": seat.number,
                "seats": [player + 1 for player in seat.match.seats(seat.score)],  # type: ignore[arg-type]  # a score of its family
                "score": score_to_dict(seat.score),
            }
        )

    def act(self, turn: Turn | CupTurn, rng: np.random.Generator) -> Any:
        """Ask for an action.

        Raises
        ------
        PlayerError
            If the program has ended, gives no answer in time, or answers something else.
        """
        rules = turn.round.rules
        if self._read:
            raise self._fail("said something without being asked")
        message = {
            "type": "act",
            "seat": None if self._seat is None else self._seat.player + 1,
            "seed": int(rng.integers(1 << 32)),
            "actions": [write_action(action, rules) for action in turn.actions],
        }
        self._send(message | (_of_bidding(turn) if isinstance(turn, Turn) else _of_cup(turn)))
        return self._read_answer(rules)

    def end_round(self, played: PlayedRound | PlayedCupRound, score: Score) -> None:
        """Tell how a round has ended; in bidding with all dice."""
        rules = played.round.rules
        hands = None
        if isinstance(played, PlayedRound):
            hands = [write_hand(hand, rules) for hand in played.hands]
            said = [write_action(action, rules) for action in played.actions]
        else:
            said = [
                write_action(turn, rules)
                for turn in played.actions
                if type(turn).__name__ not in ("Thrown", "Keep")
            ]
        self._send(
            {
                "type": "round_ends",
                "outcome": played.outcome.kind.value,
                "said": said,
                "hands": hands,
                "score": score_to_dict(score),
            }
        )

    def end_match(self, winners: tuple[int, ...]) -> None:
        """Tell who has won."""
        self._send({"type": "match_ends", "winners": [player + 1 for player in winners]})

    def close(self) -> None:
        """End the program: close its input, and kill it if it does not end by itself."""
        process, self._process = self._process, None
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _start(self) -> None:
        self.close()
        self._read = b""
        try:
            self._process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # Ctrl-C is for who plays the contest
            )
        except (OSError, ValueError) as error:
            raise PlayerError(f"{self._name} cannot be started: {_say(error)}") from None
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None  # both are pipes
            os.set_blocking(stream.fileno(), False)

    def _fail(self, reason: str) -> PlayerError:
        """End a program that has failed, at once."""
        if self._process is not None:
            self._process.kill()
        self.close()
        return PlayerError(f"{self._name} {reason}")

    def _send(self, message: dict[str, Any]) -> None:
        process = self._process
        if process is None or process.stdin is None:
            raise PlayerError(f"{self._name} does not run")
        waiting = (json.dumps(message) + "\n").encode()
        deadline = monotonic() + self.timeout
        while waiting:
            try:
                waiting = waiting[os.write(process.stdin.fileno(), waiting) :]
            except BlockingIOError:
                if not _is_ready(process.stdin, selectors.EVENT_WRITE, deadline):
                    raise self._fail(f"read nothing for {self.timeout:g} seconds") from None
            except OSError:
                raise self._fail(f"has ended{self._status()}") from None

    def _read_line(self) -> bytes:
        process = self._process
        assert process is not None  # a message was sent to it
        assert process.stdout is not None
        deadline = monotonic() + self.timeout
        while b"\n" not in self._read:
            if not _is_ready(process.stdout, selectors.EVENT_READ, deadline):
                raise self._fail(f"gave no answer in {self.timeout:g} seconds")
            part = os.read(process.stdout.fileno(), 1 << 16)
            if not part:
                raise self._fail(f"has ended{self._status()}")
            self._read += part
            if len(self._read) > _LONGEST:
                raise self._fail(f"answered with more than {_LONGEST:,} bytes")
        line, _, self._read = self._read.partition(b"\n")
        return line

    def _read_answer(self, rules: Any) -> Any:
        line = self._read_line()
        shown = line.decode(errors="replace")
        shown = shown if len(shown) <= _SHOWN else f"{shown[: _SHOWN - 3]}..."
        try:
            answer = json.loads(line)
            said = answer["action"]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise self._fail(
                f'answered {shown!r}; an answer is one JSON object, such as {{"action": "liar"}}'
            ) from None
        if not isinstance(said, str):
            raise self._fail(f"answered {shown!r}; an action is text")
        try:
            if isinstance(rules, CupRules):
                return parse_cup_action(said, rules)
            return parse_action(said)
        except LiarsolveError as error:
            raise self._fail(f"answered {shown!r}: {error}") from None

    def _status(self) -> str:
        """Say how the program has ended, if it is known."""
        if self._process is None:
            return ""
        with suppress(subprocess.TimeoutExpired):
            return f" with status {self._process.wait(_PATIENCE)}"
        return ""

    def __repr__(self) -> str:
        return f"ProgramPlayer({self._name!r})"


def _is_ready(stream: Any, event: int, deadline: float) -> bool:
    """Wait until a pipe can be read or written, or the time is over."""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, event)
        return bool(selector.select(max(0.0, deadline - monotonic())))


def _say(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _of_bidding(turn: Turn) -> dict[str, Any]:
    """What a player of bidding knows in this round."""
    return {
        "hand": write_hand(turn.hand, turn.round.rules),
        "dice": list(turn.round.dice),
        "place": turn.seat + 1,
        "said": [str(bid) for bid in turn.bids],
        "palifico": turn.round.palifico,
        "phase": None,
        "turns": None,
    }


def _of_cup(turn: CupTurn) -> dict[str, Any]:
    """What a player of a cup game knows in this round."""
    rules = turn.rules
    return {
        "hand": None if turn.hand is None else write_hand(turn.hand, rules),
        "dice": None,
        "place": turn.seat + 1,
        "said": [write_action(own.claim, rules) for own in turn.turns if own.claim is not None],
        "palifico": None,
        "phase": turn.phase.value,
        "turns": [
            {
                "place": own.player + 1,
                "is_blind": own.is_blind,
                "has_looked": own.has_looked,
                "n_thrown": own.n_thrown,
                "kept": None if own.kept is None else write_hand(own.kept, rules),
                "hand": None if own.hand is None else write_hand(own.hand, rules),
                "claim": None if own.claim is None else write_action(own.claim, rules),
            }
            for own in turn.turns
        ],
    }
