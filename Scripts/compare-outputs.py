#!/usr/bin/env python3
"""Compares what two builds of digest-query print, byte for byte.

    Scripts/compare-outputs.py OLD NEW [STORES]

Makes random stores with OLD, runs every report with every filter in CSV and JSON by both builds, and lists the
command lines whose output, notes or exit status differ. Ten stores take about six minutes. Tables are compared at
the width of a pipe.
"""

import datetime
import json
import random
import shlex
import subprocess
import sys
import tempfile

KINDS = ("unknownNovelValue", "typeMismatch", "valueNotFound", "keyNotFound", "dataCorrupted", "converted",
         "missingKey", "unknownKey", "other")
VALUES = ("villa", "yurt", "=cmd", 'a"b', "é", "x" * 30)

FILTERS = (
    "", "--since 2026-11-01T03:17:23Z --until 2026-11-03T10:43:11Z", "--until 2026-11-02", "--release 4.2.0",
    "--model '*1'", "--operation 'GET /*'", "--path '*kind'", "--value 'v*'", "--kind typeMismatch",
    "--kind missingKey", "--environment production --since 2026-11-01T01:00:00Z --until 2026-11-01T02:30:00Z",
    "--release 4.2.0 --since 2026-11-01T03:17:23Z --until 2026-11-04",
)

REPORTS = (
    "top-novel-values", "top-novel-values --limit 5", "top-failures", "top-failures --limit 7", "models",
    "models --by release", "models --by operation", "models --by environment", "trend --by hour",
    "trend --by day", "trend --by day --group value", "trend --by day --group kind", "trend --by day --rate",
    "trend --by week --group release", "renames", "summary", "digests --limit 5", "new", "new --value *",
    "check --max-new 0", "check --max-occurrences 5",
)

PLAIN = ("metrics", "verify", "export --format csv", "export --format ndjson")

SIDES = ("4.1.0 4.2.0", "4.2.0 4.2.1", "2026-11-01..2026-11-02 2026-11-02..")


def error(choose):
    """An error of a digest, or a notice."""
    kind = choose.choice(KINDS)
    path = "".join(f"{choose.choice(['kind', 'state', 'price'])}[{choose.randrange(5)}]."
                   for _ in range(choose.choice([0, 1, 1, 2])))
    entry = {"path": path + choose.choice(["kind", "state", "price", "tags", "home_page"]), "kind": kind}
    if kind == "unknownNovelValue":
        value = choose.choice([*VALUES, str(choose.randrange(20))])
        entry |= {"novelValue": value, "novelValueType": "String", "expectedType": "App.Kind"}
        if choose.random() < 0.5:
            entry |= {"foundType": "string", "foundValue": value}
    elif kind == "typeMismatch":
        entry |= {"expectedType": choose.choice(["Int", "String"]), "foundType": "number", "foundValue": "12"}
    elif kind == "dataCorrupted" and choose.random() < 0.3:
        entry |= {"path": "", "foundType": choose.choice(["html", "empty"])}
    if choose.random() < 0.2:
        entry["count"] = choose.randrange(1, 9)
    return entry


def lines(seed):
    """The lines of an import."""
    choose = random.Random(seed)
    start = datetime.datetime(2026, 11, 1)
    models = [f"App.Model{index}" for index in range(choose.choice([1, 2, 4, 9]))]
    releases = choose.choice([["4.2.0"], ["4.1.0", "4.2.0", "4.2.1"], ["", "4.2.0"], ["4.9", "4.10", "main"]])
    environments = choose.choice([[""], ["production", "staging"]])
    operations = choose.choice([[""], ["GET /a", "GET /b", ""], ["GET /listings"]])
    hours = choose.choice([3, 50, 300])

    def context():
        names = {"release": releases, "environment": environments, "operation": operations}
        chosen = {name: choose.choice(texts) for name, texts in names.items()}
        return {"model": choose.choice(models)} | {name: text for name, text in chosen.items() if text}

    for _ in range(choose.choice([50, 600, 2_500])):
        moment = start + datetime.timedelta(milliseconds=choose.randrange(hours * 3_600_000))
        yield {"recordedAt": moment.isoformat(timespec="milliseconds") + "Z"} | context() | {
            "errors": [error(choose) for _ in range(choose.choice([1, 1, 2, 3, 7]))]}
    for hour in range(hours):
        if choose.random() < 0.5:
            time = start + datetime.timedelta(hours=hour)
            yield {"id": f"{seed:032x}", "hour": time.isoformat() + "Z", "decodes": choose.randrange(1, 500)} | context()


def command_lines():
    for report in REPORTS:
        for chosen in FILTERS:
            # What is new needs a time or a release.
            since = "" if not report.startswith("new") or "--since" in chosen or "--release" in chosen \
                else "--since 2026-11-01T05:00:00Z"
            for form in "csv", "json":
                yield f"{report} {chosen} {since} --format {form}"
    for sides in SIDES:
        for form in "csv", "json", "table", "csv --value *":
            yield f"diff {sides} --format {form}"
    yield from PLAIN


def answer(tool, command, store):
    run = subprocess.run([tool, *shlex.split(command), "--store", store], capture_output=True)
    return run.stdout, run.stderr, run.returncode


def main():
    old, new = sys.argv[1:3]
    stores = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    compared = different = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(stores):
            store = f"{folder}/{seed}.sqlite"
            text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines(seed))
            subprocess.run([old, "import", "-", "--store", store], input=text.encode(), check=True,
                           stdout=subprocess.DEVNULL)
            for command in command_lines():
                compared += 1
                if answer(old, command, store) != answer(new, command, store):
                    different += 1
                    print(f"store {seed}: digest-query {command}")
    print(f"{different} of {compared} outputs differ")
    sys.exit(1 if different else 0)


main()
