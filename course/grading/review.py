"""A local page on which an instructor answers questions; it writes the same overrides.csv.

It listens on this machine alone, and serves nobody who does not know the token in its address.
"""

import csv
import io
import json
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from course.grading.books.overrides import COLUMNS, OverrideError, read_overrides
from course.grading.books.questions import KINDS, Exhibit, Question
from course.grading.books.rendering import render
from course.grading.report_folder import ReportError, ReportFolder, unwritable
from course.notebooks.write import write_whole

FILE = "questions.json"
_MOST = 100_000  # bytes of a form
_SAFE = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
}


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
        return [_question(one) for one in data if one["lines"]]
    except (OSError, ValueError, KeyError, TypeError):
        raise ReportError(
            f"{report} has no questions that can be read: grade a class into it first."
        ) from None


def add_line(report: Path, row: list[str]) -> None:
    """Write a line into overrides.csv, in place of one that decides the same; the file is replaced.

    Raises:
        OverrideError: the line, or the file, cannot be used.
        OSError: it cannot be written.
    """
    path = report / "overrides.csv"
    before = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    trial = report / ".overrides-trial.csv"
    try:
        write_whole(trial, _text([COLUMNS, row]).encode())
        _, wrong = read_overrides(trial)
    finally:
        trial.unlink(missing_ok=True)
    if wrong:
        raise OverrideError(wrong[0].partition(": ")[2] or wrong[0])
    if before.strip():
        columns = [cell.strip().casefold() for cell in next(csv.reader([before.splitlines()[0]]))]
        if [*columns[:2], *columns[3:]] != [*COLUMNS[:2], *COLUMNS[3:]]:
            raise OverrideError("overrides.csv has other columns: add the line there by hand.")
    rows = list(csv.reader(before.splitlines())) or [COLUMNS]
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
    server.daemon_threads = True
    server.report, server.token = report, secrets.token_urlsafe(24)
    server.origin = f"http://127.0.0.1:{server.server_port}"
    server.address = f"{server.origin}/{server.token}/"
    return server


class _Handler(BaseHTTPRequestHandler):
    """Answers requests that know the token, and come from this page."""

    server_version, sys_version = "review", ""

    def do_GET(self) -> None:
        """Show a question: the address ends with its number."""
        if self._is_allowed():
            self._show(self._number())

    def do_POST(self) -> None:
        """Write a line, and show the next question."""
        length = self.headers.get("Content-Length", "")
        is_form = length.isdigit() and int(length) <= _MOST
        if (
            not self._is_allowed()
            or self.headers.get("Origin") != self.server.origin
            or not is_form
        ):
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        form = parse_qs(self.rfile.read(int(length)).decode("utf-8", "replace"))
        row = self._decided({name: texts[0].strip() for name, texts in form.items()})
        try:
            add_line(self.server.report, row)
        except (OverrideError, OSError) as error:
            is_line = isinstance(error, OverrideError)
            self._show(
                self._number(), str(error) if is_line else unwritable(self.server.report, error)
            )
            return
        self._show(self._number() + 1, f"Written: {_text([row]).strip()}")

    def _decided(self, form: dict[str, str]) -> list[str]:
        """Return the line that a form says: one of those proposed, or another decision."""
        rows = _rows(self._asked(self._number())[0])
        chosen = int(form["line"]) if form.get("line", "").isdecimal() else len(rows)
        reason = form.get("reason", "")
        own = [row[0] for row in rows[chosen : chosen + 1] if row[0] != "STUDENT"]
        student = form.get("student") or "".join(own)
        if form.get("own") or chosen >= len(rows):
            return [student, form.get("task", ""), form.get("own", ""), reason]
        return [student, *rows[chosen][1:3], reason]

    def _asked(self, number: int) -> tuple[Question | None, int]:
        """Return a question, None after the last one, and how many there are."""
        questions = read_questions(self.server.report)
        return (questions[number] if number < len(questions) else None), len(questions)

    def log_message(self, *_: object) -> None:
        """Say nothing: the terminal is the instructor's."""

    def _is_allowed(self) -> bool:
        """Return whether a request knows the token, and means this machine by its own name."""
        token, host = urlsplit(self.path).path.split("/")[1], self.headers.get("Host", "")
        is_ours = f"http://{host}" == self.server.origin
        if is_ours and secrets.compare_digest(token.encode(), self.server.token.encode()):
            return True
        self.send_error(HTTPStatus.NOT_FOUND)
        return False

    def _number(self) -> int:
        last = urlsplit(self.path).path.rpartition("/")[2]
        return int(last) if last.isdecimal() and len(last) < 7 else 0

    def _show(self, number: int, said: str = "") -> None:
        one, count = self._asked(number)
        rows = _rows(one)
        meanings = [means for _, means in one.lines] if one else []
        student, task = rows[0][:2] if rows else (one.student, one.exercise) if one else ("", "")
        page = render(
            "review.html",
            title="Questions",
            question=one,
            kind=KINDS[one.kind] if one else "",
            number=number,
            count=count,
            student="" if student == "STUDENT" else student,
            choices=[(row[2], means) for row, means in zip(rows, meanings, strict=True)],
            task=task,
            said=said,
        )
        content = page.encode("utf-8", "replace")
        self.send_response(HTTPStatus.OK)
        for name, value in {**_SAFE, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)


def _rows(question: Question | None) -> list[list[str]]:
    """Return the lines that a question proposes, as cells."""
    return [next(csv.reader([line])) for line, _ in question.lines] if question else []


def _question(data: dict) -> Question:
    lines = tuple((line, means) for line, means in data["lines"])
    exhibits = tuple(Exhibit(**one) for one in data["exhibits"])
    return Question(**{**data, "lines": lines, "exhibits": exhibits})


def _text(rows: Iterable[Sequence[str]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()
