"""Measurements of Ebbing: how fast it is beside the bare floor of each operation, and how well it recalls.

Each is a program of its own, run as `python -m bench.<name>`. Nothing here is imported by the package.
"""
