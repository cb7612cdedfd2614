"""What runs came to and how they compare: on the terminal, on a page, as tables, plots and files of other tools."""
