"""Evidence as JSON data: what is read is what was written, and what does not fit is refused."""

import json
from typing import Any

import pytest

from whygrad.codec import VERSION, decoded, encoded, to_json
from whygrad.evidence import Evidence, EvidenceError, Raised, Trial, Value
from whygrad.evidence.modes import Direction, Jvp
from whygrad.evidence.second_order import Second, SecondRun
from whygrad.lines.step import Seen, Step, Write

X = Value([2], "float64")
STEP = Step(
    "backward", "F.backward", "a.py", 3, "x *= 2", "mul_", reads=[Seen("x")], writes=[Write("x")]
)
TRIAL = Trial("base", "", [X, Value(value="2")], values=[Value([2], "float64", "1.0 2.0"), None])


def written(**parts: Any) -> dict[str, Any]:
    return {"version": VERSION, "order": 1, "trials": [], **parts}


def trial(**parts: Any) -> dict[str, Any]:
    return written(trials=[{"name": "base", "law": "", "inputs": [], **parts}])


def test_empty_fields_are_left_out():
    assert to_json(TRIAL) == {
        "name": "base",
        "inputs": [{"shape": [2], "dtype": "float64"}, {"value": "2"}],
        "values": [{"shape": [2], "dtype": "float64", "data": "1.0 2.0"}, None],
    }


@pytest.mark.parametrize(
    "part",
    [
        {"raised": Raised("TypeError", "no", "forward", number=3)},
        {"packed": {"0": "list"}, "noise": [0.5, 0.0], "uses": False},
        {"lines": [STEP]},
        {"second": Second(SecondRun(copies=[0, None], for_inputs=[[None, X]]))},
        {"jvp": [Jvp("F", ["x"], [Direction([0], noise=float("inf"))], [["float32", "float64"]])]},
    ],
)
def test_what_is_read_is_what_was_written(part):
    evidence = Evidence(2, [Trial("base", "", [X], **part)], left_out={"jvp": "no Function"})
    text = json.dumps(encoded(evidence))
    assert decoded(Evidence, json.loads(text)) == evidence


def deep(levels: int) -> Any:
    return [deep(levels - 1)] if levels else 3


@pytest.mark.parametrize(
    "data",
    [
        *(None, 3, [], {}, written(version=1), written(order="2"), written(order=True)),
        *(written(trials={}), written(trials=[None]), written(more=1)),
        *(written(left_out={"jvp": 3}), written(names=["x" * 10_000])),
        *(trial(wanted=[0.5]), trial(wanted=[True]), trial(packed=["list"]), trial(noise=["1"])),
        *(trial(grads=[{"shape": [10**7]}]), trial(grads=[{"shape": [-1]}]), trial(uses=1)),
        *(trial(grads=[{"shape": [1000] * 4}]), trial(grads=[{"data": "1.0 x"}])),
        *(trial(lines=[{"writes": 3}]), trial(raised={"type": "TypeError"})),
        *(trial(wanted=deep(400)), trial(second={"tracked": {"copies": [[]]}})),
    ],
)
def test_what_does_not_fit_is_refused(data):
    with pytest.raises(EvidenceError):
        decoded(Evidence, data)
