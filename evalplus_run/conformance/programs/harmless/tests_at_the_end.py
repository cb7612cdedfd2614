# says: runs tests of its own when it is loaded, with assertions and with unittest
# promise: passes
import unittest


def f(x):
    return x * x + 1


class Tests(unittest.TestCase):
    def test_two(self):
        self.assertEqual(f(2), 5)


assert f(1) == 2
unittest.TextTestRunner(verbosity=0).run(unittest.defaultTestLoader.loadTestsFromTestCase(Tests))
