"""The error that ends the set-up."""


class SetupError(Exception):
    """A step of the set-up that cannot be done; the message tells what to do about it."""
