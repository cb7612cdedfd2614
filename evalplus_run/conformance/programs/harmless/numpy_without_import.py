# says: uses parts of numpy that are loaded when they are first asked for
# promise: passes
import numpy as np


def f(x):
    state = np.random.RandomState(x).randint(0, 2)
    solved = np.linalg.solve(np.array([[2.0, 0.0], [0.0, 4.0]]), np.array([2.0, 4.0]))
    assert state in (0, 1) and np.fft.ifft(np.fft.fft([1.0, 2.0]))[1].real > 1 and np.ma.array([1], mask=[0])[0]
    return int(np.dot([x], [x])) + int(solved[0])
