/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a run on several ranks: rank 0 runs it, the others take the same steps. */
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
#include "engine/step.h"
#include "plugin/call.h"
#include "plugin/exit_guard.h"
#include "plugin/instance.h"

#define LIMIT 60.0 /* [s] longest wait for a rank within a step */

/* Orders of rank 0. */
enum { END, STEP };

/* ---- what is not served ---- */

static bool refuse(GError **error, const char *slot, const char *why)
{
    return scree_fail(error, SCREE_EXIT_USAGE,
                      "domain: several ranks do not serve this run so far: %s%s%s; one rank does, "
                      "without the group domain",
                      slot ? slot : "", slot ? " " : "", why);
}

/** Whether a plugin keeps data of the whole run that ranks must agree on (abi.h). */
static bool is_global(const scree_instance *one)
{
    bool global = scree_call_extension(one->plugin, SCREE_EXTENSION_STATE) != NULL;
    for (uint32_t f = 0; f < one->plugin->n_fields; f++)
        global = global || one->plugin->fields[f]->scope == SCREE_SCOPE_GLOBAL;
    return global && !(one->plugin->flags & SCREE_CAP_RANKS);
}

static bool check_laws(const scree_sim *sim, GError **error)
{
    const scree_contact_plugins *contact = &sim->plugins.contact;
    for (uint32_t l = 0; l < contact->n_laws; l++) {
        const scree_law *law = &contact->laws[l];
        const char *slot = law->instance->slot;
        if (law->provides & SCREE_OUT_KEEP)
            return refuse(error, slot, "keeps contacts");
        if (law->n_pair_fields)
            return refuse(error, slot, "has fields of pairs");
        if (SCREE_HAS(law->ops, after_step) || is_global(law->instance))
            return refuse(error, slot, "has data of the whole run");
    }
    for (guint k = 0; k < contact->resolvers->len; k++)
        if (is_global(contact->resolvers->pdata[k]))
            return refuse(error, ((scree_instance *)contact->resolvers->pdata[k])->slot,
                          "has data of the whole run");
    if (contact->n_pair_fields)
        return refuse(error, NULL, "a resolver has fields of pairs");
    return !contact->n_rates || refuse(error, NULL, "contacts add to a field that bodies share");
}

/** Whether several ranks give the state of one (docs/explanation/determinism.md). */
static bool check_served(const scree_sim *sim, GError **error)
{
    const GPtrArray *modifiers = sim->plugins.body.modifiers;
    for (guint m = 0; m < modifiers->len; m++) {
        const scree_instance *one = modifiers->pdata[m];
        if (!(one->plugin->flags & SCREE_CAP_RANKS))
            return refuse(error, one->slot, "does not say that it serves ranks");
    }
    if (sim->scene->schedule->len)
        return refuse(error, NULL, "it has a schedule");
    if (is_global(sim->plugins.body.integrator))
        return refuse(error, "integrator", "has data of the whole run");
    for (guint k = 0; k < sim->scene->sources->len; k++)
        if (((scree_choice_of *)sim->scene->sources->pdata[k])->plugin->flags &
            SCREE_CAP_BY_INTEGRATOR)
            return refuse(error, NULL, "its bodies come from the integrator");
    if (scree_break_on)
        return refuse(error, NULL, "--break counts the calls of one process");
    return check_laws(sim, error);
}

/* ---- calls of the domain ---- */

static bool join(scree_ranks *r, uint32_t process, GError **error)
{
    scree_domain_join args = {.size = sizeof args, .process = process, .limit = LIMIT};
    scree_call call = scree_call_begin(r->domain, SCREE_CALL_CONFIG, "join");
    const int32_t code = r->ops->join(r->domain->self, &args);
    if (scree_call_end(&call, code, SCREE_OK, error) < 0)
        return false;
    r->rank = args.rank;
    return (args.rank == process && args.ranks == r->n) ||
           scree_call_blame(r->domain, "join", SCREE_EXIT_PLUGIN, error,
                            "rank %u of %u; expected %u of %u", args.rank, args.ranks, process,
                            r->n);
}

/** Gives an order of rank 0 to all; others wait for it. */
static bool order(const scree_ranks *r, uint8_t *what, GError **error)
{
    scree_call call = scree_call_begin(r->domain, SCREE_CALL_STEP, "broadcast");
    const int32_t code = r->ops->broadcast(r->domain->self, 0, what, 1);
    return scree_call_end(&call, code, SCREE_OK, error) >= 0;
}

static void abort_all(const scree_ranks *r, const char *text)
{
    scree_call call = scree_call_begin(r->domain, SCREE_CALL_STEP, "abort");
    r->ops->abort(r->domain->self, text);
    scree_call_done(&call);
}

/* ---- the other ranks ---- */

