/* SPDX-License-Identifier: Apache-2.0 */
/* Tries a swap in a forked child: evaluates old and new plugins at one state, then takes a step. */
#include "change/swap_trial.h"

#include "change/apply_settings.h"
#include "change/swap_apply.h"
#include "engine/contacts.h"
#include "engine/sim_plugins.h"
#include "engine/step.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/limits.h"
#include "base/process.h"
#include "base/shortage.h"
#include "base/text.h"
#include "engine/trial_forces.h"
#include "plugin/events.h"
#include "plugin/guard.h"
#include "plugin/shared_calls.h"

/** Results of the child, which writes them into a pipe at its end. */
typedef struct outcome {
    int refused, status;
    char why[2000];
    scree_swap found; /* the swap of the run, with these results */
} outcome;
G_STATIC_ASSERT(sizeof(outcome) <= PIPE_BUF); // one write, one read

typedef struct trial {
    scree_sim *sim;
    scree_observers *observers;
    const scree_plugin_set *set;
    const scree_settings *settings; /* or NULL */
    scree_swap *swap;
    outcome out;
    char *folder; /* files of plugins go there; NULL: the run writes nothing */
} trial;

/* ---- child ---- */

/** Adds the candidates of a segment, by ids; the feature is part_a << 32 | part_b. */
static void add_candidates(const scree_sim *sim, const scree_segment *s, GArray *all)
{
    for (uint32_t p = 0; p < s->n_pairs; p++) {
        uint32_t first = s->first ? s->first[p] : 0, last = s->first ? s->first[p + 1] : 1;
        for (uint32_t k = first; k < last; k++) {
            uint64_t parts = s->first ? (uint64_t)s->part_a[k] << 32 | s->part_b[k] : 0;
            scree_contact_key one = scree_contact_key_of(sim->world, s, p, parts);
            g_array_append_val(all, one);
        }
    }
}

static int compare_candidates(const void *a, const void *b)
{
    return scree_contact_key_compare(a, b);
}

static GArray *list_candidates(const scree_sim *sim)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(scree_contact_key));
    for (uint32_t k = 0; k < scree_segment_count(sim); k++)
        add_candidates(sim, scree_segment_at(sim, k), all);
    g_array_sort(all, compare_candidates);
    return all;
}

static void compare_lists(scree_swap *out, const GArray *before, const GArray *now)
{
    guint i = 0, j = 0;
    out->candidates = before->len;
    while (i < before->len || j < now->len) {
        int order = i == before->len ? 1
                    : j == now->len
                        ? -1
                        : scree_contact_key_compare(&g_array_index(before, scree_contact_key, i),
                                                    &g_array_index(now, scree_contact_key, j));
        out->missing += order < 0;
        out->extra += order > 0;
        i += order <= 0;
        j += order >= 0;
    }
}

static double force_size(const double *line)
{
    return sqrt(line[0] * line[0] + line[1] * line[1] + line[2] * line[2]);
}

