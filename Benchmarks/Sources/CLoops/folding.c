#include "folding.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "statements.h"

enum { hour_length = 3600000 };

/// How often a failure occurred in a period, or a model had one.
typedef struct {
  int64_t failure, occurrences, digests, first, last;
} cell;

typedef struct {
  cell *items;
  int count, capacity;
} cells;

/// A table of packed cells, and what has come together of an hour for it.
typedef struct {
  sqlite3_stmt *find, *add, *change;
  cells hour;
} period_table;

struct folding {
  sqlite3_stmt *find_folded, *find_digests, *add_lifetime, *add_hour, *advance;
  period_table failures, models;
  cells merged;
  uint8_t *bytes;
  int capacity;
};

folding *folding_open(sqlite3 *database) {
  folding *f = calloc(1, sizeof *f);
  f->find_folded = prepare(database, find_folded_sql);
  f->find_digests = prepare(database, find_digests_sql);
  f->failures.find = prepare(database, find_period_sql);
  f->failures.add = prepare(database, add_period_sql);
  f->failures.change = prepare(database, change_period_sql);
  f->models.find = prepare(database, find_model_period_sql);
  f->models.add = prepare(database, add_model_period_sql);
  f->models.change = prepare(database, change_model_period_sql);
  f->add_lifetime = prepare(database, add_lifetime_sql);
  f->add_hour = prepare(database, add_hour_sql);
  f->advance = prepare(database, advance_sql);
  return f;
}

static void append(cells *list, cell next) {
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? 2 * list->capacity : 1024;
    list->items = realloc(list->items, list->capacity * sizeof(cell));
  }
  list->items[list->count++] = next;
}

static int by_failure(const void *lhs, const void *rhs) {
  const cell *l = lhs, *r = rhs;
  return (l->failure > r->failure) - (l->failure < r->failure);
}

static cell sum(cell lhs, cell rhs) {
  lhs.occurrences += rhs.occurrences;
  lhs.digests += rhs.digests;
  if (rhs.first < lhs.first) lhs.first = rhs.first;
  if (rhs.last > lhs.last) lhs.last = rhs.last;
  return lhs;
}

/// Sorts the cells and adds up those of the same failure.
static void add_up(cells *list) {
  qsort(list->items, list->count, sizeof(cell), by_failure);
  int kept = 0;
  for (int i = 0; i < list->count; i++) {
    if (kept > 0 && list->items[kept - 1].failure == list->items[i].failure) {
      list->items[kept - 1] = sum(list->items[kept - 1], list->items[i]);
    } else {
      list->items[kept++] = list->items[i];
    }
  }
  list->count = kept;
}

static uint8_t *put(uint8_t *at, uint64_t number) {
  for (; number >= 0x80; number >>= 7) *at++ = (uint8_t)(number | 0x80);
  *at++ = (uint8_t)number;
  return at;
}

static const uint8_t *get(const uint8_t *at, int64_t *number) {
  uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    value |= (uint64_t)(*at & 0x7f) << shift;
    if (*at++ < 0x80) break;
  }
  *number = (int64_t)value;
  return at;
}

static int pack(folding *f, const cells *list, int64_t begin) {
  const int needed = list->count * 40;
  if (needed > f->capacity) f->bytes = realloc(f->bytes, f->capacity = 2 * needed);
  uint8_t *at = f->bytes;
  int64_t before = 0;
  for (int i = 0; i < list->count; i++) {
    const cell *next = &list->items[i];
    at = put(at, next->failure - before);
    at = put(at, next->occurrences);
    at = put(at, next->digests);
    at = put(at, next->first - begin);
    at = put(at, next->last - next->first);
    before = next->failure;
  }
  return (int)(at - f->bytes);
}

static void unpack(cells *list, const uint8_t *at, int length, int64_t begin) {
  const uint8_t *end = at + length;
  cell next = {0};
  list->count = 0;
  while (at < end) {
    int64_t distance;
    at = get(at, &distance);
    at = get(at, &next.occurrences);
    at = get(at, &next.digests);
    at = get(at, &next.first);
    at = get(at, &next.last);
    next.failure += distance;
    next.first += begin;
    next.last += next.first;
    append(list, next);
  }
}

/// Adds the cells of an hour to the row of a period.
static int add_to_period(folding *f, period_table *table, int span, int64_t start,
                         int64_t release) {
  const int64_t begin = start * hour_length;
  sqlite3_bind_int(table->find, 1, span);
  sqlite3_bind_int64(table->find, 2, start);
  sqlite3_bind_int64(table->find, 3, release);
  int64_t id = 0;
  f->merged.count = 0;
  if (sqlite3_step(table->find) == SQLITE_ROW) {
    id = sqlite3_column_int64(table->find, 0);
    const uint8_t *packed = sqlite3_column_blob(table->find, 1);
    unpack(&f->merged, packed, sqlite3_column_bytes(table->find, 1), begin);
  }
  int code = sqlite3_reset(table->find);
  for (int i = 0; i < table->hour.count; i++) append(&f->merged, table->hour.items[i]);
  add_up(&f->merged);
  const int length = pack(f, &f->merged, begin);
  if (code != SQLITE_OK) return code;
  if (id) {
    sqlite3_bind_blob(table->change, 1, f->bytes, length, SQLITE_STATIC);
    sqlite3_bind_int64(table->change, 2, id);
    return run(table->change);
  }
  sqlite3_bind_int(table->add, 1, span);
  sqlite3_bind_int64(table->add, 2, start);
  sqlite3_bind_int64(table->add, 3, release);
  sqlite3_bind_blob(table->add, 4, f->bytes, length, SQLITE_STATIC);
  return run(table->add);
}

