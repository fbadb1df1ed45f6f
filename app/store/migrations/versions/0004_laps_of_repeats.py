"""How often the repeat steps of a follow-up have jumped back: one table, nothing else changes."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_SEPARATOR = "\n-- next\n"


def upgrade() -> None:
    """Make the table; every row stays."""
    connection = op.get_bind()
    file = Path(__file__).with_name(f"0004_laps_of_repeats.{connection.dialect.name}.sql")
    for statement in file.read_text(encoding="utf-8").split(_SEPARATOR):
        connection.exec_driver_sql(statement, execution_options={"no_parameters": True})


def downgrade() -> None:
    """There is no way back but the copy that was made before."""
    raise NotImplementedError("put back the copy that was made before the upgrade")
