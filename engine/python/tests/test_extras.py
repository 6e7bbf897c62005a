"""The package without the packages of its extras."""

import sys
from collections.abc import Callable

import pytest

import motherlode as ml


@pytest.mark.parametrize(
    ("package", "call"),
    [
        ("pyspiel", ml.openspiel.register),
        ("pettingzoo", ml.pettingzoo.aec),
        ("pettingzoo", ml.pettingzoo.parallel),
        ("gymnasium", ml.gymnasium),
        ("gymnasium", lambda game: ml.gymnasium_vector(game, 2)),
    ],
)
def test_missing_packages(package: str, call: Callable[[ml.Game], object], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_gymnasium", "_gymnasium_vector", "_openspiel", "_pettingzoo", "_spaces"):
        monkeypatch.delitem(sys.modules, f"motherlode.{name}", raising=False)
        monkeypatch.delattr(ml, name, raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match="pip install 'motherlode"):
        call(ml.load("photon"))
