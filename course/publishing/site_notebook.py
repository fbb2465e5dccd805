"""Make of a stored notebook one that Sphinx shows well: pictures with words, links that arrive."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from copy import deepcopy

from markupsafe import Markup
from nbformat import NotebookNode

from whygrad.look import in_the_dark

SVG, HTML, TEXT = "image/svg+xml", "text/html", "text/plain"
_IMAGE = re.compile(r"^!\[([^\]]*)\]\((?:[^\s)]*/)?(\w+\.svg)\)$", re.MULTILINE)
_DESC = "{http://www.w3.org/2000/svg}desc"
_ANCHOR = re.compile(r"\]\(([^)\s#:]*)#([^)\s]+)\)")
_FIGURE = Markup("""\
<figure class="course-figure">
<div tabindex="0" role="group" aria-label="{title}">
<img class="only-light" src="{path}" alt="{title}"{size} loading="lazy">
<img class="only-dark" src="{dark}" alt="{title}"{size} loading="lazy">
</div>
<details><summary>The picture in words</summary><pre tabindex="0">{words}</pre></details>
</figure>
""")
_PICTURE = re.compile(
    r'<picture>\s*<source [^>]*srcset="([^"]+)">\s*<img src="([^"]+)"([^>]*)>\s*</picture>'
)
_SIZE = re.compile(r'<svg[^>]* width="([\d.]+)pt" height="([\d.]+)pt"')
_PIXELS_PER_POINT = 96 / 72


def figures(notebook: NotebookNode, name: str) -> dict[str, str]:
    """Return the pictures that the cells of a notebook show, by their file names."""
    return {path: output.data[SVG] for output, path in _pictures(notebook, name)}


def in_both_themes(pictures: Mapping[str, str]) -> dict[str, str]:
    """Return SVGs by their file names, and each once more in the colours for dark pages."""
    return dict(pictures) | {_dark(name): in_the_dark(svg) for name, svg in pictures.items()}


def first_player(notebook: NotebookNode) -> str:
    """Return the HTML of the first backward pass to step through; "" if there is none."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", ()))
    pages = (output.get("data", {}).get(HTML, "") for output in outputs)
    return next((page for page in pages if 'class="autograd-step"' in page), "")


def site_notebook(notebook: NotebookNode, name: str, folder: str) -> NotebookNode:
    """Return a notebook as the site shows it; the given one stays as it is.

    Args:
        notebook: a stored notebook.
        name: such as "05_square"; its pictures are named after it.
        folder: where the pictures are, as its page names it.
    """
    shown = deepcopy(notebook)
    for output, path in list(_pictures(shown, name)):
        words = output.data[TEXT]
        title = words.split("\n", 1)[0].rstrip(".")
        output.data = NotebookNode({HTML: _figure(output.data[SVG], title, words, folder, path)})
    for cell in shown.cells:
        if cell.cell_type == "markdown":
            cell.source = with_anchors_of_the_site(cell.source)
    return shown


def with_figures(text: str, pictures: Mapping[str, str], folder: str) -> str:
    """Return Markdown whose pictures are figures, with their words.

    Args:
        text: Markdown.
        pictures: SVGs that say in a description what they show, by their file names.
        folder: where they are, as the page names it.
    """

    def figure(found: re.Match) -> str:
        title, name = found.groups()
        if name not in pictures:
            return found[0]
        words = ElementTree.fromstring(pictures[name]).findtext(_DESC)
        return _figure(pictures[name], title, words, folder, name)

    return _IMAGE.sub(figure, text)


def with_screenshots(text: str, folder: str) -> str:
    """Return Markdown whose screenshots follow the theme of the page, not that of the system.

    Args:
        text: Markdown; a screenshot is a `<picture>` with a `<source>` for dark systems.
        folder: where they are, as the page names it.
    """
    return _PICTURE.sub(
        rf'<img class="only-light" src="{folder}/\2"\3>\n'
        rf'<img class="only-dark" src="{folder}/\1"\3>',
        text,
    )


def with_anchors_of_the_site(text: str) -> str:
    """Return Markdown whose links name headings as the site and forges do, in small letters.

    >>> with_anchors_of_the_site("the [cell](#Your-progress)")
    'the [cell](#your-progress)'
    """
    return _ANCHOR.sub(lambda link: f"]({link[1]}#{link[2].lower()})", text)


def _pictures(notebook: NotebookNode, name: str) -> Iterator[tuple[NotebookNode, str]]:
    for cell in notebook.cells:
        shown = [output for output in cell.get("outputs", ()) if SVG in output.get("data", {})]
        for place, output in enumerate(shown):
            more = f"-{place + 1}" if place else ""
            yield output, f"{name}-{cell.id}{more}.svg"


def _figure(svg: str, title: str, words: str, folder: str, name: str) -> str:
    size = _SIZE.match(svg.lstrip())
    pixels = [round(float(number) * _PIXELS_PER_POINT) for number in size.groups()] if size else []
    said = Markup(' width="{}" height="{}"').format(*pixels) if pixels else ""
    paths = {"path": f"{folder}/{name}", "dark": f"{folder}/{_dark(name)}"}
    return str(_FIGURE.format(title=title, size=said, words=words, **paths))


def _dark(name: str) -> str:
    return f"{name.removesuffix('.svg')}-dark.svg"
