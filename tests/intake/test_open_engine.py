"""The receiver as whoever opens the engine gets it: from the practice's own settings, with the environment's token."""

from __future__ import annotations

import http.client
import socket
from pathlib import Path

from app.__main__ import main
from app.bootstrap import Builder


def test_a_lead_that_knocks_while_the_engine_is_open_is_here(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder, document = str(tmp_path / "data"), tmp_path / "providers.yaml"
    document.write_text(f"{{format: stopwell.providers/1, receiver: {{port: {port}}}}}", "utf-8")
    assert main(["init", "--practice", "Fernhollow", "--zone", "America/Los_Angeles", "--data", folder]) == 0
    assert main(["apply", str(document), "--data", folder]) == 0
    environment = {"STOPWELL_LEAD_FORM_TOKEN": "a-token-of-the-form"}

    with Builder(environment).open_engine(folder) as parts:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        headers = {"Authorization": "Bearer a-token-of-the-form"}
        connection.request("POST", "/leads", b'{"name": "Ana Gomez", "email": "ana@example.com"}', headers)
        answer = connection.getresponse()
        assert (answer.status, answer.read()[:6]) == (201, b'{"id":')
        connection.close()
        with parts.open_uow() as uow:
            found = uow.office.find_person("ana@example.com")

    assert len(found) == 1
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", port))  # nobody listens there any more
