"""Answers over HTTP as ClickHouse does, with the version of it in PyPI's chdb, without users.

    clickhouse-server.py PORT DIRECTORY [CONFIGURATION]

It prints its port, which is another one for 0, when it listens.
"""

import os
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from chdb import session

lock = threading.Lock()
configuration = f"?config-file={sys.argv[3]}" if len(sys.argv) > 3 else ""
database = session.Session(sys.argv[2] + configuration)
settings = {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    # Or each answer waits 40 ms, until the client has acknowledged its head.
    disable_nagle_algorithm = True

    def do_GET(self):
        self.answer(200, b"Ok.\n")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        parameters = dict(parse_qsl(urlsplit(self.path).query))
        for name in ["session_id", "session_timeout", "wait_end_of_query"]:
            parameters.pop(name, None)
        statement, name = parameters.pop("query", None), parameters.pop("database")
        try:
            with lock:
                if statement:
                    self.answer(200, insert(name, statement, body, parameters))
                else:
                    self.answer(200, run(name, body.decode(), parameters))
        except RuntimeError as error:
            self.answer(500, str(error).encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def run(name, sql, parameters):
    if settings != parameters:
        for key, value in parameters.items():
            database.query(f"SET {key} = '{value}'")
        settings.update(parameters)
    database.query(f"USE {name}")
    return database.query(sql, "TabSeparated").bytes()


def insert(name, statement, rows, parameters):
    """Inserts rows, which chdb takes from a file only."""
    into, columns = statement.removesuffix(" FORMAT TabSeparated").rstrip(")").split(" (", 1)
    table = into.split(" ")[-1]
    types = run(
        name,
        "SELECT name, type FROM system.columns "
        f"WHERE database = '{name}' AND table = '{table}'",
        parameters,
    ).decode()
    types = dict(line.split("\t") for line in types.splitlines())
    structure = ", ".join(f"{c.strip()} {types[c.strip()]}" for c in columns.split(","))
    with tempfile.NamedTemporaryFile(delete=False) as file:
        file.write(rows)
    try:
        return run(
            name,
            f"{into} ({columns}) SELECT {columns} "
            f"FROM file('{file.name}', TabSeparated, '{structure}')",
            parameters,
        )
    finally:
        os.unlink(file.name)


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
print(server.server_port, flush=True)
server.serve_forever()
