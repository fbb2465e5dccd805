"""Draw how a class did: the points of each task, and the most common mistakes."""

from course.grading.books.charts import bar, figure, key
from course.grading.books.html_page import prose, text
from course.grading.books.spreadsheet import number
from course.grading.books.status_words import WORDS
from course.grading.books.tally import Spread, mistakes, spreads
from course.grading.results import Result
from whygrad.mistakes import MISTAKES


def spread_figure(exercise: str, results: list[Result]) -> str:
    """Return how the points of an exercise's tasks are spread."""
    found = spreads(results)
    if not found:
        return ""
    most = max(one.graded + one.missing + one.ungraded for one in found)
    keys = [key("full", "all points"), key("part", "some"), key("none", "0 points")]
    legend = f'<p class="keys soft">{" ".join(keys)} the rest: nothing handed in, or not graded</p>'
    heads = [
        ("Task", ""),
        (f"Submissions, 0 to {most}", "plot"),
        ("How many got how many points", ""),
        ("Mean", "number"),
        ("Not handed in", "number"),
    ]
    rows = [_spread_row(one, most) for one in found]
    return figure(f"Points in {text(exercise)}{legend}", heads, rows)


def _spread_row(one: Spread, most: int) -> list[str]:
    full = one.between(one.max_points, float("inf"))
    nothing = one.between(-1.0, 1e-9)
    parts = [(full, "full"), (one.graded - full - nothing, "part"), (nothing, "none")]
    said = [f"{number(points)} points: {count}" for points, count in one.counts]
    if one.ungraded:
        said.append(f"not graded: {one.ungraded}")
    mean = "–" if one.mean is None else f"{one.mean:.2f} of {number(one.max_points)}"
    name = f"{text(one.task)} {prose(one.title)}"
    return [name, bar(parts, most), _unbroken(said), mean, str(one.missing)]


def _unbroken(said: list[str]) -> str:
    return "<br>".join(text(words).replace(" ", "&nbsp;") for words in said) or "–"


def mistakes_figure(where: str, results: list[Result], shown: int = 12) -> str:
    """Return the mistakes that were made most often, `shown` of them as bars."""
    found = mistakes(results)
    if not found:
        return f"<p>No mistakes in {text(where)}.</p>"
    most = found[0][1]
    rows = [
        [_name(name), bar([(count, "full")], most), str(count), _sentence(name)]
        for name, count in found[:shown]
    ]
    heads = [("Mistake", ""), (f"Tasks, 0 to {most}", "plot"), ("Tasks", "number"), ("What", "")]
    drawn = figure(f"Mistakes in {text(where)}", heads, rows)
    left = found[shown:]
    if left:
        named = ", ".join(f"{name} {count}" for name, count in left)
        drawn += f'\n<p class="soft">Less common: {text(named, 1500)}</p>'
    return drawn


def _name(name: str) -> str:
    return text(name) if name in WORDS else f"<code>{text(name)}</code>"


def _sentence(name: str) -> str:
    if name == "method":
        return "The answer does not keep to the method that the task asks for."
    known = MISTAKES.get(name)
    return prose(known.about()) if known else text(WORDS.get(name, ""))
