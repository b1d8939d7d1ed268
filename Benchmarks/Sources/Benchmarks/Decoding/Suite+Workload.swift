extension Suite {
  static var workload: Self {
    Self(
      title: "10,000 items of 7 fields",
      caption: """
        An id, two optionals, two arrays, an enum and a dictionary; all but the id `@Resilient`, \
        a reporter installed. Each tenth bad item has one damaged field, a different one in turn. \
        The reference is the same model without the wrapper. It cannot decode a bad payload, so \
        it decodes the clean one of equal size there too. The flush of the digest is in the time.
        """,
      comparisons: [
        Comparison(name: "plain, against itself") {
          let clean = Payload(Listing.fields).clean
          return Comparison.Pair(
            reference: try Format.json.decoding([Listing.Plain].self, from: clean),
            measured: try Format.json.decoding([Listing.Plain].self, from: clean)
          )
        },
        .clean("clean", Listing.Plain.self, Listing.Recovering.self, Listing.fields),
        .damaged("10 % bad", Listing.Plain.self, Listing.Recovering.self, Listing.fields),
        .clean(
          "clean, binary property list", Listing.Plain.self, Listing.Recovering.self,
          Listing.fields, format: .binaryPropertyList
        ),
      ]
    )
  }
}
