/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that are apart: each moves its own rows, and takes only its ghosts from other ranks.
 *
 * Idea     Ghosts of a rank are the bodies of other ranks that are in a segment with own rows. Two
 *          ranks list the same pairs between their rows, so each knows what the other needs. In an
 *          evaluation a rank sends the mirrors of its bodies that are ghosts elsewhere, 96 bytes
 *          each, to the rank that needs them: 16 bytes more with the cells of a periodic boundary, 32
 *          more with orientations, if some are not balls. No force, contact or history is sent.
 *
 *              rows    | rank 0       | rank 1       | rank 2       |
 *              ghosts          of 1 ^^ ^ of 0
 *
 * Steps    1. scree_ghosts_part: may this evaluation be apart? Sums of rank 0 go on; those of the
 *             others start with 0, and are added up in scree_ranks_whole.
 *          2. Own rows and the bodies that are not free move.
 *          3. scree_ghosts_meet: one message to each neighbour, with one reduction: has a body left
 *             its extent, is one of those that are checked not sound, is one outside of a boundary,
 *             does a rank read the state after this evaluation, had a rank a deep overlap in the one
 *             before? If a body has left its extent, and nothing is to be read, all ranks take the
 *             bodies of all, and refresh the lists of their own rows. Otherwise all take the whole
 *             state. Bodies outside come back or leave after the step, on all ranks alike. Through a
 *             periodic boundary each rank takes its own ones.
 *          4. scree_ghosts_ready: after such a refresh there are other ghosts.
 */
#include "engine/ghosts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/ahead.h"
#include "engine/contacts.h"
#include "engine/diagnostics.h"
#include "engine/motion.h"
#include "engine/near.h"
#include "engine/outside.h"
#include "engine/vicinity.h"
#include "plugin/break.h"
#include "plugin/call.h"

enum {
    LINE = SCREE_BALL + SCREE_TWIST,
    IMAGE = 2,
    TURN = 4
}; /* doubles of a ghost, its cells, its orientation */
enum { LEFT = 1, READ = 2, JUDGED = 4, DEEP = 8 }; /* bits of the reduction */
/** [-] Most work of a rank over the mean, as times of that after the last cut: rows are cut
 * again. */
#define UNEVEN 1.15

/** Bodies of which another rank gets, or gives, the mirrors. */
typedef struct ghost_list {
    GArray *bodies; /* elements: uint32_t, ascending */
    double *lines;  /* [bodies][LINE] */
    uint64_t capacity;
} ghost_list;

typedef struct scree_ghosts {
    bool listed;             /* they are those of the current lists */
    ghost_list *out, *in;    /* [ranks] */
    scree_message *messages; /* [ranks] */
    uint8_t *mark;           /* [n_free] */
    uint64_t mark_capacity;
    uint32_t n;
    uint32_t line; /* doubles of a ghost */
    bool turns;    /* some free bodies are not balls */
} scree_ghosts;

/* ---- which bodies are ghosts ---- */

static scree_ghosts *make_ghosts(uint32_t n)
{
    scree_ghosts *g = g_new0(scree_ghosts, 1);
    g->n = n;
    g->out = g_new0(ghost_list, n);
    g->in = g_new0(ghost_list, n);
    g->messages = g_new0(scree_message, n);
    for (uint32_t k = 0; k < n; k++) {
        g->out[k].bodies = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        g->in[k].bodies = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    }
    return g;
}

void scree_ghosts_free(scree_ghosts *g)
{
    if (!g)
        return;
    for (uint32_t k = 0; k < g->n; k++) {
        g_array_unref(g->out[k].bodies);
        g_array_unref(g->in[k].bodies);
        free(g->out[k].lines);
        free(g->in[k].lines);
    }
    g_free(g->out);
    g_free(g->in);
    g_free(g->messages);
    free(g->mark);
    g_free(g);
}

