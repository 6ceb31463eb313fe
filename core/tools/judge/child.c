/* SPDX-License-Identifier: Apache-2.0 */
/* A child process that is not trusted: limits, an empty folder, an answer that is complete or
 * missing. */
#include "tools/judge/child.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/shortage.h"
#include "base/text.h"

#define TAIL "scree-child-end"          /* with its NUL; only a complete answer ends with it */
#define MAX_ANSWER (1u << 25)           /* [bytes] */
#define MAX_ERRORS ((gssize)(1u << 16)) /* [bytes] */

bool scree_child_printed(void)
{
    fflush(stdout);
    return lseek(STDOUT_FILENO, 0, SEEK_CUR) > 0;
}

/** Lowers a limit of this process to `bytes`; a lower limit stays. */
static bool lower_limit(__rlimit_resource_t what, uint64_t bytes)
{
    struct rlimit limit;
    if (getrlimit(what, &limit) != 0)
        return false;
    limit.rlim_max = MIN(limit.rlim_max, bytes);
    limit.rlim_cur = MIN(limit.rlim_cur, bytes);
    return setrlimit(what, &limit) == 0;
}

/** Whether the user allows less memory than the work may use. */
static bool is_short_of_memory(const scree_child *child)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < child->bytes;
}

/** Whether enough files can be opened for the work. Too few would look like its fault. */
static bool has_descriptors(void)
{
    enum { NEEDED = 24 };
    int files[NEEDED], n = 0;
    while (n < NEEDED && (files[n] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        n++;
    int number = errno;
    for (int i = 0; i < n; i++)
        close(files[i]);
    errno = number;
    return n == NEEDED;
}

/** Called in the child: leaves the user's files, terminal and signal handlers. */
static bool enter_child(const scree_child *child, const char *folder, int errors)
{
    const struct rlimit none = {0, 0};
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &none);
    if (child->rest > 0.0) // its children, too; the parent looks first
        lower_limit(RLIMIT_CPU, (uint64_t)ceil(child->limit) + 1);
    if (child->bytes &&
        !(lower_limit(RLIMIT_AS, child->bytes) && lower_limit(RLIMIT_FSIZE, child->bytes)))
        return false;
    for (int s = 1; s < NSIG; s++)
        signal(s, SIG_DFL); /* fails only for SIGKILL and SIGSTOP, which have no handler */
    sigset_t all;
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    __fpurge(stdout); /* drops what the parent has not written yet */
    if (dup2(errors, 2) < 0)
        return false;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), out = memfd_create("out", MFD_CLOEXEC);
    return null >= 0 && out >= 0 && dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && chdir(folder) == 0;
}

static bool is_child; /* its children work in its own folder, which its parent removes */

static _Noreturn void run_child(const scree_child *child, const char *folder, int errors, int fd)
{
    if (!enter_child(child, folder, errors)) {
        scree_check_shortage("a child process");
        _exit(127);
    }
    scree_working_folder(NULL);
    is_child = true;
    GString *answer = g_string_new(NULL);
    child->work(child->user, answer);
    g_string_append_len(answer, TAIL, sizeof TAIL);
    /* destructors do not run: only the answer counts */
    _exit(scree_write_all(fd, answer->str, answer->len) ? 0 : 127);
}

static bool is_whole(const GString *answer)
{
    return answer->len >= sizeof TAIL &&
           memcmp(answer->str + answer->len - sizeof TAIL, TAIL, sizeof TAIL) == 0;
}

/* The parent's side: its children run side by side. */

/** A child process and what must be removed after it. */
typedef struct runner {
    scree_child *child;
    char *folder;
    int errors; /* file with its standard error */
    int answer; /* end of the pipe for reading; -1: nothing more comes */
    pid_t pid;
    gint64 deadline;
} runner;

