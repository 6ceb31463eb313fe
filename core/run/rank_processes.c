/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a run on several ranks: each of them is the run, and rank 0 writes. */
#include "run/rank_processes.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "base/say.h"
#include "engine/ghosts.h"
#include "plugin/break.h"
#include "plugin/call.h"
#include "plugin/exit_guard.h"
#include "plugin/instance.h"
#include "scene/scene_runtime.h"

/*
 * Each rank reads the scene, makes all bodies and plugins but the observers, and goes through the
 * same loop (loop.c). Before each step rank 0 decides what a clock, a signal or an observer decides.
 */

#define LIMIT 60.0 /* [s] longest wait for a rank within a step */

/* ---- calls of the domain ---- */

static bool join(scree_ranks *r, uint32_t process, GError **error)
{
    scree_domain_join args = {.size = sizeof args, .process = process, .limit = LIMIT};
    scree_call call = scree_call_begin(r->domain, SCREE_CALL_CONFIG, "join");
    const int32_t code = r->ops->join(r->domain->self, &args);
    if (scree_call_end(&call, code, SCREE_OK, error) < 0)
        return false;
    const uint32_t ranks = r->n ? r->n : args.ranks, rank = r->n ? process : args.rank;
    r->rank = args.rank;
    r->n = args.ranks;
    return (args.rank == rank && args.ranks == ranks && rank < ranks) ||
           scree_call_blame(r->domain, "join", SCREE_EXIT_PLUGIN, error,
                            "rank %u of %u; expected %u of %u", args.rank, args.ranks, rank, ranks);
}

static bool count_processes(scree_ranks *r, GError **error)
{
    scree_call call = scree_call_begin(r->domain, SCREE_CALL_CONFIG, "processes");
    const int32_t code = r->ops->processes(r->domain->self, &r->n);
    return scree_call_end(&call, code, SCREE_OK, error) >= 0;
}

/* ---- ranks above 0 ---- */

static void say_nothing(const char *who, scree_say_level level, const char *text)
{
    (void)who;
    (void)level;
    (void)text;
}

/** Leaves signals and messages to rank 0. */
static void be_silent(void)
{
    static const int left_to_rank_0[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1};
    for (size_t k = 0; k < G_N_ELEMENTS(left_to_rank_0); k++)
        signal(left_to_rank_0[k], SIG_IGN);
    scree_say_set(say_nothing);
    scree_ends_set_hook(NULL);
}

/** The start of a process that was forked. */
static void follow(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(SCREE_EXIT_RUN);
    be_silent();
}

/* ---- begin ---- */

/** Forks all ranks above 0. Returns the number of this process, or -1. */
static int fork_all(scree_ranks *r, GError **error)
{
    const pid_t own = getpid();
    r->process = g_new0(int, r->n);
    fflush(NULL);
    for (uint32_t k = 1; k < r->n; k++) {
        r->process[k] = scree_fork();
        if (r->process[k] == 0) {
            g_clear_pointer(&r->process, g_free);
            follow(own);
            return (int)k;
        }
        if (r->process[k] < 0) {
            scree_fail(error, SCREE_EXIT_RUN, "rank %u could not be started: %s", k,
                       g_strerror(errno));
            return -1;
        }
    }
    return 0;
}

static bool begin(scree_ranks *r, GError **error)
{
    if (!count_processes(r, error) || r->n == 1)
        return r->n == 1;
    if (scree_break_named.text)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "--break counts the calls of one process: expected one rank, as with "
                          "--set " SCREE_ONE_RANK);
    const int process = r->n ? fork_all(r, error) : 0;
    r->joined = process >= 0 && join(r, (uint32_t)process, error);
    if (process > 0 && !r->joined)
        scree_ends_exit(SCREE_EXIT_RUN); // rank 0 reports it
    if (r->joined && r->rank > 0)
        be_silent();
    return r->joined;
}

