"""Checks at import that the compiled part was built from these Python files."""

import re
from pathlib import Path

BUILD = "build it with `maturin develop` or `pip install ./engine/python`"


def declarations(stub: str) -> str:
    """The declarations of a stub, without their texts and layout."""
    return "".join(re.sub(r'"""[\s\S]*?"""', "", stub).split())


def check() -> None:
    """Raise `ImportError` if the compiled part is missing, or does not have the declarations of the stub here."""
    try:
        from . import _motherlode
    except ModuleNotFoundError as error:
        raise ImportError(f"the compiled part of motherlode is missing: {BUILD}") from error
    try:
        here = Path(__file__).with_name("_motherlode.pyi").read_text(encoding="utf-8")
    except OSError:
        # An installation without stubs is copied as a whole.
        return
    if declarations(getattr(_motherlode, "_STUB", "")) != declarations(here):
        raise ImportError(f"the compiled part of motherlode is older or newer than its Python files: {BUILD}")
