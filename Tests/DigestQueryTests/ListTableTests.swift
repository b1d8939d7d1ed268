import Foundation
import Testing

/// What each list prints on a terminal of 80 and of 160 columns, with long names.
@Suite(.needs("script"))
struct ListTableTests {
  private static let feed = "ShopApp.ListingFeed"

  private static func digest(
    _ number: Int, of model: String = feed, release: String = "4.2.0", at time: String,
    operation: String = "GET /listings", _ failures: Digest.Failure...
  ) -> Digest {
    Digest(
      "d-\(number)", model: model, release: release, recordedAt: "2026-11-\(time).000Z",
      operation: operation, failures: failures)
  }

  private static let villa = Digest.Failure.novel(
    "villa_with_a_garden_and_a_pool", at: "sections[0].listings[1].propertyKind",
    expected: "ShopApp.PropertyKind")
  private static let price = Digest.Failure.error(
    "typeMismatch", at: "sections[0].listings[1].price", expected: "Double",
    found: ("string", "1,250.00"))
  private static let title = Digest.Failure.error(
    "keyNotFound", at: "sections[0].listings[0].title", expected: "String")
  private static let headline = Digest.Failure.error(
    "unknownKey", at: "sections[0].listings[0].headline", found: ("string", "Loft"))

  private static let store =
    [
      digest(1, release: "4.1.0", at: "18T10:00:00", villa),
      digest(2, release: "4.1.0", at: "18T11:00:00", villa),
      digest(3, at: "20T12:00:00", villa, price), digest(4, at: "20T13:00:00", villa, price),
      digest(5, at: "21T14:00:00", villa, price),
      digest(
        6, of: "ShopApp.Account", at: "20T13:30:00", operation: "GET /account",
        .error("keyNotFound", at: "owner.name"),
        .novel("team", at: "plan", expected: "ShopApp.Plan")),
      digest(7, at: "21T15:00:00", title, headline), digest(8, at: "21T15:01:00", title, headline),
    ].ndjson
    + Digest.decodes(6, of: feed, at: "2026-11-18T10:00:00Z", release: "4.1.0")
    + Digest.decodes(20, of: feed, at: "2026-11-20T12:00:00Z", release: "4.2.0")
    + Digest.decodes(31, of: feed, at: "2026-11-21T14:00:00Z", release: "4.2.0")
    + Digest.decodes(7, of: "ShopApp.Account", at: "2026-11-20T13:00:00Z", release: "4.2.0")

  private static let document = #"""
    {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"},
     "paths": {"/listings": {"get": {"responses": {"200": {"content": {"application/json": {
       "schema": {"$ref": "#/components/schemas/ListingFeed"}}}}}}}},
     "components": {"schemas": {"ListingFeed": {"properties": {"sections": {"type": "array",
       "items": {"properties": {"listings": {"type": "array", "items": {"properties": {
         "propertyKind": {"enum": ["house"]}, "price": {"type": "number"}}}}}}}}}}}}
    """#

  private static let decisions = """
    {"path": "*.price", "state": "ignored", "reason": "the backend team mends it in January", \
    "by": "mara", "until": "2027-02-01"}
    {"value": "team", "state": "resolved", "reason": "known from 4.3.0 on", "until": "4.3.0"}

    """

  /// The output at 80 columns, and at 160.
  private static let lists = [
    (
      "summary --since 2026-11-21 --until 2026-11-22",
      """
      1 new from 2026-11-21 00:00 to 2026-11-22 00:00; 8.82% of 34 decodes affected
      (10% the day before).

      course    rate            where          coding_path         found
      NEW
      ______#_  5.88% (100%)    GET /listings  sections…s[].title  now headline
      ONGOING
      __#___=_  9.09% to 2.94%  GET /listings  sections…s[].price  string 1,250.00
      __#___=_  9.09% to 2.94%  GET /listings  sections…pertyKind  villa_with_a_gard…

      not listed: 2 unknown keys (--kind unknownKey)
      Next: digest-query show f3ef468a
      digest-query: 2 of 7 columns left out: | less -S shows all, --columns some
      1 new from 2026-11-21 00:00 to 2026-11-22 00:00; 8.82% of 34 decodes affected (10% the day before).