scree_ranks *scree_ranks_begin(const scree_scene *scene, const volatile int *stop, GError **error)
{
    const scree_slot slot = {.kind = SCREE_DRAFT_KIND_DOMAIN};
    scree_ranks *r = g_new0(scree_ranks, 1);
    r->runtime = scree_scene_runtime(scene, scree_pool_new(1));
    r->runtime.cancelled = stop;
    r->domain = scree_instance_at(&r->runtime, scene->domain, slot, error);
    r->ops = r->domain ? r->domain->ops : NULL;
    if (!r->domain || !begin(r, error) || r->n == 1) {
        scree_ranks_end(r);
        return NULL;
    }
    r->bytes = g_new0(int64_t, r->n);
    r->own = g_byte_array_new();
    r->in = g_byte_array_new();
    return r;
}

/** Fails at the first line that differs, with the group of lines that has it. */
static bool find_difference(uint32_t rank, const char *first, const char *own, GError **error)
{
    g_auto(GStrv) expected = g_strsplit(first, "\n", -1);
    g_auto(GStrv) got = g_strsplit(own, "\n", -1);
    const char *group = "";
    for (guint k = 0; expected[k] && got[k]; k++) {
        size_t at = 0;
        if (g_str_has_prefix(got[k], "  \"") || strstr(got[k], "\"slot\""))
            group = got[k];
        if (!strcmp(expected[k], got[k]))
            continue;
        while (expected[k][at] == got[k][at])
            at++;
        at -= MIN(at, 20);
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "rank %u does not begin as rank 0 does, in %.60s: expected %.80s, got "
                          "%.80s",
                          rank, g_strstrip((char *)group), expected[k] + at, got[k] + at);
    }
    return scree_fail(error, SCREE_EXIT_USAGE, "rank %u does not begin as rank 0 does", rank);
}

/** Waits without a limit until all ranks are here: the set-up of one may take longer. */
static bool wait_for_all(scree_ranks *r, GError **error)
{
    guint8 here = 0;
    for (uint32_t k = 0; k < r->n; k++)
        if (!scree_ranks_broadcast(r, k, &here, sizeof here, error))
            return false;
    return true;
}

bool scree_ranks_compare(scree_ranks *r, const char *text, GError **error)
{
    uint64_t n = strlen(text) + 1;
    if (!scree_ranks_send(r, &n, sizeof n, error))
        return false;
    g_autofree char *first = r->rank ? g_malloc(n) : g_strdup(text);
    return scree_ranks_send(r, first, n, error) &&
           (!strcmp(first, text) || find_difference(r->rank, first, text, error)) &&
           wait_for_all(r, error) && scree_ranks_agree(r, NULL, error);
}

/* ---- end ---- */

void scree_ranks_fail(scree_ranks *r, const GError *error)
{
    if (!r)
        return;
    if (r->joined && !r->over) {
        scree_call call = scree_call_begin(r->domain, SCREE_CALL_STEP, "abort");
        r->ops->abort(r->domain->self, error->message);
        scree_call_done(&call);
    }
    r->joined = false;
    if (!r->rank)
        return;
    scree_instance_free(
        r->domain); // it lets rank 0 end first, if a launcher ends all with the first
    scree_ends_exit(error->code);
}

void scree_ranks_leave(scree_ranks *r)
{
    if (!r || !r->rank)
        return;
    scree_instance_free(r->domain);
    scree_ends_exit(SCREE_EXIT_OK);
}

/** Waits until a process has ended; one that does not come to its end is killed. */
static void wait_for_rank(pid_t process)
{
    const gint64 end = g_get_monotonic_time() + (gint64)(LIMIT * G_USEC_PER_SEC);
    pid_t done = 0;
    while (done == 0 || (done < 0 && errno == EINTR)) {
        done = waitpid(process, NULL, WNOHANG);
        if (done == 0 && g_get_monotonic_time() > end)
            kill(process, SIGKILL);
        if (done == 0)
            g_usleep(1000);
    }
}

void scree_ranks_end(scree_ranks *r)
{
    if (!r)
        return;
    for (uint32_t k = 1; r->process && k < r->n; k++) {
        if (r->process[k] <= 0)
            continue;
        if (!r->joined)
            kill(r->process[k], SIGKILL);
        wait_for_rank(r->process[k]);
    }
    scree_instance_free(r->domain);
    scree_pool_free(r->runtime.pool);
    scree_ghosts_free(r->ghosts);
    g_clear_pointer(&r->own, g_byte_array_unref);
    g_clear_pointer(&r->in, g_byte_array_unref);
    g_free(r->bytes);
    g_free(r->process);
    g_free(r);
}
