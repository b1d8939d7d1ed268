# Writes what one machine of a fleet has recorded, as NDJSON: `occurrences` errors, three a digest, over
# 800 hours; `failures` different ones, each as likely as any other; `machine` makes it another machine's.
# With `own`, no other machine has these failures.
BEGIN {
  srand(machine)
  # 2025-12-23T05:00:00Z
  first = 1766466000
  for (digest = 0; digest < occurrences / 3; digest++) {
    second = first + int(digest * 800 * 3600 * 3 / occurrences)
    moment = strftime_utc(second) sprintf(".%03dZ", int(rand() * 1000))
    model = "App.Model" int(rand() * 4)
    line = ""
    for (error = 0; error < 3; error++) {
      failure = int(rand() * failures / 4)
      line = line (error ? "," : "") \
        "{\"path\":\"items[" int(rand() * 20) "].field" failure % 5 "\",\"kind\":\"unknownNovelValue\"," \
        "\"novelValue\":\"value-" (own ? machine "-" : "") int(failure / 5) "\",\"novelValueType\":\"String\"," \
        "\"expectedType\":\"App.Kind" failure % 5 "\"}"
    }
    # A release for two weeks, which some machines get sooner than others.
    printf "{\"id\":\"%d-%d\",\"recordedAt\":\"%s\",\"model\":\"%s\",\"release\":\"4.%d.0\",\"failures\":[%s]}\n", \
      machine, digest, moment, model, int((second - first + machine % 50 * 20000) / 1209600), line
  }
}

# As in "chrono-compatible low-level date algorithms" of Howard Hinnant, for mawk has no time zone here.
function strftime_utc(second,   day, rest, era, doe, yoe, doy, mp, d, m, y) {
  day = int(second / 86400) + 719468
  rest = second % 86400
  era = int(day / 146097)
  doe = day - era * 146097
  yoe = int((doe - int(doe / 1460) + int(doe / 36524) - int(doe / 146096)) / 365)
  doy = doe - (365 * yoe + int(yoe / 4) - int(yoe / 100))
  mp = int((5 * doy + 2) / 153)
  d = doy - int((153 * mp + 2) / 5) + 1
  m = mp < 10 ? mp + 3 : mp - 9
  y = yoe + era * 400 + (m <= 2)
  return sprintf("%04d-%02d-%02dT%02d:%02d:%02d", y, m, d, int(rest / 3600), int(rest / 60) % 60, rest % 60)
}
