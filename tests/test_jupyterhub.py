"""A real JupyterHub, set up as docs/jupyterhub.md says: two students, each with their own work."""

import json
import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest

from course.binder import hub_link
from course.release import release
from tests.hub_student import Student
from tests.local_hub import COURSE, NEEDED, ROOT, STUDENTS, Hub

ADDRESS = "https://git.example.org/class/autograd-students"
EXERCISES = {"ada": "05_square", "grace": "06_exp"}
pytestmark = [
    pytest.mark.proof,
    pytest.mark.slow,
    pytest.mark.skipif(not all(map(Path.is_file, NEEDED)), reason="make hub proxy installs them"),
    pytest.mark.skipif(os.getuid() != 0, reason="only root can start servers as other users"),
    pytest.mark.skipif(not shutil.which("bwrap"), reason="make walls installs it"),
]


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hub")
    srv = folder / "srv"
    source = srv / "git" / "autograd-students"
    assert release(ROOT, source, [name[:2] for name in EXERCISES.values()]) == 0
    git(source, "init", "--quiet", "--initial-branch=main")
    commit(source)
    shutil.copytree(source, srv / Path(COURSE).name)
    running = Hub(folder, srv)
    try:
        running.wait()
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module")
def students(hub):
    """Two students who have signed in and followed the link."""
    found = {name: Student(hub, name) for name in STUDENTS}
    for each in found.values():
        each.wait()
        each.follow(link(hub))
    return found


def git(folder, *words):
    own = ["-c", "user.name=Staff", "-c", "user.email=staff@example.org"]
    subprocess.run(["git", "-C", str(folder), *own, *words], check=True)


def commit(folder):
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "For students")


def link(hub):
    """Return the link that `course binder --hub` prints, for a repository on this machine."""
    printed = hub_link(hub.url, ADDRESS, "main")
    place = quote(ADDRESS.rpartition("/")[0], safe="")
    assert place in printed
    return printed.replace(place, quote("file:///srv/git", safe=""))


def path_of(name):
    return f"autograd-students/exercises/{EXERCISES[name]}.ipynb"


def answer(student, name):
    """Answer the first task of an exercise rightly, save it, and run its check."""
    solved = json.loads((ROOT / "solutions" / f"{EXERCISES[name]}.ipynb").read_text("utf-8"))
    number = int(EXERCISES[name][:2])
    right = {cell["id"]: "".join(cell["source"]) for cell in solved["cells"]}
    notebook = student.contents("GET", path_of(name))["content"]
    cells = {cell["id"]: cell for cell in notebook["cells"]}
    cells[f"answer-{number}-1"]["source"] = right[f"answer-{number}-1"]
    student.contents("PUT", path_of(name), type="notebook", format="json", content=notebook)
    for cell in ("set-up", f"answer-{number}-1", f"check-{number}-1"):
        said = student.run(cells[cell]["source"])
    return said


def progress(student):
    with closing(sqlite3.connect(student.home / ".autograd-progress.db")) as file:
        return dict(file.execute("SELECT id, solved FROM tasks"))


def test_each_solves_an_exercise_and_has_progress_of_their_own(students):
    said = {name: answer(student, name) for name, student in students.items()}
    assert said["ada"].startswith("✓ 5.1 ")
    assert said["grace"].startswith("✓ 6.1 ")
    assert progress(students["ada"]) == {"5.1": 1}
    assert progress(students["grace"]) == {"6.1": 1}


def test_all_use_one_course_which_none_of_them_can_write_to(students):
    code = (
        "import getpass, os, helpers\n"
        "root = os.path.dirname(os.path.dirname(helpers.__file__))\n"
        "print(getpass.getuser(), root, os.environ['OMP_NUM_THREADS'])\n"
        "for folder, _, files in os.walk(root):\n"
        "    for path in [folder] + [os.path.join(folder, file) for file in files]:\n"
        "        if os.access(path, os.W_OK):\n"
        "            print('can write to', path)\n"
    )
    for name, student in students.items():
        assert student.run(code) == f"{name} {COURSE} 1\n"


def test_nobody_sees_the_home_of_another(students):
    assert "PermissionError" in students["grace"].run("import os; os.listdir('/srv/home/ada')")


def test_an_update_leaves_a_changed_exercise_whole_and_renews_the_others(hub, students):
    source = hub.srv / "git" / "autograd-students"
    for name, student in students.items():
        before = student.contents("GET", path_of(name))["content"]
        before["cells"][-1]["source"] = "My own words."
        student.contents("PUT", path_of(name), type="notebook", format="json", content=before)
    mine = {name: (student.home / path_of(name)).read_bytes() for name, student in students.items()}
    for name in EXERCISES.values():
        path = source / "exercises" / f"{name}.ipynb"
        notebook = json.loads(path.read_text("utf-8"))
        notebook["cells"][0]["source"].append("\n\nA word that was missing.")
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
    commit(source)
    for name, student in students.items():
        student.follow(link(hub))
        for each in EXERCISES:
            now = (student.home / path_of(each)).read_bytes()
            new = (source.parent / path_of(each)).read_bytes()
            assert now == (mine[name] if each == name else new)


def test_a_file_of_ones_own_gives_way_to_a_new_one_of_its_name_and_is_kept(hub, students):
    path = "autograd-students/notes.md"
    students["ada"].contents("PUT", path, type="file", format="text", content="mine")
    (hub.srv / "git" / path).write_text("new")
    commit(hub.srv / "git" / "autograd-students")
    students["ada"].follow(link(hub))
    found = (students["ada"].home / "autograd-students").glob("notes*.md")
    assert [file.read_text() for file in sorted(found)] == ["new", "mine"]


def test_who_deletes_an_exercise_and_follows_the_link_gets_the_newest(hub, students):
    student = students["ada"]
    student.contents("DELETE", path_of("ada"))
    student.follow(link(hub))
    now = (student.home / path_of("ada")).read_bytes()
    assert now == (hub.srv / "git" / path_of("ada")).read_bytes()