/** Marks the bodies of all pairs between blocks of two ranks, `low` before `high`. */
static void mark_pairs(const scree_sim *sim, uint32_t low, uint32_t high, uint8_t *mark)
{
    const uint32_t n = sim->contacts.n_blocks;
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        for (uint32_t b = scree_ranks_first(sim, low); b < scree_ranks_first(sim, low + 1); b++)
            for (uint32_t B = scree_ranks_first(sim, high); B < scree_ranks_first(sim, high + 1);
                 B++) {
                const scree_segment *s =
                    scree_list_segment(&sim->plugins.contact.lists[l], n, b, B);
                for (uint32_t p = 0; p < s->n_pairs; p++)
                    mark[s->a[p]] = mark[s->b[p]] = 1;
            }
}

/** Lists the marked bodies of a rank, and takes their marks. */
static void list_marked(const scree_sim *sim, const scree_ghosts *g, uint32_t rank, ghost_list *to)
{
    const uint32_t *row = sim->contacts.block_first, end = row[scree_ranks_first(sim, rank + 1)];
    g_array_set_size(to->bodies, 0);
    for (uint32_t i = row[scree_ranks_first(sim, rank)]; i < end; i++) {
        if (g->mark[i])
            g_array_append_val(to->bodies, i);
        g->mark[i] = 0;
    }
    scree_aligned_grow(&to->lines, &to->capacity, to->bodies->len, 0, g->line * sizeof(double));
}

/** Finds the ghosts by the pairs of own rows; the other rank has the pairs with its rows, too. */
static void list_ghosts(const scree_sim *sim, scree_ghosts *g)
{
    const uint32_t own = sim->ranks->rank, n = sim->world->n_free;
    g->turns = sim->boxes.first_turning < n;
    g->line = LINE + (sim->world->cell.repeats ? IMAGE : 0) + (g->turns ? TURN : 0);
    scree_aligned_grow(&g->mark, &g->mark_capacity, n + 1, 0, 1);
    memset(g->mark, 0, n);
    for (uint32_t k = 0; k < g->n; k++) {
        if (k == own)
            continue;
        mark_pairs(sim, MIN(k, own), MAX(k, own), g->mark);
        list_marked(sim, g, own, &g->out[k]);
        list_marked(sim, g, k, &g->in[k]);
    }
    g->listed = true;
}

/* ---- an exchange ---- */

enum { CALLED = 12 }; /* ghosts of which memory is called before it is used: few share a line */

/** Calls the mirrors of a body, to be read or (1) written. */
#define CALL_MIRRORS(w, i, use)                                                                    \
    (__builtin_prefetch((w)->ball + (size_t)(i)*SCREE_BALL, use),                                  \
     __builtin_prefetch((w)->twist + (size_t)(i)*SCREE_TWIST, use))

static void write_lines(const scree_world *w, const ghost_list *list, bool turns)
{
    const uint32_t *body = (const uint32_t *)(const void *)list->bodies->data;
    double *line = list->lines;
    const int n_turn = turns ? TURN : 0;
    for (guint k = 0; k < list->bodies->len; k++) {
        const uint32_t i = body[k];
        if (k + CALLED < list->bodies->len)
            CALL_MIRRORS(w, body[k + CALLED], 0);
        memcpy(line, w->ball + (size_t)i * SCREE_BALL, SCREE_BALL * sizeof *line);
        memcpy(line + SCREE_BALL, w->twist + (size_t)i * SCREE_TWIST, SCREE_TWIST * sizeof *line);
        line += LINE;
        if (w->cell.repeats) {
            const int32_t cells[4] = {w->image[0][i], w->image[1][i], w->image[2][i]};
            memcpy(line, cells, sizeof cells);
            line += IMAGE;
        }
        for (int j = 0; j < n_turn; j++)
            *line++ = w->q[j][i];
    }
}