static int add_to_lifetime(folding *f) {
  for (int i = 0; i < f->failures.hour.count; i++) {
    const cell *next = &f->failures.hour.items[i];
    // The entries here leave out all that may be, so that the samples are used as long as they come.
    const int64_t values[] = {next->failure, next->occurrences, next->digests, 0,
                              next->first,   next->last,        next->last,    next->last};
    for (int column = 0; column < 8; column++) {
      sqlite3_bind_int64(f->add_lifetime, column + 1, values[column]);
    }
    const int code = run(f->add_lifetime);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

/// Writes what has come together of an hour.
static int write_hour(folding *f, int64_t hour, int64_t release, int64_t first, int64_t last) {
  period_table *const tables[] = {&f->failures, &f->models};
  int code = SQLITE_OK;
  for (int i = 0; i < 2 && code == SQLITE_OK; i++) {
    add_up(&tables[i]->hour);
    code = add_to_period(f, tables[i], 1, hour, release);
    if (code == SQLITE_OK) code = add_to_period(f, tables[i], 24, hour / 24 * 24, release);
  }
  if (code == SQLITE_OK) code = add_to_lifetime(f);
  if (code != SQLITE_OK) return code;
  f->failures.hour.count = f->models.hour.count = 0;
  sqlite3_bind_int64(f->add_hour, 1, hour);
  sqlite3_bind_int64(f->add_hour, 2, first);
  sqlite3_bind_int64(f->add_hour, 3, last);
  return run(f->add_hour);
}

/// Reads `[[failure,position],…]`, which has no strings here; twice in a digest is one digest.
///
/// Returns how many there are.
static int64_t scan(cells *list, const char *entries, int64_t recorded_at) {
  int64_t occurrences = 0;
  const int begin = list->count;
  for (const char *at = entries + 1; (at = strchr(at, '[')); at++) {
    const int64_t failure = strtoll(at + 1, NULL, 10);
    int i = begin;
    while (i < list->count && list->items[i].failure != failure) i++;
    if (i == list->count) append(list, (cell){failure, 0, 1, recorded_at, recorded_at});
    list->items[i].occurrences++;
    occurrences++;
  }
  return occurrences;
}

int fold(folding *f) {
  sqlite3_step(f->find_folded);
  int64_t last = sqlite3_column_int64(f->find_folded, 0);
  int code = sqlite3_reset(f->find_folded);
  int64_t hour = -1, release = -1, first = 0;
  sqlite3_bind_int64(f->find_digests, 1, last);
  while (code == SQLITE_OK && sqlite3_step(f->find_digests) == SQLITE_ROW) {
    const int64_t id = sqlite3_column_int64(f->find_digests, 0);
    const int64_t recorded_at = sqlite3_column_int64(f->find_digests, 1);
    const int64_t next_release = sqlite3_column_int64(f->find_digests, 2);
    const int64_t next_hour = recorded_at / hour_length;
    if (next_hour != hour || next_release != release) {
      if (hour >= 0) code = write_hour(f, hour, release, first, last);
      hour = next_hour;
      release = next_release;
      first = id;
    }
    const char *entries = (const char *)sqlite3_column_text(f->find_digests, 3);
    const int64_t occurrences = scan(&f->failures.hour, entries, recorded_at);
    const int64_t model = sqlite3_column_int64(f->find_digests, 4);
    append(&f->models.hour, (cell){model, occurrences, 1, recorded_at, recorded_at});
    last = id;
  }
  const int end = sqlite3_reset(f->find_digests);
  if (code == SQLITE_OK) code = end;
  if (code == SQLITE_OK && hour >= 0) code = write_hour(f, hour, release, first, last);
  if (code != SQLITE_OK) return code;
  sqlite3_bind_int64(f->advance, 1, last);
  return run(f->advance);
}

void folding_close(folding *f) {
  sqlite3_stmt *statements[] = {f->find_folded,   f->find_digests,    f->failures.find,
                                f->failures.add,  f->failures.change, f->models.find,
                                f->models.add,    f->models.change,   f->add_lifetime,
                                f->add_hour,      f->advance};
  for (int i = 0; i < 11; i++) sqlite3_finalize(statements[i]);
  free(f->failures.hour.items);
  free(f->models.hour.items);
  free(f->merged.items);
  free(f->bytes);
  free(f);
}
