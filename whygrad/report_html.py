"""Write a diagnosis as HTML that holds in JupyterLab and in a plain page, light and dark."""

import base64
import html
import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from jinja2.filters import do_mark_safe

from whygrad import look
from whygrad.lines.table import LineTable
from whygrad.report import (
    ALSO,
    NOTHING,
    OPEN,
    REMARKS,
    all_explained,
    clean,
    examined_lines,
    heading,
    lines,
    mark,
    opening,
    printable,
)
from whygrad.verdict import ReportData

_COLUMNS = {"where": "Where", "yours": "Yours", "expected": "Expected"}


def as_html(diagnosis: ReportData) -> str:
    """Write a diagnosis as one piece of HTML, with the pictures in it."""
    shown, more = lines(diagnosis.verdict)
    said = all_explained(diagnosis.verdict, diagnosis.mistakes)
    return template(Path(__file__).with_name("report.html.jinja")).render(
        state="right" if diagnosis.ok else "open" if diagnosis.name in OPEN else "wrong",
        heading=heading(diagnosis),
        lines=shown,
        more=more,
        columns={
            key: title
            for key, title in _COLUMNS.items()
            if any(getattr(line, key) or (key == "where" and line.given) for line in shown)
        },
        mark=mark,
        fitting=said.findings,
        more_groups=[(ALSO, said.others), (REMARKS, said.remarks)],
        opening=opening,
        nothing=NOTHING,
        table=diagnosis.verdict.table,
        examined=examined_lines(diagnosis.verdict),
        pictures=[_picture(caption, figure) for caption, figure in diagnosis.pictures],
    )


def lines_as_html(table: LineTable) -> str:
    """Write what each line ran as a piece of HTML by itself, folded."""
    return template(Path(__file__).with_name("lines.html.jinja")).render(table=table)


@cache
def template(path: Path) -> Template:
    """Load a template whose values are escaped, as `html.escape` does it."""
    environment = Environment(
        autoescape=True,
        finalize=_escaped,
        loader=FileSystemLoader(path.parent),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {"with_code": _with_code, "printable": printable}
    environment.globals["look"] = look
    return environment.get_template(path.name)


def _escaped(value: Any) -> str:
    # jinja2 alone would write quotes in another way than the stored notebooks have them.
    return value if hasattr(value, "__html__") else do_mark_safe(html.escape(str(value)))


def _with_code(text: str) -> str:
    """Show what stands between backticks as code."""
    return do_mark_safe(re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(printable(text))))


def _picture(caption: str, figure: Any) -> dict[str, str | None]:
    words = "\n".join(map(printable, figure.text.splitlines()))
    return {"caption": clean(caption), "words": words, "source": _source(figure)}


def _source(figure: Any) -> str | None:
    if figure.svg is not None:
        svg = base64.b64encode(figure.svg.encode(errors="replace")).decode()
        return f"data:image/svg+xml;base64,{svg}"
    return None
