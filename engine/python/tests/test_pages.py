"""The Python listings of the handbook. Those of a page share their names."""

import re
from typing import Any

import pytest
from conftest import ROOT

PAGES = ROOT / "engine" / "docs" / "src"


@pytest.mark.parametrize(
    ("page", "count", "packages"),
    [("python.md", 9, ()), ("adapters.md", 6, ("gymnasium", "pettingzoo", "pyspiel"))],
)
def test_listings(page: str, count: int, packages: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    for package in packages:
        pytest.importorskip(package, reason="pip install 'motherlode[openspiel,pettingzoo,gymnasium]'")
    monkeypatch.chdir(ROOT)
    listings = re.findall(r"^```python\n(.*?)^```", (PAGES / page).read_text(), re.DOTALL | re.MULTILINE)
    assert len(listings) == count
    names: dict[str, Any] = {}
    for number, listing in enumerate(listings):
        exec(compile(listing, f"{page}[{number}]", "exec"), names)
