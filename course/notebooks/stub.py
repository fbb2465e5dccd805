"""Cut the exercise that a student gets out of the solved one."""

import json
from typing import Any

from course.notebooks.exercise_name import Exercise
from course.notebooks.roles import metadata, role
from course.notebooks.student_notebook import given_code, read_given


def fresh(exercise: Exercise) -> str:
    """Return an exercise as it is given, as its file holds it.

    Raises:
        UnreadableNotebookError: the solution, or a release's stub, is missing or damaged.
        BuildError: the marks of the solution are not in order.
    """
    path = exercise.stub if exercise.stub.exists() else exercise.solution
    read_given(path)
    notebook: dict[str, Any] = json.loads(path.read_bytes())
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            code = given_code(cell, path).splitlines(keepends=True)
            cell.update(source=code, outputs=[], execution_count=None)
            cell["metadata"].update(metadata(cell["id"], role(cell["id"])))  # worth no points
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
