"""Sweeps: many runs by one command, each with a record of what became of it."""
