extension Suite {
  static var workload: Self {
    Self(
      title: "10,000 items of 7 fields",
      caption: """
        An id, two optionals, two arrays, an enum and a dictionary; all but the id `@Resilient`, \
        with a reporter. Where 10 % are bad, each tenth item has one damaged field, the next one \
        each time, and flushing the digest is in the time. The reference is the same model without \
        the wrapper. It cannot decode the bad payload: also there it decodes the clean one, which \
        has as many items.
        """,
      comparisons: [
        Comparison(name: "plain, against itself") {
          let clean = Payload(Listing.fields).clean
          return Comparison.Pair(
            reference: try Format.json.decoding([Listing.Plain].self, from: clean),
            measured: try Format.json.decoding([Listing.Plain].self, from: clean)
          )
        },
        .clean("clean", Listing.self, Listing.fields, target: 1.00),
        .damaged("10 % bad", Listing.self, Listing.fields, target: 1.10),
        .clean(
          "clean, binary property list", Listing.self, Listing.fields, format: .binaryPropertyList
        ),
      ]
    )
  }
}
