"""Secrets that the environment of a headless worker gives: taken once, and out of reach of the process's children."""

from __future__ import annotations

import os
from collections.abc import Mapping

from app.domain.secret import Secret, SecretName
from app.domain.secret_place import VARIABLES
from app.known_secrets import KnownSecrets


def take_given(environment: Mapping[str, str], known: KnownSecrets) -> dict[SecretName, Secret]:
    """Each secret that has its variable, without blanks at its ends; an empty variable gives none.

    From the process's own environment they are removed. known: is told each of them.
    """
    given: dict[SecretName, Secret] = {}
    for name, variable in VARIABLES.items():
        value = environment.get(variable, "").strip()
        if environment is os.environ:
            os.environ.pop(variable, None)
        if value:
            known.add(value)
            given[name] = Secret(value)
    return given
