"""What Sphinx is to do. `course site` runs it, over what staging.py lays out."""

import json
import os
import re
from pathlib import Path
from typing import Any

from course.notebooks.formulas import formula

# What `course site` says: the course's folder, and where its notebooks open and its files are.
_GIVEN = json.loads(os.environ.get("COURSE_SITE", "{}"))
_ROOT, _LAUNCH, _FILES = (_GIVEN.get(key, "") for key in ("root", "launch", "files"))
_CLOSING = re.compile(r"[.,;:?)]+")
_HERE = Path(__file__).parent

project = html_title = "Custom autograd functions in PyTorch"
root_doc = "index"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
templates_path = ["templates"]
exclude_patterns = ["figures"]
nitpicky = False
default_role = "code"
highlight_language = "text"  # of a block that names none

nb_execution_mode = "off"
myst_enable_extensions = ["dollarmath", "attrs_block"]
myst_heading_anchors = 4
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
napoleon_use_rtype = False
napoleon_use_ivar = True  # attributes stand in a list, as parameters do

html_theme = "sphinx_book_theme"
html_static_path = [_GIVEN.get("static", "")]
html_css_files = ["look.css", "site.css"]
html_favicon = str(_HERE / "static/favicon.svg")
html_math_renderer = "mathml"
html_last_updated_fmt = None
html_show_sphinx = False
html_use_index = False
html_sidebars = {"**": ["site-name.html", "search-button-field.html", "sbt-sidebar-nav.html"]}
html_theme_options: dict[str, Any] = {
    "show_navbar_depth": 1,
    "navbar_persistent": [],
    "primary_sidebar_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "use_fullscreen_button": False,
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "secondary_sidebar_items": {"**": ["page-toc.html"], "index": [], "404": []},
    "footer_content_items": ["extra-footer.html"],
    "extra_footer": "<p>Text and code: MIT licence. Made with Sphinx, MyST-NB and the Sphinx Book "
    "Theme (BSD licences), icons of Font Awesome (CC BY 4.0) and the font STIX Two Math (OFL).</p>",
}


def _inline(writer: Any, node: Any) -> None:
    from docutils.nodes import SkipNode

    shown = f"{formula(node.astext())}{node.get('closing', '')}"
    writer.body.append(f'<span class="course-together">{shown}</span>')
    raise SkipNode


def _display(writer: Any, node: Any) -> None:
    from docutils.nodes import SkipNode

    shown = formula(node.astext(), is_display=True)
    writer.body.append(f'<div class="course-formula" tabindex="0">{shown}</div>\n')
    raise SkipNode


def _keep_together(app: Any, doctree: Any) -> None:
    """Hand a comma behind a formula to the formula: browsers leave it to the next line."""
    from docutils.nodes import Text, math

    for node in list(doctree.findall(math)):
        after = node.next_node(descend=False, siblings=True)
        if isinstance(after, Text) and (closing := _CLOSING.match(after)):
            node["closing"] = closing[0]
            after.parent.replace(after, Text(after[closing.end() :]))


def _lead_to_sources(app: Any, doctree: Any) -> None:
    """Lead to the repository if a page names a file of it; if none is known, show the words."""
    from docutils.nodes import inline, reference
    from sphinx.addnodes import pending_xref

    folder = (Path(_ROOT) / app.env.docname).parent
    for node in list(doctree.findall(pending_xref)):
        path = Path(os.path.normpath(folder / node["reftarget"].partition("#")[0]))
        if node["reftype"] == "myst" and path.is_file() and path.is_relative_to(_ROOT):
            address = _FILES + path.relative_to(_ROOT).as_posix()
            shown = reference(refuri=address) if _FILES else inline()
            shown += node.children[0].children if node.children else []
            node.replace_self(shown)


def _choose_buttons(app: Any, page: str, template: str, context: Any, doctree: Any) -> None:
    """Offer what a page is good for: a notebook to download and to run; nothing else has a file."""
    is_notebook = page.startswith(("notebooks/", "exercises/"))
    # The theme's menu also has ".pdf", which is none: it prints, as every browser does.
    context["header_buttons"] = []
    if is_notebook:
        context["header_buttons"].append(
            {
                "type": "link",
                "url": context["pathto"]("_sources/" + context["sourcename"], 1),
                "text": "Download",
                "tooltip": "Download this notebook",
                "icon": "fas fa-download",
                "label": "download-notebook",
            }
        )
    if _LAUNCH and is_notebook:
        context["header_buttons"].append(
            {
                "type": "link",
                "url": f"{_LAUNCH}{page.replace('/', '%2F')}.ipynb",
                "text": "Run on Binder",
                "tooltip": "Open this notebook on Binder, where it runs",
                "icon": "fas fa-rocket",
                "label": "launch-on-binder",
            }
        )


def _empty_corners(app: Any, page: str, template: str, context: Any, doctree: Any) -> None:
    """Make of a heading without words, as the corner of a table, a plain cell: it heads nothing."""
    context["body"] = context.get("body", "").replace('<th class="head"><p></p></th>', "<td></td>")


def _tune_the_search(app: Any, page: str, template: str, context: Any, doctree: Any) -> None:
    if page == "search":
        app.add_js_file("search.js", loading_method="defer")


def setup(app: Any) -> None:
    """Connect what stands above."""
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    app.connect("doctree-read", _keep_together)
    app.connect("doctree-read", _lead_to_sources)
    app.connect("html-page-context", _choose_buttons, priority=502)
    app.connect("html-page-context", _empty_corners)
    app.connect("html-page-context", _tune_the_search)
