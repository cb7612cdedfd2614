"""trackio: a folder of this machine, or a Space of the hub where `TRACKIO_SPACE_ID` names one."""

from __future__ import annotations

import re

from evalplus_run.sinks.base import Told


def send(told: Told) -> str:
    """Send a run with metrics, the manifest as its configuration, and the files as artifacts."""
    import trackio

    trackio.init(project=told.project, name=told.name, config=dict(told.config), auto_log_cpu=False, auto_log_gpu=False)
    trackio.log(dict(told.metrics))
    artifact = trackio.Artifact(re.sub(r"[^\w.-]+", "-", f"results-{told.name}", flags=re.ASCII), type="evaluation")
    for file in told.files:
        artifact.add_file(file)
    trackio.log_artifact(artifact)
    trackio.finish()
    return f'trackio show --project "{told.project}"'
