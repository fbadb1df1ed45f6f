from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.bootstrap import Builder
from app.service.parts import Parts
from tests.shop import FERNHOLLOW, PRACTICE, Shop


@pytest.fixture(params=["sqlite", "postgres"])
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> Shop:
    """Fernhollow on each of the two databases, with its journey as a draft."""
    environment = {}
    if request.param == "postgres":
        environment["STOPWELL_DATABASE"] = str(request.getfixturevalue("postgres_url"))
    made = Shop(tmp_path / "data", environment)
    made.done("init", *PRACTICE)
    made.done("apply", FERNHOLLOW)
    return made


@pytest.fixture
def parts(shop: Shop) -> Iterator[Parts]:
    """The same, open."""
    with Builder(shop.environment).open(str(shop.folder)) as opened:
        yield opened
