"""What is wrong, or may be, with a benchmark's own tests: one file for each kind of fault."""
