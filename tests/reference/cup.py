"""One round of a cup game, slow and exact: the oracle for the library.

Nothing here is compiled, numbered or shared with the library. A hand is the sorted tuple of its
faces, a claim names its category and the faces it quotes, and a position of play holds what each
player has seen, event by event, so that whoever plays from what he has seen forgets nothing.
Chances are fractions.

The numbers of clauses (CL.9, BX?4) are those of the project's rules page.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial
from typing import NamedTuple

Hand = tuple[int, ...]
Category = tuple[int, ...] | str
Event = tuple[object, ...]
Seen = tuple[Event, ...]
Action = tuple[object, ...]

LOW_RUN, HIGH_RUN, MIA_TOP = "low run", "high run", "mia"
NOTHING, PAIR, TWO_PAIRS, THREE = (1, 1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 1), (3, 1, 1)
FULL, FOUR, FIVE = (3, 2), (4, 1), (5,)
RANKINGS: dict[str, tuple[Category, ...]] = {
    # CL.12: both runs beat four of a kind. BX.10 and DD?1: they lie between three and full.
    "classic": (NOTHING, PAIR, TWO_PAIRS, THREE, FULL, FOUR, LOW_RUN, HIGH_RUN, FIVE),
    "poker": (NOTHING, PAIR, TWO_PAIRS, THREE, LOW_RUN, HIGH_RUN, FULL, FOUR, FIVE),
    "mia": ((1, 1), (2,), MIA_TOP),
    "multiplicity": (),
}
CHALLENGE: Action = ("challenge",)
ACCEPT: Action = ("accept",)
UNSEEN: Action = ("throw all unseen",)

OPTIONS = {
    "ranking": tuple(RANKINGS),
    "claim_detail": ("full", "prefix", "subset", "primary", "lead", "category"),
    "nothing_claims": ("named", "prefix", "forbidden"),
    "truth": ("at_least", "matches", "contains"),
    "raise_rule": ("higher", "equal_or_higher", "componentwise"),
    "look": ("before_throw", "never", "optional"),
    "blind_pass": ("off", "only_if_bare", "any"),
    "blind_claim": ("higher", "same"),
    "top_claim": ("must_challenge", "accept_try"),
    "top_accept": ("fresh_keep", "carry_keep", "fresh_all", "one_throw_all"),
}


class Claim(NamedTuple):
    """What is said: a category, faces of its groups (or the highest die), and odd dice."""

    category: Category
    groups: tuple[int, ...]
    kickers: tuple[int, ...]


class Position(NamedTuple):
    """A moment of a round: what happens next, the cup, and all that each player has seen."""

    stage: str
    """``throw``, ``claim``, ``answer``, ``keep``, ``try`` or ``end``."""
    player: int
    """Who holds the cup or answers; at the end the loser."""
    cup: Hand
    """Dice under the cup: the hand, or the dice kept when ``stage`` is ``throw``."""
    claim: Claim | None
    """The standing claim."""
    rival: int
    """Who made the standing claim; at the end the winner of the challenge."""
    seen: tuple[Seen, ...]
    knows: tuple[bool, ...]
    """Who is certain of the hand under the cup."""


@dataclass(frozen=True, kw_only=True)
class ReferenceCup:
    """The rules of one round; the default is a toy: any hand may be claimed, any dice rethrown.

    Examples
    --------
    >>> game = ReferenceCup(n_dice=2, n_faces=2)
    >>> game.ordered_hands
    [(1, 2), (1, 1), (2, 2)]
    >>> game.hands[1, 2]
    Fraction(1, 2)
    """

    n_dice: int
    n_faces: int
    n_suits: int | None = None
    """Suits of a pack of cards with ``n_faces`` ranks (LC.1); None for dice."""
    ranking: str = "multiplicity"
    claim_detail: str = "full"
    nothing_claims: str = "named"
    truth: str = "at_least"
    raise_rule: str = "higher"
    min_rethrow: int = 0
    max_rethrow: int | None = None
    look: str = "before_throw"
    blind_pass: str = "off"
    blind_claim: str = "higher"
    """Whether what is passed on unseen may carry the ``same`` claim again (Mia)."""
    dislodge_prob: Fraction = Fraction(0)
    """Chance that a throw knocks over, each on its own, the dice kept (BX?8)."""
    announce_count: bool = True
    top_claim: str = "must_challenge"
    top_accept: str = "fresh_keep"
    top_throws: int = 5
    n_players: int = 2

    def __post_init__(self) -> None:
        for name, allowed in OPTIONS.items():
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} must be one of {allowed}, got {getattr(self, name)!r}")
        if self.ranking in ("classic", "poker") and (self.n_dice, self.n_faces) != (5, 6):
            raise ValueError(f"{self.ranking} ranks five dice of six faces")
        if self.ranking == "mia" and self.n_dice != 2:
            raise ValueError("mia ranks two dice")
        if not 0 <= self.min_rethrow <= self.most_rethrown <= self.n_dice:
            raise ValueError(f"cannot rethrow {self.min_rethrow} to {self.most_rethrown} dice")
        if not self.claims:
            raise ValueError("nothing can be claimed")

    # --- hands -------------------------------------------------------------------------------

    @property
    def most_rethrown(self) -> int:
        return self.n_dice if self.max_rethrow is None else self.max_rethrow

    @cached_property
    def hands(self) -> dict[Hand, Fraction]:
        """Every hand that a throw of all dice, or a deal, can give, and how likely it is."""
        return self.redraw(())

    def redraw(self, kept: Hand) -> dict[Hand, Fraction]:
        """What comes of throwing all other dice, or of drawing from all other cards (LC.2)."""
        n_new = self.n_dice - len(kept)
        result = {}
        for new in combinations_with_replacement(range(1, self.n_faces + 1), n_new):
            if self.n_suits is None:
                ways = factorial(n_new)
                for face in set(new):
                    ways //= factorial(new.count(face))
                total = self.n_faces**n_new
            else:
                ways = 1
                for face in range(1, self.n_faces + 1):
                    ways *= comb(self.n_suits - kept.count(face), new.count(face))
                total = comb(self.n_suits * self.n_faces - len(kept), n_new)
            if ways:
                result[tuple(sorted(kept + new))] = Fraction(ways, total)
        return result

    def keeps(self, hand: Hand) -> list[Hand]:
        """Every choice of dice to keep that throws an allowed number of the others (CL.9)."""
        found = {
            kept
            for size in range(self.n_dice - self.most_rethrown, self.n_dice - self.min_rethrow + 1)
            for kept in combinations(hand, size)
        }
        return sorted(found, key=lambda kept: (len(kept), kept))

    # --- the order of hands ------------------------------------------------------------------

    def category(self, hand: Hand) -> Category:
        """How many dice are alike, unless the hand has a name of its own."""
        if self.ranking == "mia" and hand == (1, 2):
            return MIA_TOP
        if self.ranking in ("classic", "poker"):
            if hand == (1, 2, 3, 4, 5):
                return LOW_RUN
            if hand == (2, 3, 4, 5, 6):
                return HIGH_RUN
        return tuple(sorted(Counter(hand).values(), reverse=True))

    def height(self, category: Category) -> object:
        """Place of a category; the more dice are alike the higher, where no list says else."""
        order = RANKINGS[self.ranking]
        return order.index(category) if order else category

    def parts(self, hand: Hand) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Faces of the groups, biggest first, and odd dice from the highest down (CL.12, BX.10).

        Of a hand without any group the highest die stands for the group.
        """
        if self.category(hand) in (LOW_RUN, HIGH_RUN, MIA_TOP):
            return (), ()
        count = Counter(hand)
        faces = sorted(count, key=lambda face: (count[face], face), reverse=True)
        groups = tuple(face for face in faces if count[face] > 1) or (faces[0],)
        return groups, tuple(face for face in faces if face not in groups)

    def hand_key(self, hand: Hand) -> tuple[object, ...]:
        return self.claim_key(Claim(self.category(hand), *self.parts(hand)))

    @cached_property
    def ordered_hands(self) -> list[Hand]:
        """All hands, low to high."""
        return sorted(self.hands, key=self.hand_key)

    # --- claims ------------------------------------------------------------------------------

    def has_group(self, category: Category) -> bool:
        return isinstance(category, str) or max(category) > 1

    def quotes(self, hand: Hand) -> set[Claim]:
        """Every claim that describes the hand (BX.9, BX?2, BX?9, DD?2)."""
        category, (groups, kickers) = self.category(hand), self.parts(hand)
        if not self.has_group(category):
            if self.nothing_claims == "forbidden":
                return set()
            if self.nothing_claims == "named":
                return {Claim(category, groups, kickers)}
        if self.claim_detail == "full":
            return {Claim(category, groups, kickers)}
        if self.claim_detail == "prefix":
            return {Claim(category, groups, kickers[:n]) for n in range(len(kickers) + 1)}
        if self.claim_detail == "subset":
            sizes = range(len(kickers) + 1)
            return {
                Claim(category, groups, chosen)
                for n in sizes
                for chosen in combinations(kickers, n)
            }
        named = {"primary": groups, "lead": groups[:1], "category": ()}[self.claim_detail]
        return {Claim(category, named, ())}

    def claim_key(self, claim: Claim) -> tuple[object, ...]:
        """Sort key: a longer quote of the same thing beats a shorter one (BX.9)."""
        return self.height(claim.category), claim.groups, claim.kickers

    @cached_property
    def claims(self) -> list[Claim]:
        """All claims, low to high."""
        return sorted({c for hand in self.hands for c in self.quotes(hand)}, key=self.claim_key)

    def is_true(self, claim: Claim, hand: Hand) -> bool:
        """BX?1: as good as the lowest hand described; described exactly; among the dice."""
        if self.truth == "at_least":
            return self.hand_key(hand) >= self.lowest_key[claim]
        if self.truth == "matches":
            return claim in self.quotes(hand)
        return any(
            all(dice.count(face) <= hand.count(face) for face in dice)
            for dice in self.quoted_dice[claim]
        )

    @cached_property
    def described(self) -> dict[Claim, list[Hand]]:
        """All hands that each claim describes."""
        found: dict[Claim, list[Hand]] = {}
        for hand in self.hands:
            for claim in self.quotes(hand):
                found.setdefault(claim, []).append(hand)
        return found

    @cached_property
    def lowest_key(self) -> dict[Claim, object]:
        """Height of the lowest hand that each claim describes."""
        return {c: min(map(self.hand_key, hands)) for c, hands in self.described.items()}

    @cached_property
    def quoted_dice(self) -> dict[Claim, set[Hand]]:
        """The dice that a claim asks for: those that make the category, and odd dice it names.

        One set for each choice that the claim leaves open, such as the pair in "a pair".
        """
        return {
            claim: {self._dice_of(claim, hand) for hand in hands}
            for claim, hands in self.described.items()
        }

    def _dice_of(self, claim: Claim, described: Hand) -> Hand:
        if claim.category in (LOW_RUN, HIGH_RUN, MIA_TOP):
            return described
        groups = self.parts(described)[0] if self.has_group(claim.category) else claim.groups
        return tuple(face for face in described if face in groups + claim.kickers)

    def may_follow(self, old: Claim | None, new: Claim) -> bool:
        """CL.9, BX.6, DD.9; componentwise: the lead must rise and the rest may not fall (DD?2)."""
        if old is None:
            return True
        if old == self.claims[-1]:
            return False  # BX.8, CL.10, DD?7: nothing may follow the highest claim
        if self.raise_rule == "equal_or_higher":
            return self.claim_key(new) >= self.claim_key(old)
        if self.raise_rule == "componentwise" and new.category == old.category and old.groups:
            rest = zip(old.groups[1:] + old.kickers, new.groups[1:] + new.kickers, strict=False)
            return new.groups[0] > old.groups[0] and all(a <= b for a, b in rest)
        return self.claim_key(new) > self.claim_key(old)

    def legal_claims(self, old: Claim | None) -> list[Claim]:
        return [claim for claim in self.claims if self.may_follow(old, claim)]

    def is_bare(self, claim: Claim) -> bool:
        """Whether a claim names none of its odd dice, so that one more could be named (BX.7)."""
        return claim.kickers == () and any(self.parts(h)[1] for h in self.described[claim])

    # --- play --------------------------------------------------------------------------------

    def start(self) -> Position:
        """Player 0 throws all dice (CL.3)."""
        nobody = ((),) * self.n_players
        return Position("throw", 0, (), None, -1, nobody, (False,) * self.n_players)

    def holding(self, hand: Hand, claim: Claim) -> Position:
        """Player 0 has accepted ``claim`` and holds ``hand``, which all players know."""
        told = ((("told", hand, claim),),) * self.n_players
        return Position("keep", 0, hand, claim, self.n_players - 1, told, (True,) * self.n_players)

    def actions(self, at: Position) -> list[Action]:
        """What the player whose turn it is may do; the rules never depend on hidden dice."""
        if at.stage == "claim":
            return [("claim", claim) for claim in self.legal_claims(at.claim)]
        if at.stage == "keep":
            return [("keep", kept) for kept in self.keeps(at.cup)]
        if at.stage != "answer":
            raise ValueError(f"nobody decides anything at stage {at.stage}")
        assert at.claim is not None
        higher = self.legal_claims(at.claim)
        if not higher:
            is_top = at.claim == self.claims[-1]
            may_try = is_top and self.top_claim == "accept_try"
            return [CHALLENGE, ACCEPT] if may_try else [CHALLENGE]
        actions = [CHALLENGE]
        if self.look != "never":
            actions.append(ACCEPT)
        if self.look != "before_throw":
            actions.append(UNSEEN)
        is_bare_enough = self.blind_pass == "any" or self.is_bare(at.claim)
        if self.blind_pass != "off" and is_bare_enough:
            same = [at.claim] if self.blind_claim == "same" and at.claim not in higher else []
            actions += [("blind", claim) for claim in same + higher]
        return actions

    def chances(self, at: Position) -> Iterator[tuple[Position, Fraction]]:
        """What the dice may do at a position where they are thrown."""
        if at.stage == "try":
            success = self.top_chance(at.cup)
            for prob, loser in ((success, at.rival), (1 - success, at.player)):
                winner = at.player + at.rival - loser
                if prob:
                    yield at._replace(stage="end", player=loser, rival=winner), prob
            return
        for hand, prob in self.thrown(at.cup).items():
            seen = list(at.seen)
            seen[at.player] += (("hand", hand),)
            knows = at.knows
            if len(at.cup) < self.n_dice:
                knows = tuple(seat == at.player for seat in range(self.n_players))
            yield at._replace(stage="claim", cup=hand, seen=tuple(seen), knows=knows), prob

    def thrown(self, kept: Hand) -> dict[Hand, Fraction]:
        """What comes of a throw that may knock kept dice over; nothing is thrown, nothing falls."""
        if len(kept) == self.n_dice:
            return {kept: Fraction(1)}
        result: dict[Hand, Fraction] = {}
        for falls in product((False, True), repeat=len(kept)):
            chance = Fraction(1)
            for fell in falls:
                chance *= self.dislodge_prob if fell else 1 - self.dislodge_prob
            upright = tuple(die for die, fell in zip(kept, falls, strict=True) if not fell)
            for hand, prob in self.redraw(upright).items() if chance else ():
                result[hand] = result.get(hand, Fraction(0)) + chance * prob
        return result

    def act(self, at: Position, action: Action) -> Position:
        """The position after ``action`` of the player whose turn it is."""
        if action not in self.actions(at):
            raise ValueError(f"{action} may not be played at {at}")
        player, word = at.player, action[0]
        left = (player + 1) % self.n_players
        public: Event = (player, *action)
        if word == "keep":
            return self._keep(at, action)
        seen = [(*own, public) for own in at.seen]
        if word == "claim" or word == "blind":
            return at._replace(
                stage="answer", player=left, claim=action[1], rival=player, seen=tuple(seen)
            )
        if action == CHALLENGE:
            loser = player if self.is_true(at.claim, at.cup) else at.rival
            winner = player + at.rival - loser
            return at._replace(stage="end", player=loser, rival=winner, seen=tuple(seen))
        if not self.legal_claims(at.claim):
            return at._replace(stage="try", seen=tuple(seen))
        if action == UNSEEN:
            return at._replace(stage="throw", cup=(), seen=tuple(seen))
        seen[player] += (("hand", at.cup),)
        knows = tuple(certain or seat == player for seat, certain in enumerate(at.knows))
        return at._replace(stage="keep", seen=tuple(seen), knows=knows)

    def _keep(self, at: Position, action: Action) -> Position:
        """Which dice are kept is secret; how many are thrown is said, or not (CL.9, DD?4)."""
        kept = action[1]
        seen = list(at.seen)
        for seat in range(self.n_players):
            if self.announce_count:
                seen[seat] += ((at.player, "throws", self.n_dice - len(kept)),)
        seen[at.player] += (action,)
        knows = at.knows
        if not self.announce_count:
            knows = tuple(seat == at.player for seat in range(self.n_players))
        return at._replace(stage="throw", cup=kept, seen=tuple(seen), knows=knows)

    def top_chance(self, cup: Hand) -> Fraction:
        """Chance that whoever accepts the top claim throws it (CL.10 and CL?1)."""
        if self.top_accept == "one_throw_all":
            return self._top_chances[0, 1]
        n_best = cup.count(self.n_faces) if self.top_accept == "carry_keep" else 0
        return self._top_chances[n_best, self.top_throws]

    @cached_property
    def _top_chances(self) -> dict[tuple[int, int], Fraction]:
        """Chance of the top hand by dice that show it and by throws left."""
        best, most = self.n_faces, self.n_dice
        chances = {(n_best, 0): Fraction(n_best == most) for n_best in range(most + 1)}
        for throws in range(1, max(self.top_throws, 1) + 1):
            for n_best in range(most + 1):
                held = () if self.top_accept.endswith("all") else (best,) * n_best
                distribution = {most: Fraction(1)} if n_best == most else Counter()
                if n_best < most:
                    for hand, prob in self.redraw(held).items():
                        distribution[hand.count(best)] += prob
                chances[n_best, throws] = sum(
                    prob * chances[after, throws - 1] for after, prob in distribution.items()
                )
        return chances
