/* SPDX-License-Identifier: Apache-2.0 */
/* Work, waiting and messages of the ranks of a run. */
#include "run/rank_report.h"

#include <math.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/text.h"
#include "engine/ghosts.h"

/** The kernel's ru_maxrss would include the process that started this one. */
uint64_t scree_peak_rss(void)
{
    g_autofree char *peak = scree_line_value("/proc/self/status", "VmHWM:"); // [KiB]
    struct rusage usage;
    if (peak)
        return g_ascii_strtoull(peak, NULL, 10) * 1024u;
    return getrusage(RUSAGE_SELF, &usage) ? 0 : (uint64_t)usage.ru_maxrss * 1024u;
}

void scree_rank_report_open(scree_sim *sim)
{
    scree_ranks *r = sim->ranks;
    scree_ledger_open(&sim->counters.ledger, sim->runtime.pool);
    if (!r)
        return;
    r->ledger = &sim->counters.ledger;
    r->lanes = sim->runtime.pool;
    r->n_apart = r->n_refreshed = r->n_cuts = 0;
    r->work[r->rank] = (scree_rank_work){.cpu_begin = scree_cpu_now()};
}

bool scree_rank_report_gather(const scree_sim *sim, double wall, GError **error)
{
    const scree_ranks *r = sim->ranks;
    if (!r)
        return true;
    scree_rank_work *own = &r->work[r->rank], copy;
    const scree_phase_times times = scree_sim_times(sim, wall);
    memcpy(own->phase, times.row, sizeof own->phase);
    own->cpu = scree_cpu_now() - own->cpu_begin;
    own->peak_rss = scree_peak_rss();
    copy = *own;
    return scree_ranks_collect(r, &copy, sizeof copy, r->work, error);
}

/** Returns the seconds of a phase, or (SCREE_PHASES) of all phases in which a rank works. */
static double work_in(const scree_rank_work *one, uint32_t phase)
{
    double sum = 0.0;
    if (phase < SCREE_PHASES)
        return one->phase[phase];
    for (uint32_t p = 0; p < SCREE_PHASES; p++)
        sum += p == SCREE_PHASE_EXCHANGE || p == SCREE_PHASE_WAIT ? 0.0 : one->phase[p];
    return sum;
}

/** Returns the most work of a rank over the mean of all ranks; NaN: they have none. */
static double imbalance(const scree_ranks *r, uint32_t phase)
{
    double most = 0.0, sum = 0.0;
    for (uint32_t k = 0; k < r->n; k++) {
        const double work = work_in(&r->work[k], phase);
        most = fmax(most, work);
        sum += work;
    }
    return sum > 0.0 ? most * r->n / sum : (double)NAN;
}

/** Adds up what all ranks have done. */
static scree_rank_work add_up_work(const scree_ranks *r)
{
    scree_rank_work sum = {.exchanges = r->work[0].exchanges};
    for (uint32_t k = 0; k < r->n; k++) {
        const scree_rank_work *one = &r->work[k];
        for (uint32_t p = 0; p < SCREE_PHASES; p++)
            sum.phase[p] += one->phase[p];
        sum.cpu += one->cpu;
        sum.cpu_out += one->cpu_out;
        sum.ghosts += one->ghosts;
        sum.sent += one->sent;
        sum.ahead += one->ahead;
        sum.peak_rss = MAX(sum.peak_rss, one->peak_rss);
    }
    return sum;
}

double scree_rank_report_cpu(const scree_ranks *r)
{
    return add_up_work(r).cpu;
}

/** Writes how far the ranks worked on parts of the bodies. */
static void write_apart(const scree_sim *sim, const scree_rank_work *sum, scree_json *json)
{
    const char *lack = scree_ghosts_lack(sim);
    scree_json_open_object(json, "apart");
    scree_json_uint(json, "evaluations", sim->ranks->n_apart);
    scree_json_uint(json, "refreshes", sim->ranks->n_refreshed);
    scree_json_uint(json, "cuts", sim->ranks->n_cuts);
    scree_json_uint(json, "exchanges", sum->exchanges);
    scree_json_uint(json, "ghosts", sum->ghosts);
    scree_json_uint(json, "ghost_bytes", sum->sent);
    scree_json_uint(json, "ahead", sum->ahead);
    if (lack)
        scree_json_string(json, "lack", lack);
    else
        scree_json_null(json, "lack");
    scree_json_close_object(json);
}

void scree_rank_report_write(const scree_sim *sim, scree_json *json)
{
    const scree_ranks *r = sim->ranks;
    if (!r)
        return;
    const scree_rank_work sum = add_up_work(r);
    const double work = work_in(&sum, SCREE_PHASES), out = sum.phase[SCREE_PHASE_EXCHANGE];
    write_apart(sim, &sum, json);
    scree_json_open_object(json, "rank_work");
    scree_json_real(json, "imbalance", imbalance(r, SCREE_PHASES));
    scree_json_real(json, "exchange_share", out / (work + out + sum.phase[SCREE_PHASE_WAIT]));
    scree_json_real(json, "cpu_s", sum.cpu);
    scree_json_real(json, "cpu_exchange_s", sum.cpu_out);
    scree_json_uint(json, "peak_rss_bytes", sum.peak_rss);
    scree_json_open_object(json, "imbalances");
    for (uint32_t p = 0; p < SCREE_PHASES; p++)
        if (p != SCREE_PHASE_EXCHANGE && p != SCREE_PHASE_WAIT)
            scree_json_real(json, scree_phase_name((scree_phase)p), imbalance(r, p));
    scree_json_close_object(json);
    scree_json_close_object(json);
}
