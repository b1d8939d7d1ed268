"""Asks the questions of this folder in Datasette and DuckDB, and compares the answers with the reports.

test.py DIGEST-QUERY FOLDER
"""

import datetime
import hashlib
import json
import os
import pathlib
import random
import re
import sqlite3
import subprocess
import sys

import duckdb
import duckdb_extensions

here = pathlib.Path(__file__).resolve().parent
query = sys.argv[1]
os.chdir(sys.argv[2])
values = ["villa", "a,b", 'say "hi"', "two\nlines", "🏡", "=1+1", "", "O'Hara"]
identity = "a" * 32
passed = failed = 0


def lines():
    """Three weeks of digests of three models, and of decodes without errors."""
    choose = random.Random(7)
    # Reports count rates from the first decode without an error on.
    yield {"id": identity, "hour": "2026-11-01T00:00:00Z", "model": "App.M0", "decodes": 1}
    for number in range(1, 1_500):
        hour = choose.randrange(21 * 24)
        time = datetime.datetime(2026, 11, 1) + datetime.timedelta(hours=hour, milliseconds=number)
        moment = time.isoformat(timespec="milliseconds") + "Z"
        milliseconds = int(time.replace(tzinfo=datetime.timezone.utc).timestamp() * 1_000 + 0.5)
        kinds = values[: 2 + hour // 72]
        failures = [
            {
                "path": f"items[{choose.randrange(9)}].kind", "kind": "unknownNovelValue",
                "novelValue": choose.choice(kinds), "novelValueType": "String",
                "expectedType": "App.Kind",
            },
            {"path": "price", "kind": choose.choice(["typeMismatch", "keyNotFound", "converted"])},
        ]
        yield {
            "id": f"{identity}-{number}-{milliseconds}", "recordedAt": moment,
            "model": f"App.M{number % 3}", "release": f"4.{hour // 200}.0",
            "errors": failures[: choose.randrange(3)],
        }
        if number % 5 == 0:
            yield {
                "id": identity, "hour": moment[:13] + ":00:00Z", "model": f"App.M{number % 3}",
                "release": f"4.{hour // 200}.0", "decodes": choose.randrange(1, 50),
            }


def report(*arguments):
    output = subprocess.run(
        [query, *arguments, "--store", "digests.sqlite", "--format", "json"],
        check=True, capture_output=True).stdout
    return json.loads(output)


def hashes():
    """What the file and its log contain."""
    return [
        hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest()
        for name in ["digests.sqlite", "digests.sqlite-wal"]
    ]


def rounded(rows):
    return [{**row, "rate": round(row["rate"], 4)} for row in rows]


def expect(name, found, expected, columns):
    """Compares the columns of both, in order."""
    global passed, failed
    found = [[row[column] for column in columns] for row in found]
    expected = [[row[column] for column in columns] for row in expected]
    if found and found == expected:
        passed += 1
        return
    failed += 1
    print(f"{name}: {len(found)} rows for {len(expected)}", file=sys.stderr)
    for row in [row for row in found if row not in expected][:3]:
        print(f"  only there: {row}", file=sys.stderr)
    for row in [row for row in expected if row not in found][:3]:
        print(f"  only in the report: {row}", file=sys.stderr)


def check(tool, ask, since):
    """Compares what a tool answers to each question."""
    novel = ["model", "coding_path", "novel_value", "value_type", "occurrences", "digests"]
    times = ["first_seen", "last_seen"]
    expect(f"{tool}: values", ask("values"), report("top-novel-values"), novel + times)
    counts = ["model", "occurrences", "digests", "decodes", "rate"]
    expect(f"{tool}: rates", rounded(ask("rates")), rounded(report("models")), counts)
    days = [row for row in report("trend", "--by", "day") if row["occurrences"] > 0]
    expect(f"{tool}: days", ask("days"), days, ["start", "occurrences"])
    new = ["model", "coding_path", "kind", "novel_value", "occurrences", "first_seen"]
    expect(f"{tool}: new", ask("new"), report("new", "--since", since), new)


def datasette(path):
    command = ["datasette", "digests.sqlite", "--metadata", str(here / "datasette.yaml")]
    return subprocess.run(
        command + ["--get", path], check=True, capture_output=True, text=True).stdout


def in_datasette(since):
    return lambda name: json.loads(
        datasette(f"/digests/{name}.json?_shape=array&since={since}"))


def in_duckdb():
    """The questions by the first word of their comment."""
    duckdb_extensions.import_extension("sqlite_scanner")
    database = duckdb.connect()
    statements = {}
    for statement in (here / "duckdb.sql").read_text().split(";"):
        name = re.search(r"^-- (\w+): ", statement, re.M)
        sql = re.sub(r"^--.*$", "", statement, flags=re.M).strip()
        if sql.startswith("ATTACH"):
            database.execute(sql)
        elif sql:
            statements[name[1]] = sql

    def ask(name):
        result = database.execute(statements[name])
        columns = [column[0] for column in result.description]
        return [dict(zip(columns, row)) for row in result.fetchall()]

    return ask


text = "\n".join(json.dumps(line) for line in lines())
subprocess.run(
    [query, "import", "-", "--store", "digests.sqlite"], check=True, input=text.encode(),
    stdout=subprocess.DEVNULL)
# A digest that is only in the log, and in no count yet. The app still has the file open.
app = sqlite3.connect("digests.sqlite")
app.execute("PRAGMA wal_autocheckpoint = 0")
app.execute(
    """
    INSERT INTO digest
    SELECT (SELECT max(id) + 1 FROM digest), recorded_at, model, context, NULL, NULL, NULL, errors
    FROM digest WHERE errors <> '[]' ORDER BY id DESC LIMIT 1
    """)
app.commit()
before = hashes()

last = max(row["last_seen"] for row in report("top-failures"))
week = datetime.datetime.fromisoformat(last[:-1]) - datetime.timedelta(days=7)
since = week.isoformat(timespec="milliseconds") + "Z"
check("Datasette", in_datasette(since), since)
ask = in_duckdb()
check("DuckDB", ask, since)
ask("parquet")
copied = duckdb.sql("SELECT sum(CAST(occurrences AS BIGINT)) AS n FROM 'counts_by_day.parquet'")
expect(
    "DuckDB: parquet", [{"n": copied.fetchone()[0]}],
    [{"n": sum(row["occurrences"] for row in report(
        "top-failures", "--kind", "unknownNovelValue", "--kind", "typeMismatch",
        "--kind", "keyNotFound", "--kind", "converted"))}], ["n"])

expect("the file", [{"hashes": hashes()}], [{"hashes": before}], ["hashes"])
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