/** Notes how far the ghosts of a list have moved, by chunks, for the lists of near pairs. */
static void note_ways(const scree_world *w, const ghost_list *list, uint32_t line,
                      scree_near_rule *near)
{
    const uint32_t *body = (const uint32_t *)(const void *)list->bodies->data;
    double most = 0.0; // square of the longest way in a chunk
    for (guint k = 0; k < list->bodies->len; k++) {
        const double *was = w->ball + (size_t)body[k] * SCREE_BALL;
        const double *now = list->lines + (size_t)k * line;
        const double dx = now[0] - was[0], dy = now[1] - was[1], dz = now[2] - was[2];
        const uint32_t chunk = body[k] / SCREE_SLACK_BODIES;
        const double way = dx * dx + dy * dy + dz * dz;
        if (k + CALLED < list->bodies->len)
            CALL_MIRRORS(w, body[k + CALLED], 1);
        most = most < way ? way : most;
        if (k + 1 < list->bodies->len && body[k + 1] / SCREE_SLACK_BODIES == chunk)
            continue;
        near->used_up |= !scree_near_serves(near, chunk, sqrt(most));
        most = 0.0;
    }
}

static void read_lines(const scree_world *w, const ghost_list *list, bool turns)
{
    const uint32_t *body = (const uint32_t *)(const void *)list->bodies->data;
    const double *line = list->lines;
    const int n_turn = turns ? TURN : 0;
    for (guint k = 0; k < list->bodies->len; k++) {
        const uint32_t i = body[k];
        const uint32_t next = k + CALLED < list->bodies->len ? body[k + CALLED] : i;
        for (int j = 0; j < 3; j++) {
            __builtin_prefetch(w->x[j] + next, 1);
            __builtin_prefetch(w->v[j] + next, 1);
            __builtin_prefetch(w->w[j] + next, 1);
        }
        memcpy(w->ball + (size_t)i * SCREE_BALL, line, SCREE_BALL * sizeof *line);
        memcpy(w->twist + (size_t)i * SCREE_TWIST, line + SCREE_BALL, SCREE_TWIST * sizeof *line);
        for (int j = 0; j < 3; j++) {
            w->x[j][i] = line[j];
            w->v[j][i] = line[SCREE_BALL + j];
            w->w[j][i] = line[SCREE_BALL + 4 + j];
        }
        line += LINE;
        if (w->cell.repeats) {
            int32_t cells[4];
            memcpy(cells, line, sizeof cells);
            for (int j = 0; j < 3; j++)
                w->image[j][i] = cells[j];
            line += IMAGE;
        }
        for (int j = 0; j < n_turn; j++)
            w->q[j][i] = *line++;
    }
}

/** Exchanges ghosts; *bits becomes those of all ranks. */
static bool exchange(const scree_evaluation *e, scree_ghosts *g, int64_t *bits, GError **error)
{
    scree_sim *sim = e->sim;
    const bool goes_on = !(*bits & (LEFT | READ));
    scree_exchange all = {.size = sizeof all,
                          .messages = g->messages,
                          .reduction = SCREE_REDUCE_OR,
                          .n_values = 1,
                          .values = bits};
    scree_rank_work *work = &sim->ranks->work[sim->ranks->rank];
    if (!g->listed)
        list_ghosts(sim, g);
    for (uint32_t k = 0; k < g->n; k++) {
        const guint n_out = g->out[k].bodies->len, n_in = g->in[k].bodies->len;
        if (!n_out && !n_in)
            continue;
        write_lines(sim->world, &g->out[k], g->turns);
        g->messages[all.n_messages++] = (scree_message){.rank = k,
                                                        .n_out = n_out * g->line * sizeof(double),
                                                        .n_in = n_in * g->line * sizeof(double),
                                                        .out = g->out[k].lines,
                                                        .in = g->in[k].lines};
        work->sent += n_out * g->line * sizeof(double);
    }
    if (!scree_ranks_exchange_begin(sim->ranks, &all, error) ||
        (goes_on && !scree_ahead_run(e, error)) || !scree_ranks_exchange_finish(sim->ranks, error))
        return false;
    work->exchanges++;
    for (uint32_t k = 0; k < g->n; k++) {
        note_ways(sim->world, &g->in[k], g->line, &sim->contacts.near);
        read_lines(sim->world, &g->in[k], g->turns);
        work->ghosts += g->in[k].bodies->len;
    }
    return true;
}