      course    rate            where          coding_path                         found                           since  id
      NEW
      ______#_  5.88% (100%)    GET /listings  sections[].listings[].title         now headline                    4.2.0  f3ef468a
      ONGOING
      __#___=_  9.09% to 2.94%  GET /listings  sections[].listings[].price         string 1,250.00                 4.2.0  p02297b0
      __#___=_  9.09% to 2.94%  GET /listings  sections[].listings[].propertyKind  villa_with_a_garden_and_a_pool  4.1.0  e8cccd04

      not listed: 2 unknown keys (--kind unknownKey)
      Next: digest-query show f3ef468a

      """
    ),
    (
      "show e8cccd04 --until 2026-11-22",
      """
      ShopApp.ListingFeed sections[].listings[].propertyKind  e8cccd04
      unknown value: villa_with_a_garden_and_a_pool; expected ShopApp.PropertyKind
      5 occurrences in 5 digests since 2026-11-18 10:00: 7.81% of the model's decodes
      first seen 2026-11-18 10:00 in release 4.1.0, last seen 2026-11-21 14:00
      since 2026-11-21 00:00: ongoing, neither new, growing nor over
      #_#=  by day, 2026-11-18 to 2026-11-21

      name           occurrences  digests  decodes    rate  first_seen
      RELEASE
      4.2.0                    3        3       56   5.36%  2026-11-20 12:00:00Z
      4.1.0                    2        2        8  25%     2026-11-18 10:00:00Z
      OPERATION
      GET /listings            5        5        7  71.4%   2026-11-18 10:00:00Z

      LAST DIGESTS
      dddddddd-5  2026-11-21 14:00:00Z  4.2.0
      dddddddd-4  2026-11-20 13:00:00Z  4.2.0
      dddddddd-3  2026-11-20 12:00:00Z  4.2.0

      Next: digest-query show dddddddd-5
      ShopApp.ListingFeed sections[].listings[].propertyKind  e8cccd04
      unknown value: villa_with_a_garden_and_a_pool; expected ShopApp.PropertyKind
      5 occurrences in 5 digests since 2026-11-18 10:00: 7.81% of the model's decodes
      first seen 2026-11-18 10:00 in release 4.1.0, last seen 2026-11-21 14:00
      since 2026-11-21 00:00: ongoing, neither new, growing nor over
      #_#=  by day, 2026-11-18 to 2026-11-21

      name           occurrences  digests  decodes    rate  first_seen            last_seen
      RELEASE
      4.2.0                    3        3       56   5.36%  2026-11-20 12:00:00Z  2026-11-21 14:00:00Z
      4.1.0                    2        2        8  25%     2026-11-18 10:00:00Z  2026-11-18 11:00:00Z
      OPERATION
      GET /listings            5        5        7  71.4%   2026-11-18 10:00:00Z  2026-11-21 14:00:00Z

      LAST DIGESTS
      dddddddd-5  2026-11-21 14:00:00Z  4.2.0
      dddddddd-4  2026-11-20 13:00:00Z  4.2.0
      dddddddd-3  2026-11-20 12:00:00Z  4.2.0

      Next: digest-query show dddddddd-5

      """
    ),
    (
      "top-novel-values",
      """
      model        coding_path        found              occurrences    rate  id
      ListingFeed  sections…ertyKind  villa_with_a_gar…            5   7.81%  e8cccd04
      Account      plan               team                         1  12.5%   rf60df06
      digest-query: 4 of 10 columns left out: | less -S shows all, --columns some
      digest-query: not listed: 2 unknown keys (--kind unknownKey)
      model        coding_path              found                    occurrences  digests    rate  first_seen            last_seen             first_release  id
      ListingFeed  sections[].…ropertyKind  villa_with_a_garden_an…            5        5   7.81%  2026-11-18 10:00:00Z  2026-11-21 14:00:00Z  4.1.0          e8cccd04
      Account      plan                     team                               1        1  12.5%   2026-11-20 13:30:00Z  2026-11-20 13:30:00Z  4.2.0          rf60df06
      digest-query: cut to fit: | less -S shows all
      digest-query: not listed: 2 unknown keys (--kind unknownKey)

