# says: collects garbage, follows weak references and watches its memory
# promise: passes
import gc
import sys
import tracemalloc
import weakref


class Node:
    pass


def f(x):
    tracemalloc.start()
    ends = []
    node = Node()
    node.self = node
    weakref.finalize(node, ends.append, 1)
    reference = weakref.ref(node, lambda _: ends.append(2))
    del node
    gc.collect()
    tracemalloc.take_snapshot()
    tracemalloc.stop()
    assert reference() is None and sys.getsizeof([]) and gc.get_stats()
    return x * x + len(ends) - 1
