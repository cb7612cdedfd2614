"""What runs inside a wrapper: a true worker, and the few lines that connect it with the judge's process outside."""