static bool is_over(runner *r)
{
    scree_child *child = r->child;
    if (child->stop && *child->stop)
        return true;
    if (child->by_wall)
        return g_get_monotonic_time() >= r->deadline;
    scree_own_time_look(&child->own, r->pid);
    if (child->rest > 0.0)
        return child->own.cpu >= child->limit || child->own.asleep >= child->rest;
    return child->own.cpu + child->own.asleep >= child->limit;
}

static void end_reading(runner *r)
{
    r->child->answered = is_whole(r->child->answer);
    close(r->answer);
    r->answer = -1;
}

/** Reads what has arrived. It stops once the answer is complete or too long, or the child has
 * closed its end. */
static void read_answer(runner *r)
{
    GString *answer = r->child->answer;
    char buffer[4096];
    ssize_t n = read(r->answer, buffer, sizeof buffer);
    if (n > 0)
        g_string_append_len(answer, buffer, n);
    if (n == 0 || is_whole(answer) || answer->len >= MAX_ANSWER)
        end_reading(r);
}

/** Waits until a child has written, at most a second or until the first deadline. A child that has
 * closed its end is looked at each millisecond. */
static void wait_for_some(const GPtrArray *runners)
{
    g_autofree struct pollfd *ready = g_new0(struct pollfd, runners->len + 1);
    gint64 now = g_get_monotonic_time(), most = 1000;
    for (guint i = 0; i < runners->len; i++) {
        const runner *r = runners->pdata[i];
        ready[i] = (struct pollfd){r->answer, POLLIN, 0};
        const gint64 left =
            r->child->by_wall ? MAX(r->deadline - now, 0) / 1000 + 1 : SCREE_LOOK_MS;
        most = MIN(most, r->answer < 0 ? 1 : left);
    }
    if (poll(ready, runners->len, (int)most) <= 0)
        return;
    for (guint i = 0; i < runners->len; i++)
        if (ready[i].fd >= 0 && ready[i].revents)
            read_answer(runners->pdata[i]);
}

/** Ends a child that is done, with all its descendants. False: it continues. A child that has
 * answered ends at once, others at their deadline. */
static bool reap_child(runner *r)
{
    scree_child *child = r->child;
    int status = 0;
    pid_t got = 0;
    bool over = is_over(r);
    if (r->answer >= 0 && !over)
        return false;
    struct pollfd last = {r->answer, POLLIN, 0};
    if (r->answer >= 0 && poll(&last, 1, 0) > 0) { // the answer has arrived meanwhile
        read_answer(r);
        return false;
    }
    if (r->answer >= 0)
        end_reading(r);
    if (!child->answered)
        got = waitpid(r->pid, &status, WNOHANG);
    if (!child->answered && got == 0 && !over)
        return false;
    child->hung = !child->answered && got == 0;
    kill(-r->pid, SIGKILL); /* and its descendants */
    if (got == 0) {
        kill(r->pid, SIGKILL);
        while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    child->status = status;
    return true;
}

/** The line of a shortage in a child's standard error, without "scree: "; new string, NULL:
 * none. */
static char *find_shortage_line(const char *text)
{
    static const char *const starts[] = {"scree: " SCREE_OUT_OF_MEMORY, "scree: " SCREE_SHORT_OF};
    for (size_t k = 0; k < G_N_ELEMENTS(starts); k++) {
        const char *line = text ? strstr(text, starts[k]) : NULL;
        if (line) {
            line += strlen("scree: ");
            return g_strndup(line, strcspn(line, "\n"));
        }
    }
    return NULL;
}

/** Takes what a child has left: its answer without its end, and its errors. */
static void finish(runner *r)
{
    scree_child *child = r->child;
    char buffer[4096];
    ssize_t n;
    if (child->answered)
        g_string_truncate(child->answer, child->answer->len - sizeof TAIL);
    lseek(r->errors, 0, SEEK_SET);
    while ((gssize)child->errors->len < MAX_ERRORS &&
           (n = read(r->errors, buffer, sizeof buffer)) > 0)
        g_string_append_len(child->errors, buffer, n);
    // with a limit of its own, the work itself is short of memory
    if (!child->answered && (!child->bytes || is_short_of_memory(child)))
        child->shortage = find_shortage_line(child->errors->str);
}

static bool set_errno(const char *what, GError **error)
{
    int number = errno;
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN, "%s: %s", what, g_strerror(number));
    errno = number;
    return false;
}

