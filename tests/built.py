"""What `cargo test --release` has made, for the tests in Python: cargo itself would
make it anew, since it has other features of its dependencies without the tests."""

from __future__ import annotations

import os
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]


def built(name: str) -> str:
    """A program's path, such as `brandub` or `examples/sample-page`."""
    target = TOP / (os.environ.get("CARGO_TARGET_DIR") or "target")
    found = target / "release" / name
    assert found.is_file(), f"no {found}: cargo test --release --locked --no-run makes it"
    return str(found)


def program() -> str:
    """`brandub`, or what BRANDUB names."""
    return os.environ.get("BRANDUB") or built("brandub")
