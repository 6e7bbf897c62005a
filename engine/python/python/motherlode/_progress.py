"""A progress bar on the terminal, or a callable of the program."""

import sys
import time
from collections.abc import Callable
from types import TracebackType

Progress = bool | Callable[[int, int], object] | None
"""`True`: a bar on standard error; `False`: none; `None`: a bar if standard error is a terminal. A callable gets the
number of finished pieces and of all pieces."""

WIDTH = 30
"""Width of the bar, in characters."""


class Bar:
    """Shows how many of `total` pieces are done; 0: nobody knows the total."""

    def __init__(self, progress: Progress, total: int, unit: str) -> None:
        if not (progress is None or isinstance(progress, bool) or callable(progress)):
            raise TypeError(f"`progress` takes True, False, None or a callable, not {progress!r}")
        self._call = progress if callable(progress) else None
        wants_bar = sys.stderr.isatty() if progress is None else progress is True
        self._stream = sys.stderr if wants_bar else None
        self._total, self._unit = total, unit
        self._start = time.monotonic()

    def __enter__(self) -> "Bar":
        return self

    def __call__(self, done: int) -> None:
        """Report the number of finished pieces."""
        if self._call is not None:
            self._call(done, self._total)
        if self._stream is not None:
            filled = WIDTH * done // max(self._total, 1)
            spent = time.monotonic() - self._start
            left = f", {spent / done * (self._total - done):.0f} s left" if 0 < done < self._total else ""
            text = f"\r[{'#' * filled:{WIDTH}}] {done} of {self._total} {self._unit}{left}\x1b[K"
            if not self._total:
                text = f"\r{done} {self._unit}\x1b[K"
            self._stream.write(text)
            self._stream.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
