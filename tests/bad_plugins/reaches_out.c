/* Tries operations that describing a plugin does not need, in TMPDIR and elsewhere, and reports those that succeeded.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char could[256] = "it reached:";

static void note(const char* deed, int done) {
  if (done) strncat(could, deed, sizeof could - strlen(could) - 1);
}

static int forks(void) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  return child > 0 && waitpid(child, NULL, 0) == child;
}

__attribute__((constructor)) static void reach_out(void) {
  char file[4096], victim[4096];
  snprintf(file, sizeof file, "%s/made", getenv("TMPDIR"));
  snprintf(victim, sizeof victim, "%s/victim", getenv("TMPDIR"));
  note(" socket", socket(AF_INET, SOCK_STREAM, 0) >= 0);
  note(" fork", forks());
  note(" create", open(file, O_CREAT | O_WRONLY, 0600) >= 0);
  note(" write", open(victim, O_RDWR) >= 0);
  note(" truncate", truncate(victim, 0) == 0);
  note(" remove", unlink(victim) == 0);
  note(" signal", kill(getppid(), 0) == 0);
  note(" secrets", getenv("LEVIN_TEST_SECRET") != NULL);
  note(" read", open("/etc/hostname", O_RDONLY) >= 0 || open("/etc/passwd", O_RDONLY) >= 0);
}

#define ENTRY                                     \
  {                                               \
    host->fail(host, LEVIN_E_UNSUPPORTED, could); \
    return NULL;                                  \
  }
#define N_COMPONENTS 1
#include "minimal.h"
