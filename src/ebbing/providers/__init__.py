"""Models: embedders and language models, one small file each. Nothing heavy is loaded before it is used."""

from __future__ import annotations

import importlib.util

from ..errors import Invalid
from ..ports import Embedder, Llm
from .chat import Chat
from .endpoint import SPEC, from_spec
from .wordllama import WordLlama, count_tokens

__all__ = ["count_tokens", "make_embedder", "make_llm"]


def make_embedder(choice: str | Embedder | None) -> Embedder | None:
    """`"auto"` is the model that ships with Ebbing, or words alone where it is not installed; None is words alone."""
    if choice is None or choice == "none":
        return None
    if isinstance(choice, str):
        if choice not in ("auto", "wordllama"):
            raise Invalid(
                f"there is no embedder {choice!r}; use 'auto', 'none', or an object with embed() and a fingerprint"
            )
        return None if choice == "auto" and importlib.util.find_spec("wordllama") is None else WordLlama()
    if isinstance(choice, type) or not callable(getattr(choice, "embed", None)):
        raise Invalid(f"{choice!r} is not an embedder; give an object with embed(texts, query=False) and a fingerprint")
    fingerprint = getattr(choice, "fingerprint", None)
    if not isinstance(fingerprint, str) or not fingerprint.strip():
        raise Invalid(f"embedder {choice!r} has no fingerprint; give it a text that names the model and its version")
    return choice


def make_llm(choice: str | Llm | None) -> Llm | None:
    """None is none: a language model is asked only when somebody says so, be it by `"auto"` for the environment's."""
    if choice is None:
        return None
    if isinstance(choice, str):
        return Chat.at(from_spec(choice))
    if isinstance(choice, type) or not callable(getattr(choice, "answer", None)):
        raise Invalid(
            f"llm= is of type {type(choice).__name__}, which answers nothing; "
            f"give 'auto', {SPEC!r}, or an object with answer() and a name"
        )
    named = getattr(choice, "name", None)
    if not isinstance(named, str) or not named.strip():
        raise Invalid(f"the language model of type {type(choice).__name__} has no name; give it a text that names it")
    return choice
