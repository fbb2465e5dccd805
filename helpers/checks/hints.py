"""Show the hints of a task, one at a time."""

from helpers.checks import progress
from helpers.checks.exercises import find_task


def show(task_id: str) -> None:
    """Print the next hint of a task; after the last, all of them.

    How many were taken is remembered with the progress.

    Args:
        task_id: number of the exercise and of the task, such as "5.1".
    """
    try:
        task = find_task(task_id)
    except LookupError as error:
        print(error.args[0])
        return
    most = len(task.hints)
    taken = progress.read().get(task.id, {"hints": 0})["hints"]
    if taken < most:
        taken = progress.hint_taken(task.id)
        print(f"Hint {taken} of {most}: {task.hints[taken - 1]}")
        if taken == most:
            print(f"That was the last hint for {task.id}.")
        return
    print(f"You have had all {most} hints for {task.id}:")
    for number, hint in enumerate(task.hints, 1):
        print(f"{number}. {hint}")
