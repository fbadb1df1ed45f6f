"""A channel counts its failures and keeps its pace; a practice says from when on something is overdue.

On SQLite the two tables, of four rows together, are made anew with their rows: a column that is added to a table would
leave it in other words than tables.py has.
"""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_SEPARATOR = "\n-- next\n"


def upgrade() -> None:
    """Add the columns; every row stays."""
    connection = op.get_bind()
    file = Path(__file__).with_name(f"0002_outages_and_lateness.{connection.dialect.name}.sql")
    for statement in file.read_text(encoding="utf-8").split(_SEPARATOR):
        connection.exec_driver_sql(statement, execution_options={"no_parameters": True})


def downgrade() -> None:
    """There is no way back but the copy that was made before."""
    raise NotImplementedError("put back the copy that was made before the upgrade")
