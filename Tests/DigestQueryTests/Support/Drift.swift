/// Some days of a backend that drifts: two models, three releases and none, equal counts, two
/// failures of one path in one digest, a dictionary's key, errors that were only counted, and
/// those of which it is known what was found and of which it is not.
enum Drift {
  /// The identity of the store that recorded them.
  static let store = String(repeating: "d", count: 32)

  static let lines = [
    #"{"id":"d-1","recordedAt":"2026-11-20T10:00:00.123Z","#
      + #""model":"App.Listing","release":"4.2.0","#
      + #""errors":[{"path":"items[0].kind","kind":"unknownNovelValue","novelValue":"villa","#
      + #""novelValueType":"String","expectedType":"App.Kind","#
      + #""foundType":"string","foundValue":"villa"},"#
      + #"{"path":"items[3].kind","kind":"unknownNovelValue","novelValue":"villa","#
      + #""novelValueType":"String","expectedType":"App.Kind","#
      + #""foundType":"string","foundValue":"villa"},"#
      + #"{"path":"items[3].kind","kind":"dataCorrupted","expectedType":"App.Kind"}]}"#,
    #"{"id":"d-2","recordedAt":"2026-11-20T10:59:59.999Z","#
      + #""model":"App.Listing","release":"4.2.0","#
      + #""errors":[{"path":"items[1].kind","kind":"unknownNovelValue","novelValue":"castle","#
      + #""novelValueType":"String","expectedType":"App.Kind","#
      + #""foundType":"string","foundValue":"castle"},"#
      + #"{"path":"price","kind":"typeMismatch","expectedType":"Int","#
      + #""foundType":"string","foundValue":"12.5 EUR"}]}"#,
    #"{"id":"d-3","recordedAt":"2026-11-20T11:00:00.000Z","#
      + #""model":"App.Listing","errors":["#
      + #"{"path":"attrs.size","pattern":"attrs.*","kind":"unknownNovelValue","novelValue":"7","#
      + #""novelValueType":"Int","expectedType":"App.Size","#
      + #""foundType":"number","foundValue":"7"}]}"#,
    #"{"id":"d-4","recordedAt":"2026-11-21T00:00:00.000Z","#
      + #""model":"App.Home","release":"4.3.0","#
      + #""errors":[{"path":"owner.name","kind":"keyNotFound"},"#
      + #"{"path":"items[].kind","kind":"unknownNovelValue","novelValue":"tower","#
      + #""novelValueType":"String","expectedType":"App.Kind","count":2}]}"#,
    #"{"id":"d-5","recordedAt":"2026-11-22T23:59:59.999Z","#
      + #""model":"App.Listing","release":"4.3.0","#
      + #""errors":[{"path":"items[0].kind","kind":"unknownNovelValue","novelValue":"castle","#
      + #""novelValueType":"String","expectedType":"App.Kind"}]}"#,
  ]

  static let ndjson = lines.map { $0 + "\n" }.joined()
}

extension Drift {
  /// Two releases of one model: the second has as many errors in twice the decodes.
  static let halvedRate =
    ["4.1.0", "4.2.0"].flatMap { release in
      (0..<10).map { Digest(novelValue: $0 < 8 ? "villa" : "castle", release: release) }
    }.ndjson + Digest.decodes(90, release: "4.1.0") + Digest.decodes(190, release: "4.2.0")

  /// The drift, and eight decodes without errors in one hour.
  static let withDecodes = ndjson + Digest.decodes(8, release: "4.2.0")

  /// The same ten years before, which is old on every clock.
  static let old = ndjson.replacing("\"2026-", with: "\"2016-")
}
