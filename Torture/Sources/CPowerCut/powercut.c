#include "powercut.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// A VFS on top of the system's (SQLite, "The SQLite OS Interface or VFS") that keeps, in one order, all
// that would change what a disk holds.

#define MAXIMUM_FILES 64

typedef struct {
  sqlite3_file base;
  int32_t number;
  /// As SQLite does with a journal or log that it has just made.
  int syncs_directory;
  sqlite3_file *real;
} RecordedFile;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs *system_vfs;
static sqlite3_vfs recording_vfs;
static PowerCutEvent *events;
static int64_t count, capacity;
static char *paths[MAXIMUM_FILES];

static int32_t number_of(const char *path) {
  for (int32_t i = 0; i < MAXIMUM_FILES; i++) {
    if (!paths[i]) paths[i] = strdup(path);
    if (paths[i] && strcmp(paths[i], path) == 0) return i;
  }
  abort();
}

static void append(PowerCutAction action, int32_t file, const void *bytes, int64_t length,
                   int64_t offset) {
  if (count == capacity) {
    capacity = capacity ? 2 * capacity : 4096;
    events = realloc(events, (size_t)capacity * sizeof(PowerCutEvent));
    if (!events) abort();
  }
  void *copy = NULL;
  if (length > 0) {
    copy = malloc((size_t)length);
    if (!copy) abort();
    memcpy(copy, bytes, (size_t)length);
  }
  events[count++] = (PowerCutEvent){action, file, offset, length, copy};
}

static RecordedFile *recorded(sqlite3_file *file) { return (RecordedFile *)file; }
static sqlite3_file *real(sqlite3_file *file) { return recorded(file)->real; }

// What changes a file is done and recorded under one lock, so that both happen in the same order.

static int write_file(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
  pthread_mutex_lock(&lock);
  int code = real(file)->pMethods->xWrite(real(file), bytes, length, offset);
  if (code == SQLITE_OK) append(PowerCutWrite, recorded(file)->number, bytes, length, offset);
  pthread_mutex_unlock(&lock);
  return code;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  pthread_mutex_lock(&lock);
  int code = real(file)->pMethods->xTruncate(real(file), size);
  if (code == SQLITE_OK) append(PowerCutTruncate, recorded(file)->number, NULL, 0, size);
  pthread_mutex_unlock(&lock);
  return code;
}

static int sync_file(sqlite3_file *file, int flags) {
  (void)flags;
  pthread_mutex_lock(&lock);
  append(PowerCutSync, recorded(file)->number, NULL, 0, recorded(file)->syncs_directory);
  recorded(file)->syncs_directory = 0;
  pthread_mutex_unlock(&lock);
  return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int sync_directory) {
  (void)vfs;
  pthread_mutex_lock(&lock);
  int code = system_vfs->xDelete(system_vfs, path, 0);
  if (code == SQLITE_OK) append(PowerCutDelete, number_of(path), NULL, 0, sync_directory);
  pthread_mutex_unlock(&lock);
  return code;
}

static int close_file(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }
static int read_file(sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset) {
  return real(file)->pMethods->xRead(real(file), bytes, length, offset);
}
static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}
static int lock_file(sqlite3_file *file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}
static int unlock_file(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}
static int check_lock(sqlite3_file *file, int *result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}
static int control_file(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
static int characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
static int map_memory(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, memory);
}
static int lock_memory(sqlite3_file *file, int offset, int n, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, n, flags);
}
static void memory_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int unmap_memory(sqlite3_file *file, int delete) {
  return real(file)->pMethods->xShmUnmap(real(file), delete);
}

// Version 2: without the mapping of files, whose writes would not be seen here.
static const sqlite3_io_methods methods = {
    2,           close_file,   read_file,    write_file,    truncate_file,  sync_file,
    file_size,   lock_file,    unlock_file,  check_lock,    control_file,   sector_size,
    characteristics, map_memory, lock_memory, memory_barrier, unmap_memory, NULL, NULL};

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags,
                     int *out_flags) {
  (void)vfs;
  int kept = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL;
  if (!(flags & kept)) return system_vfs->xOpen(system_vfs, path, file, flags, out_flags);
  RecordedFile *opened = recorded(file);
  memset(opened, 0, sizeof *opened);
  opened->real = (sqlite3_file *)(opened + 1);
  int code = system_vfs->xOpen(system_vfs, path, opened->real, flags, out_flags);
  if (code != SQLITE_OK) {
    if (opened->real->pMethods) opened->real->pMethods->xClose(opened->real);
    return code;
  }
  pthread_mutex_lock(&lock);
  opened->number = number_of(path);
  pthread_mutex_unlock(&lock);
  opened->syncs_directory = (flags & SQLITE_OPEN_CREATE) && !(flags & SQLITE_OPEN_MAIN_DB);
  opened->base.pMethods = &methods;
  return SQLITE_OK;
}

int powercut_start(void) {
  if (!system_vfs) {
    system_vfs = sqlite3_vfs_find(NULL);
    if (!system_vfs) return SQLITE_ERROR;
    recording_vfs = *system_vfs;
    recording_vfs.zName = "powercut";
    recording_vfs.pNext = NULL;
    recording_vfs.szOsFile = (int)sizeof(RecordedFile) + system_vfs->szOsFile;
    recording_vfs.xOpen = open_file;
    recording_vfs.xDelete = delete_file;
  }
  pthread_mutex_lock(&lock);
  for (int64_t i = 0; i < count; i++) free((void *)events[i].bytes);
  count = 0;
  for (int32_t i = 0; i < MAXIMUM_FILES; i++) {
    free(paths[i]);
    paths[i] = NULL;
  }
  pthread_mutex_unlock(&lock);
  return sqlite3_vfs_register(&recording_vfs, 1);
}

void powercut_stop(void) { sqlite3_vfs_register(system_vfs, 1); }

int64_t powercut_count(void) {
  pthread_mutex_lock(&lock);
  int64_t result = count;
  pthread_mutex_unlock(&lock);
  return result;
}

PowerCutEvent powercut_event(int64_t index) {
  pthread_mutex_lock(&lock);
  PowerCutEvent result = events[index];
  pthread_mutex_unlock(&lock);
  return result;
}

const char *powercut_path(int32_t file) {
  return file >= 0 && file < MAXIMUM_FILES ? paths[file] : NULL;
}
