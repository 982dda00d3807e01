"""A match with a person in it: text in, text out, whatever prints it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType
from typing import Any

import numpy as np

from liarsolve._checks import check_whole
from liarsolve.errors import InputError, LiarsolveError, RuleError
from liarsolve.play._asking import ask
from liarsolve.play._voice import Voice, join_words
from liarsolve.play.bidding.telling import BiddingTeller
from liarsolve.play.bidding.turn import Turn
from liarsolve.play.cup.telling import CupTeller
from liarsolve.play.cup.turn import CupTurn
from liarsolve.rules import (
    BiddingState,
    ChallengeWho,
    CupGameState,
    CupPhase,
    CupRules,
    ExactWho,
    MatchState,
    RuleSet,
    Starts,
    Thrown,
    match_of,
)

__all__ = ["COMMANDS", "Opponent", "Session"]

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "help": "these lines",
        "list": "everything that you may do now",
        "score": "what everybody has left",
        "log": "what happened in this round; log all for the whole match",
        "number": "a number from 1 to 100, to mix your play by",
        "quit": "leave the match",
    }
)
"""Words that are no moves, and what they do."""
_SAME = {"?": "help", "h": "help", "exit": "quit", "q": "quit", "score?": "score"}
_MOST_LISTED = 300
"""Actions that ``list`` writes out."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """Who sits in another seat.

    >>> from liarsolve.play import HonestPlayer
    >>> Opponent("honest", HonestPlayer()).name
    'honest'
    """

    name: str
    """What the player is called in the first lines."""
    player: Any  # Any: it plays either family, as the ready players do
    """It is asked for its move as a `liarsolve.play.Player` is."""


class Session:
    """A whole match between one person and other players, as a conversation.

    It begins with `begin`, and every answer of the person is handed to `say`; both return the lines
    to be shown, up to the person's next turn or the end. A wrong answer is answered by a sentence,
    and changes nothing. The same seed and the same answers bring the same lines.

    Parameters
    ----------
    rules : RuleSet or CupRules
        What is played.
    opponents : sequence of Opponent
        Who sits in the other seats, in the order of the seats.
    seat : int
        The person's seat, 1 for the first.
    seed : int
        Of all dice, and of the chances that other players take.

    Raises
    ------
    InputError
        If there is no such seat, or the rules take more players.
    RuleError
        If players out of turn may call.

    Examples
    --------
    >>> from liarsolve import ProbabilityPlayer, presets
    >>> session = Session(presets.LIAR_DIE, [Opponent("odds", ProbabilityPlayer())], seed=2)
    >>> for line in session.begin()[-3:]:
    ...     print(line)
    To answer: 1, a one.
    1. liar: you say that 1 is false
    2. accept: you take the cup over
    >>> print(*session.say("liar")[:4])
    You call liar. Under the cup: 1. Seat 2's claim of 1 was true. You lose one: you are out.
    """

    def __init__(
        self,
        rules: RuleSet | CupRules,
        opponents: Sequence[Opponent],
        *,
        seat: int = 1,
        seed: int = 0,
    ) -> None:
        n_players = len(opponents) + 1
        _refuse_calls_out_of_turn(rules)
        self.state = MatchState(match_of(rules, n_players))
        self.rules = rules
        self.player = check_whole("seat", seat, at_least=1, at_most=n_players) - 1
        self.opponents: dict[int, Opponent] = dict(
            zip((p for p in range(n_players) if p != self.player), opponents, strict=True)
        )
        seeds = np.random.SeedSequence(check_whole("seed", seed, at_least=0)).spawn(n_players + 2)
        self._dice, self._numbers, *self._streams = map(np.random.default_rng, seeds)
        self.voice = Voice(self.player)
        is_cup = isinstance(rules, CupRules)
        self._teller: Any = (CupTeller if is_cup else BiddingTeller)(self.voice)  # Any: by family
        self.log: list[list[str]] = [[]]
        """What was told, by round."""
        self.inputs: list[str] = []
        """Answers that changed something, to play the match again."""
        self.has_left = False
        self._legal: dict[object, tuple[Any, ...]] = {}
        self._commands: dict[str, Callable[[str], list[str]]] = {
            "help": self._help,
            "list": self._list,
            "score": lambda _: [self._score()],
            "log": self._show_log,
            "number": self._draw_number,
            "quit": self._quit,
        }

    @property
    def is_over(self) -> bool:
        """Whether the match is over, or the person has left it."""
        return self.has_left or self.state.is_terminal

    @property
    def n_rounds(self) -> int:
        """Rounds that are over."""
        return len(self.state.past)

    def begin(self) -> list[str]:
        """Start the match."""
        others = [
            f"{self.voice.name(player).capitalize()} is {opponent.name}."
            for player, opponent in self.opponents.items()
        ]
        n_players = self.state.n_players
        lines = [
            f"{self.rules.name}, {n_players} players. You are seat {self.player + 1}. "
            + " ".join(others),
            "Type a move as you would say it, or its number with a dot; help lists the commands.",
        ]
        return lines + self._go_on()

    def say(self, text: str) -> list[str]:
        """Take an answer of the person, a command or a move."""
        if self.is_over:
            return ["The match is over."]
        words = " ".join(text.split())
        first, _, rest = words.lower().partition(" ")
        command = self._commands.get(_SAME.get(first, first))
        if command is not None:
            return command(rest)
        if not words:
            return ["Type a move; list writes out all moves, help the commands."]
        try:
            action = self.read_move(words)
        except LiarsolveError as error:
            return [self.voice.by_seat(str(error)), "Another move? (list, help)"]
        return self._play(action)

    def read_move(self, words: str) -> Any:  # Any: an action of either family
        """Read a move of the person, or the number of one in the short list.

        Raises
        ------
        LiarsolveError
            With one sentence, if it is no move, or none that they may make.
        """
        number = words.strip(".#)( ")
        if number.isdecimal() and number != words:
            listed = self._short_list()
            if not 1 <= int(number[:6]) <= len(listed):
                raise InputError(f"the list goes from 1. to {len(listed)}., got {words[:12]!r}")
            return listed[int(number) - 1]
        try:
            action = self.state.parse_action(words)
        except LiarsolveError:
            if number.isdecimal() and 1 <= int(number[:6]) <= len(self._short_list()):
                return self._short_list()[int(number) - 1]
            raise
        reason = self.state.illegal_reason(action)
        if isinstance(action, Thrown):
            reason = "it is your turn to say something, and not to throw"
        if reason is not None:
            raise InputError(reason)
        return action

    def legal_actions(self) -> tuple[Any, ...]:
        """What the player on turn may do; asked of the rules of cups once for like places."""
        now = self.state.now
        if not isinstance(now, CupGameState) or now.cup is None:
            return self.state.legal_actions()
        cup = now.cup
        passed = cup.turns[-2].hand if cup.phase is CupPhase.KEEP else None
        key = (cup.phase, cup.last_claim, cup.turns[-1].is_blind, passed)
        if key not in self._legal:
            self._legal[key] = self.state.legal_actions()
        return self._legal[key]

    def _play(self, action: Any) -> list[str]:
        """Make a move of the person that is allowed, and go on."""
        self.inputs.append(self.state.format_action(action))
        return [*self._apply(action, self.player), *self._go_on()]

    def _go_on(self) -> list[str]:
        """Play until the person has to say something, or the match is over."""
        lines: list[str] = []
        while not self.state.is_terminal:
            if self.state.is_chance:
                action: Any = self._fall()
                lines += self._apply(action, self._thrower())
                continue
            player = self.state.to_act
            assert player is not None  # nothing has to fall, and the match goes on
            if player == self.player:
                return lines + self._ask()
            lines += self._apply(self._choose(player), player)
        return lines + self._end()

    def _fall(self) -> Any:
        """Let dice fall, or settle who starts."""
        chances = self.state.chance_outcomes()
        rising = list(accumulate(float(chance) for chance in chances.values()))
        point = self._dice.random() * rising[-1]
        return list(chances)[min(int(np.searchsorted(rising, point, "right")), len(rising) - 1)]

    def _thrower(self) -> int:
        """Whose dice fall; nobody's where it is settled who starts."""
        now = self.state.now
        if isinstance(now, BiddingState):
            return self.state.seats[len(now.hands)]
        if isinstance(now, CupGameState) and now.cup is not None:
            return self.state.seats[now.cup.turns[-1].player]
        return -1

    def _choose(self, player: int) -> Any:
        """Ask another player."""
        now = self.state.now
        position = self.state.seats.index(player)
        actions = self.legal_actions()
        turn: Any
        if isinstance(now, BiddingState):
            turn = Turn(now.round, now.hands[position], now.public.bids, actions)
        else:
            assert isinstance(now, CupGameState)
            view = now.information_state(position)
            turn = CupTurn(now.table, position, view.phase, view.turns, actions)
        who = self.opponents[player]
        action = ask(who.player, turn, self._streams[player], lambda: f"seat {player + 1}")
        reason = self.state.illegal_reason(action)
        if reason is not None:
            raise InputError(f"{who.name} in seat {player + 1} broke the rules: {reason}")
        return action

    def _apply(self, action: Any, player: int) -> list[str]:
        """Do what a player has chosen, and tell it, with the end of a round and the next start."""
        before = self.state
        self.state = before.apply(action)
        if isinstance(action, Starts):
            return self._note([f"Round 1. {self._start_words()}"])
        told = self._teller.action(before.now, action, player)
        lines = self._note([] if told is None else [told])
        if self.player not in before.seats:  # what others do among themselves is in the log
            lines = []
        if len(self.state.past) == len(before.past):
            return lines
        score, end = self.state.past[-1]
        seats = self.state.match.seats(score)
        lines += self._note(self._teller.showdown(end, seats))
        lines += self._note(self._teller.changes(score, self.state.score))
        if self.player in seats and self.player not in self._live() and not self.state.is_terminal:
            lines += ["The others play on; this is how their rounds end."]
        if not self.state.is_terminal:
            self.log.append([])
            lines += ["", *self._note([f"Round {self.n_rounds + 1}. {self._start_words()}"])]
        return lines

    def _live(self) -> tuple[int, ...]:
        score = self.state.score
        return () if score is None else score.live

    def _start_words(self) -> str:
        now = self.state.now
        table = now.round if isinstance(now, BiddingState) else now and now.table
        words: str = self._teller.round_start(table, self.state.seats)
        return words

    def _note(self, lines: list[str]) -> list[str]:
        self.log[-1] += lines
        return lines

    def _ask(self) -> list[str]:
        """Everything that the person needs to know for their move."""
        now, listed = self.state.now, self._short_list()
        lines = ["Your turn.", self._score(), *self._teller.situation(now, self.state.seats)]
        lines += [f"{k}. {self._teller.choice(now, a)}" for k, a in enumerate(listed, 1)]
        n_more = len(self.legal_actions()) - len(listed)
        return lines + [f"And {n_more} more (list)."] * (n_more > 0)

    def _short_list(self) -> list[Any]:
        listed: list[Any] = self._teller.short_list(self.state.now, self.legal_actions())
        return listed

    def _score(self) -> str:
        words: str = self._teller.score(self.state.score)
        return words

    def _end(self) -> list[str]:
        winners = [self.voice.name(player) for player in self.state.winners]
        word = "win" if len(winners) > 1 or self.state.winners == (self.player,) else "wins"
        won = join_words(winners)
        n = self.n_rounds
        rounds = f"{n} {'round' if n == 1 else 'rounds'}"
        return self._note(["", f"{won[0].upper()}{won[1:]} {word} the match after {rounds}."])

    def _help(self, _: str) -> list[str]:
        how = (
            "Claims are typed as people say them, such as QQQ99 or full house, queens on nines."
            if isinstance(self.rules, CupRules)
            else "Bids are typed as 4x3 or four threes; liar and exact are the calls."
        )
        dots = "A number with a dot, such as 1., is a move of the short list."
        return [how, dots, *(f"{word}: {what}" for word, what in COMMANDS.items())]

    def _list(self, _: str) -> list[str]:
        actions = self.legal_actions()
        words = [self.state.format_action(action) for action in actions[:_MOST_LISTED]]
        left_out = len(actions) - len(words)
        return [", ".join(words) + (f" and {left_out} more" if left_out else "")]

    def _show_log(self, what: str) -> list[str]:
        if what not in ("", "all"):
            return [f"log is typed alone, or as log all, got log {what[:20]}"]
        rounds = self.log if what else self.log[-1:]
        return [line for told in rounds for line in told if line]

    def _draw_number(self, _: str) -> list[str]:
        self.inputs.append("number")
        return [f"Number: {int(self._numbers.integers(1, 101))}, of 1 to 100."]

    def _quit(self, _: str) -> list[str]:
        self.has_left = True
        return [f"You leave the match in round {self.n_rounds + 1}.", self._score()]


def _refuse_calls_out_of_turn(rules: RuleSet | CupRules) -> None:
    if isinstance(rules, RuleSet) and (
        rules.challenge_who is not ChallengeWho.NEXT
        or rules.exact_who not in (ExactWho.NEXT, ExactWho.OFF)
    ):
        raise RuleError(
            "players are asked on their turn alone, so calls out of turn cannot be played; "
            "use challenge_who=next and exact_who=next"
        )
