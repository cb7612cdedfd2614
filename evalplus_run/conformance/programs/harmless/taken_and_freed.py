# says: takes and frees a quarter of the memory that is its, twice in each test
# promise: passes


def f(x):
    for _ in range(2):
        taken = bytearray(128 << 20)
        taken[0] = 1
    return x * x + taken[0]
