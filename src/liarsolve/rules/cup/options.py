"""The options of the cup family: one enum each, valued as players write them.

What a claim may say and when it is true (``claim_detail``, ``nothing_claims``, ``truth``) is part
of `liarsolve.claims`. A player who *accepts* a claim takes the cup over, and must pass it on with a
claim of their own to their *neighbour*, the player on their left.
"""

from enum import Enum

__all__ = [
    "BlindClaim",
    "BlindPass",
    "ClaimRaise",
    "Look",
    "ShortPay",
    "TopAccept",
    "TopClaim",
]


class ClaimRaise(Enum):
    """Which claims may follow a claim that was accepted."""

    HIGHER = "higher"
    """Higher ones (CL.9, BX.6, DD.9)."""
    EQUAL_OR_HIGHER = "equal_or_higher"
    """The same one too; a round may then go on for ever."""
    COMPONENTWISE = "componentwise"
    """Higher ones; in the same category the first group must rise and no other may fall (DD?2)."""


class Look(Enum):
    """Whether a player who accepts sees the hand before throwing (CL?4)."""

    BEFORE_THROW = "before_throw"
    """They look, then say how many they throw."""
    NEVER = "never"
    """They do not look, so they throw everything (Mia, Liar Die)."""
    OPTIONAL = "optional"
    """They look, or throw everything unseen (BX?4)."""


class BlindPass(Enum):
    """Whether a player who accepts may pass the hand on unseen (BX.7, BX?4)."""

    OFF = "off"
    """Never."""
    ONLY_IF_BARE = "only_if_bare"
    """Only if the accepted claim names no odd dice."""
    ANY = "any"
    """After any claim."""


class BlindClaim(Enum):
    """What a player who passes on unseen has to claim."""

    HIGHER = "higher"
    """Whatever could follow anyhow (BX.7)."""
    SAME = "same"
    """The accepted claim, or whatever could follow anyhow (Mia)."""


class TopClaim(Enum):
    """What may be answered to the highest claim."""

    MUST_CHALLENGE = "must_challenge"
    """Only a challenge (BX.8, DD?7)."""
    ACCEPT_TRY = "accept_try"
    """A challenge; or an acceptance, which gives a few throws to make the top hand (CL.10)."""
    CONCEDE_1_OR_LOOK_2 = "concede_1_or_look_2"
    """Pay once without looking, or challenge and pay twice if the claim is true (Mia)."""
    MUST_REPEAT = "must_repeat"
    """A challenge; or an acceptance, after which the same claim has to be made again."""


class TopAccept(Enum):
    """How the top hand is tried for under ``accept_try`` (CL?1)."""

    FRESH_KEEP = "fresh_keep"
    """All dice are thrown; what fits stays, the rest is thrown again."""
    CARRY_KEEP = "carry_keep"
    """What fits among the dice that were passed stays from the start."""
    FRESH_ALL = "fresh_all"
    """All dice are thrown every time."""


class ShortPay(Enum):
    """Who is paid first by a player who owes more than they have (DD?5)."""

    POOL_FIRST = "pool_first"
    """The pool."""
    CHALLENGER_FIRST = "challenger_first"
    """The other player of the challenge."""
