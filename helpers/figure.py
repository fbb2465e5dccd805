"""A picture and the words that say the same: what every drawing helper returns."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, repr=False)
class Figure:
    """A figure that a notebook shows as SVG (or PNG), with its text form beside it.

    Attributes:
        text: what the picture shows, in words and numbers; the same on every machine.
        svg: the picture as an SVG document, or None.
        png: the picture as PNG bytes, or None; used where there is no SVG.
    """

    text: str
    svg: str | None = None
    png: bytes | None = None

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, object]:
        bundle: dict[str, object] = {"text/plain": self.text}
        if self.svg is not None:
            bundle["image/svg+xml"] = self.svg
        elif self.png is not None:
            bundle["image/png"] = self.png
        return bundle

    def __repr__(self) -> str:
        return self.text

    def save(self, path: str | Path) -> None:
        """Write the picture to `path`: the name ends in .svg, .png or .txt.

        Raises:
            ValueError: this figure has no picture of that kind.
        """
        path = Path(path)
        kinds = {".svg": self.svg, ".png": self.png, ".txt": self.text}
        content = kinds.get(path.suffix)
        if content is None:
            have = ", ".join(suffix for suffix, data in kinds.items() if data is not None)
            raise ValueError(f"cannot save {path.name}: this figure can be saved as {have}")
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
