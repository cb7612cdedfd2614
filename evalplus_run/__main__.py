"""`python -m evalplus_run`."""

from evalplus_run.cli import main

main()
