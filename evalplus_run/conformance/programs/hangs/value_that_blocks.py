# says: returns an iterator, where iterators are taken, that sleeps for its first item
# promise: timeout
# task: members
import time


def similar_elements(a, b):
    yield time.sleep(600)
