"""`python -m motherlode` is `lode`, the command on the path."""

import shutil
import subprocess
import sys


def main() -> int:
    """Run the command with the same arguments. Returns its exit code."""
    command = shutil.which("lode")
    if command is None:
        print("`lode` is not on the path: install it with `cargo install --path . --locked`", file=sys.stderr)
        return 127
    try:
        return subprocess.run([command, *sys.argv[1:]], check=False).returncode
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
