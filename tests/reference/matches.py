"""Values of whole matches of two players, slow and from the rules alone.

A score is a pair: what the starter of the next round has, and what the other has. Every round is
solved anew for what its ends are worth, by a linear program over the sequence form of the whole
round; nothing is assumed about what it depends on. Where scores follow each other in circles, all
of them are gone through until nothing moves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from reference.bidding import EXACT, LIAR, ReferenceGame
from reference.cup import Position, ReferenceCup
from reference.cup_lp import SequenceForm

Score = tuple[int, int]
Worth = Callable[[str, int, int], float]
"""The starter's chance of winning the match, by what ended the round: a call (``liar``, ``exact``),
the caller's position, and who was right, 1 for the caller."""


def bidding_round(game: ReferenceGame, worth: Worth) -> float:
    """Value of a round of bidding to its first bidder.

    Examples
    --------
    >>> half_or_more = lambda call, caller, right: float((caller == 0) == (right == 1))
    >>> round(bidding_round(ReferenceGame(dice=(1, 1), faces=3), half_or_more), 9)  # value -1/9
    0.444444444
    """
    form = SequenceForm()
    for hands, chance in game.deals():
        waiting: list[tuple[tuple, tuple[int, int]]] = [((), (0, 0))]
        while waiting:
            history, reached = waiting.pop()
            actions = list(game.legal_actions(history))
            player = game.player_to_act(history)
            if not actions:
                call, caller = history[-1], game.player_to_act(history[:-1])
                loser = game.loser(history, hands)
                right = int(loser != caller)
                form._pay(reached, chance * Fraction(worth(call, caller, right)))
                continue
            seen = (hands[player], history)
            form.decisions[player].setdefault(seen, (reached[player], actions))
            for action in actions:
                mine = form.sequences[player].setdefault(
                    (seen, action), len(form.sequences[player])
                )
                after = (mine, reached[1]) if player == 0 else (reached[0], mine)
                waiting.append(((*history, action), after))
    return form.solve_for(0)[0]


class _PaidForm(SequenceForm):
    """The sequence form of a cup round that pays by who answered, not only by who has won."""

    def add_paid(self, game: ReferenceCup, worth: Worth) -> None:
        waiting: list[tuple[Position, tuple[int, int], Fraction, int, str]] = [
            (game.start(), (0, 0), Fraction(1), -1, "")
        ]
        while waiting:
            at, reached, chance, answerer, how = waiting.pop()
            if at.stage == "end":
                right = int(at.rival == answerer)
                self._pay(reached, chance * Fraction(worth(how, answerer, right)))
            elif at.stage in ("throw", "try"):
                waiting += [
                    (after, reached, chance * p, answerer, how) for after, p in game.chances(at)
                ]
            else:
                for action in game.actions(at):
                    after = self._number(at, action, reached, game)
                    is_answer = at.stage == "answer"
                    who = at.player if is_answer else answerer
                    kind = str(action[0]) if is_answer else how
                    waiting.append((game.act(at, action), after, chance, who, kind))


def cup_round(game: ReferenceCup, worth: Worth) -> float:
    """Value of a round of a cup game to who throws first.

    Examples
    --------
    >>> won = lambda call, caller, right: float((caller == 0) == (right == 1))
    >>> game = ReferenceCup(n_dice=1, n_faces=3, min_rethrow=1, look="never")
    >>> round(cup_round(game, won) * 18, 6)  # Liar Die: 13 out of 18
    13.0
    """
    form = _PaidForm()
    form.add_paid(game, worth)
    return form.solve_for(0)[0]


@dataclass(frozen=True, kw_only=True)
class Book:
    """What a round costs, and who starts the next one: the bookkeeping of a match, anew."""

    starts: str = "loser"
    """``loser``, ``winner``, ``rotate``, ``challenger`` or ``caller_of_exact``."""
    most: int = 2
    """Dice or lives at the start; a right exact call wins one back up to these."""
    liar_pays: tuple[int, int] = (1, 0)
    """What a challenge that was right costs: put away, and given to the challenger."""

    def after(self, score: Score, call: str, caller: int, right: int) -> Score | bool | tuple:
        """Whether the starter has won the match; or the next score, and whether they start."""
        have = list(score)
        rival = 1 - caller
        winner, loser = (caller, rival) if right else (rival, caller)
        if call == EXACT and right:
            have[caller] = max(have[caller], min(have[caller] + 1, self.most))
        else:
            away, given = self.liar_pays if right else (1, 0)
            away = min(away, have[loser])
            given = min(given, have[loser] - away)
            have[loser] -= away + given
            have[winner] += given
        if have[0] == 0 or have[1] == 0:
            return have[0] > 0
        starter = {
            "loser": loser,
            "winner": winner,
            "rotate": 1,
            "challenger": caller,
            "caller_of_exact": caller if call == EXACT else loser,
        }[self.starts]
        return ((have[starter], have[1 - starter]), starter == 0)


def solve_match(
    book: Book, play: Callable[[Score, Worth], float], *, tolerance: float = 1e-9
) -> dict[Score, float]:
    """The starter's chance of winning the match from every score.

    Parameters
    ----------
    book : Book
        The bookkeeping.
    play : callable
        Solves the round of a score for what its ends are worth.
    tolerance : float
        Scores are gone through until none moves by more.
    """
    most = 2 * book.most if book.liar_pays[1] else book.most
    scores = sorted(((a, b) for a in range(1, most + 1) for b in range(1, most + 1)
                     if a + b <= 2 * book.most), key=sum)  # fmt: skip
    values = dict.fromkeys(scores, 0.5)

    def play_from(score: Score) -> float:
        def worth(call: str, caller: int, right: int) -> float:
            found = book.after(score, call, caller, right)
            if isinstance(found, bool):
                return float(found)
            after, is_starter = found
            return values[after] if is_starter else 1.0 - values[after]

        return play(score, worth)

    for _ in range(500):
        moved = 0.0
        for score in scores:
            new = play_from(score)
            moved, values[score] = max(moved, abs(new - values[score])), new
        if moved <= tolerance:
            return values
    raise AssertionError(f"the scores still move by {moved}")


def one_die_each(faces: int, **options: object) -> Callable[[Score, Worth], float]:
    """Rounds with a single die each, whatever the score: lives are what is lost."""
    game = ReferenceGame(dice=(1, 1), faces=faces, **options)  # type: ignore[arg-type]
    return lambda _score, worth: bidding_round(game, worth)


def all_dice(faces: int, **options: object) -> Callable[[Score, Worth], float]:
    """Rounds with as many dice as the score says."""
    return lambda score, worth: bidding_round(
        ReferenceGame(dice=score, faces=faces, **options),  # type: ignore[arg-type]
        worth,
    )


__all__ = [
    "EXACT",
    "LIAR",
    "Book",
    "all_dice",
    "bidding_round",
    "cup_round",
    "one_die_each",
    "solve_match",
]
