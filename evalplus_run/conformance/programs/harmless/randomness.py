# says: draws random numbers, tokens and identifiers
# promise: passes
import os
import random
import secrets
import uuid


def f(x):
    random.seed(x)
    assert 0 <= random.random() < 1 and len(secrets.token_hex(4)) == 8 and len(os.urandom(4)) == 4
    assert str(uuid.uuid4()) != str(uuid.uuid1()) and random.SystemRandom().random() < 1
    return x * x + len(random.sample(range(100), 1))
