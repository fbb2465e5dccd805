"""The class as it lies on a disk, and the traps around it."""

import json
import os
import re
import secrets
import shutil
import socket
import sysconfig
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from tests.hostile.case import Case
from tests.hostile.make import ROOT, answers

# Of what would harm a machine where walls have failed: it does not even start there.
_GUARD = "import os\nif os.path.exists({path!r}):\n    os._exit(3)"

_SECRETS = ("solutions/*", "lessons/*.md", "helpers/checks/references/*", ".git/config")


@dataclass
class World:
    """Folders, a secret and listeners, which no submission may reach.

    Attributes:
        outside: a folder that holds a secret, a home and the class.
        tag: a word that every trace of a submission bears.
        secret: a text that must not be told.
    """

    outside: Path
    tag: str = field(default_factory=lambda: f"hostile-{secrets.token_hex(3)}")
    secret: str = field(default_factory=lambda: f"secret-{secrets.token_hex(12)}")

    def __post_init__(self) -> None:
        self.class_folder, self.report = self.outside / "class", self.outside / "report"
        self.home, self.temporary = self.outside / "home", self.outside / "temporary"
        self.class_folder.mkdir()
        self.temporary.mkdir()
        (self.home / ".ssh").mkdir(parents=True)
        (self.home / ".ssh" / "id_ed25519").write_text(self.secret)
        (self.outside / "secret.txt").write_text(self.secret)
        self.sockets = Path(tempfile.mkdtemp(prefix="t"))  # the path of a socket must be short
        kinds = [(socket.AF_INET, kind) for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM)]
        kinds += [(socket.AF_UNIX, socket.SOCK_STREAM)] * 2
        self.listeners = [socket.socket(*kind) for kind in kinds]
        self.listeners[0].bind(("127.0.0.1", 0))
        self.listeners[1].bind(self.listeners[0].getsockname())
        self.listeners[2].bind(str(self.sockets / "listener"))
        self.listeners[3].bind(f"\0{self.tag}")
        for listener in self.listeners:
            listener.setblocking(False)
            if listener.type == socket.SOCK_STREAM:
                listener.listen()

    @property
    def environment(self) -> dict[str, str]:
        """Variables of the grader's process, which are a secret too."""
        own = {"HOME": str(self.home), "TMPDIR": str(self.temporary)}
        return {**os.environ, **own, "SECRET": self.secret, "TAG": self.tag}

    @property
    def places(self) -> list[str]:
        """Folders where somebody could leave a file."""
        ours = [ROOT / name for name in ("", "solutions", "exercises", "lessons", "helpers/checks")]
        tmp = [Path(name) for name in ("/tmp", "/dev/shm", "/var/tmp", "/run", "/opt", "/srv")]
        own = [self.outside, self.home, self.class_folder, self.report, self.sockets]
        return [str(place) for place in (*ours, *tmp, *own, Path(sysconfig.get_path("purelib")))]

    def fill(self, code: str) -> str:
        """Replace the words in double angle brackets."""
        addresses = [(int(one.family), _address(one)) for one in self.listeners]
        names = (
            "solutions/*.ipynb",
            "lessons/*.md",
            "helpers/checks/references/*.py",
            ".git/config",
        )
        secret = [str(ROOT / name) for name in names]
        secret += [f"{self.outside}/*.txt", f"{self.class_folder}/*/*", f"{self.home}/.ssh/*"]
        host = [str(self.outside), str(ROOT), "walls-", f"node={socket.gethostname()!r}"]
        words = {
            "tag": self.tag,
            "outside": str(self.outside),
            "host": repr(host),
            "port": str(addresses[0][1][1]),
            "places": repr(self.places),
            "secrets": repr([*secret, f"{self.report}/**/*", "/etc/shadow", "/root/.*"]),
            "listeners": repr(addresses),
            "guard": _GUARD.format(path=str(self.outside)),
        }
        return re.sub(r"<<(\w+)>>", lambda found: words[found[1]], code)

    def hand_in(self, case: Case, student: str) -> None:
        """Write a submission into the class's folder."""
        folder = self.class_folder / student
        folder.mkdir()
        path, content = folder / f"{case.exercise}.ipynb", self.content(case)
        if case.place:
            case.place(path, content)
        else:
            path.write_bytes(content)

    def content(self, case: Case) -> bytes:
        """Return the bytes of a submission's notebook."""
        given = {name: self.fill(code) for name, code in case.given.items()}
        made = answers(case.exercise, given)
        made = case.change(made) if case.change else made
        made = made if isinstance(made, bytes) else json.dumps(made).encode()
        return made.replace(b"<<tag>>", self.tag.encode())

    def hand_in_neighbour(self, student: str) -> None:
        """Write an honest submission that has a secret beside its answers."""
        made = answers("05_square", {})
        note = {"cell_type": "markdown", "id": "note", "metadata": {}, "source": self.secret}
        made["cells"].append(note)
        (self.class_folder / student).mkdir()
        (self.class_folder / student / "05_square.ipynb").write_text(json.dumps(made))

    def give_to(self, user: int) -> None:
        """Make all of it a user's own."""
        for place in (self.outside, self.sockets):
            for path in (place, *place.rglob("*")):
                os.chown(path, user, user, follow_symlinks=False)

    def callers(self) -> list[str]:
        """Return the addresses of the listeners that somebody has called."""
        called = []
        for listener in self.listeners:
            try:
                listener.accept() if listener.type == socket.SOCK_STREAM else listener.recv(1)
            except BlockingIOError:
                continue
            called.append(str(listener.getsockname()))
        return called

    def close(self) -> None:
        """Close the listeners."""
        for listener in self.listeners:
            listener.close()
        shutil.rmtree(self.sockets)


def _address(listener: socket.socket) -> tuple | str:
    found = listener.getsockname()
    return os.fsdecode(found) if isinstance(found, bytes) else found  # an abstract one is bytes
