"""Maintenance: the rounds that visit owners."""
