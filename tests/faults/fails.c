/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the C library that fail on request, for LD_PRELOAD:
 *   FAILS=fsync    fsync of a file named *.part fails with EIO
 *   FAILS=close    close of such a file closes it and fails with ENOSPC
 *   FAILS=chdir    fsync of such a file goes to another folder, as a library may
 *   FAILS=malloc   allocations made by code of scree's plugins fail, from number FAILS_AT on
 *   FAILS=getcwd   the current folder cannot be read for want of memory, from call FAILS_AT on
 * and that are counted:
 *   FORKS=FILE     each fork appends a dot to FILE
 *   NAMES=FILE     each rename, unlink and fsync appends a line to FILE: the call and its path
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int fsync(int fd);
int rename(const char *from, const char *to);
int unlink(const char *path);
int close(int fd);
void *malloc(size_t bytes);
void *calloc(size_t n, size_t bytes);
void *realloc(void *old, size_t bytes);
int posix_memalign(void **memory, size_t alignment, size_t bytes);
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

static int is_asked(const char *what)
{
    const char *asked = getenv("FAILS");
    return asked && strcmp(asked, what) == 0;
}

static ssize_t find_path(int fd, char *path, size_t size)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, size - 1);
    path[n > 0 ? n : 0] = '\0';
    return n;
}

static int is_part(int fd)
{
    char path[4096];
    ssize_t n = find_path(fd, path, sizeof path);
    return n > 5 && memcmp(path + n - 5, ".part", 5) == 0;
}

/* A call that succeeded. */
static void note_name(const char *call, const char *path)
{
    char line[8192];
    const char *file = getenv("NAMES");
    int fd = file ? open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    int n = snprintf(line, sizeof line, "%s %s\n", call, path);
    if (file && (fd < 0 || write(fd, line, (size_t)n) != n))
        abort();
    if (fd >= 0)
        syscall(SYS_close, fd);
}

int rename(const char *from, const char *to)
{
    int failed = (int)syscall(SYS_rename, from, to);
    if (!failed)
        note_name("rename", to);
    return failed;
}

int unlink(const char *path)
{
    int failed = (int)syscall(SYS_unlink, path);
    if (!failed)
        note_name("unlink", path);
    return failed;
}

int fsync(int fd)
{
    char path[4096];
    if (find_path(fd, path, sizeof path) > 0)
        note_name("fsync", path);
    if (is_asked("fsync") && is_part(fd)) {
        errno = EIO;
        return -1;
    }
    if (is_asked("chdir") && is_part(fd) && chdir("/proc") != 0)
        abort();
    return (int)syscall(SYS_fsync, fd);
}

pid_t fork(void)
{
    void *found = dlsym(RTLD_NEXT, "fork");
    pid_t (*next)(void);
    memcpy(&next, &found, sizeof next);
    const char *path = getenv("FORKS");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (path && (fd < 0 || write(fd, ".", 1) != 1))
        abort();
    if (fd >= 0)
        syscall(SYS_close, fd);
    return next();
}

char *getcwd(char *path, size_t size)
{
    static int n;
    const char *at = getenv("FAILS_AT");
    if (is_asked("getcwd") && ++n >= (at ? atoi(at) : 1)) {
        errno = ENOMEM;
        return NULL;
    }
    char own[4096];
    char *to = path ? path : own;
    if (syscall(SYS_getcwd, to, path ? size : sizeof own) < 0)
        return NULL;
    return path ? path : strdup(own);
}

int close(int fd)
{
    int fails = is_asked("close") && is_part(fd);
    int closed = (int)syscall(SYS_close, fd);
    if (!fails || closed)
        return closed;
    errno = ENOSPC;
    return -1;
}

/* 1: this object in memory is a plugin and holds the address; 2: it is another object and does. */
static int judge(struct dl_phdr_info *info, size_t size, void *user)
{
    const uintptr_t address = *(const uintptr_t *)user;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
        if (info->dlpi_phdr[k].p_type == PT_LOAD && address >= begin &&
            address < begin + info->dlpi_phdr[k].p_memsz)
            return strstr(info->dlpi_name, "/plugins/") ? 1 : 2;
    }
    return 0;
}

static int fails_here(void *caller)
{
    static __thread int busy;
    static long count, first;
    static int state;
    if (state == 0) {
        const char *at = getenv("FAILS_AT");
        state = is_asked("malloc") && at ? 1 : 2;
        first = at ? atol(at) : 0;
    }
    if (state == 2 || busy)
        return 0;
    uintptr_t address = (uintptr_t)caller;
    busy = 1;
    int who = dl_iterate_phdr(judge, &address);
    busy = 0;
    if (who != 1 || __sync_add_and_fetch(&count, 1) < first)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes)
{
    return fails_here(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    return fails_here(__builtin_return_address(0)) ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return fails_here(__builtin_return_address(0)) ? NULL : __libc_realloc(old, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    if (fails_here(__builtin_return_address(0)))
        return ENOMEM;
    *memory = __libc_memalign(alignment, bytes);
    return *memory ? 0 : ENOMEM;
}
