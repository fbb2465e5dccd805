"""Of what a kernel sends, only what counts is read."""

from types import SimpleNamespace

import pytest
import zmq
from jupyter_client.session import Session

from course.notebooks.kernel_messages import LARGEST, next_reply, next_shown
from helpers.checks import EVIDENCE


class Channel:
    """A channel on which some messages wait; it notes which contents were read."""

    def __init__(self, *messages: list[bytes]) -> None:
        self.waiting = list(messages)
        self.session = Session(key=b"secret")
        self.socket = SimpleNamespace(recv_multipart=self.receive)

    def receive(self, _: int) -> list[bytes]:
        if not self.waiting:
            raise zmq.Again
        return self.waiting.pop(0)


def sent(kind: str, content: dict, *more: bytes, key: bytes = b"secret") -> list[bytes]:
    """Return a message as a kernel sends it."""
    session = Session(key=key)
    return [b"topic", *session.serialize(session.msg(kind, content)), *more]


def shown(message: list[bytes]) -> str:
    """Return the kind of the one message that waits, as it is read."""
    channel = Channel(message)
    kind = next_shown(channel)["msg_type"]
    assert next_shown(channel) is None
    return kind


def displayed(data: object, metadata: object = None) -> list[bytes]:
    return sent("display_data", {"data": data, "metadata": metadata or {}})


def nested(depth: int) -> list:
    return [nested(depth - 1)] if depth else []


@pytest.mark.parametrize(
    "message",
    [
        sent("status", {"execution_state": "idle"}),
        sent("error", {"ename": "E", "evalue": "", "traceback": []}),
        displayed({EVIDENCE: {"task": "5.1"}}),
    ],
)
def test_what_counts_is_read(message):
    assert shown(message)


@pytest.mark.parametrize(
    "message",
    [
        sent("status", {"execution_state": "busy"}),
        sent("stream", {"name": "stdout", "text": EVIDENCE}),
        sent("error", {"ename": 3, "evalue": "", "traceback": []}),
        displayed({"text/plain": EVIDENCE}),
        displayed([EVIDENCE]),
        displayed({EVIDENCE: {}}, [1]),
        displayed({EVIDENCE: nested(50)}),
        displayed({EVIDENCE: "x" * LARGEST}),
        sent("status", {"execution_state": "idle"}, bytes(LARGEST)),
        sent("status", {"execution_state": "idle"}, key=b"other"),
        [b"<IDS|MSG>"],
        [b"words"],
        [b"<IDS|MSG>", b"", b"[]", b"{", b"", b""],
    ],
)
def test_all_else_is_of_no_kind(message):
    assert shown(message) == ""


def test_of_a_reply_only_its_request_is_read():
    session = Session(key=b"secret")
    parent = session.msg("execute_request")
    parts = session.serialize(session.msg("execute_reply", {}, parent=parent))
    channel = Channel(parts, parts[:3], [b"no reply"])
    assert next_reply(channel)["parent_header"]["msg_id"] == parent["msg_id"]
    assert next_reply(channel)["parent_header"] == {}
    assert next_reply(channel)["parent_header"] == {}
    assert next_reply(channel) is None
