"""Estimators: pass@k and its intervals."""
