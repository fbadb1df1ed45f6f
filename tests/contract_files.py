"""The providers' own API descriptions, which are theirs and stay outside: tests that need one skip by its name without.

Looked for in the folder that STOPWELL_CONTRACTS names, else in the folder beside this repository.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from openapi_core import OpenAPI

_ROOT = Path(__file__).parents[1]
_BESIDE = _ROOT.parent.joinpath("shared", "contracts")


def description(name: str) -> OpenAPI:
    """The description in the file `name`, read. Skips the test that asks when the file is not there."""
    folder = Path(os.environ.get("STOPWELL_CONTRACTS") or _BESIDE)
    file = folder / name
    if not file.is_file():
        pytest.skip(f"the provider's description {name} is not there: set STOPWELL_CONTRACTS to its folder")
    return _read(file)


@lru_cache(maxsize=4)
def _read(file: Path) -> OpenAPI:
    from openapi_core import OpenAPI

    return OpenAPI.from_file_path(str(file))
