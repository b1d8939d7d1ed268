"""Applies OpenAPI overlays (Overlay Specification 1.0.0) whose targets are names in brackets."""

import copy
import re

NAME = re.compile(r"\['((?:[^'\\]|\\.)*)'\]|\[(\d+)\]")
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")


def names(target):
    """The names and numbers of a path such as $['components']['schemas']['A']['allOf'][0]."""
    if not target.startswith("$"):
        raise ValueError(f"{target} is no path")
    rest, found = target[1:], []
    while rest:
        match = NAME.match(rest)
        if not match:
            raise ValueError(f"{target} has more than names")
        found.append(int(match[2]) if match[2] else ESCAPE.sub(
            lambda escape: chr(int(escape[1][1:], 16)) if escape[1].startswith("u") else escape[1],
            match[1]))
        rest = rest[match.end():]
    return found


def child(value, name):
    """Numbers select elements and names members, and nothing else (RFC 9535, section 2.3)."""
    if isinstance(value, list) != isinstance(name, int):
        raise ValueError(f"{name!r} selects nothing in {'an array' if isinstance(value, list) else 'an object'}")
    return value[name]


def merge(target, update):
    """What an update adds to an object: members are merged, arrays joined, and the rest replaced."""
    for name, value in update.items():
        old = target.get(name)
        if isinstance(old, dict) and isinstance(value, dict):
            merge(old, value)
        elif isinstance(old, list) and isinstance(value, list):
            old.extend(value)
        else:
            target[name] = copy.deepcopy(value)


def apply(document, overlay):
    """The document with the changes of an overlay."""
    if overlay["overlay"] != "1.0.0" or not overlay["actions"]:
        raise ValueError("this is no overlay")
    if {"title", "version"} - overlay["info"].keys():
        raise ValueError("the overlay has no title and version")
    document = copy.deepcopy(document)
    for action in overlay["actions"]:
        unknown = action.keys() - {"target", "description", "update", "remove"}
        if unknown:
            raise ValueError(f"an action has {unknown}")
        *path, last = names(action["target"])
        parent = document
        for name in path:
            parent = child(parent, name)
        target = child(parent, last)
        if action.get("remove"):
            del parent[last]
        elif isinstance(target, list):
            target.append(copy.deepcopy(action["update"]))
        elif isinstance(target, dict):
            merge(target, action["update"])
        else:
            raise ValueError(f"{action['target']} is neither an object nor an array")
    return document
