"""Hydra's callback: where the runs of a sweep lie, told before its launcher begins."""

from __future__ import annotations

from typing import Any, ClassVar

from hydra.experimental.callback import Callback


class Watch(Callback):
    """Named in `conf/config.yaml`; Hydra makes it, and tells it in the command's own process."""

    folder: ClassVar[str] = ""
    """`sweep.dir`; empty where no sweep was composed."""

    def on_multirun_start(self, config: Any, **_: Any) -> None:
        """Note the folder."""
        Watch.folder = str(config.sweep.dir)
