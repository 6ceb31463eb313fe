/* SPDX-License-Identifier: Apache-2.0 */
/* Ends the process with one line and status 1 when memory, descriptors, processes or stack run
 * out. */
#include "base/shortage.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/context.h"
#include "base/text.h"

/*
 * Why the process ends here: a caller could only pass a failed allocation on, and GLib does not
 * even do that; it raises SIGTRAP. Written files stay: a table is in its .part file up to the last
 * observation, a checkpoint has its name once it is complete.
 *
 * The stack: its memory counts against `ulimit -v`, and where it cannot grow the process gets
 * SIGSEGV, in any function. So it grows at the start, where that succeeds.
 */
enum {
    LINE_BYTES = 1024,
    STACK_LEAST = 512 * 1024,   /* [bytes] for the program and its plugins */
    STACK_USUAL = 8192 * 1024,  /* [bytes] */
    STACK_TOUCHED = 256 * 1024, /* [bytes] */
    PAGE = 4096
};

static const scree_shortage_place *place;

void scree_shortage_set_place(const scree_shortage_place *given)
{
    place = given;
}

void scree_working_on(const char *what)
{
    scree_context_now->work = what;
    scree_context_now->part[0] = '\0';
}

void scree_working_part(const char *name)
{
    g_snprintf(scree_context_now->part, sizeof scree_context_now->part, ".%s", name);
}

void scree_working_bodies(uint64_t n)
{
    scree_context_now->bodies = n;
}

void scree_working_folder(const char *folder)
{
    g_strlcpy(scree_context_now->shown_folder, folder ? folder : "",
              sizeof scree_context_now->shown_folder);
}

/** Ends the process; no exit handler runs. */
static _Noreturn void end_process(const char *line)
{
    char note[LINE_BYTES];
    size_t n = strlen(line);
    if (place)
        place->leave_call();
    if (write(STDERR_FILENO, line, n) != (ssize_t)n)
        _exit(SCREE_EXIT_RUN); // standard error is closed
    if (*scree_context_now->shown_folder) {
        snprintf(note, sizeof note, "scree: note: what was written until then is in %s\n",
                 scree_context_now->shown_folder);
        n = strlen(note);
        if (write(STDERR_FILENO, note, n) != (ssize_t)n)
            _exit(SCREE_EXIT_RUN);
    }
    _exit(SCREE_EXIT_RUN);
}

/** Appends the current work or plugin, the bodies and the step, as far as they are known. */
static void add_place(char *line, size_t size, const char *what)
{
    size_t n = strlen(line);
    const scree_context *c = scree_context_now;
    const uint64_t step = c->steps - 1; // 0 - 1: before the first step
    const char *work = c->work ? c->work : "the start";
    if (place && place->name_call(line + n, size - n))
        n = strlen(line);
    else
        n +=
            (size_t)g_snprintf(line + n, size - n, "%s%s", what ? what : work, what ? "" : c->part);
    n += (size_t)g_snprintf(line + n, size - n, " (bodies: %llu", (unsigned long long)c->bodies);
    if (step != UINT64_MAX)
        n += (size_t)g_snprintf(line + n, size - n, ", step %llu", (unsigned long long)step);
    g_strlcat(line, ")\n", size);
}

void scree_out_of_memory(uint64_t bytes, const char *what)
{
    char line[LINE_BYTES];
    if (bytes)
        g_snprintf(line, sizeof line, "scree: " SCREE_OUT_OF_MEMORY "asked for %llu bytes for ",
                   (unsigned long long)bytes);
    else
        g_snprintf(line, sizeof line,
                   "scree: " SCREE_OUT_OF_MEMORY "asked for less than a page for ");
    add_place(line, sizeof line, what);
    end_process(line);
}

void scree_need_memory(uint64_t bytes, const char *what)
{
    // malloc would not do: freeing a large block raises the size from which it maps blocks
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        scree_out_of_memory(bytes, what);
    munmap(memory, bytes);
}

bool scree_is_shortage(int number)
{
    return number == ENOMEM || number == EMFILE || number == ENFILE || number == EAGAIN;
}

void scree_short_of(const char *what, int number)
{
    char line[LINE_BYTES];
    const char *limit = number == EMFILE   ? "the limit of open files, ulimit -n"
                        : number == ENFILE ? "the system's limit of open files"
                        : number == EAGAIN ? "the limits of processes and memory, ulimit -u, -v"
                                           : "the limit of memory, ulimit -v";
    g_snprintf(line, sizeof line, "scree: " SCREE_SHORT_OF "%s: %s (%s), for ", what,
               strerror(number), limit);
    add_place(line, sizeof line, NULL);
    end_process(line);
}

void scree_check_shortage(const char *what)
{
    const bool files = errno == EMFILE || errno == ENFILE; // a library lets its caller report them
    if (scree_is_shortage(errno) && (place || !files))
        scree_short_of(what, errno);
}

