#ifndef STATEMENTS_H
#define STATEMENTS_H

// The statements of the store, as its schema has them. When the store's change, these do.

static const char *const digest_schema =
    "CREATE TABLE store (id INTEGER PRIMARY KEY CHECK (id = 1), folded_through INTEGER NOT NULL,"
    " sample_generation INTEGER NOT NULL DEFAULT 0) STRICT;"
    "INSERT INTO store VALUES (1, 0, 0);"
    "CREATE TABLE digest (id INTEGER PRIMARY KEY, recorded_at INTEGER NOT NULL,"
    " model_id INTEGER NOT NULL, release_id INTEGER NOT NULL, entries TEXT NOT NULL,"
    " omissions TEXT) STRICT;"
    "CREATE TABLE hour (hour INTEGER PRIMARY KEY, first_digest_id INTEGER NOT NULL,"
    " last_digest_id INTEGER NOT NULL) STRICT;"
    "CREATE TABLE lifetime (failure_id INTEGER PRIMARY KEY,"
    " occurrences INTEGER NOT NULL, digests INTEGER NOT NULL, shared_digests INTEGER NOT NULL,"
    " first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL,"
    " message_used INTEGER NOT NULL DEFAULT -1, found_used INTEGER NOT NULL DEFAULT -1) STRICT;"
    "CREATE TABLE period (id INTEGER PRIMARY KEY, span INTEGER NOT NULL, start INTEGER NOT NULL,"
    " release_id INTEGER NOT NULL, cells BLOB NOT NULL) STRICT;"
    "CREATE INDEX period_start ON period (span, start, release_id);"
    "CREATE TABLE model_period (id INTEGER PRIMARY KEY, span INTEGER NOT NULL,"
    " start INTEGER NOT NULL, release_id INTEGER NOT NULL, cells BLOB NOT NULL) STRICT;"
    "CREATE INDEX model_period_start ON model_period (span, start, release_id);";

static const char *const find_state_sql =
    "SELECT max(ifnull((SELECT max(id) FROM digest), 0), folded_through), sample_generation"
    " FROM store";
static const char *const add_digest_sql =
    "INSERT INTO digest (id, recorded_at, model_id, release_id, entries, omissions)"
    " VALUES (?, ?, ?, ?, ?, ?)";

static const char *const find_folded_sql = "SELECT folded_through FROM store";
static const char *const find_digests_sql =
    "SELECT id, recorded_at, release_id, entries, model_id FROM digest WHERE id > ? ORDER BY id"
    " LIMIT 2000";
static const char *const find_period_sql =
    "SELECT id, cells FROM period WHERE span = ? AND start = ? AND release_id = ?";
static const char *const add_period_sql =
    "INSERT INTO period (span, start, release_id, cells) VALUES (?, ?, ?, ?)";
static const char *const change_period_sql = "UPDATE period SET cells = ? WHERE id = ?";
static const char *const find_model_period_sql =
    "SELECT id, cells FROM model_period WHERE span = ? AND start = ? AND release_id = ?";
static const char *const add_model_period_sql =
    "INSERT INTO model_period (span, start, release_id, cells) VALUES (?, ?, ?, ?)";
static const char *const change_model_period_sql =
    "UPDATE model_period SET cells = ? WHERE id = ?";
static const char *const add_lifetime_sql =
    "INSERT INTO lifetime VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
    " occurrences = occurrences + excluded.occurrences, digests = digests + excluded.digests,"
    " shared_digests = shared_digests + excluded.shared_digests,"
    " first_seen = iif(first_seen < excluded.first_seen, first_seen, excluded.first_seen),"
    " last_seen = iif(last_seen > excluded.last_seen, last_seen, excluded.last_seen),"
    " message_used ="
    " iif(message_used > excluded.message_used, message_used, excluded.message_used),"
    " found_used = iif(found_used > excluded.found_used, found_used, excluded.found_used)";
static const char *const add_hour_sql =
    "INSERT INTO hour VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET"
    " first_digest_id = min(first_digest_id, excluded.first_digest_id),"
    " last_digest_id = max(last_digest_id, excluded.last_digest_id)";
static const char *const advance_sql = "UPDATE store SET folded_through = ?";

// The flat table: the columns of the view `occurrences`, numbers where numbers do.

static const char *const flat_schema =
    "CREATE TABLE occurrence (digest_id INTEGER NOT NULL, recorded_at INTEGER NOT NULL,"
    " release TEXT, model TEXT NOT NULL, coding_path TEXT NOT NULL, kind TEXT NOT NULL,"
    " expected_type TEXT, novel_value TEXT, value_type TEXT, message TEXT) STRICT;";
static const char *const add_occurrence_sql =
    "INSERT INTO occurrence VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

#endif
