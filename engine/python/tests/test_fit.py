"""The compiled part must fit the Python files."""

import pytest

from motherlode import _fit, _motherlode


def test_an_older_compiled_part_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    _fit.check()
    built = _motherlode._STUB
    # Texts and layout may differ.
    monkeypatch.setattr(_motherlode, "_STUB", built.replace('"""Its name', '"""The name').replace("\n", "\r\n"))
    _fit.check()
    for other in (built.replace("threads:", "cores:"), ""):
        monkeypatch.setattr(_motherlode, "_STUB", other)
        with pytest.raises(ImportError, match="older or newer than its Python files: build it"):
            _fit.check()
    monkeypatch.delattr(_motherlode, "_STUB")
    with pytest.raises(ImportError, match="older or newer"):
        _fit.check()
