// Fails one system call of a process, once. Environment:
//
//     FAILING_CALL     stat, fstat, open, pread, pwrite, fsync or ftruncate
//     FAILING_NUMBER   which of the calls on the files fails, counted from 1
//     FAILING_ERROR    the errno
//     FAILING_PREFIX   how the paths of the files begin
//     FAILING_MARK     a file that is made when the call fails

#if defined(__linux__)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAXIMUM_DESCRIPTORS 4096

static atomic_long rest = -1;
static atomic_bool is_ours[MAXIMUM_DESCRIPTORS];
static const char *failing_call, *prefix, *mark;
static int failing_error;

__attribute__((constructor)) static void begin(void) {
  const char *number = getenv("FAILING_NUMBER"), *error = getenv("FAILING_ERROR");
  failing_call = getenv("FAILING_CALL");
  prefix = getenv("FAILING_PREFIX");
  mark = getenv("FAILING_MARK");
  if (!number || !error || !failing_call || !prefix || !mark) return;
  failing_error = atoi(error);
  rest = atol(number);
}

static int is_path(const char *path) {
  return prefix && path && strncmp(path, prefix, strlen(prefix)) == 0;
}

static int is_descriptor(int descriptor) {
  return descriptor >= 0 && descriptor < MAXIMUM_DESCRIPTORS && is_ours[descriptor];
}

static void set_descriptor(int descriptor, int ours) {
  if (descriptor >= 0 && descriptor < MAXIMUM_DESCRIPTORS) is_ours[descriptor] = ours;
}

static int fails(const char *call, int ours) {
  if (!ours || !failing_call || strcmp(call, failing_call) != 0) return 0;
  if (atomic_fetch_sub(&rest, 1) != 1) return 0;
  int descriptor = open(mark, O_WRONLY | O_CREAT, 0600);
  if (descriptor >= 0) close(descriptor);
  errno = failing_error;
  return 1;
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

// Programs that use large files call the names with 64, which mean the same here.

#define OPEN(name)                                                                 \
  int name(const char *path, int flags, ...) {                                     \
    static int (*real)(const char *, int, ...);                                    \
    if (!real) real = next(#name);                                                 \
    va_list list;                                                                  \
    va_start(list, flags);                                                         \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;        \
    va_end(list);                                                                  \
    if (fails("open", is_path(path))) return -1;                                   \
    int descriptor = real(path, flags, mode);                                      \
    set_descriptor(descriptor, is_path(path));                                     \
    return descriptor;                                                             \
  }
OPEN(open)
OPEN(open64)

int close(int descriptor) {
  static int (*real)(int);
  if (!real) real = next("close");
  set_descriptor(descriptor, 0);
  return real(descriptor);
}

#define STAT(name, type)                                                           \
  int name(const char *path, type *status) {                                       \
    static int (*real)(const char *, type *);                                      \
    if (!real) real = next(#name);                                                 \
    return fails("stat", is_path(path)) ? -1 : real(path, status);                 \
  }
STAT(stat, struct stat)
STAT(stat64, struct stat64)

#define FSTAT(name, type)                                                          \
  int name(int descriptor, type *status) {                                         \
    static int (*real)(int, type *);                                               \
    if (!real) real = next(#name);                                                 \
    return fails("fstat", is_descriptor(descriptor)) ? -1 : real(descriptor, status); \
  }
FSTAT(fstat, struct stat)
FSTAT(fstat64, struct stat64)

#define PREAD(name, offset_type)                                                   \
  ssize_t name(int descriptor, void *bytes, size_t count, offset_type offset) {    \
    static ssize_t (*real)(int, void *, size_t, offset_type);                      \
    if (!real) real = next(#name);                                                 \
    if (fails("pread", is_descriptor(descriptor))) return -1;                      \
    return real(descriptor, bytes, count, offset);                                 \
  }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

#define PWRITE(name, offset_type)                                                  \
  ssize_t name(int descriptor, const void *bytes, size_t count, offset_type offset) { \
    static ssize_t (*real)(int, const void *, size_t, offset_type);                \
    if (!real) real = next(#name);                                                 \
    if (fails("pwrite", is_descriptor(descriptor))) return -1;                     \
    return real(descriptor, bytes, count, offset);                                 \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define FSYNC(name)                                                                \
  int name(int descriptor) {                                                       \
    static int (*real)(int);                                                       \
    if (!real) real = next(#name);                                                 \
    return fails("fsync", is_descriptor(descriptor)) ? -1 : real(descriptor);      \
  }
FSYNC(fsync)
FSYNC(fdatasync)

#define FTRUNCATE(name, offset_type)                                               \
  int name(int descriptor, offset_type length) {                                   \
    static int (*real)(int, offset_type);                                          \
    if (!real) real = next(#name);                                                 \
    return fails("ftruncate", is_descriptor(descriptor)) ? -1 : real(descriptor, length); \
  }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

#endif
