"""The stored faults, and the tests that are asked first."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = tomllib.loads(Path(__file__).with_name("faults.toml").read_text(encoding="utf-8"))


class FaultError(ValueError):
    """A fault cannot be tried; the message says why."""


@dataclass(frozen=True)
class Fault:
    """A text of a file, and the text that breaks a behaviour.

    Attributes:
        room: the part of the project.
        file: the path of the file.
        breaks: what is wrong then, in a sentence.
        old: the text, which is in the file exactly once.
        new: what replaces it.
    """

    room: str
    file: str
    breaks: str
    old: str
    new: str

    def applied(self, root: Path = ROOT) -> str:
        """Return the text of the file with the fault in it.

        Raises:
            FaultError: the old text is not in the file exactly once.
        """
        path = root / self.file
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if (fits := text.count(self.old)) != 1:
            raise FaultError(
                f"{self.file} has the old text {fits} times. Break the same behaviour where it is "
                f"now, in tests/faults/faults.toml: {self.breaks}"
            )
        return text.replace(self.old, self.new)

    def has_one_of(self, words: list[str]) -> bool:
        """Tell whether it is of one of these rooms, or breaks one of these; of no words, yes."""
        text = f"{self.room} {self.breaks}".lower()
        return not words or any(word.lower() in text for word in words)

    def first_files(self, root: Path = ROOT) -> tuple[list[str], list[str]]:
        """Return the test files that name the changed one, and what else is tried before the rest.

        The latter are the tests of its folder, or of the nearest above, and modules with doctests.
        """
        folder, stem = Path(self.file).parent, Path(self.file).stem
        above = (root / "tests" / part for part in (folder, *folder.parents))
        own = next(found for part in above if (found := sorted(part.glob("test_*.py"))))
        every = dict.fromkeys([*own, *sorted((root / "tests").rglob("test_*.py"))])
        imported = rf"{'.'.join(folder.parts)}(\.| import .*\b){stem}\b"
        near = [path for path in every if re.search(imported, path.read_text(encoding="utf-8"))]
        others = [path for path in own if path not in near] + sorted((root / folder).glob("*.py"))
        first, then = ([str(path.relative_to(root)) for path in part] for part in (near, others))
        return first, then


ROOMS = tuple(dict.fromkeys(row["room"] for row in TABLE["fault"]))


def load() -> list[Fault]:
    """Return the stored faults."""
    return [Fault(**row) for row in TABLE["fault"]]
