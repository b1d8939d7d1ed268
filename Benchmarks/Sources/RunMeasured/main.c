// run-measured REPORT STDIN STDOUT PROGRAM [ARGUMENT…]
//
// Runs a program and writes into the file REPORT: nanoseconds on the wall, nanoseconds of processor
// time, the most memory it had in bytes, its exit status, and the bytes that it made the file system write.

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **arguments) {
  if (count < 5) return 64;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, arguments[2], O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, arguments[3], O_WRONLY | O_CREAT | O_TRUNC, 0600);
  // Notes on what is left out; that a program fails is told by its status.
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t process;
  const long long start = now();
  if (posix_spawnp(&process, arguments[4], &actions, NULL, arguments + 4, environ)) return 127;
  int status;
  struct rusage usage;
  if (wait4(process, &status, 0, &usage) != process) return 70;
  const long long wall = now() - start;
  const long long processor = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000LL +
                              (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000LL;
#ifdef __APPLE__
  const long long memory = usage.ru_maxrss;
#else
  const long long memory = usage.ru_maxrss * 1024LL;  // In KiB there.
#endif
  FILE *report = fopen(arguments[1], "w");
  if (!report) return 73;
  // Blocks of 512 bytes.
  fprintf(report, "%lld %lld %lld %d %lld\n", wall, processor, memory,
          WIFEXITED(status) ? WEXITSTATUS(status) : 128, usage.ru_oublock * 512LL);
  return fclose(report) ? 74 : 0;
}
