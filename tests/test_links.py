"""Links of README, docs and lessons lead somewhere, and every picture there has words."""

from pathlib import Path

import pytest

from tests.browser.site_links import broken
from tests.markdown_links import read_markdown, read_pages

ROOT = Path(__file__).parents[1]
PAGES = read_pages(ROOT)


def test_every_kind_of_page_is_read():
    names = {path.relative_to(ROOT).as_posix() for path in PAGES}
    some = {"README.md", "docs/grading.md", "notebooks/00_autograd.ipynb", "whygrad/README.md"}
    assert some | {"exercises/21_review_first_order.ipynb", "notebooks/index.ipynb"} <= names
    assert sum(len(links.links) for links in PAGES.values()) > 100


def test_every_link_leads_to_a_file_and_to_a_heading_in_it():
    assert broken(PAGES) == set()


def test_every_picture_has_words():
    assert {path.name: page.wordless for path, page in PAGES.items() if page.wordless} == {}


@pytest.mark.parametrize(
    "text",
    [
        "[a](other.md)",
        "[a](#nowhere)",
        "[a](page.md#Here)",
        '<a href="other.md">a</a>',
        "| a |\n|---|\n| [a](other.md) |",
        "![a](other.png)",
        '<picture><source srcset="other.png"><img src="page.md" alt="a"></picture>',
    ],
)
def test_a_link_to_nowhere_is_found(tmp_path, text):
    path = tmp_path / "page.md"
    path.write_text("# Here\n\n[a](#here), [a](https://example.org/x)\n\n", encoding="utf-8")
    assert broken({path: read_markdown(path.read_text(encoding="utf-8"))}) == set()
    assert len(broken({path: read_markdown(path.read_text(encoding="utf-8") + text)})) == 1


@pytest.mark.parametrize("picture", ["![](a.png)", "![ ](a.png)", '<img src="a.png">', "![][a]"])
def test_a_picture_without_words_is_found(picture):
    assert read_markdown(f"# Here\n\n{picture} ![b](b.png)\n\n[a]: a.png").wordless == ["a.png"]
