"""Work is given to whom a key says, nothing is nobody's in silence, and the newest counts."""

import json
from dataclasses import replace

import pytest

from course.grading.books.overrides import Override
from tests.course.grading.books.samples import task
from tests.course.grading.reading.layouts import (
    EXP,
    FORMS,
    SQUARE,
    done,
    find,
    lay,
    notebook,
    put,
    worked,
    zipped,
)

CLASS = {"Ada Lovelace": "ada77@x.org", "Müller, Jürg": "", "Bo Li": "1001", "Bo Li (2)": "1002"}
UNTOUCHED = notebook()
TRIED = {**UNTOUCHED, "cells": [*UNTOUCHED["cells"], {"cell_type": "code", "source": "x = 1"}]}
HELD = {"untouched": json.dumps(UNTOUCHED), "tried": json.dumps(TRIED), "broken": b"{"}
HELD["same"] = worked()
FIVE, SIX = "05_square", "06_exp"


def written(root, files):
    """Write files of a table, which differ unless it says what they hold; return their names."""
    said = [one.rpartition(": ") for one in files.split("; ")]
    for kind, _, name in said:
        packed = zipped({f"Bo Li/{SQUARE}": worked()}) if ".zip" in name else worked(mark=name)
        put(root / name, HELD.get(kind, packed))
    return [name for *_, name in said]


def take(file):
    """Return what a line says that takes a file of Ada's."""
    return {("ada", FIVE): {("", "take"): Override("ada", FIVE, "take", file, "")}}


def students(found):
    """Return the names of those who handed in."""
    return tuple(one.name for one in found.people)


LAYOUTS = """\
Ada Lovelace/x.ipynb
lovelace_ada/x.ipynb
ada77/05/x.ipynb
Ada Lovelace/a/w.zip
Ada L_7_assignsubmission_file_/x.ipynb
Lovelace Ada_8_assignsubmission_file_x.ipynb
lovelaceada_5_9_x.ipynb
submitted/ada77/ps/x.ipynb
05-square-ada77/x.ipynb
hw_ada77_attempt_2026-11-20-23-59-00_x.ipynb
ada_lovelace_00.ipynb
LOVELACE, Ada - Exercise5.ipynb
ada lovelace.zip
"""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", LAYOUTS.splitlines())
def test_work_is_found_in_every_layout_and_form(tmp_path, form, name):
    content = zipped({SQUARE: worked()}) if name.endswith(".zip") else worked()
    root = lay(tmp_path / "class", {name: content}, form)
    found = find(root, listed=CLASS, numbers={("moodle", "7"): "Ada Lovelace"})
    (one,) = found.submissions
    assert (one.student, one.exercise, one.doubts) == ("Ada Lovelace", FIVE, ())
    assert (one.person.name, students(found), found.pending) == (one.student, (one.student,), ())
    assert found.submissions[one].read() == worked()


# Files, and whose each is; "?" is nobody's, who is asked about.
OWNERS = """\
Bob/ada_lovelace.ipynb; Bo/x.ipynb -> Bob; Bo
mal_1_9_ada_lovelace.ipynb; bo_2_9_x.ipynb -> mal; bo
mal_1_9_w.zip; bo_2_9_x.ipynb -> mal; bo
Mal/w.zip; Bo/x.ipynb -> Mal; Bo
Mal/Ada_1_assignsubmission_file_/x.ipynb; Bo/x.ipynb -> Mal; Bo
Mal/submitted/ada77/x.ipynb; Bo/x.ipynb -> Mal; Bo
05-square-mal-submissions/05-square-ada77/x.ipynb; 05-square-bo/x.ipynb -> mal-submissions; bo
ada_05_square.ipynb -> ?
adam_lovelace.ipynb -> ?
bo_li_05.ipynb -> ?
05_square (1).ipynb -> ?
tried: x.ipynb -> ?
ada_lovelace_and_jurg_muller.ipynb -> ?
photo.jpg -> ?
x.zip -> ?
1003_05.py -> ?
.ada.ipynb -> ?
ada_lovelace.zip -> Ada Lovelace
Ada Lovelace/x.ipynb; ada_lovelace.ipynb -> Ada Lovelace; ?
untouched: Ada Lovelace/x.ipynb; ada_lovelace.ipynb -> Ada Lovelace; ?
broken: Ada Lovelace/05_square.ipynb; ada_lovelace.ipynb -> Ada Lovelace; ?
ada77 05_square.ipynb; ada_lovelace.ipynb -> ?; ?
untouched: ada77 05_square.ipynb; ada_lovelace.ipynb -> ?; ?
broken: ada77 05_square.ipynb; ada_lovelace.ipynb -> Ada Lovelace; ?"""


@pytest.mark.parametrize("row", OWNERS.splitlines())
def test_a_file_is_whose_key_its_platform_gives_or_its_name_has_if_no_other_work_does(
    tmp_path, row
):
    names, owners = row.split(" -> ")
    files = written(tmp_path, names)
    found = find(tmp_path, listed=CLASS)
    there = [(one.file, one.student or "?") for one in (*found.submissions, *found.pending)]
    whose = [student for file in files for where, student in there if where.startswith(file)]
    assert whose == owners.split("; ")
    asked = [one.reason for one in found.pending if not one.student]
    assert all("Nothing says whose" in said or "so is other work" in said for said in asked)


