"""The kernel behind walls reads no settings."""

import os
import subprocess
import sys

import pytest

from tests.course.grading.classes import ROOT

pytestmark = pytest.mark.slow
START = """
import sys
if "plain" in sys.argv:
    from course.grading.inside.keeper import PlainKernelApp as App
else:
    from ipykernel.kernelapp import IPKernelApp as App
app = App.instance()
app.initialize(["-f", "kernel.json"])
"""


@pytest.mark.parametrize(("which", "wanted"), [("plain", False), ("usual", True)])
def test_no_file_configures_it(tmp_path, which, wanted):
    note = tmp_path / "note"
    code = f"open({str(note)!r}, 'a').close()"
    for name in ("ipython_kernel_config.py", "ipython_config.py", "startup/0.py"):
        place = tmp_path / "profile_default" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(code)
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{START}"]
    environment = {**os.environ, "IPYTHONDIR": str(tmp_path), "PYTHONSTARTUP": str(place)}
    subprocess.run([*command, which], cwd=tmp_path, env=environment, check=True)
    assert note.exists() == wanted
