"""A little Slurm of one machine: `sbatch`, `srun`, `sacct`, `scontrol` and `scancel` as commands in a folder.

Arrays run at once, as background processes; a requeued task begins again. Written by hand after what submitit calls,
and `sbatch --array=1-4 --wrap=COMMAND`.
"""

import os
import sys
from pathlib import Path

_SBATCH = """
import os, re, subprocess, sys
state = os.environ["FAKE_SLURM"]
script = sys.argv[-1]
if script.startswith("--wrap="):
    source = " ".join(sys.argv[1:-1])
    script = os.path.join(state, f"{len(os.listdir(state))}.sh")
    open(script, "w").write(sys.argv[-1].partition("=")[2])
else:
    source = open(script).read()
array = re.search(r"--array=(\\d+)-(\\d+)", source)
job = str(4000 + 100 * len(os.listdir(state)))
for task in range(int(array[1]), int(array[2]) + 1) if array else [None]:
    environment = {**os.environ, "SLURM_JOB_NUM_NODES": "1", "SLURM_NTASKS": "1", "SLURM_NODEID": "0",
        "SLURM_JOB_NODELIST": "here", "SLURM_PROCID": "0", "SLURM_LOCALID": "0", "SLURM_JOB_ID": job}
    name = job
    if array:
        name = f"{job}_{task}"
        environment |= {"SLURM_ARRAY_JOB_ID": job, "SLURM_ARRAY_TASK_ID": str(task),
            "SLURM_ARRAY_TASK_COUNT": str(int(array[2]) - int(array[1]) + 1)}
    file = os.path.join(state, name)
    with open(file, "w") as told:
        told.write("RUNNING")
    # A task that asked to be put in again left a file to say so; else it is through.
    again = f"while true; do bash {script}; if [ -e {file}.again ]; then rm {file}.again; else break; fi; done"
    started = subprocess.Popen(["bash", "-c", f"{again}; echo COMPLETED > {file}"], env=environment,
        start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(f"{file}.group", "w") as told:
        told.write(str(started.pid))
print(f"Submitted batch job {job}")
"""
_SRUN = """
import os, subprocess, sys, time
words = sys.argv[1:]
out, err = (words[words.index(flag) + 1] for flag in ("--output", "--error"))
ids = {"%A": "SLURM_ARRAY_JOB_ID", "%a": "SLURM_ARRAY_TASK_ID", "%t": "SLURM_PROCID", "%j": "SLURM_JOB_ID"}
for sign, name in ids.items():
    out, err = (path.replace(sign, os.environ.get(name, "")) for path in (out, err))
command = words[words.index("--error") + 2:]
# Here a task begins before the launcher has put its work in place, which the real Slurm is too slow for.
while not os.path.exists(out.replace("_0_log.out", "_submitted.pkl")):
    time.sleep(0.05)
sys.exit(subprocess.call(command, stdout=open(out, "a"), stderr=open(err, "a")))
"""
_SACCT = """
import os
print("JobID|State|NodeList")
for name in os.listdir(os.environ["FAKE_SLURM"]):
    if "." not in name:
        print(f"{name}|{open(os.path.join(os.environ['FAKE_SLURM'], name)).read().strip()}|here")
"""
_SCONTROL = """
import os, sys
assert sys.argv[1] == "requeue"
open(os.path.join(os.environ["FAKE_SLURM"], sys.argv[2] + ".again"), "w").close()
"""
# As the real one: SIGTERM, of which submitit takes no notice, and SIGKILL a while later.
_SCANCEL = """
import os, signal, sys, time
state = os.environ["FAKE_SLURM"]
for name in os.listdir(state):
    if "." not in name and {name, name.partition("_")[0]} & {*sys.argv[1:]}:
        file = os.path.join(state, name)
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(int(open(f"{file}.group").read()), number)
            except ProcessLookupError:
                pass
            time.sleep(0.2)
        with open(file, "w") as told:
            told.write("CANCELLED")
"""
_COMMANDS = {"sbatch": _SBATCH, "srun": _SRUN, "sacct": _SACCT, "scontrol": _SCONTROL, "scancel": _SCANCEL}


def install(folder: Path) -> dict[str, str]:
    """The commands in the folder; the environment that has them on its path."""
    commands, state = folder / "bin", folder / "state"
    commands.mkdir(parents=True)
    state.mkdir()
    for name, source in _COMMANDS.items():
        path = commands / name
        path.write_text(f"#!{sys.executable}\n{source}")
        path.chmod(0o755)
    return {"PATH": f"{commands}:{os.environ['PATH']}", "FAKE_SLURM": str(state)}
