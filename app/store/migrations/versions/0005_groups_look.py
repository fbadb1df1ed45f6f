"""How groups follow their people: four tables, and the marks of whatever changes about somebody."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_SEPARATOR = "\n-- next\n"


def upgrade() -> None:
    """Make the tables and the marks; every row stays."""
    connection = op.get_bind()
    file = Path(__file__).with_name(f"0005_groups_look.{connection.dialect.name}.sql")
    for statement in file.read_text(encoding="utf-8").split(_SEPARATOR):
        connection.exec_driver_sql(statement, execution_options={"no_parameters": True})


def downgrade() -> None:
    """There is no way back but the copy that was made before."""
    raise NotImplementedError("put back the copy that was made before the upgrade")
