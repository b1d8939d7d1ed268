extension Migration {
  /// Schema 5: what is needed to clear the samples of failures when they are too old.
  ///
  /// A failure's message and what was found for it are said once, by its first occurrence, and left
  /// out by all digests that would say the same. So they go when the last of these goes.
  ///
  /// A process of an older version that has the file open goes on recording, but no longer folds. It
  /// does not hear that a sample was cleared: what it leaves out after that is nothing, or what has
  /// become the sample since.
  static let samples = Migration(
    version: 5,
    sql: """
      -- When the last of the folded digests was recorded that leave out the message, or what was
      -- found; -1 for none since these were cleared.
      ALTER TABLE lifetime ADD COLUMN message_used INTEGER NOT NULL DEFAULT -1;
      ALTER TABLE lifetime ADD COLUMN found_used INTEGER NOT NULL DEFAULT -1;
      -- Which digests of before leave them out no one has noted: any of them may.
      UPDATE lifetime SET message_used = last_seen, found_used = last_seen;

      -- Whether the message was cleared, so that the next occurrence's takes its place. A message
      -- that was never there is none that was cleared: those that leave it out have none either.
      ALTER TABLE failure ADD COLUMN message_cleared INTEGER NOT NULL DEFAULT 0;
      -- Whether the found value was, so that the next one of the same type takes its place. The type
      -- stays, for entries with a value of their own leave it out.
      ALTER TABLE failure ADD COLUMN found_cleared INTEGER NOT NULL DEFAULT 0;
      -- When a found value was recorded that no digest leaves out, for reports have it: it goes by
      -- its own age.
      ALTER TABLE failure ADD COLUMN found_at INTEGER;
      UPDATE failure SET found_at = ifnull(
        (SELECT last_seen FROM lifetime WHERE failure_id = id), strftime('%s', 'now') * 1000)
      WHERE found_default = 0 AND typeof(found_value) = 'text';
      CREATE INDEX failure_found_at ON failure (found_at) WHERE found_at IS NOT NULL;

      -- How often samples have been cleared: whoever remembers samples forgets them with a new one.
      ALTER TABLE store ADD COLUMN sample_generation INTEGER NOT NULL DEFAULT 0;
      """
  )
}
