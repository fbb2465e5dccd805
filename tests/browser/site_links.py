"""Links of a folder of pages: where they lead, and which of them lead nowhere."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADS = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}
_LOADS |= {("source", "srcset")}
_NO_LOADS = {"canonical", "next", "prev", "search", "index"}


@dataclass
class Links(HTMLParser):
    """What a page names.

    Attributes:
        anchors: the names of places on it.
        links: where its links lead, as they are written.
        loads: the addresses of what it shows.
        wordless: the addresses of pictures without words for those who do not see them.
    """

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    wordless: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element names."""
        given = {key: value or "" for key, value in attrs}
        self.anchors |= {given[key] for key in ("id", "name") if key in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif given.get("rel") not in _NO_LOADS:
            self.loads += [value for key, value in given.items() if (tag, key) in _LOADS]
        if tag == "img" and not given.get("alt", "").strip():
            self.wordless.append(given.get("src", ""))


def read_links(folder: Path) -> dict[Path, Links]:
    """Return what each page in a folder, and in its folders, names."""
    found = {}
    for path in sorted(folder.rglob("*.html")):
        if "_static" not in path.parts:
            found[path] = Links()
            found[path].feed(path.read_text(encoding="utf-8"))
    return found


def outside(pages: dict[Path, Links]) -> set[str]:
    """Return the addresses elsewhere from which a page shows something."""
    return {load for links in pages.values() for load in links.loads if urlsplit(load).netloc}


def broken(pages: dict[Path, Links]) -> set[tuple[str, str]]:
    """Return each page with a link, or something to show, that is not there, nor its anchor."""
    lost = set()
    for page, found in pages.items():
        for link in (*found.links, *found.loads):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link == "#":
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            is_there = target in pages or target.is_file()
            if is_there and parts.fragment and target in pages:
                is_there = unquote(parts.fragment) in pages[target].anchors
            if not is_there:
                lost.add((page.name, link))
    return lost
