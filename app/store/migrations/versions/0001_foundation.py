"""The whole schema of DESIGN section 5, with its constraints, indexes and triggers.

The statements stand in files of their own, exactly as each database runs them: what SQLAlchemy or tables.py make of
the same schema one day does not change what this migration did.
"""

from __future__ import annotations

import json
import secrets
from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_SEPARATOR = "\n-- next\n"


def upgrade() -> None:
    """Make everything, and the rows that are always there."""
    connection = op.get_bind()
    file = Path(__file__).with_name(f"0001_foundation.{connection.dialect.name}.sql")
    for statement in file.read_text(encoding="utf-8").split(_SEPARATOR):
        connection.exec_driver_sql(statement, execution_options={"no_parameters": True})
    rows = [
        "INSERT INTO engine_state (id) VALUES (1)",
        "INSERT INTO channel_state (channel) VALUES ('email'), ('sms'), ('call')",
        f"INSERT INTO setting (key, value) VALUES ('suppression_key', '{json.dumps(secrets.token_hex(32))}')",
    ]
    for row in rows:
        connection.exec_driver_sql(row, execution_options={"no_parameters": True})


def downgrade() -> None:
    """There is no way back but the copy that was made before."""
    raise NotImplementedError("put back the copy that was made before the upgrade")