static void compare_forces(const scree_sim *sim, scree_swap *out, const double *before,
                           const double *now)
{
    for (uint32_t i = 0; i < sim->world->n_free; i++) {
        const double *a = before + (size_t)i * SCREE_WRENCH, *b = now + (size_t)i * SCREE_WRENCH;
        const double by[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        double difference = force_size(by);
        out->largest = fmax(out->largest, force_size(a));
        if (!(difference > out->difference))
            continue;
        out->difference = difference;
        out->body = sim->world->id[i];
    }
}

/** Refuses a GCD that misses candidates of the previous one: the trajectory would change. */
static bool compare_gcds(trial *t, const GArray *before, GError **error)
{
    if (!before)
        return true;
    g_autoptr(GArray) now = list_candidates(t->sim);
    compare_lists(&t->out.found, before, now);
    if (!t->out.found.missing)
        return true;
    return scree_fail(
        error, SCREE_EXIT_PLUGIN,
        "gcd/%s misses %" PRIu64 " of the %" PRIu64 " candidates that gcd/%s finds",
        t->sim->plugins.gcd->plugin->id, t->out.found.missing, t->out.found.candidates,
        t->swap->changes->len ? g_array_index(t->swap->changes, scree_swap_change, 0).from : "?");
}

static bool try_step(trial *t, GError **error)
{
    t->sim->watched = true;
    if (t->set->observers)
        scree_observers_prepare_new(t->observers);
    return (!t->settings ||
            scree_settings_change(t->sim, t->settings, t->out.found.dt, t->swap, error)) &&
           scree_sim_step(t->sim, error) &&
           (!t->set->observers || scree_observers_try(t->observers, error));
}

/** Finds the step for the new laws or settings. */
static bool find_step(trial *t, GError **error)
{
    static const scree_settings none;
    if (!t->set->forces && !(t->settings && t->settings->has_dt))
        return true;
    return scree_settings_step(t->sim, t->settings ? t->settings : &none, &t->out.found.dt,
                               &t->out.found.critical, error);
}

/** Compares old and new plugins at the current state: candidates and forces. */
static bool compare_all(trial *t, bool gcd_alone, GError **error)
{
    scree_sim *sim = t->sim;
    double stored;
    size_t n = (size_t)sim->world->n * SCREE_WRENCH + 1;
    g_autofree double *before = g_new(double, n), *now = g_new(double, n);
    g_autoptr(GArray) candidates = NULL;
    sim->boxes.valid = sim->boxes.numbered = false; // both start with the same extents
    sim->contacts.stale = true;
    if (!scree_trial_forces(sim, before, &stored, error))
        return false;
    if (gcd_alone)
        candidates = list_candidates(sim);
    if (!scree_swap_apply(sim, t->observers, t->set, t->swap, true, error) ||
        !find_step(t, error) || !scree_trial_forces(sim, now, &stored, error) ||
        !compare_gcds(t, candidates, error))
        return false;
    compare_forces(sim, &t->out.found, before, now);
    return true;
}

static bool try_all(trial *t, GError **error)
{
    static scree_contact_key no_key;
    scree_contact_store nothing = {.key = &no_key, .pair_key = &no_key};
    bool gcd_alone = t->set->gcd && !t->set->forces && !t->set->resolvers;
    if (!gcd_alone)
        return compare_all(t, false, error) && try_step(t, error);
    // Pairs with history are always candidates: the GCD must find them without history.
    scree_contact_store *store = scree_contacts_export(t->sim);
    scree_contacts_import(t->sim, &nothing);
    if (!compare_all(t, true, error))
        return false;
    scree_contacts_import(t->sim, store);
    return try_step(t, error);
}

/** Detaches from the run's terminal, files and signals; output of plugins goes to `log`. */
static bool enter_child(trial *t, int log)
{
    const struct rlimit none = {0, 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGINT, SIG_IGN); // only the run handles it
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    scree_guard_install();
    scree_guard_at_step(t->sim->step);
    if (t->folder)
        t->sim->runtime.output_dir = t->folder;
    scree_event_log_mute(t->sim->runtime.events);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    return null >= 0 && dup2(null, 0) >= 0 && dup2(null, 1) >= 0 && dup2(log, 2) >= 0;
}

static _Noreturn void run_child(trial *t, int log, int end)
{
    g_autoptr(GError) error = NULL;
    if (!enter_child(t, log))
        _exit(127);
    t->out.refused = !try_all(t, &error);
    if (t->out.refused) {
        t->out.status = error->code;
        g_strlcpy(t->out.why, error->message, sizeof t->out.why);
    }
    const bool written = scree_write_all(end, (const char *)&t->out, sizeof t->out);
    _exit(written ? 0 : 127); // without destructors: this is a copy
}

/* ---- run ---- */

/** Waits until the child has written its results, or has ended. False: its own time is over, and it
 * is killed. */
static bool wait_for(pid_t child, int fd, int *status, scree_own_time *own)
{
    bool ended = false, over = false;
    own->looked = g_get_monotonic_time();
    while (!ended && !over) {
        struct pollfd ready = {fd, POLLIN, 0};
        scree_own_time_look(own, child);
        over = own->cpu + own->asleep >= scree_limit(SCREE_LIMIT_SWAP);
        ended = poll(&ready, 1, over ? 0 : SCREE_LOOK_MS) > 0; // it may have ended meanwhile
    }
    if (!ended)
        kill(child, SIGKILL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR)
        continue;
    return ended;
}

/** The child's last line with `mark`, without "scree: " and the text before it; or NULL. */
static char *last_line(int log, const char *mark)
{
    char text[4096] = "";
    off_t size = lseek(log, 0, SEEK_END);
    off_t from = size > (off_t)sizeof text - 1 ? size - (off_t)sizeof text + 1 : 0;
    ssize_t n = size > 0 ? pread(log, text, sizeof text - 1, from) : 0;
    text[MAX(n, 0)] = '\0';
    char *line = g_strrstr(text, mark);
    while (line && line > text && !g_str_has_prefix(line, "scree: "))
        line--;
    return line && g_str_has_prefix(line, "scree: ")
               ? g_strndup(line + strlen("scree: "), strcspn(line, "\n") - strlen("scree: "))
               : NULL;
}

static void blame(pid_t child, int status, const scree_own_time *over, int log, GError **error)
{
    g_autofree char *line = last_line(log, "scree: crash "),
                    *thread = last_line(log, ": it ended the thread "), // guard.c
                        *memory = last_line(log, "scree: " SCREE_OUT_OF_MEMORY),
                    *end = scree_shared_describe_end(child, status);
    if (memory)
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN, "%s", memory);
    else if (over)
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN,
                    "the first calls did not end within %g s: %.1f s of CPU time, %.1f s asleep "
                    "(SCREE_SWAP_LIMIT)",
                    scree_limit(SCREE_LIMIT_SWAP), over->cpu, over->asleep);
    else
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN, "%s",
                    line     ? line
                    : thread ? thread
                             : end);
}

