"""Make results of grading without grading."""

from course.grading.results import Result, TaskResult


def task(name: str = "5.1", points: float = 3, status: str = "passed", **more) -> TaskResult:
    """Return what became of one task."""
    diagnosis = more.pop("diagnosis", "ok" if status == "passed" else "")
    worth = more.pop("max_points", 3)
    return TaskResult(name, f"Title of {name}", points, worth, status, diagnosis, **more)


def result(student: str = "Ada", exercise: str = "05_square", *tasks: TaskResult, **more) -> Result:
    """Return what became of one submission; of one passed task if none is named."""
    return Result(student, exercise, "", 5, tasks or (task(),), **more)
