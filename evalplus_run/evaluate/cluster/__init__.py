"""Judging on the nodes of a Ray cluster. Nothing outside this folder knows of Ray."""
