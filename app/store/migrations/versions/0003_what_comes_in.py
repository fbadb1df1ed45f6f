"""How far each source of what comes in was read, and the mails as they came: two tables, nothing else changes."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_SEPARATOR = "\n-- next\n"


def upgrade() -> None:
    """Make the tables; every row stays."""
    connection = op.get_bind()
    file = Path(__file__).with_name(f"0003_what_comes_in.{connection.dialect.name}.sql")
    for statement in file.read_text(encoding="utf-8").split(_SEPARATOR):
        connection.exec_driver_sql(statement, execution_options={"no_parameters": True})


def downgrade() -> None:
    """There is no way back but the copy that was made before."""
    raise NotImplementedError("put back the copy that was made before the upgrade")
