import ArgumentParser

@main struct DigestQuery: ParsableCommand {}
