"""What `match_values` returns: asked, written down, stored and read back."""

import json

import pytest

from liarsolve import RuleSet, load_match_values, match_values, presets
from liarsolve.errors import InputError, InputTypeError, StorageError
from liarsolve.rules.cup.match import CupScore

VALUES = match_values(RuleSet(name="tiny", faces=2, dice=2))
CUP = match_values(presets.LIAR_DIE.replace(lives=2, extra_life="first_out"))


@pytest.mark.parametrize("values", [VALUES, CUP], ids=["bidding", "cup"])
def test_stored_and_read_back(values, tmp_path):
    path = tmp_path / "deep" / "table.json"
    values.save(path)
    again = load_match_values(path)
    assert again.to_dict() == values.to_dict()
    assert again.bounds((1, 1)) == values.bounds((1, 1))
    assert repr(again) == repr(values)


def test_a_file_is_replaced_only_if_asked_for(tmp_path):
    path = tmp_path / "table.json"
    VALUES.save(path)
    with pytest.raises(StorageError, match="exists already; choose another file, or overwrite it"):
        CUP.save(path)
    CUP.save(path, overwrite=True)
    assert load_match_values(path).rules == CUP.rules
    assert [p.name for p in tmp_path.iterdir()] == ["table.json"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": "x"}, "does not hold values of a match"),
        ({"stop": "x"}, "is damaged: 'X'"),
        ({"scores": []}, "is damaged: its scores are not those of its rules"),
        ({"rules": 5}, "is damaged"),
        ({"target": None}, "is damaged: target is a number, got None"),
    ],
)
def test_damaged_files_are_refused(change, sentence, tmp_path):
    path = tmp_path / "table.json"
    VALUES.save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(StorageError) as caught:
        load_match_values(path)
    assert sentence in str(caught.value)


def test_bounds_in_the_wrong_order_are_refused(tmp_path):
    path = tmp_path / "table.json"
    VALUES.save(path)
    found = json.loads(path.read_text())
    found["scores"][0]["bounds"] = [0.9, 0.1]
    path.write_text(json.dumps(found))
    with pytest.raises(StorageError, match="two chances in rising order"):
        load_match_values(path)


@pytest.mark.parametrize("content", ["", "[]", "[" * 5000, "nan"])
def test_other_files_are_refused(content, tmp_path):
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(StorageError, match="is damaged"):
        load_match_values(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(StorageError, match=r"nowhere.json could not be read: No such file"):
        load_match_values(tmp_path / "nowhere.json")


def test_scores_are_found_by_what_the_players_have():
    assert CUP.bounds((2, 1)) == CUP.bounds(
        CupScore(stakes=(1, 2), pool=1, has_extra=(False,) * 2, had_extra=(False,) * 2, starter=1)
    )
    spare = CupScore(
        stakes=(0, 1), pool=3, has_extra=(True, False), had_extra=(True, False), starter=0
    )
    low, high = CUP.bounds(spare)
    assert low <= 41 / 60 <= high  # one round of Liar Die, which the starter wins that often


def test_questions_that_have_no_answer():
    with pytest.raises(InputError, match=r"there is no such score in this match, got \(3, 1\)"):
        VALUES.bounds((3, 1))
    with pytest.raises(InputTypeError, match="a score is a pair such as"):
        VALUES.bounds("21")
    with pytest.raises(InputTypeError, match="a number of dice or lives is a whole number"):
        VALUES.bounds((1.5, 1))


def test_width_is_of_one_score_or_the_widest():
    assert VALUES.width((1, 1)) <= VALUES.width()
    assert VALUES.width() == max(VALUES.width(tuple(s.dice)) for s in VALUES.scores)
