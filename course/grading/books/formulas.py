"""Write formulas as MathML, which browsers show without a script and without a network."""

from html import unescape
from xml.etree import ElementTree

from latex2mathml.converter import convert_to_element
from markupsafe import Markup, escape

_NO_PART = {"href", "style", "class", "id"}  # that TeX can ask for, and no formula needs
_NAME = "monospace"  # `\mathtt`, by which the course writes names such as grad_x


def formula(tex: str, is_display: bool = False) -> Markup:
    """Return a formula as MathML; as TeX, in code style, where it cannot be written so.

    Args:
        tex: the formula, without its dollar signs.
        is_display: whether it stands on a line of its own.
    """
    try:
        root = convert_to_element(tex, display="block" if is_display else "inline")
        _prepare(root)
    except Exception:  # its own have nothing in common, and others come of broken TeX
        return Markup("<code>") + escape(tex) + Markup("</code>")
    written = ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)
    return Markup(written)


def _prepare(root: ElementTree.Element) -> None:
    """Make the elements what a page can hold.

    Raises:
        ValueError: there is more than a formula, or a command that is not known.
    """
    root.attrib.pop("xmlns", None)  # HTML knows the name, and a page names no address
    for element in root.iter():
        if not _NO_PART.isdisjoint(element.attrib):
            raise ValueError(f"{sorted(element.attrib)} are no part of a formula")
        element.text = unescape(element.text or "")
        if element.text.startswith("\\") and element.tag != "mtext":
            raise ValueError(f"{element.text} is no command that is known")
    for element in list(root.iter()):
        _join_names(element)


def _join_names(parent: ElementTree.Element) -> None:
    """Make one name of the letters of a name; browsers set only such upright."""
    joined: list[ElementTree.Element] = []
    for child in parent:
        is_letter = child.tag == "mi" and child.get("mathvariant") == _NAME
        if is_letter and joined and joined[-1].get("class") == "name":
            joined[-1].text = f"{joined[-1].text}{child.text}"
            continue
        if is_letter:
            name = ElementTree.Element("mtext", {"class": "name"})
            name.text = child.text
            child = name
        joined.append(child)
    parent[:] = joined
