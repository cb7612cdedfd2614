"""Where a run's results are sent besides its folder: one file for each service, with one function."""
