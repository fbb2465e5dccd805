"""Who a student is to the learning platform that the work came from."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Person:
    """What a download says of a student, kept so that grades and feedback find their way back.

    Attributes:
        name: as grades.csv calls them; no two students of a report share one.
        platform: "moodle", "canvas", "github", "blackboard", "nbgrader", or "" for a folder.
        number: that the platform gives them; "" where there is none.
        folder: of theirs in the download, or what their files' names begin with, as it is written
            there; "" where there is none.
        ids: by which lists of the class know them, such as an e-mail address.
        called: as the download calls them, where that is another name; else "".
    """

    name: str = ""
    platform: str = ""
    number: str = ""
    folder: str = ""
    ids: tuple[str, ...] = ()
    called: str = ""

    @property
    def own_name(self) -> str:
        """The name without the number or the id that tells two of one name apart."""
        for mark in filter(None, (self.number, *self.ids)):
            if self.name.endswith(f" ({mark})"):
                return self.name.removesuffix(f" ({mark})")
        return self.name

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Person":
        """Read it from what `dataclasses.asdict` gave.

        Raises:
            TypeError: it is something else.
        """
        return cls(**{**data, "ids": tuple(data.get("ids", ()))})
