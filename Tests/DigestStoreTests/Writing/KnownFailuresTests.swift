import ResilientDecoding
import Testing

@testable import DigestStore

struct KnownFailuresTests {
  @Test func `names over the limit of the file are not remembered`() throws {
    let temporary = try TemporaryStore()
    for table in ["model", "release"] {
      try temporary.execute(
        """
        WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 10000)
        INSERT INTO \(table) (name) SELECT 'old ' || n FROM number
        """)
    }
    let known = temporary.store.file.known
    try temporary.store.append(.make(model: "old 1", release: "old 1"))
    #expect(known.count == 3)

    for number in 0..<50 {
      try temporary.store.append(.make(model: "old 1", release: "new \(number)"))
      try temporary.store.append(.make(model: "new \(number)", release: "old 1"))
    }

    #expect(known.count == 3)
    #expect(
      try temporary.query("SELECT sum(occurrences) FROM failures WHERE model = '(other models)'")
        == ["50"])
  }

  @Test func `names of a file that has more than its limit are not all remembered`() throws {
    let temporary = try TemporaryStore()
    try temporary.execute(
      """
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 21000)
      INSERT INTO release (name) SELECT 'old ' || n FROM number
      """)
    let records = (1...21_000).map { DigestRecord.make(release: "old \($0)") }
    try temporary.store.write { try $0.append(records.map { ($0, nil) }) }

    // Besides the releases a model and a failure.
    #expect(temporary.store.file.known.count == 20_002)
    #expect(try temporary.store.verify().digests == 21_000)
  }

  @Test func `a failure is remembered without the keys of its dictionaries`() throws {
    let temporary = try TemporaryStore()
    let known = temporary.store.file.known
    func record(_ key: String) -> DigestRecord {
      var record = DigestRecord.make(.mismatch(at: "a.b"))
      record.entries[0].path.components = [.key("a"), .dictionaryKey(key)]
      return record
    }
    try temporary.store.append(record("one"))
    #expect(known.count == 2)

    let encoded = try #require(known.encode(record("two")))

    #expect(encoded.entries == #"[[1,".two"]]"#)
  }
}
