"""What another policy would have done, and which one an owner's own history asks for. Reads; changes nothing."""

from .fit import Fit, fit
from .simulate import Fallen, Miss, Point, Simulation, gather, simulate

__all__ = ["Fallen", "Fit", "Miss", "Point", "Simulation", "fit", "gather", "simulate"]
