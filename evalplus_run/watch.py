"""Hydra's callback: where the runs of a sweep lie, told before its launcher begins."""

from __future__ import annotations

import sys
from typing import Any, ClassVar

from hydra.experimental.callback import Callback
from omegaconf import OmegaConf


class Watch(Callback):
    """Named in `conf/config.yaml`; Hydra makes it, and tells it in the command's own process."""

    folder: ClassVar[str] = ""
    """`sweep.dir`; empty where no sweep was composed."""

    def on_multirun_start(self, config: Any, **_: Any) -> None:
        """Note the folder; of a launcher that sends jobs away, say where their output is."""
        Watch.folder = str(config.sweep.dir)
        logs = OmegaConf.select(config, "hydra.launcher.submitit_folder")
        if logs:
            print(f"what the jobs say goes to {logs}", file=sys.stderr)  # noqa: T201
