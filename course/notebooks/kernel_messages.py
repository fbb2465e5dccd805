"""Take a kernel's messages, and read no more of them than what counts.

Code in a kernel can send what it likes, as much as it likes. So a message is looked at as bytes
first: what is too large, or is none of the kinds that count, is let go unread.
"""

from typing import Any

import zmq

from helpers.checks import EVIDENCE

# Of a message in all its parts, in bytes; evidence has less than a tenth of that.
LARGEST = 2**20
# Messages that wait to be taken; without a limit, those of a kernel that floods fill the memory.
MOST_WAITING = 32
_DEEPEST = 40  # levels of a piece of evidence
_UNUSABLE = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
_NOTHING: dict[str, Any] = {"msg_type": "", "content": {}, "parent_header": {}, "size": 0}


def next_reply(channel: Any) -> dict[str, Any] | None:
    """Return the next message of `shell`, with its content unread; None if there is none.

    A message that cannot be used is one of no kind.
    """
    return _taken(channel, _reply)


def next_shown(channel: Any) -> dict[str, Any] | None:
    """Return the next message of `iopub`, with its "size" in bytes; None if there is none.

    A message that is not needed, or cannot be used, is one of no kind.
    """
    return _taken(channel, _shown)


def _taken(channel: Any, read: Any) -> dict[str, Any] | None:
    try:
        parts = channel.socket.recv_multipart(zmq.NOBLOCK)
    except zmq.Again:
        return None
    try:
        if sum(map(len, parts)) <= LARGEST:
            _, parts = channel.session.feed_identities(parts)
            return read(channel.session, parts) or _NOTHING
    except _UNUSABLE:
        pass
    return _NOTHING


def _reply(session: Any, parts: list[bytes]) -> dict[str, Any] | None:
    message = session.deserialize(parts, content=False)
    return message if isinstance(message["parent_header"], dict) else None


def _shown(session: Any, parts: list[bytes]) -> dict[str, Any] | None:
    kind = session.unpack(parts[1])["msg_type"]
    if kind not in _NEEDED or (kind == "display_data" and EVIDENCE.encode() not in parts[4]):
        return None
    message = session.deserialize(parts)
    content = message["content"]
    fits = isinstance(content, dict) and isinstance(message["parent_header"], dict)
    if not fits or not _NEEDED[kind](content):
        return None
    return {**message, "size": sum(map(len, parts))}


def _is_idle(content: dict[str, Any]) -> bool:
    return content.get("execution_state") == "idle"


def _is_error(content: dict[str, Any]) -> bool:
    texts = [content.get("ename"), content.get("evalue")]
    return all(isinstance(text, str) for text in texts) and "traceback" in content


def _is_evidence(content: dict[str, Any]) -> bool:
    return (
        isinstance(content.get("data"), dict)
        and EVIDENCE in content["data"]
        and isinstance(content.get("metadata"), dict)
        and not _is_deep(content)
    )


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        inner = [list(v.values()) if isinstance(v, dict) else v for v in level]
        level = [item for items in inner if isinstance(items, list) for item in items]
        if not level:
            return False
    return True


# What people look at is let go: output without end would fill the memory.
_NEEDED = {"status": _is_idle, "error": _is_error, "display_data": _is_evidence}