/** After a refresh while ranks are apart: finds the ghosts, and writes their mirrors. */
static void find_ghosts(const scree_sim *sim, scree_ghosts *g)
{
    const scree_world *w = sim->world;
    list_ghosts(sim, g);
    for (uint32_t k = 0; k < g->n; k++)
        for (guint at = 0; at < g->in[k].bodies->len; at++) {
            const uint32_t i = g_array_index(g->in[k].bodies, uint32_t, at);
            sim->kernels->mirror(i, i + 1, (const double *const *)w->x, w->radius,
                                 (const double *const *)w->v, (const double *const *)w->w,
                                 w->inv_mass, w->ball, w->twist);
        }
}

/* ---- when ranks are apart ---- */

/** Returns whether a plugin has a service that reads all bodies: old ones, while ranks are
 * apart. */
static bool asks(const scree_instance *one)
{
    return one->summer.size || one->has_query || (one->nested && one->nested->len);
}

/** Returns whether an integrator moves each body by itself, and has only data that rows carry. */
static bool moves(const scree_body_plugins *p)
{
    const scree_instance *one = p->integrator;
    return one->plugin->flags & SCREE_CAP_RANKS && SCREE_HAS(p->integrator_ops, move) &&
           !(one->demands.flags & SCREE_CAP_DISPLACEMENT) && !one->plugin->n_fields &&
           !one->n_uses && !one->state && !asks(one);
}

/** Returns whether a modifier acts on each body by itself, in any evaluation. */
static bool serves(const scree_instance *one)
{
    const scree_modifier_ops *ops = one->ops;
    return one->plugin->flags & SCREE_CAP_RANKS && !SCREE_HAS(ops, after_step) &&
           !one->plugin->n_fields && !one->n_uses && !(one->demands.needs & SCREE_WANTS_LOADS) &&
           !asks(one);
}

static const char *bodies_lack(const scree_sim *sim)
{
    const scree_body_plugins *p = &sim->plugins.body;
    if (!moves(p))
        return "the integrator";
    for (guint m = 0; m < p->modifiers->len; m++)
        if (!serves(p->modifiers->pdata[m]))
            return ((const scree_instance *)p->modifiers->pdata[m])->slot;
    if (!scree_boundary_open(sim) && sim->lag != 0.0)
        return "a boundary, as bodies move after the evaluation";
    if (sim->world->slant > 0.0 && scree_boundary_closed(sim))
        return "a tilted cell with another boundary";
    return sim->extents.zero ? "extents without room" : NULL;
}

static const char *contacts_lack(const scree_contact_plugins *p)
{
    if (p->any_keep || p->n_pair_fields)
        return "kept contacts or fields of pairs";
    if (p->n_rates || p->n_reads || p->n_adds)
        return "a law that reads or changes fields of bodies";
    if (p->needs & SCREE_IN_ORIENTATION)
        return "a law that reads orientations";
    for (uint32_t l = 0; l < p->n_laws; l++)
        if (p->laws[l].instance->events.size)
            return "a law that reports events";
    return NULL;
}

const char *scree_ghosts_lack(const scree_sim *sim)
{
    const char *lack = bodies_lack(sim);
    return lack ? lack : contacts_lack(&sim->plugins.contact);
}

/** Returns whether the lists are those of the current bodies, and nothing is wrong. */
static bool is_ready(const scree_sim *sim)
{
    return sim->boxes.valid && !sim->extents.zero && !sim->extents.renew_moved &&
           !sim->contacts.stale && sim->contacts.ordered && !scree_break_on &&
           sim->checks.flung == SCREE_NONE;
}

/** From now on each rank moves its own rows. */
static void go_apart(scree_sim *sim)
{
    sim->ranks->apart = true;
    sim->ranks->lists_own = false;
    scree_ranks_begin_sums(sim->ranks, &sim->account, &sim->counters);
}

bool scree_ghosts_part(const scree_evaluation *e, GError **error)
{
    scree_sim *sim = e->sim;
    scree_ranks *r = sim->ranks;
    const bool last = e->time == scree_sim_time_at(sim, sim->step + 1);
    r->splits = r->working && e->accepted && is_ready(sim) && (last || scree_boundary_open(sim)) &&
                !scree_ghosts_lack(sim);
    if (!r->splits)
        return scree_ranks_whole(sim, error);
    if (!r->ghosts)
        r->ghosts = make_ghosts(r->n);
    if (!r->apart)
        go_apart(sim);
    r->computes_all = false; // of the last evaluation
    return true;
}