/** Removes what a child has left behind. */
static void free_runner(void *data)
{
    runner *r = data;
    if (r->answer >= 0)
        close(r->answer);
    if (r->errors >= 0)
        close(r->errors);
    r->child->littered = r->folder && rmdir(r->folder) != 0;
    if (r->child->littered && !scree_folder_remove(r->folder))
        g_warning("%s: cannot be removed: %s", r->folder, g_strerror(errno));
    g_free(r->folder);
    g_free(r);
}

static bool fork_child(runner *r, GError **error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return set_errno("pipe", error);
    r->answer = ends[0];
    r->child->own.looked = g_get_monotonic_time();
    r->deadline = r->child->own.looked + (gint64)(r->child->limit * 1e6);
    r->pid = scree_fork();
    if (r->pid == 0) {
        close(ends[0]);
        run_child(r->child, r->folder, r->errors, ends[1]);
    }
    int number = errno;
    if (r->pid < 0)
        set_errno("fork", error);
    close(ends[1]);
    errno = number;
    r->child->process = r->pid;
    if (r->pid > 0)
        setpgid(r->pid, r->pid); /* the child does so, too, and may be first */
    return r->pid > 0;
}

/** Starts a child. NULL, with errno: it could not be started. */
static runner *start(scree_child *child, GError **error)
{
    runner *r = g_new0(runner, 1);
    g_autofree char *folder =
        g_build_filename(is_child ? "." : g_get_tmp_dir(), "scree-XXXXXX", NULL);
    *r = (runner){.child = child, .answer = -1, .errors = memfd_create("errors", MFD_CLOEXEC)};
    if (r->errors < 0)
        set_errno("memfd_create", error);
    else if (child->bytes && !has_descriptors())
        set_errno("a child process", error);
    else if (!g_mkdtemp(folder))
        set_errno(folder, error);
    else
        r->folder = g_steal_pointer(&folder);
    if (r->folder && fork_child(r, error))
        return r;
    int number = errno;
    free_runner(r);
    errno = number;
    return NULL;
}

bool scree_child_run_all(scree_child *children, size_t n, size_t most, GError **error)
{
    g_autoptr(GPtrArray) runners = g_ptr_array_new_with_free_func(free_runner);
    size_t next = 0;
    for (size_t i = 0; i < n; i++) {
        children[i].answer = g_string_new(NULL);
        children[i].errors = g_string_new(NULL);
    }
    while (next < n || runners->len > 0) {
        g_autoptr(GError) inner = NULL;
        runner *r = next < n && runners->len < most ? start(&children[next], &inner) : NULL;
        if (r) {
            g_ptr_array_add(runners, r);
            next++;
            continue;
        }
        int number = errno;
        if (inner && !runners->len) { // otherwise a child ends first, and another can be started
            if (scree_is_shortage(number)) // a shortage says nothing about the work
                scree_short_of(inner->message, number);
            g_propagate_error(error, g_steal_pointer(&inner));
            return false;
        }
        wait_for_some(runners);
        for (guint i = runners->len; i-- > 0;)
            if (reap_child(runners->pdata[i])) {
                finish(runners->pdata[i]);
                g_ptr_array_remove_index(runners, i);
            }
    }
    return true;
}

bool scree_child_run(scree_child *child, GError **error)
{
    return scree_child_run_all(child, 1, 1, error);
}

void scree_child_clear(scree_child *child)
{
    if (child->answer)
        g_string_free(child->answer, TRUE);
    if (child->errors)
        g_string_free(child->errors, TRUE);
    g_clear_pointer(&child->shortage, g_free);
    child->answer = child->errors = NULL;
}
