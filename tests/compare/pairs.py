"""A page of the pairs that differ, for a reader who does not know which side is which."""

import json
import random
from pathlib import Path

import jinja2

from tests.compare.differences import Difference

MOST = 200
_PAGE = jinja2.Template(
    """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Pairs of reports</title>
<style>
body { font: 16px/1.4 sans-serif; margin: 2em }
pre { white-space: pre-wrap; border: 1px solid; padding: .5em; margin: 0 }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1em }
</style>
<h1>{{ pairs | length }} pairs of reports</h1>
<p>{{ of }} pairs differ. With which report would a reader find the mistake later, the left or the
right one? Other words alone are not worse.</p>
{% for pair in pairs %}
<h2>{{ loop.index }}. {{ pair.key }}</h2>
{% if pair.code %}
<details><summary>The answer</summary><pre>{{ pair.code }}</pre></details>
{% endif %}
<div class="pair"><pre>{{ pair.left }}</pre><pre>{{ pair.right }}</pre></div>
{% endfor %}
</html>
""",
    autoescape=True,
)


def write_pairs(found: list[Difference], code: dict[str, str], folder: Path) -> None:
    """Write `pairs.html`, at most 200 pairs drawn at random, and `key.json`, which tells the sides.

    Args:
        found: the cases that differ.
        code: the answer of each case, by key.
        folder: where both files go.
    """
    draw = random.SystemRandom()
    pairs, sides = [], {}
    for number, one in enumerate(draw.sample(found, min(MOST, len(found))), 1):
        order = draw.sample((0, 1), 2)
        left, right = (one.texts[side] for side in order)
        pairs.append({"key": one.key, "code": code.get(one.key), "left": left, "right": right})
        names = [("before", "after")[side] for side in order]
        sides[number] = {"case": one.key, "left": names[0], "right": names[1]}
    folder.mkdir(parents=True, exist_ok=True)
    page = _PAGE.render(pairs=pairs, of=len(found))
    (folder / "pairs.html").write_text(page, encoding="utf-8")
    (folder / "key.json").write_text(json.dumps(sides, indent=1, ensure_ascii=False), "utf-8")
