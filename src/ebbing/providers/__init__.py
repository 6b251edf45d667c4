"""Models: embedders, rerankers and language models, one small file each. Nothing heavy is loaded before it is used."""

from __future__ import annotations

import functools
import importlib.util
import logging
from typing import Any

from ..domain.errors import Invalid, Unavailable, shown
from ..ports import Embedder, Judge, Llm, Reranker
from .chat import Chat
from .embeddings import Embeddings
from .endpoint import SPEC, from_spec, named
from .fastembed import FastEmbed
from .judge import PackagedJudge, count_tokens
from .onnx import OnnxEmbedder, OnnxReranker
from .sentence_transformers import SentenceTransformers
from .wordllama import WordLlama

__all__ = ["count_tokens", "make_embedder", "make_judge", "make_llm", "make_reranker"]

logger = logging.getLogger(__name__)

EMBEDDERS = ("auto", "none", "onnx:folder", SPEC, "fastembed:model", "sentence-transformers:model-or-folder")
RERANKERS = ("none", "onnx:folder")


def make_embedder(choice: str | Embedder | None) -> Embedder | None:
    """`"auto"` is the model that ships with Ebbing; None is words alone."""
    if choice is None or choice == "none":
        return None
    if isinstance(choice, str):
        return _embedder(choice)
    if isinstance(choice, type) or not callable(getattr(choice, "embed", None)):
        raise Invalid(
            f"{shown(choice)} is not an embedder; give an object with embed(texts, query=False) and a fingerprint"
        )
    fingerprint = getattr(choice, "fingerprint", None)
    if not isinstance(fingerprint, str) or not fingerprint.strip():
        raise Invalid(
            f"embedder {shown(choice)} has no fingerprint; give it a text that names the model and its version"
        )
    return choice


def _embedder(choice: str) -> Embedder | None:
    """The one that a text names: by a word of ours, by a model and its address, or by a kind and what it needs."""
    if choice in ("auto", "wordllama"):
        return WordLlama()
    if place := named(choice):
        return Embeddings(*place)
    kind, _, which = choice.partition(":")
    match kind, bool(which.strip()):
        case "onnx", True:
            return OnnxEmbedder(which)
        case "fastembed", True:
            model, _, folder = which.partition("@")
            return FastEmbed(model, folder or None)
        case "sentence-transformers", True:
            return SentenceTransformers(which)
    raise _unknown("embedder", choice, EMBEDDERS, "embed() and a fingerprint")


def make_judge(choice: str | Judge | None) -> tuple[Judge | None, str]:
    """The judge and "", or None and why there is none: exact rules then decide alone.

    `"auto"` is the trained model that ships with Ebbing; `"off"` or None is none.
    """
    if choice is None or choice == "off":
        return None, "it is switched off with judge='off'"
    if choice == "auto":
        return _packaged_judge()
    missing = [name for name in ("relate", "read", "answers") if not callable(getattr(choice, name, None))]
    if isinstance(choice, str | type) or missing:
        raise Invalid(
            f"{shown(choice)} is not a judge; give 'auto', 'off', or an object with relate(), read(), answers()"
        )
    if not isinstance(getattr(choice, "fingerprint", None), str):
        raise Invalid(f"judge {shown(choice)} has no fingerprint; give it a text that names the model and its version")
    return choice, ""


@functools.cache
def _packaged_judge() -> tuple[PackagedJudge | None, str]:
    """The judge that ships, one for the process; none where its weights or onnxruntime are not installed."""
    if importlib.util.find_spec("onnxruntime") is None:
        return None, "onnxruntime is not installed: pip install onnxruntime"
    try:
        return PackagedJudge(), ""
    except Unavailable as error:
        logger.warning("%s; exact rules decide alone", error)
        return None, str(error)


def make_reranker(choice: str | Reranker | None) -> Reranker | None:
    """None is none: the order is then as relevance and strength make it."""
    if choice is None or choice == "none":
        return None
    if isinstance(choice, str):
        kind, _, which = choice.partition(":")
        if kind == "onnx" and which.strip():
            return OnnxReranker(which)
        raise _unknown("reranker", choice, RERANKERS, "scores() and a name")
    if isinstance(choice, type) or not callable(getattr(choice, "scores", None)):
        raise Invalid(f"{shown(choice)} is not a reranker; give an object with scores(query, texts) and a name")
    _check_name(choice, "reranker")
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
    _check_name(choice, "language model")
    return choice


def _check_name(choice: Any, what: str) -> None:
    known_as = getattr(choice, "name", None)
    if not isinstance(known_as, str) or not known_as.strip():
        raise Invalid(f"the {what} of type {type(choice).__name__} has no name; give it a text that names it")


def _unknown(what: str, choice: str, kinds: tuple[str, ...], methods: str) -> Invalid:
    listed = ", ".join(repr(kind) for kind in kinds)
    return Invalid(f"there is no {what} {shown(choice)}; use {listed}, or an object with {methods}")
