// Makes fsync and fdatasync of a process take longer, as a slow disk does, and counts them. Loaded before the C library by LD_PRELOAD.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long delay;
static long syncs;

__attribute__((constructor)) static void start(void) {
  const char *text = getenv("SYNC_DELAY_US");
  delay = text ? atol(text) : 0;
}

// Where the process says how often it has synced, once it ends.
__attribute__((destructor)) static void end(void) {
  const char *path = getenv("SYNC_COUNT_FILE");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", __atomic_load_n(&syncs, __ATOMIC_RELAXED));
  fclose(file);
}

static int slowly(long call, int fd) {
  __atomic_add_fetch(&syncs, 1, __ATOMIC_RELAXED);
  if (delay > 0) {
    struct timespec time = {delay / 1000000, delay % 1000000 * 1000};
    nanosleep(&time, NULL);
  }
  return (int)syscall(call, fd);
}

int fsync(int fd) { return slowly(SYS_fsync, fd); }
int fdatasync(int fd) { return slowly(SYS_fdatasync, fd); }
