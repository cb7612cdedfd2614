"""Settings of all tests."""

from hypothesis import settings

# The first example may import numpy or scipy, and the machine may be busy: no example has a deadline.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
