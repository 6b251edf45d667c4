"""What an adapter says where its framework is not installed."""

from __future__ import annotations

from ..domain.errors import Unavailable


class MissingFramework(Unavailable, ImportError):
    """The framework of an adapter is not installed; the message says what to install."""

    def __init__(self, framework: str, package: str) -> None:
        super().__init__(f"this adapter is for {framework}, which is not installed; run: pip install {package}")
