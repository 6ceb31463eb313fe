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

#include "base/clock.h"
#include "base/process.h"
#include "base/say.h"
#include "config/config.h"
#include "config/config_node.h"
#include "config/config_set.h"
#include "engine/ghosts.h"
#include "engine/vicinity.h"
#include "plugin/break.h"
#include "plugin/call.h"
#include "plugin/instance.h"
#include "run/launch.h"
#include "scene/scene.h"
#include "scene/scene_runtime.h"

/*
 * Each rank reads the scene, makes all bodies and plugins but the observers, and goes through the
 * same loop (loop.c). Before each step rank 0 decides what a clock, a signal or an observer
 * decides.
 */

#define LIMIT 60.0       /* [s] longest wait for a rank within a step */
#define LIMIT_FAILED 5.0 /* [s] a rank that has failed waits for the others to join */
#define LIMIT_START 15.0 /* [s] for the start of a library, beyond the domain's wait for ranks */
#define TURN 0.5         /* [s] longest time between two looks that counts; more: a stop */

enum { LOOK_US = 100000 }; // [us] between two looks of a watch

/* ---- calls of the domain ---- */

/** A call of join() under way, which a thread ends with the process: MPI_Init has no limit. */
typedef struct watch {
    GThread *thread;
    GMutex mutex;
    GCond changed;
    bool over;
    double limit, waited; /* [s] waited: without the time in which this process was stopped */
    const scree_ranks *ranks;
    const GError *failed; /* why this rank only joins to say so; NULL: it has not failed */
} watch;

/** Prints why this process could not join the others; `failed`: why it fails anyway, or NULL. */
static void say_unjoined(const GError *failed, const char *why)
{
    scree_launch launch = {.n = 0};
    g_autofree char *rank = scree_launch_find(&launch)
                                ? g_strdup_printf("rank %u (%s): ", launch.rank, g_get_host_name())
                                : g_strdup("");
    g_autofree char *text = g_strconcat(rank, failed ? failed->message : why, NULL);
    scree_say_print("scree", SCREE_SAY_NEWS, text); // nobody else does
}

/** Returns why the ranks will not join, a new string: a process that rank 0 has forked was killed,
 * or they are late; NULL: they may. */
