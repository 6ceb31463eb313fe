/* SPDX-License-Identifier: Apache-2.0 */
/* A sound plugin whose constructor does what LOADS says once the file LOADS_MARK is there, so in
 * the second process that loads it, and whose destructor may hang. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "fault.h"

static int is(const char *deed)
{
    const char *given = getenv("LOADS");
    return given && !strcmp(given, deed);
}

static int wait_for_ever(void *unused)
{
    return pause();
}

__attribute__((constructor)) static void load(void)
{
    if (is("parent"))
        kill(getppid(), SIGTERM);
    if (is("thread"))
        thrd_create(&(thrd_t){0}, wait_for_ever, NULL);
    while (is("sleep"))
        pause();
    while (is("spin") || (is("busy") && clock() < CLOCKS_PER_SEC / 2))
        continue;
    const char *mark = getenv("LOADS_MARK");
    int fd = mark ? open(mark, O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (fd >= 0)
        close(fd);
    else if (is("_exit"))
        _exit(0);
    else if (is("exit"))
        exit(0);
}

__attribute__((destructor)) static void unload(void)
{
    while (is("hang"))
        pause();
}
