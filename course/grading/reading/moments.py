"""Tell times that may be from those that students or programs made up."""

from datetime import datetime

_FIRST, _LAST = 2000, 2100  # years


def iso(moment: datetime) -> str:
    """Return a time as ISO text, by the clock of this machine; "" for one that cannot be."""
    if not _FIRST <= moment.year <= _LAST:
        return ""
    moment = moment.astimezone() if moment.tzinfo else moment
    return moment.replace(tzinfo=None, microsecond=0).isoformat()


def moment_of(text: str) -> datetime | None:
    """Return the time that a text says, with its zone if it has one; None if it says none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if _FIRST <= moment.year <= _LAST else None