static void be_silent(const char *who, scree_say_level level, const char *text)
{
    (void)who;
    (void)level;
    (void)text;
}

static bool take_step(scree_sim *sim, GError **error)
{
    sim->ranks->working = true;
    const bool done = scree_sim_step(sim, error);
    sim->ranks->working = false;
    return done;
}

/** The life of a rank that is not 0: it writes nothing, and observes nothing. It does not return. */
static void serve(scree_sim *sim, uint32_t process, pid_t parent)
{
    static const int left_to_rank_0[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1};
    g_autoptr(GError) error = NULL;
    scree_ranks *r = sim->ranks;
    uint8_t what = STEP;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(SCREE_EXIT_RUN);
    for (size_t k = 0; k < G_N_ELEMENTS(left_to_rank_0); k++)
        signal(left_to_rank_0[k], SIG_IGN);
    scree_say_set(be_silent);
    scree_ends_set_hook(NULL);
    sim->runtime.output_dir = NULL;
    sim->records.figures = sim->records.contacts = sim->records.walls = sim->watched = false;
    bool good = join(r, process, &error);
    while (good && what != END)
        good = order(r, &what, &error) && (what == END || take_step(sim, &error));
    if (!good)
        abort_all(r, error->message);
    _exit(good ? SCREE_EXIT_OK : SCREE_EXIT_RUN);
}

/* ---- rank 0 ---- */

/** Each rank gets blocks, and works on one lane. Nothing that a clock decides may differ between
 * ranks. */
static void cut_blocks(scree_sim *sim)
{
    sim->lane_tuner.on = sim->renewal.on = false;
    scree_pool_use(sim->runtime.pool, 1);
    sim->contacts.want_blocks = MAX(sim->contacts.want_blocks, sim->ranks->n);
    sim->contacts.stale = true; // the next evaluation cuts
}

static bool count_processes(scree_ranks *r, GError **error)
{
    scree_call call = scree_call_begin(r->domain, SCREE_CALL_CONFIG, "processes");
    const int32_t code = r->ops->processes(r->domain->self, &r->n);
    if (scree_call_end(&call, code, SCREE_OK, error) < 0)
        return false;
    return r->n ||
           scree_fail(error, SCREE_EXIT_USAGE,
                      "domain/%s expects that a launcher starts its ranks, which this host does "
                      "not serve so far",
                      r->domain->plugin->id);
}

bool scree_ranks_begin(scree_sim *sim, GError **error)
{
    const scree_choice_of *choice = sim->scene->domain;
    const scree_slot slot = {.kind = SCREE_DRAFT_KIND_DOMAIN};
    const pid_t own = getpid();
    if (!choice)
        return true;
    scree_instance *domain = scree_instance_at(&sim->runtime, choice, slot, error);
    if (!domain)
        return false;
    scree_ranks *r = sim->ranks = g_new0(scree_ranks, 1);
    *r = (scree_ranks){.domain = domain, .ops = domain->ops};
    if (!count_processes(r, error))
        return false;
    if (r->n == 1) {
        scree_ranks_end(sim);
        return true;
    }
    if (!check_served(sim, error))
        return false;
    r->bytes = g_new0(int64_t, r->n);
    r->process = g_new0(int, r->n);
    r->own = g_byte_array_new();
    r->in = g_byte_array_new();
    cut_blocks(sim);
    fflush(NULL);
    r->failed = true; // until all have joined
    for (uint32_t k = 1; k < r->n; k++) {
        r->process[k] = scree_fork();
        if (r->process[k] == 0)
            serve(sim, k, own);
        if (r->process[k] < 0)
            return scree_fail(error, SCREE_EXIT_RUN, "rank %u could not be started: %s", k,
                              g_strerror(errno));
    }
    r->failed = !join(r, 0, error);
    return !r->failed;
}

bool scree_ranks_step(scree_sim *sim, GError **error)
{
    uint8_t what = STEP;
    if (!sim->ranks)
        return scree_sim_step(sim, error);
    const bool done = order(sim->ranks, &what, error) && take_step(sim, error);
    sim->ranks->failed = !done;
    return done;
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

void scree_ranks_end(scree_sim *sim)
{
    scree_ranks *r = sim ? sim->ranks : NULL;
    uint8_t what = END;
    if (!r)
        return;
    const bool good = r->process && !r->failed && order(r, &what, NULL);
    for (uint32_t k = 1; r->process && k < r->n; k++) {
        if (r->process[k] <= 0)
            continue;
        if (!good)
            kill(r->process[k], SIGKILL);
        wait_for_rank(r->process[k]);
    }
    scree_instance_free(r->domain);
    g_clear_pointer(&r->own, g_byte_array_unref);
    g_clear_pointer(&r->in, g_byte_array_unref);
    g_free(r->bytes);
    g_free(r->process);
    g_clear_pointer(&sim->ranks, g_free);
}
