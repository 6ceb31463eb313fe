/* SPDX-License-Identifier: Apache-2.0 */
/* Does forbidden things in the function of a plugin that the environment names:
 * STRAY="force.create rounds 3" rounds upwards in the third call of that function and all later. */
#ifndef FAULTS_STRAY_H
#define FAULTS_STRAY_H

#include <dlfcn.h>
#include <fpu_control.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xmmintrin.h>

#include "../plugin.h"

#define PULL(name) stray_pull(KIND_NAME "." name)

static inline void stray_set_x87(fpu_control_t word)
{
    _FPU_SETCW(word);
}

static locale_t stray_locale; // kept here: the leak sanitizer need not report it

static inline void stray_change(const char *deed)
{
    if (!strcmp(deed, "rounds")) // upwards
        _mm_setcsr((_mm_getcsr() & ~0x6000u) | 0x4000u);
    else if (!strcmp(deed, "flushes"))
        _mm_setcsr(_mm_getcsr() | 0x8040u);
    else if (!strcmp(deed, "unmasks")) // division by zero traps
        _mm_setcsr(_mm_getcsr() & ~0x0200u);
    else if (!strcmp(deed, "x87")) // single precision
        stray_set_x87(0x007f);
    else if (!strcmp(deed, "locale"))
        setlocale(LC_ALL, "C.UTF-8");
    else if (!strcmp(deed, "thread_locale"))
        uselocale(stray_locale = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0));
    else if (!strcmp(deed, "umask"))
        umask(0);
}

static inline void stray_end(const char *deed)
{
    char *const words[] = {(char *)"true", NULL};
    if (!strcmp(deed, "exit"))
        exit(0);
    if (!strcmp(deed, "_exit"))
        _exit(0);
    if (!strcmp(deed, "_Exit"))
        _Exit(0);
    if (!strcmp(deed, "quick_exit"))
        quick_exit(0);
    if (!strcmp(deed, "pthread_exit"))
        pthread_exit(NULL);
    if (!strcmp(deed, "exec"))
        execve("/bin/true", words, environ);
    if (!strcmp(deed, "execvp"))
        execvp("true", words);
    if (!strcmp(deed, "syscall"))
        syscall(SYS_exit_group, 0);
    if (!strcmp(deed, "syscall_exit"))
        syscall(SYS_exit, 0);
    if (!strcmp(deed, "abort"))
        abort();
    if (!strcmp(deed, "kill"))
        raise(SIGKILL);
    if (!strcmp(deed, "term")) // of the kernel's own call: not by way of kill or raise
        syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGTERM);
    if (!strcmp(deed, "fork"))
        fork();
    if (!strcmp(deed, "daemon") && daemon(1, 1) == 0)
        for (;;) // the copy goes on, as that of a run would
            sleep(1);
    if (!strcmp(deed, "found")) { // by its name in the C library
        void *found = dlsym(RTLD_NEXT, "_exit");
        void (*end)(int);
        memcpy(&end, &found, sizeof end);
        end(0);
    }
    if (!strcmp(deed, "closes"))
        for (int fd = 0; fd < 256; fd++)
            close(fd);
    if (!strcmp(deed, "cancel")) {
        pthread_cancel(pthread_self());
        pthread_testcancel();
    }
    if (!strcmp(deed, "hangs") || !strcmp(deed, "sleeps"))
        dprintf(STDERR_FILENO, "stray: %s\n", deed); // the test waits for it
    if (!strcmp(deed, "hangs"))
        for (;;)
            _mm_pause();
    if (!strcmp(deed, "sleeps"))
        for (;;)
            sleep(1000);
}

/** A thread of the plugin's own: a deed after the call has returned. */
static inline void *stray_later(void *deed)
{
    usleep(50000);
    stray_end(deed);
    return NULL;
}

static inline void stray_start(const char *deed)
{
    static atomic_flag started = ATOMIC_FLAG_INIT;
    static char kept[32];
    pthread_t thread;
    if (atomic_flag_test_and_set(&started))
        return;
    snprintf(kept, sizeof kept, "%s", deed);
    if (pthread_create(&thread, NULL, stray_later, kept) == 0)
        pthread_detach(thread);
}

/** Whether the environment asks for that deed in that function. */
static inline int stray_asked(const char *words)
{
    const char *text = getenv("STRAY");
    return text && strcmp(text, words) == 0;
}

/** The deed, when it is that of this function and its time has come. Returns what the function
 * returns. */
static inline int32_t stray_pull(const char *name)
{
    static _Atomic int64_t calls; // a mutable static, which no plugin may have
    const char *text = getenv("STRAY");
    size_t n = strlen(name);
    if (!text || strncmp(text, name, n) || text[n] != ' ')
        return SCREE_OK;
    char deed[32] = {0};
    text += n + 1;
    for (size_t k = 0; k < sizeof deed - 1 && text[k] && text[k] != ' '; k++)
        deed[k] = text[k];
    const char *first = strchr(text, ' ');
    if (++calls < (first ? strtoll(first, NULL, 10) : 1))
        return SCREE_OK;
    if (!strcmp(deed, "folder"))
        return chdir("/") ? SCREE_E_IO : SCREE_OK;
    if (!strcmp(deed, "signals")) {
        sigset_t all;
        sigfillset(&all);
        return pthread_sigmask(SIG_SETMASK, &all, NULL) ? SCREE_E_INTERNAL : SCREE_OK;
    }
    if (!strcmp(deed, "positive"))
        return 7;
    stray_change(deed);
    if (!strncmp(deed, "late_", 5))
        stray_start(deed + 5);
    else
        stray_end(deed);
    return SCREE_OK;
}

/* ---- functions that several kinds share ---- */

static inline uint64_t bytes(void *instance)
{
    PULL("bytes");
    return 64;
}

/** A chunk of a parallel_for: every lane comes here. */
static inline int32_t chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    if (lane > 0)
        PULL("worker");
    if (lane == 0 && getenv("STRAY") && strstr(getenv("STRAY"), ".worker"))
        usleep(2000); // each lane gets some
    return PULL("chunk");
}

static inline int32_t chunks(void *instance)
{
    const scree_host *host = instance;
    return host->parallel_for(host->ctx, 0, 64, 1, chunk, NULL);
}

#endif
