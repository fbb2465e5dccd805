"""whygrad as a distribution of its own: what is in it, and that it works where it is installed."""

import ast
import re
import tarfile
import zipfile
from email import message_from_bytes

import pytest

import whygrad
from tests.whygrad.installed import NEEDED, PACKAGE, build, install, run

README = (PACKAGE / "README.md").read_text(encoding="utf-8")
SOURCE = (PACKAGE / "__init__.py").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
BESIDE = {"pyproject.toml", "README.md", "LICENSE", ".gitignore"}
FILES = {
    path.relative_to(PACKAGE).as_posix()
    for path in PACKAGE.rglob("*")
    if path.is_file() and "__pycache__" not in path.parts
} - BESIDE
METADATA = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def python(built, tmp_path_factory):
    return install(built[1], tmp_path_factory.mktemp("environment"))


def of_wheel(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_holds_every_file_of_the_package_and_no_other(built):
    about = f"whygrad-{whygrad.__version__}.dist-info"
    found = of_wheel(built[1])
    assert len([name for name in FILES if not name.endswith(".py")]) > 5
    assert set(found) == {f"whygrad/{name}" for name in FILES} | {f"{about}/{n}" for n in METADATA}
    for name in FILES:
        assert found[f"whygrad/{name}"] == (PACKAGE / name).read_bytes()


def test_the_sdist_holds_them_and_what_builds_them(built):
    top = f"whygrad-{whygrad.__version__}"
    with tarfile.open(built[0]) as archive:
        found = {member.name for member in archive if member.isfile()}
    assert found == {f"{top}/{name}" for name in FILES | BESIDE | {"PKG-INFO"}}
    with tarfile.open(built[0]) as archive:
        ignored = archive.extractfile(f"{top}/.gitignore").read()
    assert ignored == (PACKAGE / ".gitignore").read_bytes()  # and not that of the course


def test_the_sdist_builds_the_same_wheel(built, tmp_path):
    with tarfile.open(built[0]) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    _, wheel = build(tmp_path / "again", source)
    assert of_wheel(wheel) == of_wheel(built[1])


def test_it_says_what_it_is_and_what_it_needs(built):
    about = f"whygrad-{whygrad.__version__}.dist-info/METADATA"
    said = message_from_bytes(of_wheel(built[1])[about])
    assert (said["Name"], said["Version"]) == ("whygrad", whygrad.__version__)
    assert said["License-Expression"] == "MIT"
    assert "course" not in said["Author"]
    assert {re.match(r"\w+", need)[0] for need in said.get_all("Requires-Dist")} == NEEDED
    assert said["Description-Content-Type"] == "text/markdown"
    assert said.get_payload(decode=True).decode() == README


def test_whoever_gets_it_gets_the_licence():
    ours = (PACKAGE.parent / "LICENSE").read_text(encoding="utf-8")
    assert (PACKAGE / "LICENSE").read_text(encoding="utf-8") == ours


def test_the_code_of_its_page_prints_what_stands_below_it_where_it_is_installed(python):
    code = "".join(code for language, code in BLOCKS if language == "python")
    shown = "".join(code for language, code in BLOCKS if language == "text")
    assert shown.count("\n") >= 2
    assert run([python, "-I", "-X", "utf8", "-c", code]).stdout == shown


def test_it_diagnoses_in_a_terminal_where_it_is_installed(python, tmp_path):
    arguments = re.search(r"`whygrad (\S+) (--inputs) \"(.+)\"", README).groups()
    file, name = arguments[0].split(":")
    code = next(code for language, code in BLOCKS if language == "python").split("\n\n\nprint")[0]
    (tmp_path / file).write_text(code.replace("FifthPower", name), encoding="utf-8")
    said = run([python.with_name("whygrad"), *arguments], tmp_path, status=1).stdout
    assert said.startswith(f"✗ {name}: wrong-factor\n")
    assert run([python, "-m", "whygrad", *arguments], tmp_path, status=1).stdout == said
    assert run([python, "-m", "whygrad", "--version"]).stdout == f"whygrad {whygrad.__version__}\n"


def test_the_test_of_its_page_passes_where_it_is_installed(python):
    code = "".join(code for language, code in BLOCKS if language == "python")
    assert "def test_the_fifth_power():" in code
    run([python, "-I", "-c", f"{code}\ntest_the_fifth_power()"])


def test_an_editor_finds_each_name_that_is_loaded_when_it_is_used():
    assert (PACKAGE / "py.typed").exists()
    (only,) = [node for node in ast.parse(SOURCE).body if isinstance(node, ast.If)]
    assert ast.unparse(only.test) == "TYPE_CHECKING"
    found = {alias.name: node.module for node in only.body for alias in node.names}
    assert found == whygrad._HOME


def test_its_help_for_tests_loads_no_pages_and_needs_no_pytest(python):
    code = "import sys; from whygrad.testing import assert_right; print(*sys.modules)"
    loaded = run([python, "-I", "-c", code]).stdout.split()
    assert not {"jinja2", "pytest"} & set(loaded)
