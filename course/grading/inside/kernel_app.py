"""A Jupyter kernel that no file configures."""

from ipykernel.kernelapp import IPKernelApp


class PlainKernelApp(IPKernelApp):
    """IPython's own, without files of settings and without code that runs at the start."""

    def load_config_file(self, *_: object, **__: object) -> None:
        """Read no file."""

    def init_code(self) -> None:
        """Run no file."""

    def init_shell(self) -> None:
        """Let `!command` do without a terminal: there are none."""
        super().init_shell()
        self.shell.system = self.shell.system_raw
