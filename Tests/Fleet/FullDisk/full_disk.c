// A disk that is full, for a server that this is preloaded into: where tables are, which is below
// base/ in PostgreSQL and below what FLEET_FULL_DISK_BELOW says, no file grows any more while there is
// the file that FLEET_FULL_DISK names, which has a byte for each time that one still may. The log that is written ahead goes on, as on a disk of its own: without
// it a server ends.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/// Takes one from what is left.
static int takes_one(const char *path) {
  int left = open(path, O_RDWR | O_CLOEXEC);
  if (left < 0) return errno == ENOENT;
  struct stat status;
  int takes = flock(left, LOCK_EX) == 0 && fstat(left, &status) == 0 && status.st_size > 0
              && ftruncate(left, status.st_size - 1) == 0;
  close(left);
  return takes;
}

/// Whether a file may have `end` bytes.
static int has_room(int file, off_t end) {
  int earlier = errno;
  const char *flag = getenv("FLEET_FULL_DISK");
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = flag ? readlink(link, path, sizeof path - 1) : -1;
  int has = 1;
  if (length > 0) {
    path[length] = 0;
    struct stat status;
    const char *below = getenv("FLEET_FULL_DISK_BELOW");
    int grows = strstr(path, below ? below : "/base/") && fstat(file, &status) == 0
                && end > status.st_size;
    has = !grows || takes_one(flag);
  }
  errno = has ? earlier : ENOSPC;
  return has;
}

static off_t bytes_in(const struct iovec *parts, int count) {
  off_t bytes = 0;
  for (int i = 0; i < count; i++) bytes += (off_t)parts[i].iov_len;
  return bytes;
}

// Each of them by both of its names: what a server calls depends on how it was compiled.

#define PWRITE(name)                                                                   \
  ssize_t name(int file, const void *bytes, size_t count, off_t offset) {              \
    if (!has_room(file, offset + (off_t)count)) return -1;                             \
    return ((ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, #name))(    \
        file, bytes, count, offset);                                                   \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

#define PWRITEV(name)                                                                  \
  ssize_t name(int file, const struct iovec *parts, int count, off_t offset) {         \
    if (!has_room(file, offset + bytes_in(parts, count))) return -1;                   \
    return ((ssize_t(*)(int, const struct iovec *, int, off_t))dlsym(RTLD_NEXT, #name))( \
        file, parts, count, offset);                                                   \
  }
PWRITEV(pwritev)
PWRITEV(pwritev64)

// ClickHouse only appends to its files.
ssize_t write(int file, const void *bytes, size_t count) {
  if (!has_room(file, (off_t)1 << 62)) return -1;
  return ((ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write"))(file, bytes, count);
}

// Returns what went wrong, and leaves errno alone.
#define FALLOCATE(name)                                                                \
  int name(int file, off_t offset, off_t length) {                                     \
    int earlier = errno;                                                               \
    if (!has_room(file, offset + length)) {                                            \
      errno = earlier;                                                                 \
      return ENOSPC;                                                                   \
    }                                                                                  \
    return ((int (*)(int, off_t, off_t))dlsym(RTLD_NEXT, #name))(file, offset, length); \
  }
FALLOCATE(posix_fallocate)
FALLOCATE(posix_fallocate64)
