"""The options of the bidding family: one enum each, valued as players write them.

Where an option speaks of *ones*, it means the highest face ("stars") if that is the wild one.
"""

from enum import Enum

__all__ = [
    "ChallengeWho",
    "ExactWho",
    "ExactWin",
    "HandBonus",
    "Loss",
    "OnesEntry",
    "OnesSlot",
    "OpenMin",
    "OpenOnes",
    "Palifico",
    "PalificoFace",
    "RaiseRule",
    "Wild",
    "WildUntil",
]


class Wild(Enum):
    """The face that counts for every bid except one on itself."""

    NONE = "none"
    """No face is wild."""
    ONES = "ones"
    """Ones are wild (Perudo, Dudo)."""
    TOP_FACE = "top_face"
    """The highest face is wild (the star of Bluff; most solver papers)."""


class WildUntil(Enum):
    """When ones stop being wild for the rest of the round."""

    NEVER_LOCKED = "never_locked"
    """They stay wild."""
    ANY_ONES_BID = "any_ones_bid"
    """As soon as anybody has bid ones (LD.4)."""
    OPENING_ONES = "opening_ones"
    """Only if the opening bid was on ones."""


class OnesSlot(Enum):
    """Where a bid on ones stands among the other bids."""

    FACE_LOW = "face_low"
    """The plain order of the faces: ones are the lowest face, stars the highest."""
    FACE_HIGH = "face_high"
    """Ones are the highest face: 2, 3, 4, 5, 6, 1."""
    AFTER_2N = "after_2n"
    """n ones stand between 2n of the highest other face and 2n+1 of the lowest (PE.3)."""
    BEFORE_2N = "before_2n"
    """n ones stand just below 2n of the lowest other face (the Bluff board)."""
    FORBIDDEN = "forbidden"
    """Ones may not be bid."""


class OpenOnes(Enum):
    """Whether the opening bid may be on ones."""

    YES = "yes"
    """It may."""
    NO = "no"
    """It may not (PE.2)."""


class OnesEntry(Enum):
    """How many ones may follow a bid on another face under ``after_2n`` (PE?1)."""

    AT_LEAST_HALF = "at_least_half"
    """Half its quantity, rounded up, or more."""
    EXACT_HALF = "exact_half"
    """Exactly half its quantity, rounded up."""
    HALF_PLUS_ONE = "half_plus_one"
    """One more than half its quantity, rounded up, or still more."""


class RaiseRule(Enum):
    """Which bids may follow a bid."""

    COUNT_OR_FACE = "count_or_face"
    """More dice of any face, or as many of a higher face."""
    RESET_QUANTITY = "reset_quantity"
    """Any number of a higher face, or more dice of the same face."""
    STRICT = "strict"
    """More dice of the same face, or as many of a higher face."""
    NO_DECREASE = "no_decrease"
    """Neither number nor face falls, and one of them rises."""
    FACE_WRAP = "face_wrap"
    """As ``strict``; after the highest face also more dice of the lowest one."""


class OpenMin(Enum):
    """Smallest quantity of the opening bid."""

    ONE = "1"
    """One die."""
    N_PLAYERS = "n_players"
    """As many dice as there are players."""
    ONE_AND_A_HALF_N = "1.5n"
    """One and a half times the number of players, rounded up."""


class ChallengeWho(Enum):
    """Who may challenge (LD?3)."""

    NEXT = "next"
    """The player on turn."""
    ANY = "any"
    """Every player but the bidder, also out of turn."""


class ExactWho(Enum):
    """Who may call that the bid is exactly right (PE?3)."""

    OFF = "off"
    """Nobody."""
    NEXT = "next"
    """The player on turn."""
    ANY_BUT_BIDDER = "any_but_bidder"
    """Every player but the bidder."""
    OFF_TURN_ONLY = "off_turn_only"
    """Every player who is neither the bidder nor on turn."""


class HandBonus(Enum):
    """Hands that count for more or fewer dice than they have, whatever is bid."""

    NONE = "none"
    """There are none."""
    STRAIGHT_ZERO = "straight_zero"
    """Five dice or more in a row count nothing (chui niu)."""
    FIVE_ALIKE_PLUS_1 = "five_alike_plus_1"
    """Five dice or more that all match the bid count one more (chui niu)."""
    STAIRS = "stairs"
    """A hand 1 to k counts k+1 dice of any face (Snyd)."""


class PalificoFace(Enum):
    """Who may change the face in a palifico round, after its first bid (PE?2)."""

    ONE_DIE_MAY_CHANGE = "one_die_may_change"
    """Players with one die; the others raise the quantity of the same face."""
    LOCKED_ALL = "locked_all"
    """Nobody."""
    EX_PALIFICO_MAY_CHANGE = "ex_palifico_may_change"
    """Players who have had a palifico round of their own."""
    NONE = "none"
    """Everybody."""


class Loss(Enum):
    """What a challenge costs (section 6 of the rules)."""

    ONE = "one"
    """The loser loses one die (PE.5, LD.5)."""
    DIFFERENCE = "difference"
    """The loser loses as many dice as the count is away from the bid, one at least (Bluff)."""
    TRANSFER = "transfer"
    """The loser gives one die to the winner."""
    WINNER_DISCARDS = "winner_discards"
    """The winner puts one die away; the first player without dice has won the match."""
    WHOLE_ROUND = "whole_round"
    """The loser loses all dice."""


class ExactWin(Enum):
    """What a right exact call brings (PE.6)."""

    GAIN_1 = "gain_1"
    """The caller gains one die, up to ``gain_cap``."""
    GAIN_2 = "gain_2"
    """The caller gains two dice, up to ``gain_cap``."""
    OTHERS_LOSE_1 = "others_lose_1"
    """All others lose one die."""
    BIDDER_LOSES_1 = "bidder_loses_1"
    """The bidder loses one die."""
    NOTHING = "nothing"
    """Nothing."""


class Palifico(Enum):
    """Whether a match has palifico rounds (PE.7)."""

    OFF = "off"
    """It has none."""
    FIRST_TIME = "first_time"
    """The round after a player has lost the last die but one, once for every player, while three
    or more are left; that player starts (PE?6)."""
