"""`two_processes` runs a script twice, side by side, and always comes back."""

import time

import pytest

from helpers import two_processes


def test_of_an_error_the_last_line_is_shown(capsys):
    two_processes("print('before')\nraise ValueError('wrong')")
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["process 0: before", "process 0: ValueError: wrong"]
    assert lines[2:] == ["process 1: before", "process 1: ValueError: wrong"]


def test_what_aborts_python_while_it_ends_is_nothing_to_the_script(capsys):
    ends = "import atexit, os\natexit.register(lambda: (os.write(2, b'terminated'), os.abort()))\n"
    two_processes(f"{ends}print('done')")
    assert capsys.readouterr().out == "process 0: done\nprocess 1: done\n"


def test_processes_that_do_not_end_are_ended(capsys):
    start = time.monotonic()
    two_processes("print('up', flush=True)\nwhile True: pass", seconds=2)
    assert time.monotonic() - start < 30
    said = capsys.readouterr().out.splitlines()
    assert said[1] == "process 0: ended, because it took too long"
    assert len(said) >= 3


@pytest.mark.slow
def test_the_two_can_talk_to_each_other(capsys):
    two_processes(
        "import os, torch\n"
        "import torch.distributed as dist\n"
        "rank = int(os.environ['RANK'])\n"
        "dist.init_process_group('gloo', os.environ['MEETING_PLACE'], rank=rank, world_size=2)\n"
        "total = torch.tensor(rank + 1.0)\n"
        "dist.all_reduce(total)\n"
        "print(total.item())\n"
        "dist.destroy_process_group()\n"
    )
    assert capsys.readouterr().out == "process 0: 3.0\nprocess 1: 3.0\n"
