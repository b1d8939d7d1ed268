"""Digests for the browser test, always the same ones: some weeks of a backend that drifts, and what
someone sends who wants the worst."""

import json
import random
import sys
from datetime import datetime, timedelta, timezone

START = datetime(2026, 10, 12, tzinfo=timezone.utc)

# Each would set window.injected, load something or break the layout, if it were taken for markup.
HOSTILE = [
    "<script>window.injected = 1</script>",
    "</script><script>window.injected = 1</script>",
    "</style><style>*{display:none}</style>",
    "\"><img src=x onerror=\"window.injected = 1\">",
    "'><svg onload='window.injected = 1'>",
    "<iframe src=\"https://example.com/\"></iframe>",
    "<link rel=stylesheet href=https://example.com/x.css>",
    "<!-- <base href=https://example.com/>",
    "<a href=\"javascript:window.injected = 1\">click</a>",
    "javascript:window.injected = 1",
    "x\" onmouseover=\"window.injected = 1",
    "&lt;b&gt; &amp;quot;",
    "{{constructor.constructor('window.injected = 1')()}}",
    "]]><![CDATA[<script>window.injected = 1</script>",
    "<\u0301script>window.injected = 1</script>",
    "🏡👨‍👩‍👧🇩🇪", "日本語のとても長い値", "קומת קרקע", "شقة فاخرة",
    "\u202egnp.exe", "\u2066isolated\u2069", "\u001b[31mred\u001b[0m", "a\nb\tc\u0000d", "",
    " ", "=cmd|' /C calc'!A0", "x" * 4_096, "wort " * 800,
]

VALUES = [
    ("App.Listing", "items[].kind", "App.Kind",
     ["villa", "castle", "houseboat", "tiny_house", "co-living", "farmhouse", "penthouse"]),
    ("App.Listing", "items[].amenities[]", "App.Amenity",
     ["sauna", "ev_charger", "solar_panels", "bike_room", "smart_lock"]),
    ("App.Profile", "settings.notifications.*", "App.Channel", ["whatsapp", "push_silent", "rcs"]),
    ("App.Checkout", "payment.method", "App.PaymentMethod", ["pix", "klarna", "twint", "blik"]),
]
OTHERS = [
    ("App.Checkout", "price.amount", "typeMismatch", "Decimal", "string", "12,50"),
    ("App.Checkout", "price.currency", "keyNotFound", None, None, None),
    ("App.Listing", "items[].owner.name", "valueNotFound", "String", "null", None),
    ("App.Listing", "items[].publishedAt", "dataCorrupted", "Date", "string", "20.11.2026"),
    ("App.Profile", "address.geo.latitude", "typeMismatch", "Double", "string", "52.5200"),
]


def drift():
    chance = random.Random(2026)
    places = [
        (model, path, type_, value, index)
        for model, path, type_, values in VALUES for index, value in enumerate(values)
    ]
    for hour in range(41 * 24):
        day = hour // 24
        # No one is up at night, and one day the app did not record.
        if day == 17 or chance.random() < (0.7 if hour % 24 < 6 else 0.2):
            continue
        for _ in range(chance.randrange(1, 4)):
            moment = START + timedelta(hours=hour, seconds=chance.random() * 3_600)
            if chance.random() < 0.25:
                model, path, kind, type_, found, value = chance.choice(OTHERS)
                failure = {"path": path, "kind": kind, "expectedType": type_, "foundType": found,
                           "foundValue": value}
            else:
                # Values appear one after the other, the first are the most frequent.
                known = [place for place in places if place[4] * 6 <= day]
                weights = [1 / (1 + place[4]) ** 1.3 for place in known]
                model, path, type_, value, _ = chance.choices(known, weights)[0]
                failure = novel(path, value, type_)
            failure["path"] = failure["path"].replace("[]", f"[{chance.randrange(9)}]")
            yield digest(moment, model, [failure])


