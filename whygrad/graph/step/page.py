"""Write a backward pass as HTML: a numbered list, which a script turns into a player."""

from html import escape
from importlib.resources import files

from whygrad.graph.step.listing import Entry, Listing, steps_left_out

_PAGE = """\
<div class="autograd-step">
<style>
{style}</style>
<p>{opening}</p>
<ol class="autograd-step-list" data-count="{count}">
{entries}
</ol>
{notes}<script type="image/svg+xml" class="autograd-step-picture">
{svg}
</script>
<script>
{script}</script>
</div>"""


def to_html(listing: Listing, svg: str | None, problem: str = "") -> str:
    """Write a listing and the picture of its graph as one self-contained piece of HTML.

    The list is there without the script, wherever scripts are taken out. So is the picture taken
    out there: it lies in a script element, because such places would leave its words behind.

    Args:
        listing: the words.
        svg: the picture, or None.
        problem: why there is no picture, or "".
    """
    notes = [*listing.notes, problem] if problem else listing.notes
    package = files("whygrad.graph.step")
    return _PAGE.format(
        style=package.joinpath("player.css").read_text("utf-8"),
        script=package.joinpath("player.js").read_text("utf-8"),
        count=f"{listing.count:,}",
        opening=escape(listing.opening),
        entries="\n".join(_entry(entry) for entry in listing.entries),
        notes="".join(f"<p>{escape(note)}</p>\n" for note in notes),
        svg=svg or "",
    )


def _entry(entry: Entry) -> str:
    about = {
        "value": entry.name,
        "data-node": entry.name,
        "data-goes-to": " ".join(entry.goes_to),
        "data-leaf": entry.leaf,
        "data-before": entry.before,
        "data-after": entry.after,
    }
    attributes = "".join(f' {key}="{escape(text)}"' for key, text in about.items() if text)
    left_out = f"<p>… {steps_left_out(entry.left_out)}</p>\n" if entry.left_out else ""
    lines = "".join(
        f"<dt>{escape(line.label)}</dt>" + "".join(f"<dd>{escape(row)}</dd>" for row in line.rows)
        for line in entry.lines
    )
    return (
        f"<li{attributes}>{left_out}<strong>{escape(entry.heading)}</strong><dl>{lines}</dl></li>"
    )
