# says: brings tests of its own along, in both of the usual kinds
# promise: passes
import doctest
import unittest


def f(x):
    """
    >>> f(2)
    5
    """
    return x * x + 1


class Tests(unittest.TestCase):
    def test_two(self):
        self.assertEqual(f(2), 5)


if __name__ == "__main__":
    doctest.testmod()
    unittest.main()
