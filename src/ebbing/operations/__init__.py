"""Work on everything an owner has: export and import, simulation, embedding again, statistics."""