      """
    ),
    (
      "top-failures",
      """
      model        coding_path        found              occurrences    rate  id
      ListingFeed  sections…ertyKind  villa_with_a_gar…            5   7.81%  e8cccd04
      ListingFeed  sections…[].price  string 1,250.00              3   4.69%  p02297b0
      ListingFeed  sections…[].title  (missing)                    2   3.13%  f3ef468a
      Account      owner.name         (missing)                    1  12.5%   q3d8fe4f
      Account      plan               team                         1  12.5%   rf60df06
      digest-query: 5 of 11 columns left out: | less -S shows all, --columns some
      digest-query: not listed: 2 unknown keys (--kind unknownKey)
      model        coding_path              found                    occurrences  digests    rate  first_seen            last_seen             first_release  id
      ListingFeed  sections[].…ropertyKind  villa_with_a_garden_an…            5        5   7.81%  2026-11-18 10:00:00Z  2026-11-21 14:00:00Z  4.1.0          e8cccd04
      ListingFeed  sections[].…ngs[].price  string 1,250.00                    3        3   4.69%  2026-11-20 12:00:00Z  2026-11-21 14:00:00Z  4.2.0          p02297b0
      ListingFeed  sections[].…ngs[].title  (missing)                          2        2   3.13%  2026-11-21 15:00:00Z  2026-11-21 15:01:00Z  4.2.0          f3ef468a
      Account      owner.name               (missing)                          1        1  12.5%   2026-11-20 13:30:00Z  2026-11-20 13:30:00Z  4.2.0          q3d8fe4f
      Account      plan                     team                               1        1  12.5%   2026-11-20 13:30:00Z  2026-11-20 13:30:00Z  4.2.0          rf60df06
      digest-query: 1 of 11 columns left out: | less -S shows all, --columns some
      digest-query: not listed: 2 unknown keys (--kind unknownKey)