void scree_check_file_shortage(const GError *error, const char *what)
{
    const int code = error && error->domain == G_FILE_ERROR ? error->code : -1;
    errno = code == G_FILE_ERROR_MFILE   ? EMFILE
            : code == G_FILE_ERROR_NFILE ? ENFILE
            : code == G_FILE_ERROR_NOMEM ? ENOMEM
                                         : 0;
    scree_check_shortage(what);
}

void scree_pass_on_shortage(const char *line)
{
    char text[LINE_BYTES];
    g_snprintf(text, sizeof text, "scree: %s\n", line);
    end_process(text);
}

/** Handles the log of GLib and of this program. GLib reports a failed allocation as an error that
 * would end the process by SIGTRAP: "gmem.c:130: failed to allocate 123 bytes", "overflow
 * allocating 3*4 bytes". */
static void on_log(const char *domain, GLogLevelFlags level, const char *message, gpointer user)
{
    const char *at = level & G_LOG_LEVEL_ERROR && message ? strstr(message, "allocat") : NULL;
    if (level & G_LOG_LEVEL_ERROR && !message) // memory was short even for the text
        scree_out_of_memory(0, NULL);
    if (at) {
        while (*at && !g_ascii_isdigit(*at))
            at++;
        scree_out_of_memory(g_ascii_strtoull(at, NULL, 10), NULL);
    }
    g_log_default_handler(domain, level, message, user);
}

/** Handles GLib's end of the process when it could not even make its line. */
static void on_trap(int number)
{
    if (errno == ENOMEM)
        scree_out_of_memory(0, NULL);
    raise(number); // the default action follows
}

/** Touches the pages that the stack will need. */
static void grow_stack(void)
{
    volatile char room[STACK_TOUCHED];
    for (size_t at = 0; at < sizeof room; at += PAGE)
        room[at] = 0;
}

/** Returns wide arrays to the system when they are freed. Otherwise memory that only the reading of
 * a table needs is held to the end, and arrays that grow in a run leave holes. */
static void give_back_wide_arrays(void)
{
#ifdef M_MMAP_THRESHOLD
    enum { WIDE = 1 << 20 };
    mallopt(M_MMAP_THRESHOLD, WIDE);
    mallopt(M_TRIM_THRESHOLD, 2 * WIDE);
#endif
}

bool scree_shortage_install(GError **error)
{
    struct rlimit limit;
    struct sigaction trap = {.sa_handler = on_trap, .sa_flags = (int)SA_RESETHAND};
    give_back_wide_arrays();
    g_log_set_default_handler(on_log, NULL);
    sigemptyset(&trap.sa_mask);
    sigaction(SIGTRAP, &trap, NULL);
    if (getrlimit(RLIMIT_STACK, &limit) != 0)
        return true; // the system has no such limit
    if (limit.rlim_cur < STACK_LEAST && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = MIN(limit.rlim_max, STACK_USUAL);
        if (setrlimit(RLIMIT_STACK, &limit) != 0)
            getrlimit(RLIMIT_STACK, &limit);
    }
    if (limit.rlim_cur < STACK_LEAST)
        return scree_fail(error, SCREE_EXIT_RUN,
                          SCREE_SHORT_OF
                          "the stack may have %llu KiB (ulimit -s), expected at least %d "
                          "KiB",
                          (unsigned long long)limit.rlim_cur / 1024, STACK_LEAST / 1024);
    grow_stack();
    return true;
}

/* ---- memory that is left ---- */

/** The number after `key` in a file (key "": the first number); `none`: the file or the key is
 * missing. */
static uint64_t read_number(const char *path, const char *key, uint64_t none)
{
    g_autofree char *text = scree_line_value(path, key);
    return text && g_ascii_isdigit(*text) ? g_ascii_strtoull(text, NULL, 10) : none;
}

/** Bytes left below ulimit -v. */
static uint64_t left_of_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    uint64_t used = read_number("/proc/self/statm", "", 0) * (uint64_t)sysconf(_SC_PAGESIZE);
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

/** Bytes left below the limit of a container; its cache of files counts as free. */
static uint64_t left_of_group(void)
{
    uint64_t limit = read_number("/sys/fs/cgroup/memory.max", "", UINT64_MAX);
    uint64_t used = read_number("/sys/fs/cgroup/memory.current", "", 0);
    uint64_t files = MIN(read_number("/sys/fs/cgroup/memory.stat", "inactive_file", 0), used);
    return limit == UINT64_MAX ? limit : limit > used - files ? limit - (used - files) : 0;
}

uint64_t scree_room_left(void)
{
    uint64_t free_kib = read_number("/proc/meminfo", "MemAvailable:", UINT64_MAX >> 10);
    return MIN(free_kib << 10, MIN(left_of_limit(), left_of_group()));
}
