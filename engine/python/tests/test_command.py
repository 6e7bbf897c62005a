"""`python -m motherlode`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the package as a command; only `folder` is on the path."""
    command = [sys.executable, "-m", "motherlode", *arguments]
    return subprocess.run(
        command, env={**os.environ, "PATH": str(folder)}, capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(os.name == "nt", reason="the program of this test is a shell script")
def test_the_package_runs_lode(tmp_path: Path) -> None:
    program = tmp_path / "lode"
    program.write_text('#!/bin/sh\necho "$# $2"\nexit 3\n')
    program.chmod(0o755)
    ran = run(tmp_path, "sim", "a b")
    assert (ran.returncode, ran.stdout) == (3, "2 a b\n")


def test_a_missing_command_is_named(tmp_path: Path) -> None:
    ran = run(tmp_path, "sim")
    assert ran.returncode == 127 and "cargo install --path ." in ran.stderr
