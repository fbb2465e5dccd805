"""Write formulas as MathML, which browsers show without a script and without a network."""

import re
from html import unescape
from itertools import pairwise
from xml.etree import ElementTree

from latex2mathml.converter import convert_to_element
from markupsafe import Markup, escape

_NO_PART = {"href", "style", "class", "id"}  # that TeX can ask for, and no formula needs
_NAME = "monospace"  # `\mathtt`, by which the course writes names such as grad_x
_HEIGHT = re.compile(r"(?<=\\\\)\[[^\]]*\]")  # of a row, after the double backslash that ends it
_PRIMES = {"′", "″", "‴"}
_THIN = "0.1667em"
_SIGNS = {"+", "−", "-"}
_ENDS = {")", "]", "}", "|", "‖", "!", "′", "″", "‴"}  # a sign after these stands between two terms


def formula(tex: str, is_display: bool = False) -> Markup:
    """Return a formula as MathML; as TeX, in code style, where it cannot be written so.

    Args:
        tex: the formula, without its dollar signs.
        is_display: whether it stands on a line of its own.
    """
    try:
        root = convert_to_element(_HEIGHT.sub("", tex), display="block" if is_display else "inline")
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
        if element.tag == "mtext":
            element.text = element.text.replace("\\_", "_")
        elif element.text.startswith("\\"):
            raise ValueError(f"{element.text} is no command that is known")
    for element in list(root.iter()):
        _join_names(element)
        _stand_primes(element)
    for row in list(root.iter()):
        if row.tag in ("mrow", "mtd", "mstyle", "math"):
            _space_functions(row)
            _join_signs(row)


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


def _stand_primes(parent: ElementTree.Element) -> None:
    """Set primes beside their letter: raised by themselves, as exponents they come out tiny."""
    for place, child in enumerate(parent):
        if child.tag not in ("msup", "msubsup") or child[-1].text not in _PRIMES:
            continue
        *base, primes = child
        if len(base) == 2:
            below = ElementTree.Element("msub")
            below.extend(base)
            base = [below]
        row = ElementTree.Element("mrow")
        prime = ElementTree.Element("mo", {"lspace": "0", "rspace": "0"})
        prime.text = primes.text
        row.extend([*base, prime])
        _stand_primes(row)
        parent[place] = row


def _space_functions(row: ElementTree.Element) -> None:
    """Set a thin space between a function such as sinh and the letters beside it, as TeX does."""
    for child in row:
        if child.tag == "mo" and _is_word(child):
            child.tag = "mi"  # an operator has wide spaces on both sides
    spaced = list(row[:1])
    for left, right in pairwise(row):
        if _is_space_due(left, right):
            spaced.append(ElementTree.Element("mspace", {"width": _THIN}))
        spaced.append(right)
    row[:] = spaced


def _join_signs(row: ElementTree.Element) -> None:
    """Set the sign of a number beside it where another operator stands in front, as in x = −3."""
    for left, right in pairwise(row):
        is_sign = right.tag == "mo" and right.text in _SIGNS
        if is_sign and left.tag == "mo" and left.text not in _ENDS:
            right.set("form", "prefix")


def _is_space_due(left: ElementTree.Element, right: ElementTree.Element) -> bool:
    if "mo" in (left.tag, right.tag) or "mspace" in (left.tag, right.tag):
        return False
    return _is_word(left) or _is_word(right)


def _is_word(element: ElementTree.Element) -> bool:
    """Tell whether this is the name of a function, or one with an exponent or an index."""
    while element.tag in ("msup", "msub", "msubsup", "munder"):
        element = element[0]
    text = element.text or ""
    return element.tag in ("mi", "mo") and len(text) > 1 and text.isalpha()
