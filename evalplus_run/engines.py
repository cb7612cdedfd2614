"""Models from one run to the next: in a sweep, what is loaded on this machine stays for the runs that ask for it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self, TypeVar

from evalplus_run.models.base import Model, Thinking
from evalplus_run.models.registry import build

Result = TypeVar("Result")


class Engines:
    """The event loop of runs in turn, and the local model that the last of them loaded; a context manager."""

    def __init__(self, *, keep: bool = False) -> None:
        """`keep`: a local model outlives its run, until another is started."""
        self._keep = keep
        self._runner = asyncio.Runner()
        self.broke = False
        """Whether the last run failed with the model that an earlier one had loaded."""
        self._reused = False
        self._is_asked = False
        self._loaded: Model | None = None
        self._loaded_as: tuple[Any, Thinking] | None = None

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End what is loaded."""
        with self._runner:
            self._runner.run(self._drop())

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """One run, as `asyncio.run` does it. A model that it was asking when it broke off is not used again."""
        self.broke = self._is_asked = False
        try:
            return self._runner.run(work)
        except BaseException:
            if self._is_asked:
                self.broke = self._reused
                self._runner.run(self._drop())
            raise

    @contextmanager
    def asked(self) -> Iterator[None]:
        """While the model has questions: what breaks off in here may have been the model, or leave it at work."""
        self._is_asked = True
        yield
        self._is_asked = False

    def model(self, settings: Any, thinking: Thinking) -> Model:
        """The one that is loaded, where it is of these settings; else a new one, nothing loaded yet.

        Raises UserError where its extra is not installed.
        """
        self._reused = self._loaded is not None and self._loaded_as == (settings, thinking)
        return self._loaded if self._reused and self._loaded is not None else build(settings)

    def is_loaded(self, model: Model) -> bool:
        """Whether it need not be started."""
        return model is self._loaded

    async def start(self, model: Model, settings: Any, thinking: Thinking) -> None:
        """Load or connect, and let go of what was loaded before. Raises UserError for what the user can mend."""
        if self.is_loaded(model):
            return
        await self._drop()
        await model.start(thinking)
        if self._keep and model.local:
            self._loaded, self._loaded_as = model, (settings, thinking)

    async def release(self, model: Model) -> None:
        """The run has no more questions."""
        if not self.is_loaded(model):
            await model.close()

    async def _drop(self) -> None:
        loaded, self._loaded, self._loaded_as = self._loaded, None, None
        if loaded is not None:
            await loaded.close()
