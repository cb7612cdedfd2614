# says: imports parts of numpy inside its function
# promise: passes


def f(x):
    import numpy.fft
    import numpy.linalg
    import numpy.polynomial
    import numpy.random

    random = numpy.random.default_rng(x)
    assert 0 <= random.random() < 1 and numpy.fft.fft([1, 0])[0] == 1
    assert round(float(numpy.linalg.det(numpy.eye(3)))) == 1
    return int(numpy.polynomial.Polynomial([1, 0, 1])(x))
