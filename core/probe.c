/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an unknown plugin file in a child process, because loading it runs its constructors. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader.h"

/*
 * The child answers in strings, each with its NUL:
 *     HEAD "offers" n { kind id version help }* TAIL
 *     HEAD "refused" reason TAIL
 * Anything else, its exit status included, is no answer: a constructor that exits with 0 says
 * nothing.
 */
#define HEAD "scree-probe-1"
#define TAIL "scree-probe-end"
#define DEFAULT_LIMIT 10.0    /* [s] */
#define MAX_ANSWER (1u << 22) /* [bytes] */

void scree_offer_free(scree_offer *offer)
{
    if (!offer)
        return;
    g_free(offer->id);
    g_free(offer->version);
    g_free(offer->help);
    g_free(offer);
}

/** Seconds that a file may take to load: SCREE_LOAD_LIMIT, or the default. */
static double time_limit(void)
{
    const char *text = g_getenv("SCREE_LOAD_LIMIT");
    double limit = text ? g_ascii_strtod(text, NULL) : DEFAULT_LIMIT;
    return limit > 0.0 && limit < 1e6 ? limit : DEFAULT_LIMIT;
}

static void append(GString *answer, const char *text)
{
    g_string_append_len(answer, text, (gssize)strlen(text) + 1);
}

/** In the child: the file's manifest, if it can be had without a word on standard output. */
static const scree_manifest *open_quietly(const char *path, GError **error)
{
    __fpurge(stdout); /* what the parent had not written yet is not the file's */
    const scree_manifest *manifest = scree_file_open(path, error);
    fflush(stdout);
    if (manifest && lseek(STDOUT_FILENO, 0, SEEK_CUR) > 0) {
        scree_refuse(error, "prints to standard output when it is loaded");
        return NULL;
    }
    return manifest;
}

/** In the child: load, check, and put the answer together. */
static void make_answer(const char *path, GString *answer)
{
    g_autoptr(GError) error = NULL;
    const scree_manifest *manifest = open_quietly(path, &error);
    append(answer, HEAD);
    if (!manifest) {
        append(answer, "refused");
        append(answer, error->message);
        append(answer, TAIL);
        return;
    }
    append(answer, "offers");
    g_string_append_printf(answer, "%u%c", manifest->n_plugins, '\0');
    for (uint32_t i = 0; i < manifest->n_plugins; i++) {
        const scree_plugin *plugin = manifest->plugins[i];
        append(answer, scree_kind_name(plugin->kind));
        append(answer, plugin->id);
        append(answer, plugin->version);
        append(answer, plugin->help);
    }
    append(answer, TAIL);
}

/** In the child: away from the user's files, terminal and signal handlers. */
static bool enter_child(const char *folder)
{
    const struct rlimit none = {0, 0};
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &none);
    for (int s = 1; s < NSIG; s++)
        signal(s, SIG_DFL); /* fails for SIGKILL and SIGSTOP alone, which have no handler */
    sigset_t all;
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), out = memfd_create("out", MFD_CLOEXEC);
    return null >= 0 && out >= 0 && dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(null, 2) >= 0 &&
           chdir(folder) == 0;
}

static _Noreturn void run_child(const char *path, const char *folder, int fd)
{
    if (!enter_child(folder))
        _exit(127);
    GString *answer = g_string_new(NULL);
    make_answer(path, answer);
    size_t done = 0;
    while (done < answer->len) {
        ssize_t n = write(fd, answer->str + done, answer->len - done);
        if (n < 0 && errno != EINTR)
            _exit(127);
        done += n > 0 ? (size_t)n : 0;
    }
    _exit(0); /* no destructors: the answer is all that was wanted */
}

static bool is_complete(const GString *answer)
{
    return answer->len >= sizeof TAIL &&
           memcmp(answer->str + answer->len - sizeof TAIL, TAIL, sizeof TAIL) == 0;
}

