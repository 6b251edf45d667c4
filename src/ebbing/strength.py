"""The forgetting curves, under the public name `ebbing.strength`. They are defined in domain/curves.py."""

from .domain.curves import (
    CURVES,
    Curve,
    Ebbinghaus,
    HalfLife,
    Linear,
    Number,
    Power,
    Relevance,
    Stretched,
    Trace,
)

__all__ = [
    "CURVES",
    "Curve",
    "Ebbinghaus",
    "HalfLife",
    "Linear",
    "Number",
    "Power",
    "Relevance",
    "Stretched",
    "Trace",
]
