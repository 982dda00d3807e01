"""The page in a real browser, where one is installed."""

import re
import shutil

import pytest

from liarsolve import presets, solve
from liarsolve.report.browser import export_html

BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")


@pytest.fixture(scope="module")
def chromium():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"no browser is installed: none of {', '.join(BROWSERS)}")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    solution = solve(presets.COMMON.replace(faces=3), (2, 1), target=1e-3)
    export_html(solution, folder / "bidding.html")
    export_html(solution, folder / "part.html", min_reach=0.5)
    export_html(solve(presets.LIAR_DIE), folder / "cup.html")
    frame = solution.explore()._repr_html_()
    (folder / "notebook.html").write_text(f"<!doctype html><title>t</title>{frame}", "utf-8")
    return folder, solution


@pytest.fixture
def visit(chromium, pages):
    """Open a page at a place; whatever it complains of or asks the network for is a failure."""
    opened, complaints, asked = [], [], []

    def open_at(name, place="", **options):
        page = chromium.new_page(**options)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{(pages[0] / name).as_uri()}{place}")
        page.wait_for_selector("td.cell", state="attached")
        opened.append(page)
        return page

    yield open_at
    for page in opened:
        page.close()
    assert complaints == []
    assert all(address.startswith("file:") for address in asked)


def cell_text(page, hand, action):
    heads = page.locator("thead th").all_inner_texts()
    row = page.locator("tbody tr", has=page.locator("th", has_text=re.compile(f"^{hand}$")))
    return row.locator("th, td").nth(heads.index(action)).inner_text()


def test_numbers_are_those_of_the_strategy(visit, pages):
    page = visit("bidding.html", "#1x2")
    page.uncheck("#used")
    for hand in (1, 2, 3):
        for advice in pages[1].advise((hand,), ["1x2"]):
            prob, value = cell_text(page, hand, str(advice.action)).split("\n")
            if prob not in ("\N{MIDDLE DOT}", "<0.1\xa0%"):
                shown = float(prob.removesuffix("\xa0%"))
                assert abs(shown - 100 * advice.probability) <= 0.0501
            shown = float(value.replace("\N{MINUS SIGN}", "-"))
            assert abs(shown - advice.expected_value) <= 0.000501


def test_links_lead_on_and_back(visit):
    page = visit("bidding.html")
    assert page.inner_text("#heading") == "Seat 1 opens the round"
    page.uncheck("#used")
    page.click("thead a >> text=1x2")
    page.locator("#heading", has_text="after 1x2").wait_for()
    assert page.url.endswith("#1x2")
    assert page.locator("#crumbs li").all_inner_texts() == ["start", "1x2"]
    page.click("#crumbs a")
    page.locator("#heading", has_text="opens the round").wait_for()


def test_keys_move_open_and_go_back(visit):
    page = visit("bidding.html")
    page.uncheck("#used")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowDown")
    first = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("ArrowRight")
    second = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert (first.split(",")[:2], second.split(",")[:2]) == (
        ["hand 1 1", " 1x1"],
        ["hand 1 1", " 1x2"],
    )
    page.keyboard.press("Enter")
    page.locator("#heading", has_text="after 1x2").wait_for()
    page.locator("td.cell:focus").wait_for()
    page.keyboard.press("Backspace")
    page.locator("#heading", has_text="opens the round").wait_for()


def test_search_goes_to_a_place_as_far_as_the_rules_allow(visit):
    page = visit("bidding.html")
    page.keyboard.press("/")
    page.keyboard.type("1x2 2x3 1x1")
    page.keyboard.press("Enter")
    page.locator("#status", has_text="1x1").wait_for()
    assert page.inner_text("#status") == "1x1 is no bid that the rules allow after 1x2, 2x3."
    assert page.inner_text("#heading") == "Seat 1, after 1x2, 2x3"


def test_hands_are_filtered(visit):
    page = visit("bidding.html")
    assert page.locator("tbody tr").count() == 6
    page.fill("#filter", "3")
    assert page.locator("tbody th").all_inner_texts() == ["1 3", "2 3", "3 3"]
    page.fill("#filter", "33")
    assert page.locator("tbody th").all_inner_texts() == ["3 3"]


def test_cells_show_what_is_chosen(visit, pages):
    page = visit("bidding.html")
    page.uncheck("#used")
    page.select_option("#show", "odds")
    assert cell_text(page, "1 1", "3x1") == "33.3\xa0%"
    assert cell_text(page, "1 1", "2x1") == "100\xa0%"


def test_places_that_are_left_out_have_the_odds_by_dice_alone(visit):
    page = visit("part.html", "#1x1,3x3")
    assert "leaves such places out" in page.inner_text("#summary")
    page.select_option("#show", "odds")
    assert cell_text(page, "1 1", "liar") == "100\xa0%"  # three threes with two ones in hand


@pytest.mark.parametrize("name", ["bidding.html", "cup.html"])
def test_a_narrow_screen_scrolls_only_the_table(visit, name):
    page = visit(name, viewport={"width": 360, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_dark_and_light(visit):
    colors = {
        scheme: visit("bidding.html", color_scheme=scheme).evaluate(
            "getComputedStyle(document.body).backgroundColor"
        )
        for scheme in ("dark", "light")
    }
    assert colors == {"dark": "rgb(22, 24, 27)", "light": "rgb(255, 255, 255)"}


def test_print_leaves_out_what_cannot_be_used_on_paper(visit):
    page = visit("bidding.html")
    page.emulate_media(media="print")
    assert not page.is_visible("#finder")
    assert page.is_visible("table")


def test_cup_games_lead_from_a_claim_to_what_is_believed(visit):
    page = visit("cup.html")
    page.click("thead a >> text=5")
    page.locator("#heading", has_text="5 is offered").wait_for()
    assert "What lies under the cup" in page.inner_text("#beliefs")
    page.click("thead a >> text=accept")
    page.locator("#heading", has_text="5 was accepted").wait_for()
    assert page.url.endswith("#5/accepted")


def test_only_pages_that_have_odds_offer_them(visit):
    assert "odds" in visit("bidding.html").inner_text("#show")
    assert "odds" not in visit("cup.html").inner_text("#show")


def test_hands_that_do_not_come_here_are_grey(visit, pages):
    page, strategy = visit("bidding.html", "#3x1,3x2"), pages[1].strategy
    expected = [
        " ".join(map(str, hand))
        for hand in strategy.tree.graph.hands[0]
        if strategy.standing(hand, ["3x1", "3x2"]).own_reach <= 1e-3
    ]
    assert expected
    assert page.locator("tr.dead th").all_inner_texts() == expected


def test_a_damaged_page_says_so(chromium, tmp_path, pages):
    text = (pages[0] / "bidding.html").read_text("utf-8")
    path = tmp_path / "damaged.html"
    path.write_text(re.sub('(id="data-meta">).{40}', r"\1", text), "utf-8")
    page = chromium.new_page()
    page.goto(path.as_uri())
    page.locator("#status", has_text="This page cannot be read").wait_for()
    assert page.locator("td.cell").count() == 0
    page.close()


def test_a_notebook_frame_can_be_walked(chromium, pages):
    page = chromium.new_page()
    page.goto((pages[0] / "notebook.html").as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("thead a >> text=1x2").click()
    frame.locator("#crumbs li >> text=1x2").wait_for()
    assert frame.locator("#heading").inner_text() == "Seat 2, after 1x2"
    page.close()
