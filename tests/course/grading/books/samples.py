"""Make results of grading without grading, and read pages."""

import re
from html import unescape

from course.grading.results import Result, TaskResult

EVIL = "</pre></title></style><script>alert(1)</script><img src=x onerror=alert(2)>\"'&"


def task(name: str = "5.1", points: float = 3, status: str = "passed", **more) -> TaskResult:
    """Return what became of one task."""
    diagnosis = more.pop("diagnosis", "ok" if status == "passed" else "")
    about = {"task": name, "title": f"Title of {name}", "points": points, "max_points": 3}
    return TaskResult(status, diagnosis, **about | more)


def result(student: str = "Ada", exercise: str = "05_square", *tasks: TaskResult, **more) -> Result:
    """Return what became of one submission; of one passed task if none is named."""
    return Result(student, exercise, "", 5, tasks or (task(),), **more)


def text(page: str) -> str:
    """Return the words of a page."""
    return " ".join(unescape(re.sub("<style>.*</style>|<[^>]*>", "", page, flags=re.S)).split())


def is_harmless(page: str) -> bool:
    """Return whether nothing in a page runs or comes from elsewhere, and all can be written."""
    page.encode()
    runs = r"<(script|img|iframe|form|link)|<[^>]*\son\w+="
    asks = "https?:|@import|[\x00-\x08\x0b-\x1f\u202e]"
    closed = page.count("</style>") + page.count("</title>")
    tags = re.sub('"[^"]*"', "", page)
    return closed == 2 and not re.search(runs, tags) and not re.search(asks, page)
