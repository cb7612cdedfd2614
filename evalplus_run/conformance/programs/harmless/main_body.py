# says: has a body of its own for when it is started as a program
# promise: passes


def f(x):
    return x * x + 1


if __name__ == "__main__":
    assert f(int(input())) == 0
    raise SystemExit(3)
