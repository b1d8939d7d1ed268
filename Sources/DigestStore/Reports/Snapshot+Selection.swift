extension Snapshot {
  /// The server, if that is the source of the counts.
  var server: (any CountServer)? { source as? any CountServer }

  /// Returns a snapshot of the failures that a report needs: this one, unless the source is a server.
  ///
  /// The connection then has these failures in place of earlier ones, so only the last selection can be used
  /// for failures.
  ///
  /// - Parameters:
  ///   - grouping: the failures that the report counts together.
  ///   - filter: the errors to count.
  ///   - window: replaces the filter's window.
  ///   - limit: the most groups that the report needs; nil, or negative, for all.
  ///   - past: if present, leaves out groups that occurred before this filter: see ``known(before:)``.
  ///   - countsAllGroups: whether ``allGroups`` is needed.
  func selecting(
    _ grouping: FailureQuery.Grouping, matching filter: DigestFilter, in window: TimeWindow? = nil,
    limit: Int? = nil, newTo past: DigestFilter? = nil, countsAllGroups: Bool = false
  ) throws -> Snapshot {
    guard let server else { return self }
    var query = FailureQuery(grouping: grouping, scope: try scope(filter, in: window))
    query.limit = limit.flatMap { $0 < 0 ? nil : $0 }
    query.countsAllGroups = countsAllGroups
    query.known = try past.map {
      FailureQuery.Known(
        before: $0.since.map { Moment($0).milliseconds }, releases: try releasesBefore($0))
    }
    return try selecting(query, from: server)
  }

  func selecting(_ query: FailureQuery, from server: any CountServer) throws -> Snapshot {
    let selection = try server.selection(query)
    try connection.replaceFailures(with: selection.failures)
    return try Snapshot(connection, selection.counts, allGroups: selection.all)
  }

  /// The errors of a filter.
  ///
  /// - Parameter window: replaces the filter's window.
  func scope(_ filter: DigestFilter, in window: TimeWindow? = nil) throws -> CountScope {
    CountScope(
      filter: filter, periods: try (window ?? self.window(filter)).periods(),
      releases: try releases(filter).ids)
  }
}
