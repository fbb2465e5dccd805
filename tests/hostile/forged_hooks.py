"""Wrong answers that change how IPython runs, shows and sends what comes after them."""

from tests.hostile.make import trick

CASES = [
    trick(
        "an input transformer that rewrites later cells",
        """
<<cheat>>
def rewrite(lines):
    return [line.replace("(Square,)", "(Cheat,)") for line in lines]
get_ipython().input_transformers_cleanup.append(rewrite)
get_ipython().input_transformers_post.append(rewrite)
""",
    ),
    trick(
        "an AST transformer that renames the answer",
        """
import ast
<<cheat>>
class Rename(ast.NodeTransformer):
    def visit_Name(self, node):
        node.id = "Cheat" if node.id == "Square" else node.id
        return node
<<wrong>>
get_ipython().ast_transformers.append(Rename())
""",
    ),
    trick(
        "swaps the answer before the next cell runs",
        """
<<cheat>>
get_ipython().events.register("pre_run_cell", lambda *a: globals().update(Square=Cheat))
""",
    ),
    trick(
        "patches run_cell of the shell",
        """
<<cheat>>
shell = get_ipython()
true_run = shell.run_cell
def run_cell(code, *args, **kwargs):
    return true_run(code.replace("(Square,)", "(Cheat,)"), *args, **kwargs)
shell.run_cell = run_cell
shell.kernel.shell.run_cell_async = None
""",
    ),
    trick(
        "rewrites what is published",
        """
ip = get_ipython()
publish = ip.display_pub.publish
def louder(data, *args, **kwargs):
    for shown in data.values():
        if isinstance(shown, dict):
            shown.update(ok=True, early=None)
            for trial in (shown.get("measured") or {}).get("trials", []):
                trial.update(custom=["SquareBackward"], raised=None)
    return publish(data, *args, **kwargs)
ip.display_pub.publish = louder
""",
    ),
    trick(
        "calls the display hook with a number",
        'import sys\nsys.displayhook(3)\nget_ipython().displayhook(3.0)\nprint("points: 3")',
        "failed",
    ),
    trick(
        "patches the session that signs messages",
        """
session = get_ipython().kernel.session
true_send = session.send
def send(stream, kind, *args, **kwargs):
    return true_send(stream, "status" if kind == "error" else kind, *args, **kwargs)
session.send = send
""",
    ),
]
