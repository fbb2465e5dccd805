"""The text in every stored picture can be read, on a light and on a dark page."""

from itertools import combinations

import pytest

from tests.browser import stored
from tests.browser.picture_text import Text, measure, ratio

LIGHT_PAGE, DARK_PAGE = (255, 255, 255), (17, 17, 17)
ENOUGH = 4.5  # WCAG 2, level AA
CARD = '<rect width="100" height="50" fill="{}"/>'
WORD = '<text x="20" y="30" fill="{}">word</text>'


def picture(*elements: str) -> str:
    return f'<svg viewBox="0 0 100 50" xmlns="http://www.w3.org/2000/svg">{"".join(elements)}</svg>'


def faults(texts: list[Text]) -> list[str]:
    """Say what keeps the texts of one picture from being read."""
    if not texts:
        return ["a picture without a word in it"]
    weak = [f"{t.text!r} has contrast {t.contrast:.2f}" for t in texts if t.contrast < ENOUGH]
    cut = [f"{t.text!r} is cut off at the picture's edge" for t in texts if not t.is_whole()]
    lying = [f"{a.text!r} lies on {b.text!r}" for a, b in combinations(texts, 2) if a.overlaps(b)]
    return weak + cut + lying


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((0, 0, 0), (255, 255, 255), 21.0),
        ((255, 0, 0), (255, 255, 255), 3.998),
        ((118, 118, 118), (255, 255, 255), 4.542),
        ((9, 9, 9), (9, 9, 9), 1.0),
    ],
)
def test_the_ratio_is_that_of_published_tables(one, other, expected):
    assert ratio(one, other) == pytest.approx(expected, abs=0.001)
    assert ratio(other, one) == ratio(one, other)


@pytest.mark.browser
@pytest.mark.slow
class TestInABrowser:
    def test_text_on_a_card_is_measured_against_the_card(self, chrome):
        svg = picture(CARD.format("#ffffff"), WORD.format("#767676"))
        for page in (LIGHT_PAGE, DARK_PAGE):
            (word,) = measure(chrome, svg, page)
            assert word.text == "word"
            assert word.is_whole()
            assert word.contrast == pytest.approx(4.542, abs=0.001)

    def test_black_text_without_a_card_fails_on_a_dark_page_only(self, chrome):
        svg = picture(WORD.format("black"))
        assert measure(chrome, svg, LIGHT_PAGE)[0].contrast == pytest.approx(21)
        assert measure(chrome, svg, DARK_PAGE)[0].contrast < 1.2

    def test_a_card_one_can_see_through_counts_as_what_shows(self, chrome):
        card = CARD.format("white").replace("/>", ' fill-opacity="0.5" opacity="0.5"/>')
        (word,) = measure(chrome, picture(card, WORD.format("black")), (0, 0, 0))
        assert word.contrast == pytest.approx(ratio((0, 0, 0), (63.75,) * 3), abs=0.01)

    def test_text_that_leaves_the_picture_is_not_whole(self, chrome):
        late = WORD.replace('x="20"', 'x="90"')
        (word,) = measure(chrome, picture(CARD.format("white"), late.format("black")), LIGHT_PAGE)
        assert not word.is_whole()
        assert word.box[0] == pytest.approx(90, abs=1)
        assert word.size == (100, 50)

    def test_words_on_one_another_overlap_and_lines_of_a_label_do_not(self, chrome):
        places = ("30", "33", "46")
        words = [WORD.replace('y="30"', f'y="{y}"').format("black") for y in places]
        first, near, next_line = measure(chrome, picture(*words), LIGHT_PAGE)
        assert first.overlaps(near)
        assert not first.overlaps(next_line)

    @pytest.mark.parametrize("name", stored.NAMES)
    def test_all_text_in_the_pictures_of_a_lesson_can_be_read(self, chrome, name):
        pictures = [
            (cell["id"], svg) for cell in stored.code_cells(name) for svg in stored.svgs(cell)
        ]
        assert pictures
        found = [
            f"{cell_id}: {fault}"
            for cell_id, svg in pictures
            for page in (LIGHT_PAGE, DARK_PAGE)
            for fault in faults(measure(chrome, svg, page))
        ]
        assert not found, "\n".join(found)