def attack():
    for index, value in enumerate(HOSTILE):
        moment = START + timedelta(hours=index * 2)
        yield digest(moment, "App.Hostile", [novel("value", value, "App.Hostile.Value")] * 2)
        if value and index < 27:
            yield digest(moment, value, [novel("model", "model", None)])
            path = json.dumps([value], ensure_ascii=False)
            yield digest(moment, "App.Hostile", [novel(path, "path", value)])


def failures(count):
    """As many failures, each of some days, releases and operations."""
    for index in range(count):
        for day in range(index % 5 + 1):
            moment = START + timedelta(days=day * 6, hours=index % 24, minutes=index % 60)
            model = ["App.Listing", "App.Profile"][index % 2]
            yield digest(moment, model, [novel(f"items[0].part{index % 40}", f"value_{index}", "App.Kind")])


OPERATIONS = {"App.Listing": ["GET /listings", "GET /listings/{id}", "searchListings"],
              "App.Profile": ["GET /me"]}


def novel(path, value, type_):
    return {"path": path, "kind": "unknownNovelValue", "novelValue": value,
            "novelValueType": "String", "expectedType": type_, "foundType": "string",
            "foundValue": value}


def digest(moment, model, failures):
    weeks = (moment - START).days // 14
    operations = OPERATIONS.get(model)
    if model == "App.Hostile":
        operations = [failures[0].get("novelValue") or "GET /"]
    place = {"environment": "production"} if operations else {}
    if operations:
        place["operation"] = operations[moment.minute % len(operations)]
    return {
        **place,
        "recordedAt": moment.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z", "model": model,
        "release": f"4.{1 + weeks}.0",
        "errors": [
            {key: value for key, value in failure.items() if value is not None}
            for failure in failures
        ],
    }


def decodes():
    """Decodes without errors, by releases that know some of the values."""
    for day in range(41):
        moment = START + timedelta(days=day, hours=9)
        for model in ["App.Listing", "App.Profile", "App.Checkout"]:
            for release, count in [("4.2.0", 60), ("4.3.0", day * 2), ("4.4.0", day)]:
                if count:
                    yield {"id": "e" * 32, "hour": moment.strftime("%Y-%m-%dT%H:00:00Z"),
                           "model": model, "release": release, "decodes": count}


def document():
    """What the backend documents of it."""
    def enum(*values):
        return {"type": "string", "enum": list(values)}
    listing = {"type": "object", "properties": {
        "items": {"type": "array", "items": {"type": "object", "properties": {
            "kind": enum("house", "cabin", "villa", "castle", "houseboat"),
            "amenities": {"type": "array", "items": {"type": "string"}},
            "owner": {"type": "object", "properties": {"name": {"type": ["string", "null"]}}},
            "publishedAt": {"type": "string", "format": "date-time"}}}}}}
    checkout = {"type": "object", "required": ["price"], "properties": {
        "price": {"type": "object", "required": ["currency"], "properties": {
            "amount": {"type": "number"}, "currency": {"type": "string"}}},
        "payment": {"type": "object", "properties": {"method": enum("card", "pix")}}}}
    hostile = {"type": "object", "properties": {"value": enum(*HOSTILE[:8]), "model": {}}}
    return {"openapi": "3.1.0", "info": {"title": "Listings", "version": "1"}, "paths": {},
            "components": {"schemas": {
                "Listing": listing, "Checkout": checkout, "Hostile": hostile}}}


def triage():
    """What was decided about it."""
    yield {"model": "App.Listing", "value": "castle", "state": "ignored", "reason": "rare"}
    yield {"model": "App.Listing", "value": "villa", "state": "resolved", "until": "9.0.0"}
    yield {"model": "App.Checkout", "path": "price.*", "state": "resolved", "until": "4.2.0"}
    yield {"model": "App.Hostile", "path": "*", "state": "ignored", "reason": HOSTILE[0]}


if __name__ == "__main__":
    if sys.argv[1] == "document":
        print(json.dumps(document()))
    else:
        makers = {"drift": drift, "attack": attack, "decodes": decodes, "triage": triage,
                  "none": lambda: [], "few": lambda: failures(5), "many": lambda: failures(500)}
        for line in makers[sys.argv[1]]():
            print(json.dumps(line))
