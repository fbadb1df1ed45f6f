from __future__ import annotations

from tests.cli.test_ai import JOURNEY
from tests.shop import Shop

SECOND = JOURNEY.replace("as: exhausted", "as: closed")
THIRD = JOURNEY.replace("replied: true", "replied: false")


def published(shop: Shop, *texts: str) -> None:
    for text in texts:
        shop.done("apply", shop.write("fresh.yaml", text))
        shop.done("publish", "Fresh")


def test_versions_are_listed_and_compared_in_words(any_fernhollow: Shop) -> None:
    published(any_fernhollow, JOURNEY, SECOND)
    any_fernhollow.done("apply", any_fernhollow.write("fresh.yaml", THIRD))

    said = any_fernhollow.json("journey", "Fresh")
    compared = any_fernhollow.json("journey", "Fresh", "--compare", "1", "2")

    assert [(each["version"], each["live"]) for each in said["versions"]] == [(1, False), (2, True)]
    assert said["draft"] is True
    assert compared["differences"] == ["done: ends as: exhausted -> closed."]
    assert (
        "a reply: ends it -> does not end it." in any_fernhollow.done("journey", "Fresh", "--compare", "1", "draft").out
    )
    assert "There are: 1, 2, draft." in any_fernhollow.refused("journey", "Fresh", "--compare", "1", "9")
    assert "Did you mean Fresh?" in any_fernhollow.refused("journey", "Frsh")


def test_an_old_version_is_published_again_as_a_new_one_and_a_draft_is_kept(any_fernhollow: Shop) -> None:
    published(any_fernhollow, JOURNEY, SECOND)
    any_fernhollow.done("apply", any_fernhollow.write("fresh.yaml", THIRD))

    assert any_fernhollow.json("publish", "Fresh", "--version", "1", "--dry-run")["version"] == 3
    again = any_fernhollow.json("publish", "Fresh", "--version", "1")

    assert (again["version"], again["changed"]) == (3, True)
    assert any_fernhollow.json("journey", "Fresh", "--compare", "1", "3")["differences"] == []
    assert any_fernhollow.json("journey", "Fresh")["draft"] is True
    assert any_fernhollow.json("publish", "Fresh", "--version", "3")["changed"] is False
    assert "has no version 9" in any_fernhollow.refused("publish", "Fresh", "--version", "9")
    assert any_fernhollow("publish", "Fresh", "--version", "x").code == 2
