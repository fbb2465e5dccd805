"""One player of a backward pass on a page: what it shows, and the colours of its words."""

from dataclasses import dataclass
from typing import Any

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.browser.picture_text import ratio

PLAYER = ".autograd-step-player"
_STATE = """
const [player] = arguments;
const texts = selector => Array.from(player.querySelectorAll(selector), e => e.textContent);
const marked = kind => Array.from(
  player.querySelectorAll(`svg g.autograd-step-${kind} > title`), e => e.textContent);
const now = player.querySelector('svg .autograd-step-now > ellipse');
return {
  where: texts('[aria-live=polite] p')[0],
  heading: texts('strong')[0],
  rows: texts('dd'),
  grads: Array.from(player.querySelectorAll('tr'), row =>
    Array.from(row.cells, cell => cell.textContent)),
  now: marked('now'), way: marked('way'), done: marked('done'),
  border: now && getComputedStyle(now).strokeWidth,
  ends: Array.from(player.querySelectorAll('button'), b => b.getAttribute('aria-disabled')),
};
"""
_COLOURS = """
const [player] = arguments;
const colour = text => {
  const [red, green, blue, alpha = 1] = text.match(/[0-9.]+/g).map(Number);
  return [red, green, blue, alpha];
};
const over = (below, [red, green, blue, alpha]) =>
  [red, green, blue].map((value, i) => value * alpha + below[i] * (1 - alpha));
const ground = element => {
  const style = getComputedStyle(element).backgroundColor;
  const below = element.parentElement ? ground(element.parentElement) : [255, 255, 255];
  return over(below, colour(style));
};
const words = 'p, strong, dt, dd, caption, th, td, button, a, span, li, code, summary, h1, h2, h3';
return Array.from(player.querySelectorAll(words))
  .filter(element => element.textContent && element.checkVisibility())
  .map(element => [element.textContent,
    over(ground(element), colour(getComputedStyle(element).color)), ground(element)]);
"""


@dataclass(frozen=True)
class State:
    """What a player shows.

    Attributes:
        where, heading, rows: the step's number, its function, and what came in and went out.
        grads: the rows of the table: a leaf, and what its `.grad` holds.
        now, way, done: names of the marked parts of the picture.
        border: how wide the current function's outline is.
        ends: for each button whether it leads nowhere.
    """

    where: str
    heading: str
    rows: list[str]
    grads: list[list[str]]
    now: list[str]
    way: list[str]
    done: list[str]
    border: str
    ends: list[str]


def players(chrome: Chrome) -> list[WebElement]:
    """Return every player on the page."""
    return chrome.find_elements(By.CSS_SELECTOR, PLAYER)


def state(chrome: Chrome, player: WebElement) -> State:
    """Read what a player shows."""
    return State(**chrome.execute_script(_STATE, player))


def button(player: WebElement, name: str) -> WebElement:
    """Return a player's button."""
    return player.find_element(By.XPATH, f".//button[normalize-space()='{name}']")


def contrasts(chrome: Chrome, player: WebElement) -> dict[str, float]:
    """Return the contrast of every piece of text in a player, or on a page, outside pictures."""
    found: list[Any] = chrome.execute_script(_COLOURS, player)
    return {text: ratio(ink, ground) for text, ink, ground in found}
