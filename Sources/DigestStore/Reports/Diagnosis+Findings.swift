import ResilientPlatform

extension DigestStore.Diagnosis {
  /// Each fact with its status and remedy, always in the same order.
  ///
  /// There is one `limit` finding for each limit reached, one `loss` finding for each reason, and
  /// one `set_aside` finding for each file. Without any, there is one whose value is `none`. There
  /// is one `push` finding for each store whose push has not ended.
  /// Digests that were not counted are a warning for a week.
  public var findings: [Finding] {
    file + [structure] + sizes + contents + pushes + limits + lossFindings
      + Self.asides(setAside, of: path)
  }

  /// The findings about a file whose contents cannot be read: what is known without them.
  ///
  /// - Parameter error: the error that says why, and what to do.
  package static func findings(
    ofUnreadable path: String, _ error: DigestStoreError
  ) throws -> [Finding] {
    let resolvedPath = path.resolvedPath
    do {
      let file = try FileIdentity.find(resolvedPath)
      return try [
        Finding("path", path), mode(file?.permissions ?? 0),
        Finding(
          "structure", error.code == .foreignSchema ? "refused" : "damaged",
          warning: error.description),
        Finding("file_bytes", "\(file?.size ?? 0)"),
        logBytes(FileIdentity.size(of: resolvedPath + "-wal")),
      ] + asides(QuarantinedFile.names(of: resolvedPath), of: resolvedPath)
    } catch {
      throw DigestStoreError(error, path: path, insteadOf: resolvedPath)
    }
  }

  private var file: [Finding] {
    [
      Finding("path", path),
      Self.mode(permissions),
      Finding("schema", "\(schemaVersion)"),
      Finding(
        "auto_vacuum", autoVacuum,
        warning: autoVacuum == "none"
          ? "SQLite never returns the space of deleted rows: stop the app, and run "
            + "'PRAGMA auto_vacuum = 2; VACUUM' with sqlite3" : nil),
    ]
  }

  private static func mode(_ permissions: Int) -> Finding {
    Finding(
      "mode", "0" + String(permissions, radix: 8),
      warning: permissions == 0o600
        ? nil : "the file contains values of payloads: run chmod 600 unless others should read it")
  }

  private var structure: Finding {
    Finding(
      "structure", problem ?? "ok",
      warning: problem == nil
        ? nil : "the file is damaged: \(DigestStoreError.damageRemedy); then run verify")
  }

  private var sizes: [Finding] {
    [
      Finding("file_bytes", "\(fileBytes)"),
      Self.logBytes(logBytes),
      Finding("free_pages", "\(freePages)"),
      Finding("free_bytes", "\(freeBytes)", note: freePages > 0 ? "prune gives it back" : nil),
    ]
  }

  private static func logBytes(_ bytes: Int) -> Finding {
    Finding(
      "log_bytes", "\(bytes)",
      warning: bytes > longLog
        ? "a long read blocks checkpoints, or no process runs them: end long reads, then prune"
        : nil)
  }

  private var contents: [Finding] {
    [
      Finding("recorded_digests", "\(digests)"),
      Finding("entries", "\(occurrences)"),
      Finding(
        "tail_digests", "\(tailDigests)",
        warning: tailDigests >= Self.longTail
          ? "reports are slow, because no process folds these digests; run prune" : nil),
      Finding(
        "newest_error", newestError.map(ISO8601.text) ?? "none",
        note: newestError.map { $0 > date } == true
          ? "the clock of a device was ahead: a window that ends now leaves its errors out, and --until "
            + "with a later time counts them" : nil),
    ]
  }

  private var pushes: [Finding] {
    interruptedPushes.map { identity in
      Finding(
        "push", "\(identity) has not ended",
        warning: "this store is counted only in part: push it again")
    }
  }

  private var limits: [Finding] {
    guard !reachedLimits.isEmpty else { return [Finding("limit", "none")] }
    return reachedLimits.map { hit in
      let place = [hit.model, hit.codingPath].compactMap { $0 }.joined(separator: " ")
      return Finding(
        "limit",
        "\(hit.limit.rawValue)\(place.isEmpty ? "" : " at \(place)"): \(hit.occurrences) occurrences",
        note: "counted, but merged into one row: find out what sends so many different ones")
    }
  }

  private var lossFindings: [Finding] {
    let byReason = Dictionary(grouping: losses, by: \.reason)
      .sorted { $0.key.rawValue < $1.key.rawValue }
    guard byReason.isEmpty else { return byReason.map { loss($0, $1) } }
    return [Finding("loss", lossesSince.map { "none since \(ISO8601.text($0))" } ?? "none")]
  }

  private func loss(_ reason: DigestStore.Loss.Reason, _ losses: [DigestStore.Loss]) -> Finding {
    let hours = losses.map(\.hour)
    let span = [hours.min(), hours.max()].compactMap { $0.map(ISO8601.text) }
    let notes = losses.suffix(3).compactMap(\.note)
    let value =
      "\(reason): \(losses.sum(of: \.digests)) digests, \(losses.sum(of: \.occurrences)) occurrences, "
      + "hours \(span.joined(separator: " to "))"
      + (notes.isEmpty ? "" : ": \(notes.joined(separator: ", "))")
    guard let remedy = Self.remedies[reason] else { return Finding("loss", value) }
    let isRecent = hours.contains { $0 >= date.addingTimeInterval(-Self.recent) }
    return Finding("loss", value, note: remedy, warning: isRecent ? remedy : nil)
  }

  private static func asides(_ setAside: [String]?, of path: String) -> [Finding] {
    guard let setAside else {
      return [Finding("set_aside", "unknown", note: "the directory cannot be listed")]
    }
    guard !setAside.isEmpty else { return [Finding("set_aside", "none")] }
    return setAside.map { name in
      Finding(
        "set_aside", name,
        warning: QuarantinedFile.isLeftLog(name, of: path)
          ? "the log of a file that was moved or deleted: put a copy beside a copy of that file, as "
            + "its name with -wal, and open it with sqlite3; then move it away"
          : "a damaged file: save what .recover or .dump of sqlite3 can read, then move it away")
    }
  }

  /// Remedies by reason. Other reasons are intended by the app, or have a finding of their own.
  private static let remedies: [DigestStore.Loss.Reason: String] = [
    .failedWrite:
      "not counted: check that the disk has room, that no process keeps the file locked, and that "
      + "nobody has added an index or a trigger",
    .failedMaintenance:
      "counted, but reports are slow or the file too large until the next attempt succeeds: run prune",
    .overflow: "not counted: \(DigestStoreError.overflowRemedy)",
    .movedAway:
      "counted in the file that was moved or deleted, or in its log: close the store before doing so",
  ]

  /// How long a loss is a warning rather than a note, in seconds.
  private static let recent: TimeInterval = 7 * 24 * 3_600

  /// A log length that no limit allows, in bytes: something blocks checkpoints.
  private static let longLog = 16 * LogLength.limit

  /// A number of unfolded digests that shows that nothing folds them.
  private static let longTail = 10 * Int(Fold.maximumUnfolded)
}

extension DigestStore.Diagnosis.Finding {
  /// Makes an ok finding unless there is a note or a warning, which says what to do.
  fileprivate init(_ check: String, _ value: String, note: String? = nil, warning: String? = nil) {
    self.init(
      check: check, value: value, status: warning != nil ? .warning : note != nil ? .note : .ok,
      remedy: warning ?? note)
  }
}
