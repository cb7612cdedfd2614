"""Weights & Biases; `WANDB_MODE=offline` and its other variables hold as everywhere."""

from __future__ import annotations

from evalplus_run.sinks.base import Told


def send(told: Told) -> str:
    """Send a run with summary values, the manifest as its configuration, and an artifact."""
    import wandb

    # Results only: neither what the terminal shows, nor the code and the repository of the current folder.
    quiet = wandb.Settings(
        console="off",
        silent=True,
        save_code=False,
        disable_git=True,
        disable_job_creation=True,
        x_disable_stats=True,
    )
    with wandb.init(project=told.project, name=told.name, config=dict(told.config), settings=quiet) as run:
        run.log(dict(told.metrics))
        artifact = wandb.Artifact(f"results-{run.id}", type="evaluation")
        for file in told.files:
            artifact.add_file(file)
        run.log_artifact(artifact)
        return str(run.url or f"{run.dir} (offline; `wandb sync` sends it)")