/** Forks the trial. True: it has given results. */
static bool run_trial(trial *t, int log, GError **error)
{
    int ends[2], status = 0;
    outcome out;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return scree_fail(error, SCREE_EXIT_RUN, "pipe: %s", g_strerror(errno));
    fflush(NULL); // buffered output would be written twice
    pid_t child = scree_fork();
    if (child == 0) {
        close(ends[0]);
        run_child(t, log, ends[1]);
    }
    close(ends[1]);
    if (child < 0)
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN, "fork: %s", g_strerror(errno));
    scree_own_time own = {0};
    const bool ended = child > 0 && wait_for(child, ends[0], &status, &own),
               finished = ended && read(ends[0], &out, sizeof out) == (ssize_t)sizeof out;
    close(ends[0]);
    if (finished)
        t->out = out;
    else if (child > 0)
        blame(child, status, ended ? NULL : &own, log, error);
    scree_shared_forget(child);
    return finished;
}

static bool judge(const outcome *out, scree_swap *swap, GError **error)
{
    if (out->refused)
        return scree_fail(error, out->status, "%s", out->why);
    *swap = out->found;
    swap->compared = true;
    return true;
}

bool scree_swap_try(scree_sim *sim, scree_observers *observers, const scree_plugin_set *set,
                    const scree_settings *settings, scree_swap *swap, GError **error)
{
    int log = memfd_create("swap", MFD_CLOEXEC);
    trial t = {sim, observers, set, settings, swap, {.found = *swap}, NULL};
    bool done = false;
    t.out.found.dt = sim->dt;
    if (log < 0)
        scree_fail(error, SCREE_EXIT_RUN, "no memory for a trial: %s", g_strerror(errno));
    else if (!sim->runtime.output_dir || (t.folder = g_dir_make_tmp("scree-XXXXXX", error)))
        done = run_trial(&t, log, error) && judge(&t.out, swap, error);
    if (t.folder && !scree_folder_remove(t.folder))
        g_warning("%s: cannot be removed: %s", t.folder, g_strerror(errno));
    g_free(t.folder);
    if (log >= 0)
        close(log);
    return done;
}
