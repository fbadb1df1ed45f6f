"""stopwell tasks and stopwell task: what a journey asks of staff."""

from __future__ import annotations

from tests.cli.test_documents import JOURNEY
from tests.shop import Shop


def test_a_task_is_listed_ticked_once_and_gone(fernhollow: Shop) -> None:
    asks = JOURNEY.format(name="Ring").replace(
        "first: {do: email, template: note,", "first: {do: task, note: Look up the file, up_to: {days: 2},"
    )
    fernhollow.done("apply", fernhollow.write("ring.yaml", asks))
    fernhollow.done("publish", "Ring")
    fernhollow.import_people("Name,Email,Location\nAna Diaz,ana@example.com,Portland\n")
    fernhollow.done("enroll", "Ring", "--person", "ana@example.com")
    assert fernhollow.json("tasks") == []
    fernhollow.done("tick")

    [task] = fernhollow.json("tasks")
    assert (task["name"], task["note"]) == ("Ana Diaz", "Look up the file")
    assert (task["journey"], task["step"]) == ("Ring", "first")
    assert "Look up the file" in fernhollow.done("tasks").out
    assert "Ring goes on at done" in fernhollow.done("task", str(task["task"])).out

    assert "No task waits." in fernhollow.done("tasks").out
    assert "has gone on" in fernhollow.refused("task", str(task["task"]))
    assert "There is no task 999" in fernhollow.refused("task", "999")
