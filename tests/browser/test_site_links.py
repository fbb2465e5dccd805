"""What looks for links finds those that lead nowhere."""

import pytest

from tests.browser.site_links import broken, outside, read_links

PAGE = """<h1 id="top">A</h1><a href="#top">1</a> <a href="b/c.html#in%20it">2</a>
<a href="https://example.org/x">3</a> <img src="b/p.svg"> <a href="#">4</a>"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "a.html").write_text(PAGE)
    (tmp_path / "b/c.html").write_text('<p id="in it"></p><a href="../a.html">back</a>')
    (tmp_path / "b/p.svg").write_text("<svg/>")
    return tmp_path


def test_links_that_lead_somewhere_are_not_broken(folder):
    pages = read_links(folder)
    assert len(pages) == 2
    assert broken(pages) == set()
    assert outside(pages) == set()


@pytest.mark.parametrize(
    "lost", ["#Top", "b/d.html", "b/c.html#it", "/a.html#top", "b", "a.html#nothing"]
)
def test_a_link_to_nothing_is_found(folder, lost):
    (folder / "a.html").write_text(f'{PAGE}<a href="{lost}">lost</a>')
    assert broken(read_links(folder)) == {("a.html", lost)}


def test_a_picture_that_is_missing_and_one_from_elsewhere_are_found(folder):
    strange = "https://example.org/p.png"
    (folder / "a.html").write_text(f'<img src="none.svg"><img src="{strange}">')
    assert broken(read_links(folder)) == {("a.html", "none.svg")}
    assert outside(read_links(folder)) == {strange}
