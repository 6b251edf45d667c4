"""A stand-in for `autogen_core`."""


class CancellationToken:
    """Whether somebody gave up waiting."""
