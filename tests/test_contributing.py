"""The map in CONTRIBUTING.md names every folder and every module of the packages, and no other."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("whygrad", "helpers", "course")
INDENT = 4


def map_lines() -> list[str]:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^## The map$.*?^```$(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [line for line in block.splitlines() if line]


def named() -> list[str]:
    """Return what the map names, as paths; `exNN` stands for one file for each exercise.

    A line has a folder, such as `graph/`, or modules, such as `trace, fold`, indented below their
    folder; then words, after two spaces or on the next line, in the column of all words.
    """
    lines = map_lines()
    words = re.match(r"\S+ +", lines[0]).end()
    found, folders = [], []
    for line in lines:
        depth, rest = divmod(len(line) - len(line.lstrip()), INDENT)
        if depth * INDENT + rest >= words:
            continue
        assert rest == 0, f"indented by half a step: {line!r}"
        assert depth <= len(folders), f"below no folder: {line!r}"
        folders = folders[:depth]
        names = re.split(r" {2,}", line.strip())[0].split(", ")
        found += ["/".join([*folders, name]) for name in names]
        if names[0].endswith("/"):
            assert len(names) == 1, f"a folder stands alone: {line!r}"
            folders.append(names[0].rstrip("/"))
    return [name.replace("//", "/") for name in found]


def files(name: str) -> set[str]:
    """Return the paths of the files, or the folder, that a name of the map stands for."""
    pattern = name.replace("NN", "[0-9][0-9]")
    if name.endswith("/"):
        return {name} if (ROOT / name).is_dir() else set()
    pattern += "" if Path(name).suffix else ".py"
    return {path.relative_to(ROOT).as_posix() for path in ROOT.glob(pattern)}


def there() -> set[str]:
    """Return the modules of the packages, and the folders that they lie in."""
    modules = {path.relative_to(ROOT) for name in PACKAGES for path in (ROOT / name).rglob("*.py")}
    folders = {f"{path.parent.as_posix()}/" for path in modules}
    # Those of an exercise of your own, from 31 on, are on no map.
    own = re.compile(r"ex[3-9][0-9]|__init__")
    return folders | {path.as_posix() for path in modules if not own.fullmatch(path.stem)}


def test_every_folder_and_every_module_is_on_the_map():
    on_it = set().union(*map(files, named()))
    assert there() - on_it == set()


def test_what_is_on_the_map_is_there_and_stands_there_once():
    names = named()
    assert [name for name in names if not files(name)] == []
    assert len(set(names)) == len(names)


def test_every_file_that_is_named_in_the_text_is_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    paths = re.findall(r"`([\w.]+/[\w./]*|\w+\.py)`", prose)
    # In the section about a package its files are named as they lie in it.
    inside = {f"/{path}" for path in there()}
    missing = [
        path
        for path in paths
        if "NN" not in path
        and not path.startswith(".build/")  # it is there once something was built
        and not (ROOT / path).exists()
        and not any(known.endswith(f"/{path}") for known in inside)
    ]
    assert paths
    assert missing == []


def test_the_list_for_the_first_push_names_every_file_that_waits_for_the_authors():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (steps,) = re.findall(r"^## Before the first push.+?(?=^## )", text, re.MULTILINE | re.DOTALL)
    shipped = [path for folder in (ROOT, ROOT / "whygrad") for path in folder.iterdir()]
    waiting = {
        path.relative_to(ROOT).as_posix()
        for path in shipped
        if path.name == "LICENSE" or path.suffix in (".cff", ".toml")
        if re.search("the (?:whygrad )?authors", path.read_text(encoding="utf-8"), re.IGNORECASE)
    }
    assert waiting <= set(re.findall(r"`([\w./]+)`", steps))
