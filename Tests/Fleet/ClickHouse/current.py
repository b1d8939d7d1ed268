"""Answers over HTTP as ClickHouse does, with the current version of it from PyPI's chdb.

    current.py PORT DIRECTORY

One server without users: for the statements, not for the cluster.
"""

import os
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from chdb import session

lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.answer(200, b"Ok.\n")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        statement = parse_qs(urlsplit(self.path).query).get("query", [None])[0]
        try:
            with lock:
                self.answer(200, insert(statement, body) if statement else run(body.decode()))
        except RuntimeError as error:
            self.answer(500, str(error).encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def run(sql):
    return database.query(sql, "TabSeparated").bytes()


def insert(statement, rows):
    """Inserts rows of RowBinary, which chdb takes from a file only."""
    into, columns = statement.removesuffix(" FORMAT RowBinary").rstrip(")").split(" (", 1)
    name, table = into.split(" ")[-1].split(".")
    types = run(
        f"SELECT arrayStringConcat(groupArray(name || ' ' || type), ', ') FROM system.columns "
        f"WHERE database = '{name}' AND table = '{table}' AND name IN "
        f"({', '.join(repr(column) for column in columns.split(', '))}) FORMAT RawBLOB"
    ).decode()
    with tempfile.NamedTemporaryFile(delete=False) as file:
        file.write(rows)
    try:
        structure = types.replace("'", "\\'")
        return run(
            f"{into} ({columns}) SELECT {columns} "
            f"FROM file('{file.name}', RowBinary, '{structure}')"
        )
    finally:
        os.unlink(file.name)


database = session.Session(sys.argv[2])
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
