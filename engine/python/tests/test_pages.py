"""The Python listings of the handbook."""

import re
from typing import Any

import pytest
from conftest import ROOT

PAGE = ROOT / "engine" / "docs" / "src" / "adapters.md"


def test_listings(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("gymnasium", "pettingzoo", "pyspiel"):
        pytest.importorskip(package, reason="pip install 'motherlode[openspiel,pettingzoo,gymnasium]'")
    monkeypatch.chdir(ROOT)
    listings = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    assert len(listings) == 4
    names: dict[str, Any] = {}
    for number, listing in enumerate(listings):
        exec(compile(listing, f"{PAGE.name}[{number}]", "exec"), names)
