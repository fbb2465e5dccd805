"""The stored faults, and the tests that are asked first."""

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
                f"now: {self.breaks}"
            )
        return text.replace(self.old, self.new)

    def has_one_of(self, words: list[str]) -> bool:
        """Tell whether it is of one of these rooms, or breaks one of these; of no words, yes."""
        text = f"{self.room} {self.breaks}".lower()
        return not words or any(word.lower() in text for word in words)

    def first_files(self, root: Path = ROOT) -> list[str]:
        """Return the test files of its folder, or of the nearest above, and modules with doctests.

        The file that is named after the changed one comes first.
        """
        folder = Path(self.file).parent
        above = (root / "tests" / part for part in (folder, *folder.parents))
        tests = next(found for part in above if (found := sorted(part.glob("test_*.py"))))
        tests.sort(key=lambda path: path.stem != f"test_{Path(self.file).stem}")
        modules = sorted((root / folder).glob("*.py"))
        return [path.relative_to(root).as_posix() for path in [*tests, *modules]]


def load() -> list[Fault]:
    """Return the stored faults."""
    return [Fault(**row) for row in TABLE["fault"]]
