"""Adapters: Ebbing as the memory of an agent framework, one thin file for each.

    key_values.py  values under keys, with versions   → langgraph
    turns.py       before and after a run of an agent → the frameworks that ask for context and hand over messages
    tools.py       the tools as plain functions       → every framework that takes functions

A framework is imported by its own file alone. Rules about memory stay in the engine.
"""
