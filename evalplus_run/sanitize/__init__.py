"""From a model's text to a program."""
