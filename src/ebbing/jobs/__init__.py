"""Background work: when to sweep, for which owners, and the loops that do it."""
