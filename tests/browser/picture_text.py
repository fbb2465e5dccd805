"""Measure the text in an SVG picture: its contrast with what it lies on, and its place."""

from collections.abc import Sequence
from dataclasses import dataclass

from selenium.webdriver import Chrome

# Fills the window with the picture, alone, then looks at what each text lies on.
_MEASURE = """
const [svg, page] = arguments;
document.body.innerHTML = svg;
const root = document.querySelector('svg');
root.style.cssText = 'position: fixed; left: 0; top: 0; width: 100vw; height: 100vh';

function paint(element) {
  const style = getComputedStyle(element);
  const [red, green, blue, alpha = 1] = style.fill.match(/[0-9.]+/g).map(Number);
  let opacity = alpha * style.fillOpacity;
  for (let at = element; at !== root; at = at.parentElement) {
    opacity *= getComputedStyle(at).opacity;
  }
  return {colour: [red, green, blue], opacity};
}

function over(below, {colour, opacity}) {
  return below.map((value, i) => value * (1 - opacity) + colour[i] * opacity);
}

function beneath(text, x, y) {
  const filled = document.elementsFromPoint(x, y).filter(element =>
    element instanceof SVGGeometryElement && !text.contains(element)
    && getComputedStyle(element).fill !== 'none');
  return filled.reverse().map(paint).reduce(over, page);
}

// Graphviz writes text as text. Matplotlib writes glyphs, in a group after a comment with the text.
const texts = [...root.querySelectorAll('text, g[id^="text_"]')];
return texts.map(text => {
  const comment = [...text.childNodes].find(node => node.nodeType === Node.COMMENT_NODE);
  const ink = text.querySelector('use, tspan') ?? text;
  const box = text.getBoundingClientRect();
  const y = box.top + box.height / 2;
  const corners = [[box.left, box.top], [box.right, box.bottom]].map(([x, y]) => {
    const {x: left, y: top} = new DOMPoint(x, y).matrixTransform(root.getScreenCTM().inverse());
    return [left - root.viewBox.baseVal.x, top - root.viewBox.baseVal.y];
  });
  const grounds = [0.1, 0.5, 0.9].map(part => beneath(text, box.left + part * box.width, y));
  return {
    text: (comment?.nodeValue ?? text.textContent).trim(),
    box: corners.flat(),
    size: [root.viewBox.baseVal.width, root.viewBox.baseVal.height],
    pairs: grounds.map(ground => [over(ground, paint(ink)), ground]),
  };
}).filter(({text}) => text);
"""


@dataclass(frozen=True)
class Text:
    """A piece of text in a picture.

    Attributes:
        text: what it says.
        contrast: the least ratio of its colour and what it lies on, from 1 to 21.
        box: its left, top, right and bottom, in the picture's own units.
        size: the picture's width and height.
    """

    text: str
    contrast: float
    box: tuple[float, float, float, float]
    size: tuple[float, float]

    def is_whole(self) -> bool:
        """Tell whether all of it lies inside the picture."""
        left, top, right, bottom = self.box
        return 0 <= left < right <= self.size[0] and 0 <= top < bottom <= self.size[1]

    def overlaps(self, other: "Text") -> bool:
        """Tell whether it lies on another text; lines of one label come closer than that."""
        wide = min(self.box[2], other.box[2]) - max(self.box[0], other.box[0])
        high = min(self.box[3], other.box[3]) - max(self.box[1], other.box[1])
        height = min(self.box[3] - self.box[1], other.box[3] - other.box[1])
        return wide > 0 and high > 0.3 * height


def measure(chrome: Chrome, svg: str, page: Sequence[int]) -> list[Text]:
    """Return every text of an SVG document, shown on a page of the given colour (0 to 255)."""
    chrome.get("about:blank")
    return [
        Text(
            text=found["text"],
            contrast=min(ratio(*pair) for pair in found["pairs"]),
            box=tuple(found["box"]),
            size=tuple(found["size"]),
        )
        for found in chrome.execute_script(_MEASURE, svg, list(page))
    ]


def ratio(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the contrast ratio of two colours, red, green and blue from 0 to 255.

    Source: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
    """
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: Sequence[float]) -> float:
    """Return the relative luminance of a colour, from 0 for black to 1 for white."""
    values = [value / 255 for value in colour]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]
    return sum(weight * v for weight, v in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
