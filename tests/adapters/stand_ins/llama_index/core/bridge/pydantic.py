"""A stand-in for `llama_index.core.bridge.pydantic`."""

from pydantic import BaseModel, ConfigDict, PrivateAttr

__all__ = ["BaseModel", "ConfigDict", "PrivateAttr"]