/** Returns whether this rank reads the state after this evaluation, or its contacts, or has a body
 * outside of a boundary. */
static bool reads(const scree_sim *sim)
{
    const scree_records *records = &sim->records;
    const uint64_t next = sim->step + 1;
    const scree_rows own = scree_ranks_rows(sim);
    return scree_boundary_met(sim, own.first, own.end) || sim->watched || records->figures ||
           records->contacts || records->walls || sim->warnings.samples || sim->warnings.surveys ||
           sim->edits.newcomers || sim->world->crowded ||
           (sim->renumber.every && next % sim->renumber.every == 0);
}

/** Returns the bits of this rank for the reduction. */
static int64_t find_bits(const scree_sim *sim, bool left)
{
    const scree_rows own = scree_ranks_rows(sim);
    const bool reads_now = reads(sim) || !scree_motion_some_sound(sim, own.first, own.end);
    return (left ? LEFT : 0) | (reads_now ? READ : 0) |
           (scree_diagnostics_judges(sim) ? JUDGED : 0) | (sim->ranks->deep.n ? DEEP : 0);
}

bool scree_ghosts_meet(const scree_evaluation *e, bool *left, bool *whole, GError **error)
{
    scree_sim *sim = e->sim;
    scree_ranks *r = sim->ranks;
    int64_t bits;
    bool sound = true;
    *whole = false;
    if (!r->splits)
        return true;
    bits = find_bits(sim, *left);
    if (!exchange(e, r->ghosts, &bits, error))
        return false;
    *left = bits & LEFT;
    *whole = bits & READ || (*left && (bits & JUDGED || r->uneven));
    if (*left || *whole || !scree_near_lasts(&sim->contacts.near, sim->plugins.contact.range))
        scree_ahead_drop(sim);
    if (bits & DEEP && !scree_ranks_report_deep(sim, error))
        return false;
    if (*left && !*whole && !scree_vicinity_take(sim, &sound, error))
        return false;
    *whole = *whole || !sound;
    r->splits = !*whole;
    return !*whole || scree_ranks_whole(sim, error);
}

/** After a refresh while ranks are apart: finds the number of candidates of all, each counted once
 * (it decides how often warnings are exchanged), and whether the rows are to be cut again. */
static bool count_candidates(const scree_sim *sim, uint64_t *count, GError **error)
{
    enum { KEPT = 4 }; // taking the whole state costs about as much as a refresh
    scree_ranks *r = sim->ranks;
    g_autofree int64_t *n = g_new0(int64_t, 1 + (size_t)r->n);
    const scree_exchange all = {
        .size = sizeof all, .reduction = SCREE_REDUCE_SUM, .n_values = 1 + r->n, .values = n};
    double most = 0.0, sum = 0.0;
    for (uint32_t k = 0; k < scree_segment_count(sim); k++)
        n[0] += scree_ranks_books(sim, k) ? scree_segment_at(sim, k)->n_pairs : 0;
    n[1 + r->rank] = (int64_t)r->work_of_rows;
    if (!scree_ranks_reduce(r, &all, error))
        return false;
    *count = (uint64_t)n[0];
    for (uint32_t k = 1; k <= r->n; k++) {
        most = fmax(most, (double)n[k]);
        sum += (double)n[k];
    }
    r->uneven = ++r->n_kept > KEPT && most * r->n > UNEVEN * r->cut * sum;
    return true;
}

bool scree_ghosts_ready(scree_sim *sim, bool refreshed, GError **error)
{
    scree_ranks *r = sim->ranks;
    if (refreshed && r->ghosts)
        r->ghosts->listed = false;
    if (refreshed && r->apart) {
        find_ghosts(sim, r->ghosts);
        r->lists_own = true;
        r->n_refreshed++;
        if (!count_candidates(sim, &sim->contacts.n_candidates, error))
            return false;
    }
    r->n_apart += r->splits;
    return true;
}
