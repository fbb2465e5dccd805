"""What a page of Markdown names, as a reader meets it: on a forge, or as a notebook."""

import re
from pathlib import Path

from markdown_it import MarkdownIt

from tests.browser.site_links import Links
from tests.ours import ours

_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


def read_markdown(text: str, notebook: bool = False) -> Links:
    """Return the links, pictures and anchors of a page; a notebook's anchors keep their capitals.

    >>> read_markdown("# A *small* page, ours\\n[here](#there) ![](a.png)").links
    ['#there']
    >>> read_markdown("# A *small* page, ours").anchors
    {'a-small-page-ours'}
    >>> read_markdown("# A *small* page, ours", notebook=True).anchors
    {'A-small-page,-ours'}
    """
    parser = MarkdownIt().enable("table")
    text = _FRONT_MATTER.sub("", text)
    links = Links()
    links.feed(parser.render(text))
    tokens = parser.parse(text)
    headings = [tokens[i + 1] for i, token in enumerate(tokens) if token.type == "heading_open"]
    for heading in headings:
        words = "".join(part.content for part in heading.children or ())
        kept = words if notebook else re.sub(r"[^\w\- ]", "", words.lower())
        links.anchors.add(kept.replace(" ", "-"))
    return links


def read_pages(root: Path) -> dict[Path, Links]:
    """Return all pages of the course, each at the place from which its links are followed.

    A lesson is followed from its notebook, and is there before that is built.
    """
    pages = [*root.glob("*.md"), *root.glob(".github/*.md"), *root.glob("docs/*.md")]
    pages.append(root / "whygrad" / "README.md")
    found = {path: read_markdown(path.read_text(encoding="utf-8")) for path in pages}
    for path in [*ours((root / "lessons").glob("*.md")), root / "lessons" / "index.md"]:
        folder = "exercises" if path.stem.endswith(".exercise") else "notebooks"
        shown = root / folder / f"{path.name.partition('.')[0]}.ipynb"
        found[shown] = read_markdown(path.read_text(encoding="utf-8"), notebook=True)
    return found
