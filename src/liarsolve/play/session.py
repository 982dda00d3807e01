"""A match with a person in it: text in, text out, whatever prints it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType
from typing import Any

import numpy as np

from liarsolve._checks import check_whole
from liarsolve.claims import spell_claim
from liarsolve.errors import InputError, LiarsolveError, RuleError
from liarsolve.odds import format_percent
from liarsolve.play._asking import ask
from liarsolve.play._voice import Voice, join_words
from liarsolve.play.bidding.counsel import bidding_odds
from liarsolve.play.bidding.telling import BiddingTeller
from liarsolve.play.bidding.turn import Turn
from liarsolve.play.coach import Coaching, Decision, describe_unjudged, judge, say_small, sum_up
from liarsolve.play.counsel import Counsel
from liarsolve.play.cup.counsel import cup_odds
from liarsolve.play.cup.telling import CupTeller
from liarsolve.play.cup.turn import CupTurn
from liarsolve.rules import (
    BiddingScore,
    BiddingState,
    ChallengeWho,
    CupGameState,
    CupPhase,
    CupRules,
    CupScore,
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
        "odds": "how likely it is that what stands is true, and what may follow",
        "advise": "what a strategy would do here",
        "number": "a number from 1 to 100, to mix your play by",
        "quit": "leave the match",
    }
)
"""Words that are no moves, and what they do."""
_SAME = {"?": "help", "h": "help", "exit": "quit", "q": "quit", "score?": "score"}
_RARE = 0.005
"""Actions that are played less often are not named."""
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
    counsel : Counsel, optional
        Whom the person may ask for advice; one without stored strategies if not given.
    coaching : Coaching
        Whether the person's decisions are judged, and when they are told.

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
        counsel: Counsel | None = None,
        coaching: Coaching = Coaching.OFF,
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
        self.counsel = Counsel() if counsel is None else counsel
        self.voice = Voice(self.player)
        is_cup = isinstance(rules, CupRules)
        self._teller: Any = (CupTeller if is_cup else BiddingTeller)(self.voice)  # Any: by family
        self.log: list[list[str]] = [[]]
        """What was told, by round."""
        self.inputs: list[str] = []
        """Answers that changed something, to play the match again."""
        self.coaching = coaching
        self.decisions: list[Decision] = []
        """Those that could be judged."""
        self.n_unjudged = 0
        self._excused = -1
        self._warned: Any = None  # Any: the move that is typed again to stand
        self.has_left = False
        self._legal: dict[object, tuple[Any, ...]] = {}

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

    def _commands(self) -> dict[str, Callable[[str], list[str]]]:
        return {
            "help": self._help,
            "list": self._list,
            "score": lambda _: [self._score()],
            "log": self._show_log,
            "odds": self._odds,
            "advise": self._advise,
            "number": self._draw_number,
            "quit": self._quit,
        }

    def say(self, text: str) -> list[str]:
        """Take an answer of the person, a command or a move."""
        if self.is_over:
            return ["The match is over."]
        words = " ".join(text.split())
        first, _, rest = words.lower().partition(" ")
        command = self._commands().get(_SAME.get(first, first))
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
        judged = self._judge(action)
        is_new = self._warned != action
        if self.coaching is Coaching.NOW and judged and judged.verdict.is_wrong and is_new:
            self._warned = action
            again = f"Type {judged.move} again to leave it so, or choose another move."
            return [*judged.lines(), again]
        self._warned = None
        told: list[str] = []
        if self.coaching is not Coaching.OFF:
            if judged is None:
                self.n_unjudged += 1
                told = self._excuse(action)
            else:
                self.decisions.append(judged)
                told = judged.lines() if is_new else []
        self.inputs.append(self.state.format_action(action))
        return [*told, *self._apply(action, self.player), *self._go_on()]

    def _judge(self, action: Any) -> Decision | None:
        """What a move costs, where the person wants to know and a strategy says it."""
        if self.coaching is Coaching.OFF or len(self.legal_actions()) == 1:
            return None
        turn = self.turn(self.player)
        values = self.counsel.values(turn)
        verdict = None if values is None else judge(values, action)
        if values is None or values.margin is None or verdict is None:
            return None
        kind, loss, best = verdict
        return Decision(
            round=self.n_rounds + 1,
            move=self.state.format_action(action),
            best=self.state.format_action(best),
            loss=loss,
            margin=values.margin,
            exploitability=values.exploitability,
            verdict=kind,
            why=self.counsel.why(turn, action),
        )

    def _excuse(self, action: Any) -> list[str]:
        """Say why a move is not judged; once a round where no strategy of it is there."""
        if len(self.legal_actions()) == 1:
            return []
        values = self.counsel.values(self.turn(self.player))
        if values is not None:
            return [describe_unjudged(values, action, self.state.format_action)]
        if self.n_rounds == self._excused:
            return []
        self._excused = self.n_rounds
        return ["Coach: no strategy of this round is there, so your moves are not judged."]

    def _sum_up(self) -> list[str]:
        if self.coaching is Coaching.OFF:
            return []
        return sum_up(self.decisions, self.n_unjudged)

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
                return lines + self.ask()
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

    def count(self) -> tuple[str, tuple[int, ...]]:
        """What everybody has left, by seat, and what it is: dice, or lives."""
        score = self.state.score
        if isinstance(score, BiddingScore):
            return ("lives", score.lives) if score.lives else ("dice", score.dice)
        assert isinstance(score, CupScore)
        extra = zip(score.stakes, score.has_extra, strict=True)
        return "lives", tuple(stakes + has_extra for stakes, has_extra in extra)

    def turn(self, player: int) -> Any:
        """What the player on turn knows, as the players of this library see it."""
        now, position = self.state.now, self.state.seats.index(player)
        if isinstance(now, BiddingState):
            return Turn(now.round, now.hands[position], now.public.bids, self.legal_actions())
        assert isinstance(now, CupGameState)
        view = now.information_state(position)
        return CupTurn(now.table, position, view.phase, view.turns, self.legal_actions())

    def _choose(self, player: int) -> Any:
        """Ask another player."""
        turn = self.turn(player)
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

    def ask(self) -> list[str]:
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
        end = self._note(["", f"{won[0].upper()}{won[1:]} {word} the match after {rounds}."])
        return end + self._sum_up()

    def _help(self, _: str) -> list[str]:
        how = "Bids are typed as 4x3 or four threes; liar and exact are the calls."
        if isinstance(self.rules, CupRules):
            claims = self.rules.claims
            claim = claims[len(claims) // 2]
            how = (
                f"Claims are typed as {self.rules.format_claim(claim)} or "
                f"{spell_claim(claim, claims)}."
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

    def _odds(self, _: str) -> list[str]:
        turn = self.turn(self.player)
        lines = (bidding_odds if isinstance(turn, Turn) else cup_odds)(turn, self._short_list())
        values = self.counsel.values(turn, may_solve=False)
        if values is not None and values.p_true is not None:
            p = format_percent(values.p_true)
            lines.append(f"What stands is true with {p} % if the others go by the strategy.")
        return lines

    def _advise(self, _: str) -> list[str]:
        turn = self.turn(self.player)
        values = self.counsel.values(turn)
        if values is None:
            move = self.state.format_action(self.counsel.by_the_odds(turn))
            return [
                f"A player who goes by the odds alone would say {move}. That is no more than this: "
                "no strategy of this round is there, and it is too large to be solved here."
            ]
        shown = [option for option in values.options if option[1] >= _RARE]
        lines = ["The strategy, and what the round is then worth to you, from -1 to 1:"]
        lines += [
            f"{self.state.format_action(action)}: {100 * share:.0f} % of the time, {value:+.3f}."
            for action, share, value in shown
        ]
        best, _share, most = max(values.options, key=lambda option: option[2])
        if all(best != action for action, _share, _value in shown):
            lines.append(f"Worth most: {self.state.format_action(best)}, {most:+.3f}.")
        return [*lines, describe_exploitability(values.exploitability)]

    def _draw_number(self, _: str) -> list[str]:
        self.inputs.append("number")
        return [f"Number: {int(self._numbers.integers(1, 101))}, of 1 to 100."]

    def _quit(self, _: str) -> list[str]:
        self.has_left = True
        return [
            f"You leave the match in round {self.n_rounds + 1}.",
            self._score(),
            *self._sum_up(),
        ]


def describe_exploitability(loss: float | None) -> str:
    """Say how good strategies are.

    >>> describe_exploitability(2e-7)
    'It loses at most 1e-06 a round to a perfect opponent.'
    """
    if loss is None:
        return "How much it loses to a perfect opponent was not measured."
    return f"It loses at most {say_small(loss)} a round to a perfect opponent."


def _refuse_calls_out_of_turn(rules: RuleSet | CupRules) -> None:
    if isinstance(rules, RuleSet) and (
        rules.challenge_who is not ChallengeWho.NEXT
        or rules.exact_who not in (ExactWho.NEXT, ExactWho.OFF)
    ):
        raise RuleError(
            "players are asked on their turn alone, so calls out of turn cannot be played; "
            "use challenge_who=next and exact_who=next, in the terminal --set challenge_who=next "
            "--set exact_who=next"
        )
