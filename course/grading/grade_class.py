"""Grade a class: read its submissions, run what is new, keep the results."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from course.grading.pool import Answer, Job, Machines, Pool
from course.grading.reading.answers import Answers, NotGradableError, read_answers
from course.grading.reading.files import File
from course.grading.reading.sheet import Sheet
from course.grading.reading.untrusted_files import UnreadableError
from course.grading.report_folder import ReportFolder
from course.grading.results import (
    Result,
    TaskResult,
    blank_tasks,
    from_json,
    read_result,
    write_result,
)
from course.grading.settings import Settings, fingerprint, versions
from course.notebooks.write import write_json

Progress = Callable[[int], object]
_HELD_UP = (
    "Others kept this machine busy meanwhile: the next run of the same download tries it again."
)
_WAITED = "It used little of the processor: it waits for something, and a person has to look at it."
_LOST = "It ended the process that graded it, again and again: a person has to look at it."


def grade_class(
    settings: Settings,
    sheets: Mapping[str, Sheet],
    submissions: Mapping[Result, File],
    folder: ReportFolder,
    machines: Machines,
    progress: Progress,
) -> int:
    """Grade what is new or changed; keep the results in the report; return how many that were.

    Sheets are those of the course, by exercise.
    Submissions are results without tasks, each with the file that it is read from.
    `progress` is called with how many more submissions are done.

    Raises:
        OSError: a result cannot be written.
        MachinesError: the machines cannot grade.
    """
    about = {"seed": settings.seed, "versions": versions()}
    write_json(folder.path / "run.json", about)
    run = _Run(settings, sheets, folder)
    jobs = [job for one in submissions.items() if (job := run.job(*one))]
    if jobs:
        _grade(run, machines, jobs, len(submissions) - len(jobs), progress)
    return len(jobs)


class _Run:
    """The course's own notebooks, and the results that are kept."""

    def __init__(
        self, settings: Settings, sheets: Mapping[str, Sheet], folder: ReportFolder
    ) -> None:
        self.settings, self.sheets, self.folder = settings, sheets, folder

    def job(self, result: Result, source: File) -> Job | None:
        """Return what a worker has to do, or None if the result is there already."""
        exercise = result.exercise
        sheet, known = (
            self.sheets[exercise],
            read_result(self.folder.result(result.student, exercise)),
        )
        try:
            answers = read_answers(source.read(), sheet)
        except (UnreadableError, NotGradableError) as error:
            tasks = blank_tasks(sheet.tasks, "not-gradable", str(error))
            result = replace(result, tasks=tasks, note=str(error))
        else:
            result = replace(
                result,
                fingerprint=fingerprint(answers, sheet, self.settings),
                seed=self.settings.seed,
                note=" ".join(answers.notes),
            )
            is_same = known is not None and known.fingerprint == result.fingerprint
            if not is_same or any(map(_is_tried_again, known.tasks)):
                return {**self._job(exercise, answers), "result": result}
            result = replace(result, tasks=known.tasks, seed=known.seed)
        if result != known:
            self.write(result)
        return None

    def solution(self, exercise: str) -> Job:
        """Return what a worker has to do to grade the course's own solution."""
        content = (self.settings.root / "solutions" / f"{exercise}.ipynb").read_bytes()
        return self._job(exercise, read_answers(content, self.sheets[exercise]))

    def tasks(self, job: Job, answer: Answer | None) -> tuple[TaskResult, ...]:
        """Return what became of each task of a job, by a worker's answer."""
        if answer is None:
            return blank_tasks(self.sheets[job["exercise"]].tasks, "not-gradable", _LOST)
        tasks = (from_json(TaskResult, task) for task in answer["tasks"])
        if answer["doubtful"]:
            tasks = (held_up(task, is_busy=answer["busy"]) for task in tasks)
        return tuple(tasks)

    def write(self, result: Result) -> None:
        """Keep what became of a submission."""
        write_result(self.folder.result(result.student, result.exercise), result)

    def _job(self, exercise: str, answers: Answers) -> Job:
        """Return a job; a machine is told its order alone: not whose it is."""
        found = {name: getattr(answers, name) for name in ("sources", "extra", "beside")}
        return {"exercise": exercise, "order": {"sheet": self.sheets[exercise].as_json(), **found}}


def held_up(task: TaskResult, *, is_busy: bool) -> TaskResult:
    """Leave to a person what ran out of time with little of the processor, even alone.

    Where others kept the machine busy, the next run of the same download tries it again.
    """
    if task.status != "timeout":
        return task
    said = f"{task.message} {_HELD_UP if is_busy else _WAITED}".strip()
    return replace(task, status="not-gradable", message=said)


def _is_tried_again(task: TaskResult) -> bool:
    return task.status == "grader-error" or task.message.endswith(_HELD_UP)


def _grade(run: _Run, machines: Machines, jobs: list[Job], done: int, progress: Progress) -> None:
    exercises = sorted({job["exercise"] for job in jobs})
    tasks = [task for name in exercises for task in run.sheets[name].tasks]
    with Pool(machines, run.settings, tasks, len(jobs)) as pool:
        doubted = _doubted(run, pool, exercises)
        progress(done)
        for job, answer in answers_of(pool, jobs):
            found = tuple(doubted.get(task.task, task) for task in run.tasks(job, answer))
            run.write(replace(job["result"], tasks=found))
            progress(1)


def answers_of(pool: Pool, jobs: list[Job]) -> Iterator[tuple[Job, Answer | None]]:
    """Yield each job with its answer; those that others may have held up are done again, alone.

    In the end one at a time is graded: what runs out then does so by itself. The same goes for a
    job that ended its worker.
    """
    again = []
    for job, answer in pool.run(jobs):
        if answer is None or answer["doubtful"]:
            again.append((job, answer))
        else:
            yield job, answer
    for job, first in again:
        for _, second in pool.run([job]):
            yield job, second or first


def _doubted(run: _Run, pool: Pool, exercises: list[str]) -> dict[str, TaskResult]:
    """Grade the exercises' own solutions; return what is said of tasks that they do not pass.

    Where the solution fails, so may right answers: nobody's answer to such a task gets a grade.
    """
    return {
        task.task: blank_tasks([task.task], "grader-error", _fault(job["exercise"], task))[0]
        for job, answer in answers_of(pool, list(map(run.solution, exercises)))
        for task in run.tasks(job, answer)
        if task.status != "passed"
    }


def _fault(exercise: str, task: TaskResult) -> str:
    if task.status == "grader-error":
        return task.message
    return (
        f"The exercise's own solution of {task.task} does not pass ({task.status}): {task.message}"
        f" `course build {exercise} --force` shows it."
    )
