import pytest

from liarsolve.errors import RuleError
from liarsolve.rules import BIDDING_PRESETS, CUP_PRESETS, PRESETS, Round, get_preset, presets


@pytest.mark.parametrize(
    ("name", "bids"),
    [
        ("liars_dice", "1x1 1x2 1x3 2x1 2x2 2x3 3x1 3x2 3x3"),
        ("perudo", "1x2 1x3 2x2 2x3 1x1 3x2 3x3 2x1 3x1"),
        ("common", "1x1 1x2 1x3 2x1 2x2 2x3 3x1 3x2 3x3"),
        ("openspiel", "1x1 1x2 1x3 2x1 2x2 2x3 3x1 3x2 3x3"),
        ("snyd", "1x2 1x3 2x2 2x3 3x2 3x3"),
        ("dudo", "1x2 1x3 1x1 2x2 2x3 3x2 3x3 2x1 3x1"),
    ],
)
def test_order_of_bids_of_each_preset(name, bids):
    assert " ".join(map(str, Round(get_preset(name).replace(faces=3), (2, 1)).bids)) == bids


def test_presets_are_named_as_their_constants():
    assert {name: getattr(presets, name.upper()) for name in PRESETS} == PRESETS
    assert [rules.name for rules in PRESETS.values()] == list(PRESETS)
    assert list(PRESETS) == [*BIDDING_PRESETS, *CUP_PRESETS]


@pytest.mark.parametrize(
    ("name", "wild", "open_ones", "exact_who"),
    [
        ("liars_dice", 1, True, "off"),
        ("perudo", 1, False, "next"),
        ("common", None, True, "off"),
        ("openspiel", 6, True, "off"),
        ("snyd", 1, False, "off"),
        ("dudo", 1, True, "off"),
    ],
)
def test_what_each_preset_decides(name, wild, open_ones, exact_who):
    round_ = Round(get_preset(name), (1, 1))
    state = round_.state_after(["1x2"])
    assert round_.wild_face(state) == wild
    assert ("1x1" in map(str, round_.legal_actions(round_.initial_state()))) == open_ones
    assert round_.rules.exact_who.value == exact_who


def test_preset_names_are_read_generously():
    assert get_preset(" Liars-Dice") is presets.LIARS_DICE


def test_an_unknown_preset_is_refused_with_the_nearest_name():
    names = (
        "the presets are liars_dice, perudo, common, openspiel, snyd, dudo, classic, box, "
        "liar_cards, doubtful_dice, mia, liar_die"
    )
    with pytest.raises(RuleError) as caught:
        get_preset("purdo")
    assert str(caught.value) == f"there is no preset 'purdo'; did you mean perudo? {names}"
    with pytest.raises(RuleError) as caught:
        get_preset("chess")
    assert str(caught.value) == f"there is no preset 'chess'; {names}"
