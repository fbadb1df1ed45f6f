from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.evidence_story import told  # noqa: F401
from tests.shop import FERNHOLLOW, PRACTICE, Shop


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """A place for a practice; there is none yet."""
    return Shop(tmp_path / "data")


@pytest.fixture(scope="session")
def _made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two data folders to copy: one fresh from init, one with the practice's own documents. Made once."""
    bare = Shop(tmp_path_factory.mktemp("made") / "bare")
    bare.done("init", *PRACTICE)
    full = Shop(bare.folder.with_name("full"))
    shutil.copytree(bare.folder, full.folder)
    full.done("apply", FERNHOLLOW)
    return {"bare": bare.folder, "full": full.folder}


@pytest.fixture
def new_shop(shop: Shop, _made: dict[str, Path]) -> Shop:
    """A practice fresh from init: one location, office hours."""
    shutil.copytree(_made["bare"], shop.folder)
    return shop


@pytest.fixture
def fernhollow(shop: Shop, _made: dict[str, Path]) -> Shop:
    """Fernhollow: two locations in two zones, templates, and the journey New lead as a draft."""
    shutil.copytree(_made["full"], shop.folder)
    return shop


@pytest.fixture(params=["sqlite", "postgres"])
def any_fernhollow(request: pytest.FixtureRequest, tmp_path: Path) -> Shop:
    """Fernhollow on each of the two databases."""
    if request.param == "sqlite":
        found: Shop = request.getfixturevalue("fernhollow")
        return found
    url: str = request.getfixturevalue("postgres_url")
    made = Shop(tmp_path / "data", {"STOPWELL_DATABASE": url})
    made.done("init", *PRACTICE)
    made.done("apply", FERNHOLLOW)
    return made
