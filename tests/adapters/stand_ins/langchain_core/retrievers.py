"""A stand-in for `langchain_core.retrievers`."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


class BaseRetriever(BaseModel):
    """Documents for a question."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    def invoke(self, input: str, config: Any = None, **kwargs: Any) -> list[Any]:
        found: list[Any] = self._get_relevant_documents(input, run_manager=None, **kwargs)
        return found
