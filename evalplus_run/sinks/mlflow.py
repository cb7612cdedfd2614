"""MLflow; `MLFLOW_TRACKING_URI` and its other variables hold as everywhere."""

from __future__ import annotations

from evalplus_run.sinks.base import Told

_BATCH = 100
"""Parameters that MLflow takes in one call."""


def send(told: Told) -> str:
    """Send a run with metrics, the manifest as its parameters, and the files as artifacts."""
    import mlflow

    mlflow.set_experiment(told.project)
    with mlflow.start_run(run_name=told.name) as run:
        names = list(told.config)
        for start in range(0, len(names), _BATCH):
            mlflow.log_params({name: told.config[name] for name in names[start : start + _BATCH]})
        # MLflow takes no @ in a name.
        mlflow.log_metrics({name.replace("@", "_at_"): value for name, value in told.metrics.items()})
        for file in told.files:
            mlflow.log_artifact(file)
        return f"run {run.info.run_id} at {mlflow.get_tracking_uri()}"
