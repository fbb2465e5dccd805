"""Links of a page to files that are no pages, as Sphinx writes them."""

import json
import os
import subprocess
import sys

import pytest

from course.checkout import PACKAGE_ROOT
from course.publishing.staging import HERE

pytestmark = [pytest.mark.slow, pytest.mark.proof]  # needs Sphinx, which `make proof` installs
TEXT = "# A\n\nSee [the licence](../LICENSE), [its text](../LICENSE#x)"


@pytest.fixture
def build(tmp_path):
    """Give what builds a page of docs/, and returns the status, the page, and what was said."""

    def build(text: str, files: str) -> tuple[int, str, str]:
        pages, out = tmp_path / "pages", tmp_path / "out"
        (pages / "docs").mkdir(parents=True)
        (pages / "index.md").write_text("# I\n\n```{toctree}\ndocs/a\n```\n")
        (pages / "docs/a.md").write_text(text)
        (tmp_path / "static").mkdir()
        given = {"root": str(PACKAGE_ROOT), "files": files, "static": str(tmp_path / "static")}
        result = subprocess.run(
            [sys.executable, "-m", "sphinx", "-q", "-W", "-c", str(HERE), str(pages), str(out)],
            env={
                **os.environ,
                "COURSE_SITE": json.dumps(given),
                "PYTHONPATH": str(PACKAGE_ROOT / ".build/sphinx"),
            },
            capture_output=True,
            text=True,
        )
        page = out / "docs/a.html"
        return result.returncode, page.read_text("utf-8") if page.exists() else "", result.stderr

    return build


def test_a_file_that_is_no_page_is_shown_by_the_forge(build):
    status, page, said = build(TEXT, "https://github.com/ada/course/blob/HEAD/")
    assert status == 0, said
    assert 'href="https://github.com/ada/course/blob/HEAD/LICENSE">the licence</a>' in page


def test_where_no_forge_is_known_its_words_stand_there(build):
    status, page, said = build(TEXT, "")
    assert status == 0, said
    assert "the licence" in page
    assert "LICENSE" not in page


def test_a_file_that_is_not_there_fails_the_build(build):
    status, _, said = build("# A\n\n[lost](../LOST)\n", "")
    assert status != 0
    assert "LOST" in said


def test_the_empty_corner_of_a_table_is_no_heading(build):
    status, page, said = build("# A\n\n|   | size |\n|---|------|\n| x | 2 |\n", "")
    assert status == 0, said
    assert "<td></td>" in page
    assert page.count("<th ") == 1
