# says: returns a range too long to be written down
# promise: wrong or output_too_large
# task: members


def similar_elements(a, b):
    return range(10**18)
