"""A page that shows stored outputs as VS Code's notebook view does, and nothing of JupyterLab.

That view is one page for a notebook. It sets an output's HTML in, and then runs each script of it
anew, from the end of the output's element: https://github.com/microsoft/vscode, in
extensions/notebook-renderers. Text has the colours of the editor; nothing else is given.
"""

import html
import json
from pathlib import Path
from typing import Any

import nbformat

ORDER = ("text/html", "image/svg+xml", "image/png", "text/plain")  # the first one there is shown
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>body {{ margin: 12px; font: 13px sans-serif; color: {ink}; background: {paper} }}</style>
<body class="{kind}"><script>
window.troubles = [];
addEventListener('error', event => troubles.push(event.message));
for (const [id, markup] of {outputs}) {{
  const output = document.body.appendChild(document.createElement('div'));
  output.className = 'output';
  output.dataset.cell = id;
  output.innerHTML = markup;
  for (const old of [...output.querySelectorAll('script')]) {{
    const anew = document.createElement('script');
    if (old.type) anew.type = old.type;
    anew.text = old.innerText;
    output.appendChild(anew).remove();
  }}
}}
</script>"""
_COLOURS = {"light": ("#3b3b3b", "#ffffff"), "dark": ("#cccccc", "#1f1f1f")}


def shown(data: dict[str, Any]) -> tuple[str, str]:
    """Return the kind of an output that is shown, and it as HTML."""
    kind = next(kind for kind in ORDER if kind in data)
    text = data[kind]
    if kind == "text/plain":
        return kind, f"<pre>{html.escape(text)}</pre>"
    if kind == "image/png":
        return kind, f'<img src="data:image/png;base64,{text}">'
    return kind, text


def outputs(file: Path) -> list[tuple[str, dict[str, Any]]]:
    """Return each rich output of a stored notebook, below its cell's id."""
    cells = nbformat.read(file, as_version=4).cells
    found = [(cell.id, out) for cell in cells for out in cell.get("outputs", [])]
    return [(name, dict(out["data"])) for name, out in found if "data" in out]


def page(file: Path, theme: str) -> str:
    """Return the page for a notebook, in the colours of a theme, "light" or "dark"."""
    ink, paper = _COLOURS[theme]
    listed = json.dumps([(name, shown(data)[1]) for name, data in outputs(file)])
    listed = listed.replace("</", r"<\/")
    kind = f"vscode-{theme}"
    return _PAGE.format(title=file.stem, outputs=listed, ink=ink, paper=paper, kind=kind)
