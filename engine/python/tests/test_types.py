"""The types of the package, and its stubs beside the compiled part."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

pytest.importorskip("mypy", reason="mypy is missing: pip install mypy")

PACKAGE = ROOT / "engine" / "python"


def run(*command: str | Path) -> None:
    """Run a program of mypy; its messages must be none."""
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=PACKAGE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_are_strict(tmp_path: Path) -> None:
    run("mypy", "--cache-dir", tmp_path, "python", "tests")


def test_stubs_are_those_of_the_compiled_part(tmp_path: Path) -> None:
    # PyO3 writes the list itself.
    allowed = tmp_path / "allowed"
    allowed.write_text("motherlode\\._motherlode\\.__all__\n")
    run("mypy.stubtest", "motherlode._motherlode", "--allowlist", allowed)
