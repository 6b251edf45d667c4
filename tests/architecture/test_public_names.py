"""What `import ebbing` offers is what `__all__` says: no more, no fewer."""

from __future__ import annotations

from types import ModuleType

import ebbing


def offered(package: ModuleType) -> set[str]:
    """The public names that can be had from a package.

    Submodules are reached by their own names, and `annotations` is what `from __future__` leaves behind.
    """
    names = {name for name in dir(package) if not name.startswith("_")} - {"annotations"}
    return {name for name in names if not isinstance(getattr(package, name), ModuleType)}


def promised(package: ModuleType) -> set[str]:
    """The names in `__all__`, each of which is fetched, so that a promise nobody keeps is an error here."""
    values = {name: getattr(package, name) for name in package.__all__}
    return {name for name, value in values.items() if not isinstance(value, ModuleType)}


def test_all_equals_what_is_importable() -> None:
    """Every public name is in `__all__`, and every name in `__all__` can be had."""
    assert len(ebbing.__all__) == len(set(ebbing.__all__))
    assert {name for name in promised(ebbing) if not name.startswith("_")} == offered(ebbing)


def test_the_first_name_is_there() -> None:
    """`ebbing.open` is how everything begins."""
    assert "open" in ebbing.__all__
    assert callable(ebbing.open)
