"""Sentences of the library in the words of the command line."""

from __future__ import annotations

import re


def as_options(sentence: str) -> str:
    """A sentence of the library as the command line says it: everything=True is --everything, settle(id, keep=True) is
    ebbing settle ID --keep."""
    sentence = sentence.replace("set_block(label, text)", "ebbing block set LABEL TEXT")
    sentence = re.sub(r"\b([a-z]+)\(id, ([a-z]+=True)\)", r"ebbing \1 ID \2", sentence)
    return re.sub(r"\b([a-z]+(?:_[a-z]+)*)=True\b", lambda found: f"--{found[1].replace('_', '-')}", sentence)
