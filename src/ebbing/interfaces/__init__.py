"""Faces: what people and agents touch. Each parses, calls the engine and renders; none holds a rule about memory."""
