"""Write a page that needs nothing but itself: no network, no script, light and dark."""

import re
import unicodedata
from html import escape

_CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
{body}
</body>
</html>
"""
_STYLE = """\
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --page: #ffffff;
  --panel: #f5f6f8; --edge: #d0d5db; --link: #0b57a4; --good: #1a6e34; --bad: #b3261e;
  --open: #7a4d00; --full: #2f6fb3; --part: #b36b00; --none: #8b95a1; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e7eb; --soft: #a3adb8; --page: #15181c;
  --panel: #1f2328; --edge: #3d444d; --link: #7fb8ff; --good: #62c97f; --bad: #ff8a80;
  --open: #e8b04c; --full: #6ea8e6; --part: #e0a03c; --none: #78828d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1.25rem 4rem; background: var(--page);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2.25rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p, ul { margin: .5rem 0; } ul { padding-left: 1.4rem; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px; }
code, pre { font: .9em/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { background: var(--panel); border: 1px solid var(--edge); border-radius: 6px; margin: .5rem 0;
  overflow-x: auto; overflow-wrap: normal; padding: .75rem 1rem; tab-size: 4; }
summary { cursor: pointer; padding: .2rem 0; }
.soft { color: var(--soft); }
.good { color: var(--good); } .bad { color: var(--bad); } .open { color: var(--open); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; overflow-wrap: break-word; }
th, td { border-bottom: 1px solid var(--edge); padding: .3rem 1rem .3rem 0; text-align: left;
  vertical-align: top; }
td.number, th.number { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
"""


def page(title: str, body: str, style: str = "") -> str:
    """Return a whole page.

    Args:
        title: as text.
        body: as HTML.
        style: rules of this kind of page.
    """
    return _PAGE.format(
        csp=escape(_CSP), title=text(title), style=_STYLE + style, body=body.strip()
    )


def text(words: object, most: int = 300) -> str:
    """Return words as HTML, on one line, with all characters to be seen, cut to a length."""
    line = " ".join(_visible(_ANSI.sub("", str(words)[: 4 * most])).split())
    return escape(line if len(line) <= most else line[: most - 2].rstrip() + " …")


def prose(words: str, most: int = 1500) -> str:
    """Return sentences as HTML; what stands between backticks becomes code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text(words, most))


def code(source: str, most: int = 40_000) -> str:
    """Return a program as HTML, each line as it is."""
    lines = source[:most].replace("\r\n", "\n").split("\n")
    if len(source) > most:
        lines.append(f"… cut here: {len(source) - most} more characters")
    return f"<pre><code>{escape(chr(10).join(map(_visible, lines)))}</code></pre>"


_ANSI = re.compile(r"\x1b\[[0-9;]*m")  # colours of a terminal
_JOINERS = "\u200c\u200d"  # names and signs of many scripts need them


def _visible(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(letter if _is_visible(letter) else "\ufffd" for letter in line)


def _is_visible(letter: str) -> bool:
    return (
        letter.isprintable()
        or letter in _JOINERS
        or (letter.isspace() and letter in "\t\n\r")
        or unicodedata.category(letter) == "Zs"
    )
