"""The picture of a table stands alone."""

from xml.etree import ElementTree

import pytest

from liarsolve import match_values, presets

NAMESPACE = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("rules", "n_scores"),
    [
        (presets.COMMON.replace(dice=2, name="<&>"), 4),
        (presets.LIAR_DIE.replace(lives=2, extra_life="first_out"), 7),
    ],
)
def test_every_score_is_a_square_with_its_chance(rules, n_scores):
    values = match_values(rules)
    assert len(values.scores) == n_scores
    root = ElementTree.fromstring(values.to_svg())
    squares = root.findall(f"{NAMESPACE}rect")
    words = [text.text for text in root.findall(f"{NAMESPACE}text")]
    assert len(squares) == n_scores
    assert sum("." in word and word.replace(".", "").isdigit() for word in words) == n_scores
    assert root.findtext(f"{NAMESPACE}title").startswith(rules.name)
    right = max(float(s.get("x")) + float(s.get("width")) for s in squares)
    bottom = max(float(s.get("y")) + float(s.get("height")) for s in squares)
    assert right <= float(root.get("width"))
    assert bottom <= float(root.get("height"))
