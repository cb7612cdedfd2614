"""Run a program on inputs in isolation and give back encoded plain values."""
