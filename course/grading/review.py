"""A local page on which an instructor answers questions; it writes the same overrides.csv.

It listens on this machine alone, and serves nobody who does not know the token in its address.
"""

import csv
import io
import secrets
from collections.abc import Sequence
from dataclasses import asdict
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

from course.grading.books.gradebook import TableError, csv_text
from course.grading.books.overrides import COLUMNS, read_line
from course.grading.books.questions import KINDS, Question
from course.grading.books.rendering import render
from course.grading.report_folder import ReportError, ReportFolder, unwritable
from course.grading.results import from_json
from course.notebooks.write import read_json, write_json, write_whole

FILE = "questions.json"
_MOST = 100_000  # bytes of a form


def write_questions(folder: ReportFolder, questions: list[Question]) -> None:
    """Keep questions for the page.

    Raises:
        OSError: they cannot be written.
    """
    write_json(folder.path / FILE, [asdict(one) for one in questions])


def read_questions(report: Path) -> list[Question]:
    """Return the questions of a report.

    Raises:
        ReportError: there is no report, or a damaged one.
    """
    try:
        return [from_json(Question, each) for each in read_json(report / FILE)]
    except (OSError, ValueError, TypeError, AttributeError):
        raise ReportError(
            f"{report} has no questions that can be read: grade a class into it first."
        ) from None


def add_line(report: Path, row: list[str]) -> None:
    """Write a line into overrides.csv, in place of one that decides the same; the file is replaced.

    Raises:
        ValueError, LookupError: the line, or the file, cannot be used.
        OSError: it cannot be written.
    """
    read_line("", COLUMNS, row)
    path = report / "overrides.csv"
    before = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    rows = [one for one in csv.reader(io.StringIO(before)) if one] or [COLUMNS]
    head = [cell.strip().casefold() for cell in rows[0]]
    if [*head[:2], *head[3:]] != [*COLUMNS[:2], *COLUMNS[3:]]:
        raise TableError("overrides.csv has other columns: add the line there by hand.")
    kept = [
        one for one in rows if len(one) < len(COLUMNS) or one == row or _place(one) != _place(row)
    ]
    write_whole(path, csv_text([*kept, row]).encode())


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
        row = _decided({name: texts[0].strip() for name, texts in form.items()})
        try:
            add_line(report, row)
        except OSError as error:
            self._show(number, unwritable(report, error))
        except (ValueError, LookupError) as error:
            self._show(number, f"{str(error.args[0]).rstrip('.')}.")
        else:
            self._show(number + 1, f"Written: {csv_text([row]).strip()}")

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

    def _show(self, number: int, said: str = "") -> None:
        questions = read_questions(self.server.report)
        one = questions[number] if number < len(questions) else None
        lines = one.lines if one else ()
        student, task, _ = _cells(lines[0][0] if lines else "")
        page = render(
            "review.html",
            title="Questions",
            question=one,
            kind=KINDS[one.kind] if one else "",
            number=number,
            count=len(questions),
            student=student,
            choices=[(line, _cells(line)[2], means) for line, means in lines],
            task=task,
            said=said,
        )
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "same-origin")  # the address holds the token
        self.end_headers()
        self.wfile.write(page.encode("utf-8", "replace"))


def _decided(form: dict[str, str]) -> list[str]:
    """Return the line that a form says: one of those proposed, or another decision."""
    student, task, decision = _cells(form.get("line", ""))
    if form.get("own") or not decision:
        task, decision = form.get("task", ""), form.get("own", "")
    return [form.get("student") or student, task, decision, form.get("reason", "")]


def _cells(line: str) -> list[str]:
    """Return student, task and decision of a proposed line."""
    row = next(csv.reader([line.replace("STUDENT", "")]), [])
    return [*row, "", "", ""][:3]