/** Reads until the answer is complete, the child has closed its end, or the time is up (false). */
static bool read_answer(int fd, gint64 deadline, GString *answer)
{
    char buffer[4096];
    while (!is_complete(answer) && answer->len < MAX_ANSWER) {
        gint64 left = deadline - g_get_monotonic_time();
        struct pollfd ready = {fd, POLLIN, 0};
        if (left <= 0)
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

/** Waits for the end of the child, which is killed at the deadline, or at once when `answered`. */
static int reap_child(pid_t child, bool answered, gint64 deadline, bool *hung)
{
    int status = 0;
    pid_t got = 0;
    while (!answered && (got = waitpid(child, &status, WNOHANG)) == 0) {
        if (g_get_monotonic_time() >= deadline)
            break;
        g_usleep(1000);
    }
    *hung = !answered && got == 0;
    kill(-child, SIGKILL); /* with whatever a constructor has started */
    if (got == 0) {
        kill(child, SIGKILL);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    return status;
}

/** A reason on one line, whatever bytes a plugin put into it. */
static char *one_line(const char *text)
{
    char *line = g_utf8_make_valid(text, -1);
    for (char *c = line; *c; c++)
        if (g_ascii_iscntrl(*c))
            *c = ' ';
    return line;
}

/** The strings of an answer as offers; NULL for a refusal or a malformed answer. */
static GPtrArray *read_offers(const char *path, const GString *answer, GError **error)
{
    g_autoptr(GPtrArray) strings = g_ptr_array_new();
    for (size_t at = 0; at < answer->len; at += strlen(answer->str + at) + 1)
        g_ptr_array_add(strings, answer->str + at);
    const char **word = (const char **)strings->pdata;
    if (strings->len == 4 && g_str_equal(word[0], HEAD) && g_str_equal(word[1], "refused")) {
        g_autofree char *reason = one_line(word[2]);
        scree_refuse(error, "%s: %s", path, reason);
        return NULL;
    }
    guint64 n = 0;
    if (strings->len < 4 || !g_str_equal(word[0], HEAD) ||
        !g_ascii_string_to_unsigned(word[2], 10, 1, strings->len, &n, NULL) ||
        strings->len != 4 * n + 4) {
        scree_refuse(error, "%s: writes to file descriptors that are not its own", path);
        return NULL;
    }
    GPtrArray *offers = g_ptr_array_new_with_free_func((GDestroyNotify)scree_offer_free);
    for (guint64 i = 0; i < n; i++) {
        scree_offer *offer = g_new0(scree_offer, 1);
        offer->kind = scree_kind_from_name(word[4 * i + 3]);
        offer->id = g_strdup(word[4 * i + 4]);
        offer->version = g_strdup(word[4 * i + 5]);
        offer->help = g_strdup(word[4 * i + 6]);
        g_ptr_array_add(offers, offer);
    }
    return offers;
}

static void blame_end(const char *path, int status, bool hung, GError **error)
{
    if (hung)
        scree_refuse(error, "%s: did not load within %g s (SCREE_LOAD_LIMIT)", path, time_limit());
    else if (WIFSIGNALED(status))
        scree_refuse(error, "%s: crashed while it was loaded (signal %d, %s)", path,
                     WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        scree_refuse(error, "%s: ended the process while it was loaded (exit status %d)", path,
                     WEXITSTATUS(status));
}

static GPtrArray *probe_in(const char *path, const char *folder, GError **error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN, "%s: pipe: %s", path, g_strerror(errno));
        return NULL;
    }
    gint64 deadline = g_get_monotonic_time() + (gint64)(time_limit() * 1e6);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run_child(path, folder, ends[1]);
    }
    close(ends[1]);
    if (child < 0) {
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN, "%s: fork: %s", path, g_strerror(errno));
        close(ends[0]);
        return NULL;
    }
    setpgid(child, child); /* the child does it too; whoever comes first */
    g_autoptr(GString) answer = g_string_new(NULL);
    bool hung, answered = read_answer(ends[0], deadline, answer) && is_complete(answer);
    close(ends[0]);
    int status = reap_child(child, answered, deadline, &hung);
    if (answered)
        return read_offers(path, answer, error);
    blame_end(path, status, hung, error);
    return NULL;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    return remove(path);
}

GPtrArray *scree_probe(const char *path, GError **error)
{
    g_autofree char *folder = g_build_filename(g_get_tmp_dir(), "scree-XXXXXX", NULL);
    if (!g_mkdtemp(folder)) {
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN, "%s: %s", folder, g_strerror(errno));
        return NULL;
    }
    GPtrArray *offers = probe_in(path, folder, error);
    if (offers && rmdir(folder) == 0)
        return offers;
    if (offers) {
        g_clear_pointer(&offers, g_ptr_array_unref);
        scree_refuse(error, "%s: writes files into the current folder when it is loaded", path);
    }
    if (nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS) != 0)
        g_warning("%s: cannot be removed: %s", folder, g_strerror(errno));
    return NULL;
}