      """
    ),
    (
      "new --release 4.2.0",
      """
      model        coding_path          found            occurrences    rate  id
      ListingFeed  sections[…s[].price  string 1,250.00            3   5.36%  p02297b0
      ListingFeed  sections[…s[].title  (missing)                  2   3.57%  f3ef468a
      Account      owner.name           (missing)                  1  12.5%   q3d8fe4f
      Account      plan                 team                       1  12.5%   rf60df06
      digest-query: 5 of 11 columns left out: | less -S shows all, --columns some
      digest-query: not listed: 2 unknown keys (--kind unknownKey)
      model        coding_path       found            expected_type  occurrences  digests    rate  first_seen            last_seen             first_release  id
      ListingFeed  section…[].price  string 1,250.00  Double                   3        3   5.36%  2026-11-20 12:00:00Z  2026-11-21 14:00:00Z  4.2.0          p02297b0
      ListingFeed  section…[].title  (missing)        String                   2        2   3.57%  2026-11-21 15:00:00Z  2026-11-21 15:01:00Z  4.2.0          f3ef468a
      Account      owner.name        (missing)        -                        1        1  12.5%   2026-11-20 13:30:00Z  2026-11-20 13:30:00Z  4.2.0          q3d8fe4f
      Account      plan              team             ShopApp.Plan             1        1  12.5%   2026-11-20 13:30:00Z  2026-11-20 13:30:00Z  4.2.0          rf60df06
      digest-query: cut to fit: | less -S shows all
      digest-query: not listed: 2 unknown keys (--kind unknownKey)

      """
    ),
    (
      "models",
      """
      model        occurrences  digests  failures  novel_values  decodes   rate
      ListingFeed           10        7         3             1       64  10.9%
      Account                2        1         2             1        8  12.5%
      digest-query: 3 of 10 columns left out: | less -S shows all, --columns some
      digest-query: not listed: 2 unknown keys (--kind unknownKey)
      model                occurrences  digests  share  failures  novel_values  first_seen            last_seen             decodes   rate
      ShopApp.ListingFeed           10        7  87.5%         3             1  2026-11-18 10:00:00Z  2026-11-21 15:01:00Z       64  10.9%
      ShopApp.Account                2        1  12.5%         2             1  2026-11-20 13:30:00Z  2026-11-20 13:30:00Z        8  12.5%
      digest-query: not listed: 2 unknown keys (--kind unknownKey)

      """
    ),
    (
      "diff 4.1.0 4.2.0",
      """
      change  model        coding_path        found              before  after  factor
      shrunk  ListingFeed  sections…ertyKind  villa_with_a_gar…     25%  5.36%   0.214
      new     ListingFeed  sections…[].price  string                 0%  5.36%       -
      new     ListingFeed  sections…[].title  (missing)              0%  3.57%       -
      new     Account      owner.name         (missing)              0   1           -
      new     Account      plan               team                   0   1           -
      digest-query: 2 of 9 columns left out: | less -S shows all, --columns some
      digest-query: counts are compared, not rates, where decodes were not counted on one side
      digest-query: 4.2.0: not listed: 2 unknown keys (--kind unknownKey)
      change  model                coding_path                         found                           expected_type         before  after  factor  id
      shrunk  ShopApp.ListingFeed  sections[].listings[].propertyKind  villa_with_a_garden_and_a_pool  ShopApp.PropertyKind     25%  5.36%   0.214  e8cccd04
      new     ShopApp.ListingFeed  sections[].listings[].price         string                          Double                    0%  5.36%       -  p02297b0
      new     ShopApp.ListingFeed  sections[].listings[].title         (missing)                       String                    0%  3.57%       -  f3ef468a
      new     ShopApp.Account      owner.name                          (missing)                       -                         0   1           -  q3d8fe4f
      new     ShopApp.Account      plan                                team                            ShopApp.Plan              0   1           -  rf60df06
      digest-query: counts are compared, not rates, where decodes were not counted on one side
      digest-query: 4.2.0: not listed: 2 unknown keys (--kind unknownKey)

      """
    ),
    (
      "digests --limit 3",
      """
      id          recorded_at           model        entries  paths
      dddddddd-8  2026-11-21 15:01:00Z  ListingFeed        2  sections[].listings[].t…
      dddddddd-7  2026-11-21 15:00:00Z  ListingFeed        2  sections[].listings[].t…
      dddddddd-6  2026-11-20 13:30:00Z  Account            2  owner.name, plan "team"
      digest-query: 1 of 6 columns left out: | less -S shows all, --columns some
      digest-query: there are more than 3 rows; raise --limit to see them
      id          recorded_at           release  model                entries  paths
      dddddddd-8  2026-11-21 15:01:00Z  4.2.0    ShopApp.ListingFeed        2  sections[].listings[].title, sections[].listings[].headline
      dddddddd-7  2026-11-21 15:00:00Z  4.2.0    ShopApp.ListingFeed        2  sections[].listings[].title, sections[].listings[].headline
      dddddddd-6  2026-11-20 13:30:00Z  4.2.0    ShopApp.Account            2  owner.name, plan "team"
      digest-query: there are more than 3 rows; raise --limit to see them

      """
    ),
    (
      "renames",
      """
      model        old_path                  new_path                  digests  share
      ListingFeed  sections[].…ings[].title  sections[].…s[].headline        2  3.13%
      digest-query: 4 of 9 columns left out: | less -S shows all, --columns some
      model        old_path                     new_path                        digests  share  was_there  first_seen            last_seen             first_release
      ListingFeed  sections[].listings[].title  sections[].listings[].headline        2  3.13%  true       2026-11-21 15:00:00Z  2026-11-21 15:01:00Z  4.2.0

      """
    ),
    (
      "spec openapi.json",
      """
      verdict          operation      coding_path       found             occurrences
      contract-broken  GET /listings  section…ertyKind  villa_with_a_ga…            5
      contract-broken  GET /listings  section…[].price  string 1,250.00             3
      undocumented     GET /listings  section…[].title  (missing)                   2
      unmapped         GET /account   owner.name        (missing)                   1
      unmapped         GET /account   plan              team                        1
      digest-query: 8 of 13 columns left out: | less -S shows all, --columns some
      digest-query: not listed: 2 unknown keys (--kind unknownKey)
      verdict          operation      model        coding_path          found                occurrences    rate  last_seen             reason               id
      contract-broken  GET /listings  ListingFeed  sections[…pertyKind  villa_with_a_garde…            5   71.4%  2026-11-21 14:00:00Z  the document does …  e8cccd04
      contract-broken  GET /listings  ListingFeed  sections[…s[].price  string 1,250.00                3   42.9%  2026-11-21 14:00:00Z  the document allow…  p02297b0
      undocumented     GET /listings  ListingFeed  sections[…s[].title  (missing)                      2   28.6%  2026-11-21 15:01:00Z  the document has n…  f3ef468a
      unmapped         GET /account   Account      owner.name           (missing)                      1  100%    2026-11-20 13:30:00Z  the document has n…  q3d8fe4f
      unmapped         GET /account   Account      plan                 team                           1  100%    2026-11-20 13:30:00Z  the document has n…  rf60df06
      digest-query: 3 of 13 columns left out: | less -S shows all, --columns some
      digest-query: not listed: 2 unknown keys (--kind unknownKey)

      """
    ),
    (
      "trend --by day --group value --since 2026-11-18 --until 2026-11-21T16:00:00Z",
      """
      …eed  sections[].listings[].propertyKind  villa_with_a_garden_and_a_pool  String
      start       occurrences
      2026-11-18            2  ##############################
      2026-11-19            0
      2026-11-20            2  ##############################
      2026-11-21            1  ###############..

      ShopApp.Account  plan  team  String
      start       occurrences
      2026-11-18            0
      2026-11-19            0
      2026-11-20            1  ###############
      2026-11-21            0  ..

      model        coding_path       novel_value       value_type  occurrences  trend
      ListingFeed  section…ertyKind  villa_with_a_ga…  String                5  #_#
      Account      plan              team              String                1  __#
      digest-query: cut to fit: | less -S shows all
      digest-query: not listed: 2 unknown keys (--kind unknownKey)
      ShopApp.ListingFeed  sections[].listings[].propertyKind  villa_with_a_garden_and_a_pool  String
      start       occurrences
      2026-11-18            2  ##############################
      2026-11-19            0
      2026-11-20            2  ##############################
      2026-11-21            1  ###############..

      ShopApp.Account  plan  team  String
      start       occurrences
      2026-11-18            0
      2026-11-19            0
      2026-11-20            1  ###############
      2026-11-21            0  ..

      model                coding_path                         novel_value                     value_type  occurrences  trend
      ShopApp.ListingFeed  sections[].listings[].propertyKind  villa_with_a_garden_and_a_pool  String                5  #_#
      ShopApp.Account      plan                                team                            String                1  __#
      digest-query: not listed: 2 unknown keys (--kind unknownKey)

      """
    ),
    (
      "fleet sources",
      """
      name  source                 whole  occurrences  pushed_at  last_seen
      -     eeeeeeeeeeeeeeeeeeee…  true            12  -          2026-11-21 15:01:00Z
      digest-query: 2 of 8 columns left out: | less -S shows all, --columns some
      name  source                            whole  occurrences  recorded_digests  decodes  pushed_at  last_seen
      -     eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee  true            12                 8       72  -          2026-11-21 15:01:00Z

      """
    ),
    (
      "triage list",
      """
      line  decision  path     value  until       failures  regressed
         1  ignored   *.price  -      2027-02-01         1          0
         2  resolved  -        team   4.3.0              1          0
      digest-query: 3 of 10 columns left out: | less -S shows all, --columns some
      line  decision  path     value  until       failures  regressed  reason                                by    at
         1  ignored   *.price  -      2027-02-01         1          0  the backend team mends it in January  mara  -
         2  resolved  -        team   4.3.0              1          0  known from 4.3.0 on                   -     -

      """
    ),
  ]

  @Test(arguments: lists)
  func `a row is one line, with what fits`(command: String, output: String) throws {
    let sandbox = try Sandbox(importing: Self.store)
    let identity = String(repeating: "e", count: 32)
    try sandbox.alter(
      "UPDATE store SET identity = '\(identity)'; UPDATE source SET identity = '\(identity)'")
    try sandbox.write(Self.document, to: "openapi.json")
    if command == "triage list" { try sandbox.write(Self.decisions, to: "digest-triage.ndjson") }
    let outputs = try [80, 160].map { try sandbox.runOnTerminal(command, columns: $0).stdout }
    #expect(outputs.joined() == output)
  }
}