static char *find_hindrance(const watch *w)
{
    const scree_ranks *r = w->ranks;
    const uint32_t n_forked = r->process ? r->n : 0;
    for (uint32_t k = 1; k < n_forked; k++) {
        siginfo_t info = {.si_pid = 0};
        if (waitid(P_PID, (id_t)r->process[k], &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            info.si_pid && info.si_code != CLD_EXITED)
            return g_strdup_printf("rank %u has ended before it joined (signal %d, %s)", k,
                                   info.si_status, g_strsignal(info.si_status));
    }
    if (w->waited < w->limit)
        return NULL;
    return g_strdup_printf("%s, call join: the other ranks did not come within %g s",
                           r->domain->shown, w->limit);
}

static gpointer watch_join(gpointer data)
{
    watch *w = data;
    double last = scree_now();
    g_mutex_lock(&w->mutex);
    while (!w->over) {
        const double now = scree_now();
        w->waited += MIN(now - last, TURN);
        last = now;
        g_autofree char *why = find_hindrance(w);
        if (why) {
            say_unjoined(w->failed, why);
            scree_ends_exit(w->failed ? w->failed->code : SCREE_EXIT_PLUGIN);
        }
        g_cond_wait_until(&w->changed, &w->mutex, g_get_monotonic_time() + LOOK_US);
    }
    g_mutex_unlock(&w->mutex);
    return NULL;
}

/** Before join(): a rank that has failed waits only a moment. */
static void begin_watch(watch *w, const scree_ranks *r, const GError *failed)
{
    sigset_t all, before;
    w->ranks = r;
    w->failed = failed;
    w->limit = failed ? LIMIT_FAILED : LIMIT + LIMIT_START;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    w->thread = g_thread_new("join", watch_join, w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void end_watch(watch *w)
{
    g_mutex_lock(&w->mutex);
    w->over = true;
    g_cond_signal(&w->changed);
    g_mutex_unlock(&w->mutex);
    g_thread_join(w->thread);
    g_mutex_clear(&w->mutex);
    g_cond_clear(&w->changed);
}

static bool join(scree_ranks *r, uint32_t process, const GError *failed, GError **error)
{
    watch w = {.over = false};
    scree_domain_join args = {.size = sizeof args, .process = process, .limit = LIMIT};
    begin_watch(&w, r, failed);
    scree_call call = scree_call_begin(r->domain, SCREE_CALL_CONFIG, "join");
    const int32_t code = r->ops->join(r->domain->self, &args);
    const int32_t judged = scree_call_end(&call, code, SCREE_OK, error);
    end_watch(&w);
    if (judged < 0) {
        if (code == SCREE_E_UNSUPPORTED && error && *error)
            (*error)->code = SCREE_EXIT_USAGE; // the launcher is missing, or another one's
        return false;
    }
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
    scree_ends_hook = NULL;
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
    r->forked = true;
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

static bool begin(scree_ranks *r, const GError *failed, GError **error)
{
    if (!count_processes(r, error) || r->n == 1)
        return r->n == 1;
    if (failed && r->n)
        return false; // it forks no ranks
    if (scree_break_named.text)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "--break counts the calls of one process: expected one rank, as with "
                          "--set " SCREE_ONE_RANK);
    const int process = r->n ? fork_all(r, error) : 0;
    r->joined = process >= 0 && join(r, (uint32_t)process, failed, error);
    if (process > 0 && !r->joined)
        scree_ends_exit(SCREE_EXIT_RUN); // rank 0 reports it
    if (r->joined && r->rank > 0)
        be_silent();
    return r->joined;
}

/** Ends a process of a launcher that cannot join the others, and them. Rank 0 speaks first: mostly
 * it has the same reason, and the others end with it. */
static _Noreturn void end_launched(const scree_launch *launch, const GError *why)
{
    enum { FIRST_S = 4 };
    if (launch->rank > 0)
        g_usleep(FIRST_S * G_USEC_PER_SEC);
    say_unjoined(why, NULL);
    scree_launch_end(why->code);
    scree_ends_exit(why->code);
}

/** Takes the reason of the lowest of the ranks that fail, with its number. */
static bool take_reason(scree_ranks *r, const guint8 *status, const GError *own, GError **error)
{
    uint32_t n_failed = 0, first = 0;
    for (uint32_t k = r->n; k-- > 0;) {
        n_failed += status[k] != 0;
        first = status[k] ? k : first;
    }
    g_autofree char *text = first != r->rank  ? NULL
                            : n_failed < r->n ? g_strdup_printf("rank %u (%s): %s", first,
                                                                g_get_host_name(), own->message)
                                              : g_strdup(own->message);
    uint64_t n = text ? strlen(text) + 1 : 0;
    if (!scree_ranks_broadcast(r, first, &n, sizeof n, error))
        return false;
    text = text ? text : g_malloc(n);
    r->over = scree_ranks_broadcast(r, first, text, n, error); // then all leave in order
    return r->over && scree_fail(error, status[first], "%s", text);
}

/* The set-up of one rank may take longer than a step, so a broadcast waits without a limit. */
bool scree_ranks_vote(scree_ranks *r, const GError *own, GError **error)
{
    g_autofree guint8 *status = g_new0(guint8, r->n);
    bool any = false;
    if (own)
        status[r->rank] = own->domain == SCREE_ERROR ? (guint8)own->code : SCREE_EXIT_RUN;
    for (uint32_t k = 0; k < r->n; k++) {
        if (!scree_ranks_broadcast(r, k, &status[k], 1, error))
            return false;
        any = any || status[k];
    }
    return !any || take_reason(r, status, own, error);
}

/** Frees ranks that could not join. The reason of a rank that fails anyway counts. */
static scree_ranks *leave_unjoined(scree_ranks *r, const GError *failed, GError *why,
                                   GError **error)
{
    scree_launch launch;
    if (!failed && why && !r->n && why->code == SCREE_EXIT_USAGE && scree_launch_find(&launch))
        end_launched(&launch, why);
    if (failed) {
        say_unjoined(failed, NULL);
        scree_ends_exit(failed->code);
    }
    if (why)
        g_propagate_error(error, why);
    scree_ranks_end(r);
    return NULL;
}

scree_ranks *scree_ranks_begin(const scree_scene *scene, const volatile int *stop,
                               const GError *failed, GError **error)
{
    const scree_slot slot = {.kind = SCREE_DRAFT_KIND_DOMAIN};
    GError *why = NULL;
    scree_ranks *r = g_new0(scree_ranks, 1);
    r->runtime = scree_scene_runtime(scene, scree_pool_new(1));
    r->runtime.cancelled = stop;
    r->domain = scree_instance_at(&r->runtime, scene->domain, slot, &why);
    r->ops = r->domain ? r->domain->ops : NULL;
    if (!r->domain || !begin(r, failed, &why) || r->n == 1)
        return leave_unjoined(r, failed, why, error);
    r->bytes = g_new0(int64_t, r->n);
    r->work = g_new0(scree_rank_work, r->n);
    r->shared = g_new0(GArray *, r->n);
    for (uint32_t k = 0; k < r->n; k++)
        r->shared[k] = g_array_new(FALSE, FALSE, sizeof(double));
    r->own = g_byte_array_new();
    r->in = g_byte_array_new();
    scree_ranks_vote(r, failed, error);
    return r;
}

/** Makes a scene that has only the domain of this one, whose text may have mistakes, or else that
 * of any launcher. NULL: the scene has no domain, or (*absent) this node lacks its plugin. */
static scree_scene *find_domain(const char *scene, const char *const *overrides,
                                scree_registry *registry, bool *absent)
{
    g_autoptr(scree_config) config = scene ? scree_scene_read(scene, overrides, NULL) : NULL;
    const bool unread = !config || config->broken;
    if (!config) {
        config = scree_config_parse("", "", ".");
        scree_config_set_all(config, overrides ? g_strv_length((char **)overrides) : 0, overrides,
                             NULL);
    }
    const scree_node *domain = config->root ? scree_node_find(config->root, "domain") : NULL,
                     *plugin = domain && domain->type == SCREE_NODE_GROUP
                                   ? scree_node_find(domain, "plugin")
                                   : NULL;
    if (!domain && !unread)
        return NULL;
    g_autofree char *name =
        g_strescape(plugin && plugin->type == SCREE_NODE_STRING ? plugin->s : "mpi", NULL);
    g_autofree char *text = g_strdup_printf(
        "scene = { dt = 1.0; steps = 1; }; materials = { m = { density = 1.0; }; };"
        "bodies = { b = { shape = \"sphere\"; radius = 1.0; position = (0.0, 0.0, 0.0); }; };"
        "domain = { plugin = \"%s\"; };",
        name);
    scree_scene *made = scree_scene_new(scree_config_parse(text, "", "."), "", registry, NULL);
    *absent = !made;
    return made;
}

scree_ranks *scree_ranks_report(const char *scene, const char *const *overrides,
                                scree_registry *registry, GError **error)
{
    scree_launch launch;
    bool absent = false;
    if (!scree_launch_find(&launch))
        return NULL;
    g_autoptr(scree_scene) with = find_domain(scene, overrides, registry, &absent);
    if (absent)
        end_launched(&launch, *error);
    if (!with)
        return NULL;
    g_autoptr(GError) own = *error;
    *error = NULL;
    scree_ranks *r = scree_ranks_begin(with, NULL, own, error);
    if (r)
        r->only = g_steal_pointer(&with);
    return r;
}

/** The line around byte `at` of a JSON string, whose line breaks are escaped; *number counts
 * them. */
static char *line_at(const char *text, size_t at, guint *number)
{
    const char *begin = text, *end = text;
    for (*number = 1; *end; end++) {
        if (end[0] == '\\' && end[1] == 'n' && end >= text + at)
            break;
        if (end[0] == '\\' && end[1] == 'n') {
            begin = end + 2;
            ++*number;
        }
        end += end[0] == '\\' && end[1]; // an escape has two characters
    }
    g_autofree char *part = g_strndup(begin, (gsize)(end - begin));
    return g_strstrip(g_strcompress(part));
}

/** Fails at the first line that differs, with the group of lines that has it: of a scene's file,
 * its own line. Folders count last: they may differ from node to node. */
static bool find_difference(const char *first, const char *own, GError **error)
{
    g_auto(GStrv) expected = g_strsplit(first, "\n", -1);
    g_auto(GStrv) got = g_strsplit(own, "\n", -1);
    const guint n = MIN(g_strv_length(expected), g_strv_length(got));
    const char *group = "";
    for (guint k = 0; k < 2 * n; k++) {
        const char *one = expected[k % n], *other = got[k % n];
        size_t at = 0;
        if (g_str_has_prefix(other, "  \"") || strstr(other, "\"slot\""))
            group = other;
        if (!strcmp(one, other) ||
            (k < n && (strstr(other, " \"path\": ") || strstr(other, " \"folder\": "))))
            continue;
        while (one[at] == other[at])
            at++;
        guint number;
        g_autofree char *theirs = line_at(one, at, &number), *ours = line_at(other, at, &number),
                        *file = g_path_get_basename(k % n ? got[k % n - 1]
                                                          : ""); // a text follows its path
        file[strcspn(file, "\"")] = '\0';
        g_autofree char *where = strstr(other, " \"text\": ")
                                     ? g_strdup_printf("%s, line %u", file, number)
                                     : g_strstrip(g_strdup(group));
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "it does not begin as rank 0 does, in %.80s: expected %.200s, got %.200s",
                          where, theirs, ours);
    }
    return scree_fail(error, SCREE_EXIT_USAGE, "it does not begin as rank 0 does");
}

bool scree_ranks_send_text(const scree_ranks *r, const char *text, char **first, GError **error)
{
    uint64_t n = r->rank ? 0 : strlen(text) + 1;
    if (!scree_ranks_send(r, &n, sizeof n, error))
        return false;
    *first = r->rank ? g_malloc(n) : g_strdup(text);
    return scree_ranks_send(r, *first, n, error);
}

bool scree_ranks_compare(scree_ranks *r, const char *text, const GError *failed, GError **error)
{
    g_autoptr(GError) other = NULL;
    g_autofree char *first = NULL;
    if (!scree_ranks_vote(r, failed, error) || !scree_ranks_send_text(r, text, &first, error))
        return false;
    if (strcmp(first, text) != 0)
        find_difference(first, text, &other);
    return scree_ranks_vote(r, other, error);
}

/* ---- end ---- */

/* Around the call that a rank blames, at the start of its text for the others. */
#define MARK ": (call "
#define END_OF_MARK ") "

char *scree_ranks_take_where(GError *error)
{
    const char *where = scree_call_where(error);
    char *begin = where && g_str_has_prefix(where, "domain/") ? strstr(error->message, MARK) : NULL,
         *end = begin ? strstr(begin, END_OF_MARK) : NULL;
    if (!end)
        return g_strdup(where);
    char *call = begin + strlen(MARK), *rest = end + strlen(END_OF_MARK);
    char *taken = g_strndup(call, (gsize)(end - call));
    memmove(begin + strlen(": "), rest, strlen(rest) + 1);
    return taken;
}

/** Says by which signals forked ranks were killed. */
static void say_killed(const scree_ranks *r)
{
    for (uint32_t k = 1; !r->rank && r->process && k < r->n; k++) {
        siginfo_t end = {.si_pid = 0};
        if (r->process[k] > 0 &&
            waitid(P_PID, (id_t)r->process[k], &end, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            end.si_pid && end.si_code != CLD_EXITED)
            scree_say(SCREE_SAY_NEWS, "rank %u was killed by signal %d, %s", k, end.si_status,
                      g_strsignal(end.si_status));
    }
}

void scree_ranks_fail(scree_ranks *r, const GError *error)
{
    if (!r)
        return;
    if (r->joined && !r->over) {
        const char *where = scree_call_where(error);
        g_autofree char *text =
            where ? g_strconcat(&MARK[strlen(": ")], where, END_OF_MARK, error->message, NULL)
                  : g_strdup(error->message);
        scree_call call = scree_call_begin(r->domain, SCREE_CALL_STEP, "abort");
        r->ops->abort(r->domain->self, text);
        scree_call_done(&call);
        g_usleep(10000); // a rank that was killed is a moment later known to have ended
        say_killed(r);
    }
    r->joined = false;
    if (!r->rank)
        return;
    scree_ends_failed(error->code);
    scree_instance_free(
        r->domain); // it lets rank 0 end first, if a launcher ends all with the first
    scree_ends_exit(error->code);
}

void scree_ranks_leave(scree_ranks *r)
{
    if (!r || !r->rank)
        return;
    alarm(0); // rank 0 may save for long, and this call waits for it
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
    alarm(0); // the state is saved; this call waits for the other ranks
    scree_instance_free(r->domain);
    scree_pool_free(r->runtime.pool);
    scree_ghosts_free(r->ghosts);
    scree_vicinity_free(r->vicinity);
    free(r->near);
    for (uint32_t k = 0; r->shared && k < r->n; k++)
        g_array_unref(r->shared[k]);
    g_free(r->shared);
    g_clear_pointer(&r->own, g_byte_array_unref);
    g_clear_pointer(&r->in, g_byte_array_unref);
    g_free(r->bytes);
    g_free(r->work);
    g_free(r->process);
    if (r->only)
        scree_scene_free(r->only); // the domain has texts of it
    g_free(r);
}
