"""The models of the `fastembed` package, by name: out of its cache, or out of a folder.

Nothing is downloaded here; an error says how to fetch what is missing. fastembed itself puts no prefix before a
question: give the one that the model wants.
"""

from __future__ import annotations

import functools
import importlib.util
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..domain import validation
from ..domain.errors import Invalid, Unavailable
from ..ports import Vector
from .onnx_model import troubles
from .weights_digest import digest


class FastEmbed:
    """A model that fastembed knows; loaded at its first text."""

    def __init__(
        self,
        model: str,
        folder: str | os.PathLike[str] | None = None,
        *,
        cache: str | os.PathLike[str] | None = None,
        query_prefix: str = "",
        text_prefix: str = "",
    ) -> None:
        """`folder` holds the model's files; otherwise they are looked for in `cache`, or where fastembed keeps them."""
        if importlib.util.find_spec("fastembed") is None:
            raise Unavailable("this embedder needs the extra 'fastembed'; run: pip install 'ebbing[fastembed]'")
        self.model = validation.name(model, "the model")
        self.folder = None if folder is None else validation.path(folder).expanduser()
        self.cache = None if cache is None else validation.path(cache).expanduser()
        if self.folder is not None and not self.folder.is_dir():
            raise Invalid(f"there is no folder {str(self.folder)!r}; give the one that holds the model's files")
        self._prefixes = {True: query_prefix, False: text_prefix}
        # A folder may hold other weights under the same name.
        files = sorted(self.folder.rglob("*.onnx")) if self.folder is not None else []
        own = f"-{digest(files, text_prefix)}" if files or text_prefix else ""
        self.fingerprint = f"fastembed-{self.model}{own}"

    def __repr__(self) -> str:
        return f"FastEmbed({self.model!r})"

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        """One row per text; each alone, so that equal texts have equal rows whatever stands beside them."""
        prefixed = [self._prefixes[query] + text for text in texts]
        embed = self._loaded.query_embed if query else self._loaded.embed
        return np.array(list(embed(prefixed, batch_size=1)), dtype=np.float32)

    @functools.cached_property
    def _loaded(self) -> Any:
        from fastembed import TextEmbedding

        given: dict[str, Any] = {"local_files_only": True}
        if self.cache is not None:
            given["cache_dir"] = str(self.cache)
        if self.folder is not None:
            given["specific_model_path"] = str(self.folder)
        known = {str(one["model"]).lower() for one in TextEmbedding.list_supported_models()}
        if self.model.lower() not in known:
            raise Invalid(f"fastembed knows no model {self.model!r}; see TextEmbedding.list_supported_models()")
        try:
            return TextEmbedding(self.model, **given)
        except troubles() as error:
            fetch = f"from fastembed import TextEmbedding; TextEmbedding({self.model!r}, cache_dir=…)"
            raise Unavailable(
                f"the files of {self.model} are not on this machine ({error}); fetch them once with network "
                f"({fetch}) and give that cache, or give their folder"
            ) from error
