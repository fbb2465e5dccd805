"""A local page on which an instructor answers questions; it writes the same overrides.csv.

It listens on this machine alone, and serves nobody who does not know the token in its address.
"""

import csv
import io
import json
import secrets
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

from course.grading.books.gradebook import TableError
from course.grading.books.overrides import COLUMNS, read_overrides
from course.grading.books.questions import KINDS, Question
from course.grading.books.rendering import render
from course.grading.report_folder import ReportError, ReportFolder, unwritable
from course.grading.results import from_json
from course.notebooks.write import write_whole

FILE = "questions.json"
_MOST = 100_000  # bytes of a form


def write_questions(folder: ReportFolder, questions: list[Question]) -> None:
    """Keep questions for the page.

    Raises:
        ReportError: they cannot be written.
    """
    folder.write(FILE, json.dumps([asdict(one) for one in questions], indent=1) + "\n")


def read_questions(report: Path) -> list[Question]:
    """Return the questions of a report that a line can answer.

    Raises:
        ReportError: there is no report, or a damaged one.
    """
    try:
        data = json.loads((report / FILE).read_text(encoding="utf-8"))
        return [one for one in (from_json(Question, each) for each in data) if one.lines]
    except (OSError, ValueError, TypeError, AttributeError):
        raise ReportError(
            f"{report} has no questions that can be read: grade a class into it first."
        ) from None


def add_line(report: Path, row: list[str]) -> None:
    """Write a line into overrides.csv, in place of one that decides the same; the file is replaced.

    Raises:
        TableError: the line, or the file, cannot be used.
        OSError: it cannot be written.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="utf-8") as trial:
        trial.write(_text([COLUMNS, row]))
        trial.flush()
        _, wrong = read_overrides(Path(trial.name))
    if wrong:
        raise TableError(wrong[0].partition(": ")[2])
    path = report / "overrides.csv"
    before = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    rows = [one for one in csv.reader(io.StringIO(before)) if one] or [COLUMNS]
    head = [cell.strip().casefold() for cell in rows[0]]
    if [*head[:2], *head[3:]] != [*COLUMNS[:2], *COLUMNS[3:]]:
        raise TableError("overrides.csv has other columns: add the line there by hand.")
    kept = [one for one in rows if len(one) < len(COLUMNS) or _place(one) != _place(row)]
    write_whole(path, _text([*kept, row]).encode())


def _place(row: Sequence[str]) -> tuple[str, str, str]:
    """Return what a line decides: points are decided once, and so is whatever a word begins."""
    student, task, decision = (cell.strip() for cell in row[:3])
    word = decision.partition(" ")[0]
    if word == "is":  # whoever it is
        return "", task, decision
    return student, task, word if word in ("comment", "take", "late", "due") else ""


def serve(report: Path) -> ThreadingHTTPServer:
    """Return a server of the page; its attribute `address` is what to open.

    Raises:
        ReportError: there is no report, or a damaged one.
    """
    read_questions(report)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.report, server.token = report, secrets.token_urlsafe(24)
    server.origin = f"http://127.0.0.1:{server.server_port}"
    server.address = f"{server.origin}/{server.token}/"
    return server


class _Handler(BaseHTTPRequestHandler):
    """Answers requests that know the token, and come from this page.

    The address ends with the number of a question.
    """

    server_version, sys_version = "review", ""

    def do_GET(self) -> None:
        """Show a question."""
        if self._is_allowed():
            self._show(self._number())

    def do_POST(self) -> None:
        """Write a line, and show the next question."""
        if not self._is_allowed(self.headers.get("Origin", "")):
            return
        length = self.headers.get("Content-Length", "")
        content = self.rfile.read(min(int(length), _MOST) if length.isdecimal() else 0)
        form = parse_qs(content.decode("utf-8", "replace"))
        number, report = self._number(), self.server.report
        row = self._decided(number, {name: texts[0].strip() for name, texts in form.items()})
        try:
            add_line(report, row)
        except TableError as error:
            self._show(number, str(error))
        except OSError as error:
            self._show(number, unwritable(report, error))
        else:
            self._show(number + 1, f"Written: {_text([row]).strip()}")

    def log_message(self, *_: object) -> None:
        """Say nothing: the terminal is the instructor's."""

    def _is_allowed(self, origin: str | None = None) -> bool:
        """Return whether a request knows the token, and means this machine by its own name."""
        token, ours = self.path[1:].partition("/")[0], self.server.origin
        is_ours = f"http://{self.headers.get('Host')}" == ours and origin in (None, ours)
        if is_ours and secrets.compare_digest(token.encode(), self.server.token.encode()):
            return True
        self.send_error(HTTPStatus.NOT_FOUND)
        return False

    def _number(self) -> int:
        last = self.path.rpartition("/")[2]
        return int(last) if last.isdecimal() else 0

    def _decided(self, number: int, form: dict[str, str]) -> list[str]:
        """Return the line that a form says: one of those proposed, or another decision."""
        proposed = {str(place): row for place, row in enumerate(self._asked(number)[1])}
        row = proposed.get(form.get("line", ""), ["", "", "", ""])
        if form.get("own") or not row[2]:
            row = [row[0], form.get("task", ""), form.get("own", "")]
        student = form.get("student") or row[0].replace("STUDENT", "")
        return [student, *row[1:3], form.get("reason", "")]

    def _asked(self, number: int) -> tuple[Question | None, list[list[str]], int]:
        """Return a question, the lines that it proposes, and how many questions there are.

        After the last one it is None.
        """
        questions = read_questions(self.server.report)
        if number >= len(questions):
            return None, [], len(questions)
        rows = [next(csv.reader([line])) for line, _ in questions[number].lines]
        return questions[number], rows, len(questions)

    def _show(self, number: int, said: str = "") -> None:
        one, rows, count = self._asked(number)
        student, task = rows[0][:2] if rows else ("", "")
        meanings = [means for _, means in one.lines] if one else []
        page = render(
            "review.html",
            title="Questions",
            question=one,
            kind=KINDS[one.kind] if one else "",
            number=number,
            count=count,
            student=student.replace("STUDENT", ""),
            choices=[(row[2], means) for row, means in zip(rows, meanings, strict=True)],
            task=task,
            said=said,
        )
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "same-origin")  # the address holds the token
        self.end_headers()
        self.wfile.write(page.encode("utf-8", "replace"))


def _text(rows: Iterable[Sequence[str]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()
