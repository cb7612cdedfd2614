"""Estimators: pass@k, its intervals and what its noise comes from, and two runs on the same tasks."""