# What was graded; what comes later, which exercise is asked for, and what a person took; what is
# graded then, and whether a person is asked. The first folder is the download.
LATER = """\
1/ada/x     | 1/ada/x            | 05_square |         | ada/x
1/ada/x     | same: 1/ada/x      | 05_square |         | ada/x
1/ada/x     | untouched: 1/ada/x | 05_square |         |
1/ada/x     | 2/ada/x            | 05_square |         | asked
1/ada/x     | same: 2/ada/x      | 05_square |         |
1/ada/x     | 2/ada/x            | 05_square | 2/ada/x.ipynb | ada/x
1/ada/x     | 2/ada/x            | 05_square | x.ipynb | asked
1/ada_5_8_x | 2/ada_5_9_x        | 05_square |         | ada_5_9_x
1/ada_5_9_x | 2/ada_5_8_x        | 05_square |         |
1/05-square-ada/x | 2/05-square-ada/x | 05_square |    | 05-square-ada/x
1/05-square-ada/x | 2/06-exp-ada/x    | 05_square |    | asked
1/ada/x     | 2/ada/x            | 06_exp    |         | asked
1/ada/x     | same: 2/ada/x      | 06_exp    |         |
1/ada/x     | 2/ada/y            | 06_exp    | y.ipynb | ada/y"""


@pytest.mark.parametrize("row", LATER.splitlines())
def test_what_was_graded_counts_until_newer_answers_come_or_a_person_takes_others(tmp_path, row):
    before, after, asked, taken, wanted = map(str.strip, row.split("|"))
    put(tmp_path / f"{before}.ipynb", worked(mark="before"))
    (graded,) = find(tmp_path / "1", FIVE).submissions
    known = replace(graded, tasks=(task(),), fingerprint="of the run")
    kind, _, after = after.rpartition(": ")
    later = {"same": worked(mark="before"), "untouched": HELD["untouched"]}
    put(tmp_path / f"{after}.ipynb", later.get(kind, worked()))
    found = find(tmp_path / after[0], asked, graded={("ada", FIVE): known}, lines=take(taken))
    said = [one.file.removesuffix(".ipynb") for one in found.submissions]
    said += ["asked" for one in found.pending if one.may_count]
    assert " ".join(said) == wanted


@pytest.mark.parametrize(
    ("platform", "first"), [("moodle", "Ada Lovelace"), ("canvas", "Ada Lovelace (1)")]
)
@pytest.mark.parametrize("listed", [CLASS, {}])
def test_two_numbers_that_claim_one_student_by_name_are_neithers(tmp_path, platform, first, listed):
    for number in "12":
        written(tmp_path, f"Ada Lovelace_{number}_assignsubmission_file_/x.ipynb")
    found = find(tmp_path, listed=listed, numbers={(platform, "1"): "Ada Lovelace"})
    assert students(found) == (first, "Ada Lovelace (2)")


# Notebooks of one student, the first of which counts; which a person took; who is asked.
VERSIONS = """\
ada_5_11_x.ipynb; ada_5_8_x.ipynb ->
hw_ada_attempt_2026-11-20-23-59-00_x.ipynb; hw_ada_attempt_2026-11-19-23-59-00_x.ipynb ->
ada/b.ipynb; untouched: ada/a.ipynb ->
same: ada/b.ipynb; same: ada/a.ipynb ->
ada/b.ipynb; broken: ada/a.ipynb ->
ada/2/x.ipynb; ada/1/x.ipynb -> asked
ada/2/x.ipynb; ada/1/x.ipynb -> x.ipynb asked
ada/1/x.ipynb; ada/2/x.ipynb -> ada/1/x.ipynb"""


@pytest.mark.parametrize("row", VERSIONS.splitlines())
def test_the_newest_work_counts_and_where_nothing_tells_it_a_person_is_asked(tmp_path, row):
    names, _, said = row.partition(" ->")
    taken, is_asked = said.removesuffix("asked").strip(), said.endswith("asked")
    first, *_ = written(tmp_path, names)
    found = find(tmp_path, lines=take(taken))
    assert [(one.file, one.student) for one in found.submissions] == [(first, "ada")]
    assert any(one.may_count for one in found.pending) == is_asked


@pytest.mark.parametrize("said", ["Bo Li", ""])
@pytest.mark.parametrize("name", ["x.ipynb", "Mal_7_assignsubmission_file_/x.ipynb"])
def test_what_a_person_says_of_a_file_holds(tmp_path, said, name):
    written(tmp_path, name)
    line = Override(said, FIVE, "is", name, "")
    found = find(tmp_path, listed=CLASS, owners=[line])
    owners = [(said, said)] if said else []
    assert [(one.student, one.person.name) for one in found.submissions] == owners
    assert (said in students(found), found.pending) == (bool(said), ())


def test_work_that_is_not_graded_now_waits_and_belongs_to_its_download(tmp_path):
    later = {f"anna/{EXP}": worked("06_exp"), "eva/06_exp.py": b"class Exp: pass"}
    files = {f"anna/{SQUARE}": worked(), f"bob/{EXP}": json.dumps(notebook("06_exp"))}
    found = find(lay(tmp_path, files | later), FIVE)
    assert done(found) == [("anna", FIVE)]
    assert [(one.file, one.exercise) for one in found.pending] == [(name, SIX) for name in later]
    assert found.pending[0].download.endswith(f"/{tmp_path.name}")
    assert sorted(done(find(tmp_path))) == [("anna", FIVE), ("anna", SIX), ("bob", SIX)]
