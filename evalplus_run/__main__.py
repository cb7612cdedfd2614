from evalplus_run.cli import main

main()
