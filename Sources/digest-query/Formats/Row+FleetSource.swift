#if PostgreSQL
  import DigestFleet

  extension FleetSource: Row {
    static var columns: [String] {
      [
        "source", "identity", "occurrences", "digests", "last_recorded", "last_pushed", "lag",
        "role",
      ]
    }

    var cells: [Cell] {
      [
        .text(name), .text(identity), .number(occurrences), .number(digests),
        lastRecordedAt.map { .time($0) } ?? .text(nil), .time(lastPushedAt), .decimal(lag),
        .text(role),
      ]
    }
  }
#endif
