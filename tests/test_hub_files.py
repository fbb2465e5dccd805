"""What docs/jupyterhub/ gives a hub fits together, and fits the guide and the locks."""

import re
from pathlib import Path
from types import SimpleNamespace

import yaml

from course.checkout import START_PAGE
from course.releasing.contents import contents

ROOT = Path(__file__).parents[1]
FILES = ROOT / "docs" / "jupyterhub"
PAGE = (ROOT / "docs" / "jupyterhub.md").read_text(encoding="utf-8")
DOCKERFILE = (FILES / "Dockerfile").read_text(encoding="utf-8")
SERVERS = yaml.safe_load((FILES / "values.yaml").read_text(encoding="utf-8"))["singleuser"]
COMMANDS = "\n".join(re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
MEGABYTES = {"M": 1, "G": 1024}


def megabytes(size):
    return float(size[:-1]) * MEGABYTES[size[-1]]


def test_students_servers_are_told_the_same_on_every_hub():
    c = SimpleNamespace(Spawner=SimpleNamespace())
    exec((FILES / "student_servers.py").read_text(encoding="utf-8"), {"get_config": lambda: c})
    assert c.Spawner.environment == SERVERS["extraEnv"]


def test_a_server_fetches_what_it_opens_first_and_starts_without_a_git_server():
    *words, command = SERVERS["lifecycleHooks"]["postStart"]["exec"]["command"]
    assert words == ["sh", "-c"]
    puller, address, branch, folder, *rest = command.split()
    assert (puller, rest) == ("gitpuller", ["||", "true"])
    assert SERVERS["defaultUrl"] == f"/lab/tree/{folder}/{START_PAGE}"
    assert f"git remote add origin {address}\n" in COMMANDS
    assert f"git init --initial-branch={branch}\n" in COMMANDS


def test_the_image_is_that_of_the_guide():
    image = f"{SERVERS['image']['name']}:{SERVERS['image']['tag']}"
    assert f"docker push {image}\n" in COMMANDS
    assert f"--tag {image} .\n" in COMMANDS


def test_all_hubs_have_the_same_limit_of_memory_and_guarantee_less():
    (limit,) = re.findall(r"tljh-config set limits.memory (\S+)\n", COMMANDS)
    assert megabytes(SERVERS["memory"]["limit"]) == megabytes(limit)
    assert megabytes(SERVERS["memory"]["guarantee"]) < megabytes(limit)


def test_what_the_image_installs_is_in_a_release():
    files = contents(ROOT, [])
    named = re.findall(r"-r (\S+)", DOCKERFILE)
    assert len(named) == 2
    assert set(named) <= set(files)
    (compiled,) = re.findall(r"compileall -q (.+)", DOCKERFILE)
    assert f"compileall -q {compiled}\n" in COMMANDS
    assert {name.partition("/")[0] for name in files if name.endswith(".py")} == {*compiled.split()}


def test_the_proxy_of_the_guide_is_the_one_that_make_installs():
    (version,) = re.findall(r"install --global configurable-http-proxy@(\S+)", COMMANDS)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"configurable-http-proxy@{version})" in makefile
