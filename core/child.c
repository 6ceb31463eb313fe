/* SPDX-License-Identifier: Apache-2.0 */
/* A child process that is not trusted: limits, an empty folder, an answer that is whole or none. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
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

#define TAIL "scree-child-end"          /* with its NUL; an answer without it is not whole */
#define MAX_ANSWER (1u << 22)           /* [bytes] */
#define MAX_ERRORS ((gssize)(1u << 16)) /* [bytes] */

bool scree_child_printed(void)
{
    fflush(stdout);
    return lseek(STDOUT_FILENO, 0, SEEK_CUR) > 0;
}

/** In the child: away from the user's files, terminal and signal handlers. */
static bool enter_child(const scree_child *child, const char *folder, int errors)
{
    const struct rlimit none = {0, 0}, most = {child->bytes, child->bytes};
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &none);
    if (child->bytes && (setrlimit(RLIMIT_AS, &most) != 0 || setrlimit(RLIMIT_FSIZE, &most) != 0))
        return false;
    for (int s = 1; s < NSIG; s++)
        signal(s, SIG_DFL); /* fails for SIGKILL and SIGSTOP alone, which have no handler */
    sigset_t all;
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    __fpurge(stdout); /* what the parent had not written yet is not the child's */
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), out = memfd_create("out", MFD_CLOEXEC);
    return null >= 0 && out >= 0 && dup2(null, 0) >= 0 && dup2(out, 1) >= 0 &&
           dup2(errors, 2) >= 0 && chdir(folder) == 0;
}

static _Noreturn void run_child(const scree_child *child, const char *folder, int errors, int fd)
{
    if (!enter_child(child, folder, errors))
        _exit(127);
    GString *answer = g_string_new(NULL);
    child->work(child->user, answer);
    g_string_append_len(answer, TAIL, sizeof TAIL);
    size_t done = 0;
    while (done < answer->len) {
        ssize_t n = write(fd, answer->str + done, answer->len - done);
        if (n < 0 && errno != EINTR)
            _exit(127);
        done += n > 0 ? (size_t)n : 0;
    }
    _exit(0); /* no destructors: the answer is all that was wanted */
}

static bool is_whole(const GString *answer)
{
    return answer->len >= sizeof TAIL &&
           memcmp(answer->str + answer->len - sizeof TAIL, TAIL, sizeof TAIL) == 0;
}

static bool is_over(const scree_child *child, gint64 deadline)
{
    return g_get_monotonic_time() >= deadline || (child->stop && *child->stop);
}

/** Reads until the answer is whole, the child has closed its end, or the time is up (false). */
static bool read_answer(const scree_child *child, int fd, gint64 deadline)
{
    GString *answer = child->answer;
    char buffer[4096];
    while (!is_whole(answer) && answer->len < MAX_ANSWER) {
        gint64 left = deadline - g_get_monotonic_time();
        struct pollfd ready = {fd, POLLIN, 0};
        if (is_over(child, deadline))
            return false;
        if (poll(&ready, 1, (int)MIN(left / 1000 + 1, 1000)) <= 0)
            continue;
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n == 0)
            return true;
        if (n > 0)
            g_string_append_len(answer, buffer, n);
    }
    return true;
}

/** Waits for the end of the child, which is killed at the deadline, or at once when it has
 * answered. */
static int reap_child(scree_child *child, pid_t pid, gint64 deadline)
{
    int status = 0;
    pid_t got = 0;
    while (!child->answered && (got = waitpid(pid, &status, WNOHANG)) == 0) {
        if (is_over(child, deadline))
            break;
        g_usleep(1000);
    }
    child->hung = !child->answered && got == 0;
    kill(-pid, SIGKILL); /* with whatever it has started */
    if (got == 0) {
        kill(pid, SIGKILL);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    return status;
}

static void read_errors(scree_child *child, int fd)
{
    char buffer[4096];
    ssize_t n;
    lseek(fd, 0, SEEK_SET);
    while ((gssize)child->errors->len < MAX_ERRORS && (n = read(fd, buffer, sizeof buffer)) > 0)
        g_string_append_len(child->errors, buffer, n);
}

static bool set_errno(const char *what, GError **error)
{
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN, "%s: %s", what, g_strerror(errno));
    return false;
}

static bool run_in(scree_child *child, const char *folder, int errors, GError **error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return set_errno("pipe", error);
    gint64 deadline = g_get_monotonic_time() + (gint64)(child->limit * 1e6);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        run_child(child, folder, errors, ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        set_errno("fork", error);
        close(ends[0]);
        return false;
    }
    setpgid(pid, pid); /* the child does it too; whoever comes first */
    child->answered = read_answer(child, ends[0], deadline) && is_whole(child->answer);
    close(ends[0]);
    child->status = reap_child(child, pid, deadline);
    if (child->answered)
        g_string_truncate(child->answer, child->answer->len - sizeof TAIL);
    read_errors(child, errors);
    return true;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    return remove(path);
}

bool scree_child_run(scree_child *child, GError **error)
{
    g_autofree char *folder = g_build_filename(g_get_tmp_dir(), "scree-XXXXXX", NULL);
    int errors = memfd_create("errors", MFD_CLOEXEC);
    child->answer = g_string_new(NULL);
    child->errors = g_string_new(NULL);
    if (errors < 0)
        return set_errno("memfd_create", error);
    if (!g_mkdtemp(folder)) {
        set_errno(folder, error);
        close(errors);
        return false;
    }
    bool ran = run_in(child, folder, errors, error);
    close(errors);
    child->littered = rmdir(folder) != 0;
    if (child->littered && nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS) != 0)
        g_warning("%s: cannot be removed: %s", folder, g_strerror(errno));
    return ran;
}

void scree_child_clear(scree_child *child)
{
    if (child->answer)
        g_string_free(child->answer, TRUE);
    if (child->errors)
        g_string_free(child->errors, TRUE);
    child->answer = child->errors = NULL;
}
