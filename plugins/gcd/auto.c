/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fastest of several global contact detections, by a rule, then as measured on the live state.
 *
 * Idea     Which GCD is fastest depends on the number of bodies, their sizes and how many of them
 *          move; none of that is known when a scene is written, all of it changes in a run, and
 *          the result depends on the machine. A rule is right in most scenes and costs nothing.
 *          Measurements correct it where it is wrong, and cost a fixed share of the searches.
 * Steps    1. *Rule*: `known` holds the cost of each GCD, relative to the others, for boxes of one
 *             size, of mixed sizes, and for a list of moved boxes by their share and the number of
 *             all: in a large tree a box waits for memory. The cheapest one works. A GCD that costs
 *             more than HOPELESS times as much is left out.
 *          2. *Trial*: another GCD does the work of some searches, in place of the one that works.
 *             So a trial costs only the time by which it is slower. Its first search is not timed
 *             (its data of the last search are missing). It ends early when the GCD is clearly
 *             slower. Medians decide.
 *          3. A trial must be affordable: its expected cost and that of all earlier ones are at
 *             most the share `budget` of the time of all searches.
 *          4. A GCD that lost is not tried again before the state has changed by the factor
 *             `change`: the number of boxes, their mean and largest side, or the share of space
 *             that they fill. When lists of moved boxes become clearly cheaper by the rule than
 *             searches of all, or no cheaper, the rule chooses again.
 *          The pairs are the same with each inner GCD, except for pairs that need not be found, so
 *          the results do not show the choice.
 *
 * Cost     Two readings of a clock per search and lane. A pass over all boxes each LOOK searches.
 *          Memory: that of the GCDs that have worked.
 *
 * Deviations  None: it has no source.
 *
 * Limits   Timings are noisy: of two that are about equally fast either may be chosen. The time of
 *          find_objects is not measured. The time in which the host takes pairs counts, too.
 */
#include <math.h>

#include "inner/clock.h"
#include "inner/inner.h"

#define MOST 4u  /* inner GCDs */
#define TIMES 8u /* last searches of a GCD, of which the median counts */
#define LOOK 32u /* searches between two looks at the boxes */
#define MEASURES 4u
#define SURE 1.25    /* ratio of costs by the rule above which lists of moved boxes pay */
#define DROP 0.15    /* cost per box of dropping pairs that have not moved */
#define HOPELESS 2.5 /* ratio of costs by the rule above which a GCD is not tried */
#define CLEAR 1.25   /* ratio of times at which a trial ends early */
#define BETTER 0.97  /* ratio of times below which the other one is chosen */
#define MIXED 1.2    /* mean square of sides over their squared mean, above which sizes are mixed */

typedef struct settings {
    const scree_plugin_ref *first, *second, *third, *fourth;
    int64_t rounds;
    double change, budget; // [-]
    int32_t report;        // 0: no
} settings;

/* Measures of a state; two states differ when one of these does. */
typedef struct look {
    double measure[MEASURES]; // number, mean side, largest side over it, share of space
} look;

typedef struct candidate {
    inner in;
    int ready; // init was called for the current boxes
    int lost;  // it lost a trial in the state `lost_in`
    look lost_in;
    double times[TIMES]; // [s] per box, of the last searches
    uint64_t n_times;
} candidate;

/* The end of the last search of a lane. */
typedef struct lane_end {
    double at;      // [s]
    char apart[56]; // so that lanes write to different lines of memory
} lane_end;

typedef struct automatic {
    const scree_host *host;
    const settings *config;
    candidate all[MOST];
    uint32_t n, chosen, works; // inner GCDs; works != chosen: a trial
    found_pairs found;         // of a GCD that searches on one lane only
    int buffered;              // the pairs are in `found`
    lane_end *ends;            // [lanes]
    double begin, searched;    // [s] start of the last search, 0: none; number of its boxes
    const scree_boxes *boxes;
    const uint32_t *moved; // NULL: all
    uint32_t *stamp;       // [slot] `turn`: it has moved
    uint64_t room;
    uint32_t turn, flags;
    look now;
    double share;             // share of moved boxes, over some searches
    int few, mixed, had_list; // what the rule goes by
    uint32_t trials, changes, skip;
    uint64_t searches;
    double searching, exploring; // [s] all searches; what trials took more than the chosen GCD
} automatic;

/* ---- the rule ---- */

/* Cost of a search per box: boxes of one size, of mixed sizes. Cost of a list: per box, per moved
 * box of 1000, and how much more each doubling of these makes it. 1: about 1000 instructions; those
 * of grid, hgrid and bvh with equal sizes are counted, others follow by the ratios of times in
 * contact-detection.md. gcd/grid and gcd/hgrid are one algorithm where sizes are equal. A GCD
 * without a cost per moved box takes no lists. */
typedef struct known_cost {
    const char *id;
    double equal, mixed, list, moved, doubled;
} known_cost;

static const known_cost known[] = {
    {"grid", 0.4, 0.65, 0.0, 0.0, 0.0},        {"hgrid", 0.4, 0.6, 0.0, 0.0, 0.0},
    {"hashing", 0.8, 1.5, 0.0, 0.0, 0.0},      {"lbvh", 1.8, 1.6, 0.0, 0.0, 0.0},
    {"neighbor_list", 0.7, 0.7, 0.3, 1., 0.0}, {"bvh", 1.4, 1.8, 0.02, 11.0, 2.0},
    {"cell_space", 2.0, 2.0, 0.02, 20.0, 2.0}, {"sort_update", 3.0, 3.0, 0.1, 60.0, 6.0},
};
static const known_cost unknown = {"", 0.8, 0.8, 0.0, 0.0, 0.0};

static const known_cost *cost_of(const candidate *c)
{
    for (uint32_t k = 0; k < SCREE_COUNT(known); k++)
        if (strcmp(known[k].id, c->in.plugin->id) == 0)
            return &known[k];
    return &unknown;
}

/* The cost of a search when all boxes may have moved. */
static double expect_all(const automatic *self, const candidate *c)
{
    return self->mixed ? cost_of(c)->mixed : cost_of(c)->equal;
}

/* The cost of a search with a list of the share of boxes that moves. */
static double expect_list(const automatic *self, const candidate *c)
{
    const known_cost *k = cost_of(c);
    const double doublings = log2(scree_max(self->boxes->n, 1000.0) / 1000.0);
    const double all = expect_all(self, c) + DROP;
    const double list = k->list + self->share * (k->moved + k->doubled * doublings);
    return k->moved > 0.0 && list < all ? list : all;
}

static double expect(const automatic *self, const candidate *c)
{
    return self->few ? expect_list(self, c) : expect_all(self, c);
}

/* Do so few boxes move that lists of them are cheaper than any search of all? */
static int few_move(const automatic *self)
{
    double list = HUGE_VAL, all = HUGE_VAL;
    for (uint32_t k = 0; k < self->n; k++) {
        list = scree_min(list, expect_list(self, &self->all[k]));
        all = scree_min(all, expect_all(self, &self->all[k]) + DROP);
    }
    return list * (self->few ? 1.0 : SURE) < all;
}

static uint32_t cheapest(const automatic *self)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < self->n; k++)
        if (expect(self, &self->all[k]) < expect(self, &self->all[best]))
            best = k;
    return best;
}

/* ---- a look at the boxes ---- */

static double side_of(const scree_boxes *b, uint32_t i)
{
    double side = 0.0;
    for (uint32_t k = 0; k < b->dimension; k++)
        side = scree_max(side, b->hi[k][i] - b->lo[k][i]);
    return side;
}

static void look_at(automatic *self)
{
    const scree_boxes *b = self->boxes;
    double used = 0.0, sides = 0.0, squares = 0.0, largest = 0.0, filled = 0.0, space = 1.0;
    double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = 0; i < b->n; i++) {
        if (scree_box_empty(b, i))
            continue;
        const double side = side_of(b, i);
        double volume = 1.0;
        for (uint32_t k = 0; k < b->dimension; k++) {
            volume *= b->hi[k][i] - b->lo[k][i];
            lo[k] = scree_min(lo[k], b->lo[k][i]);
            hi[k] = scree_max(hi[k], b->hi[k][i]);
        }
        used += 1.0;
        sides += side;
        squares += side * side;
        largest = scree_max(largest, side);
        filled += volume;
    }
    for (uint32_t k = 0; k < b->dimension; k++)
        space *= hi[k] > lo[k] ? hi[k] - lo[k] : 0.0;
    const double mean = used > 0.0 ? sides / used : 0.0;
    self->now =
        (look){{used, mean, mean > 0.0 ? largest / mean : 1.0, space > 0.0 ? filled / space : 0.0}};
    self->mixed = squares * used > MIXED * sides * sides;
}

static int has_changed(const look *a, const look *b, double factor)
{
    int changed = 0;
    for (uint32_t k = 0; k < MEASURES; k++) {
        const double x = scree_max(a->measure[k], 1e-12), y = scree_max(b->measure[k], 1e-12);
        changed |= x > factor * y || y > factor * x;
    }
    return changed;
}

/* ---- the choice ---- */

/* [s] per box; HUGE_VAL: unknown. */
static double median_of(const candidate *c)
{
    const uint64_t n = c->n_times < TIMES ? c->n_times : TIMES;
    double sorted[TIMES];
    for (uint64_t i = 0; i < n; i++) {
        uint64_t k = i;
        for (; k > 0 && sorted[k - 1] > c->times[i]; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = c->times[i];
    }
    return n ? sorted[n / 2] : HUGE_VAL;
}

static void put_to_work(automatic *self, uint32_t k)
{
    self->works = k;
    self->skip = 1; // its data of the last search are missing
}

static void tell(const automatic *self, uint32_t before)
{
    const candidate *now = &self->all[self->chosen], *was = &self->all[before];
    const double n = self->now.measure[0];
    scree_logf(self->host, now == was || !self->config->report ? SCREE_LOG_DEBUG : SCREE_LOG_INFO,
               "%.0f boxes: gcd/%s %.4g ms, gcd/%s %.4g ms; gcd/%s works from now on; trials took "
               "%.2g %% of the time of all searches",
               n, was->in.plugin->id, 1e3 * n * median_of(was),
               self->all[self->works].in.plugin->id, 1e3 * n * median_of(&self->all[self->works]),
               now->in.plugin->id, 100.0 * self->exploring / self->searching);
}

static void end_trial(automatic *self, int won)
{
    const uint32_t before = self->chosen, loser = won ? before : self->works;
    self->all[loser].lost = 1;
    self->all[loser].lost_in = self->now;
    self->changes += (uint32_t)won;
    self->chosen = won ? self->works : before;
    tell(self, before);
    if (!won)
        put_to_work(self, before);
}

/* After a search of a trial: ends it, or lets it go on. */
static void judge_trial(automatic *self)
{
    const candidate *c = &self->all[self->works];
    const double ratio = median_of(c) / median_of(&self->all[self->chosen]);
    const uint64_t rounds = (uint64_t)self->config->rounds;
    const int dear = self->exploring > self->config->budget * self->searching;
    if (c->n_times >= TIMES || (c->n_times >= rounds && ratio * CLEAR < 1.0))
        end_trial(self, ratio < BETTER);
    else if (dear || (c->n_times >= rounds && ratio > CLEAR))
        end_trial(self, 0);
}

/* Books the last search. */
static void book_search(automatic *self)
{
    candidate *c = &self->all[self->works];
    const double usual = median_of(&self->all[self->chosen]) * self->searched;
    double took = 0.0;
    if (self->begin == 0.0)
        return;
    for (uint32_t k = 0; k < self->host->lanes; k++)
        took = scree_max(took, self->ends[k].at - self->begin);
    self->begin = 0.0;
    self->searching += took;
    if ((self->works != self->chosen || self->skip) && usual < HUGE_VAL)
        self->exploring += scree_max(took - usual, 0.0);
    if (self->skip)
        self->skip--;
    else
        c->times[c->n_times++ % TIMES] = took / scree_max(self->searched, 1.0);
    if (self->works != self->chosen)
        judge_trial(self);
}

/* [s] What a trial of a GCD is expected to take more than the chosen one. Its first search, and the
 * next one of the chosen GCD, are of all boxes. */
static double cost_of_trial(const automatic *self, const candidate *c)
{
    const candidate *chosen = &self->all[self->chosen];
    const double usual = expect(self, chosen), least = 0.25 * usual;
    const double first = scree_max(expect_all(self, c) - usual, least);
    const double other = scree_max(expect(self, c) - usual, least);
    const double back = expect_all(self, chosen) - usual;
    return (first + (double)self->config->rounds * other + back) / usual * median_of(chosen) *
           self->boxes->n;
}

static int may_try(const automatic *self, const candidate *c)
{
    const candidate *chosen = &self->all[self->chosen];
    const int same = cost_of(c) != &unknown && expect(self, c) == expect(self, chosen);
    return !same && !(c->lost && !has_changed(&c->lost_in, &self->now, self->config->change)) &&
           expect(self, c) <= HOPELESS * expect(self, &self->all[cheapest(self)]) &&
           self->exploring + cost_of_trial(self, c) <= self->config->budget * self->searching;
}

/* Begins a trial of the GCD that the rule expects to be the cheapest of those that may be tried. */
static void consider_trial(automatic *self)
{
    uint32_t next = self->chosen;
    for (uint32_t k = 0; k < self->n; k++) {
        const int better =
            next == self->chosen || expect(self, &self->all[k]) < expect(self, &self->all[next]);
        if (k != self->chosen && better && may_try(self, &self->all[k]))
            next = k;
    }
    if (next == self->chosen)
        return;
    self->all[next].n_times = 0;
    self->trials++;
    put_to_work(self, next);
}

/* The kind of searches has changed: the rule chooses. */
static void choose_by_rule(automatic *self)
{
    for (uint32_t k = 0; k < self->n; k++) {
        self->all[k].lost = 0;
        self->all[k].n_times = 0;
    }
    self->chosen = cheapest(self);
    if (self->works != self->chosen)
        put_to_work(self, self->chosen);
}

static void choose(automatic *self, uint32_t n_moved)
{
    const int first = self->searches++ == 0, first_list = self->moved && !self->had_list;
    const int was_few = self->few;
    const double share = self->moved ? n_moved / scree_max(self->boxes->n, 1.0) : 1.0;
    self->share += (share - self->share) / (first || first_list ? 1.0 : 4.0);
    self->had_list |= first_list;
    if ((self->searches - 1) % LOOK == 0)
        look_at(self);
    self->few = few_move(self);
    if (first || self->few != was_few)
        choose_by_rule(self);
    else if (self->works == self->chosen && self->all[self->chosen].n_times >= TIMES)
        consider_trial(self);
}

/* ---- a step ---- */

/* Only one GCD works; the others lose track of moved boxes. */
static int32_t work(automatic *self, uint32_t n_moved)
{
    candidate *c = &self->all[self->works];
    int32_t status = SCREE_OK;
    for (uint32_t k = 0; k < self->n; k++)
        self->all[k].in.in_step &= k == self->works;
    if (!c->ready)
        status = scree_inner_init(&c->in, self->boxes, self->flags);
    c->ready = status == SCREE_OK;
    self->buffered = self->host->lanes > 1 && (c->in.plugin->flags & SCREE_CAP_SERIAL);
    self->searched = self->boxes->n;
    self->begin = clock_now();
    if (status == SCREE_OK)
        status = scree_inner_step(&c->in, self->boxes, self->moved, n_moved);
    if (status == SCREE_OK && self->buffered)
        status = scree_inner_find(&c->in, &self->found, self->boxes->n);
    self->ends[0].at = clock_now();
    return status;
}

static int32_t mark_moved(automatic *self, uint32_t n_moved)
{
    const uint64_t known_room = self->room;
    if (!scree_grow(&self->stamp, &self->room, self->boxes->n, sizeof *self->stamp))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "auto: out of memory");
    if (self->room > known_room)
        memset(self->stamp + known_room, 0, (self->room - known_room) * sizeof *self->stamp);
    if (++self->turn == 0) { // after 2^32 turns
        memset(self->stamp, 0, self->room * sizeof *self->stamp);
        self->turn = 1;
    }
    for (uint32_t k = 0; k < n_moved; k++)
        self->stamp[self->moved[k]] = self->turn;
    return SCREE_OK;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    automatic *self = instance;
    *n_pivots = 0;
    book_search(self);
    self->boxes = boxes;
    self->moved = moved;
    choose(self, n_moved);
    int32_t status = work(self, n_moved);
    const inner *in = &self->all[self->works].in;
    if (status == SCREE_OK && moved && !in->listed)
        status = mark_moved(self, n_moved);
    *n_pivots = self->buffered ? scree_found_pieces(&self->found) : in->n_pivots;
    return status;
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    automatic *self = instance;
    self->flags = flags;
    for (uint32_t k = 0; k < self->n; k++)
        self->all[k].ready = 0;
    return SCREE_OK;
}

/* ---- what is handed on ---- */

typedef struct through {
    const automatic *self;
    scree_pair_sink *to;
    scree_pair *given;
} through;

/* Moves the pairs of moved boxes to the front; `out` may be v. */
static uint64_t keep(const automatic *self, const scree_pair *v, uint64_t n, scree_pair *out)
{
    const pair_filter filter = {.stamp = self->stamp, .now = self->turn};
    uint64_t kept = 0;
    for (uint64_t k = 0; k < n; k++) {
        const scree_pair p = v[k];
        out[kept] = p;
        kept += (uint64_t)filter_moved(&filter, p);
    }
    return kept;
}

static int32_t reserve_through(scree_pair_sink *sink, uint64_t n, scree_pair **out)
{
    through *t = sink->ctx;
    const int32_t status = t->to->reserve(t->to, n, out);
    t->given = *out;
    return status;
}

static int32_t commit_kept(scree_pair_sink *sink, uint64_t n)
{
    through *t = sink->ctx;
    const uint32_t n_boxes = t->self->boxes->n;
    for (uint64_t k = 0; k < n; k++)
        if (pair_is_none(t->given[k], n_boxes))
            return scree_inner_blame(&t->self->all[t->self->works].in, t->given[k], n_boxes);
    return t->to->commit(t->to, keep(t->self, t->given, n, t->given));
}

static int32_t emit(const void *owner, const scree_pair *v, uint64_t n, scree_pair_sink *sink)
{
    scree_pair *out;
    const int32_t status = sink->reserve(sink, n, &out);
    if (status != SCREE_OK)
        return status;
    memcpy(out, v, n * sizeof *v);
    return sink->commit(sink, n);
}

/* The inner GCD searches all boxes, but only pairs of moved ones are handed on. */
static int32_t find_some(const automatic *self, uint64_t first, uint64_t last,
                         scree_pair_sink *sink)
{
    const inner *in = &self->all[self->works].in;
    through t = {self, sink, NULL};
    scree_pair_sink between = {.size = sizeof between,
                               .lane = sink->lane,
                               .ctx = &t,
                               .reserve = reserve_through,
                               .commit = commit_kept};
    if (self->buffered)
        return scree_found_each(&self->found, first, last, emit, self, &between);
    return in->ops->find_neighbors(in->self, first, last, &between);
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const automatic *self = instance;
    const inner *in = &self->all[self->works].in;
    int32_t status;
    if (self->moved && !in->listed)
        status = find_some(self, first, last, sink);
    else if (self->buffered)
        status = scree_found_each(&self->found, first, last, emit, self, sink);
    else
        status = in->ops->find_neighbors(in->self, first, last, sink);
    self->ends[sink->lane].at = clock_now();
    return status;
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const automatic *self = instance;
    return scree_inner_objects(&self->all[self->works].in, self->boxes, zone, sink);
}

/* ---- the plugin ---- */

static void destroy(void *instance)
{
    automatic *self = instance;
    if (!self)
        return;
    if (self->searching > 0.0)
        scree_logf(
            self->host, self->trials && self->config->report ? SCREE_LOG_INFO : SCREE_LOG_DEBUG,
            "%u trials, %u changes; they took %.4g s of %.4g s of searches; gcd/%s at the end",
            self->trials, self->changes, self->exploring, self->searching,
            self->all[self->chosen].in.plugin->id);
    for (uint32_t k = 0; k < self->n; k++)
        scree_inner_free(&self->all[k].in);
    scree_found_free(&self->found);
    free(self->ends);
    free(self->stamp);
    free(self);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    automatic *self = calloc(1, sizeof *self);
    const settings *s = config;
    const scree_plugin_ref *const refs[MOST] = {s->first, s->second, s->third, s->fourth};
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "auto: out of memory");
    self->host = host;
    self->config = s;
    self->ends = calloc(host->lanes, sizeof *self->ends);
    int32_t status = self->ends ? scree_found_make(&self->found, host)
                                : host->fail(host->ctx, SCREE_E_MEMORY, "auto: out of memory");
    for (uint32_t k = 0; k < MOST && status == SCREE_OK; k++)
        if (refs[k])
            status = scree_inner_make(&self->all[self->n++].in, host, refs[k]);
    if (status == SCREE_OK)
        *instance = self;
    else
        destroy(self);
    return status;
}

static uint64_t bytes(void *instance)
{
    const automatic *self = instance;
    uint64_t sum = sizeof *self + self->host->lanes * sizeof *self->ends +
                   self->room * sizeof *self->stamp + scree_found_bytes(&self->found);
    for (uint32_t k = 0; k < self->n; k++)
        sum += scree_inner_bytes(&self->all[k].in);
    return sum;
}

static int32_t show_cells(void *instance, const scree_layout_sink *sink)
{
    const automatic *self = instance;
    return scree_inner_cells(&self->all[self->works].in, sink);
}

static const scree_layout layout = {.size = sizeof(scree_layout), .cells = show_cells};

static const void *get_extension(const char *name)
{
    return strcmp(name, SCREE_DRAFT_LAYOUT) == 0 ? &layout : NULL;
}

static const scree_gcd_ops ops = {
    .size = sizeof(scree_gcd_ops),
    .create = create,
    .destroy = destroy,
    .init = init,
    .step_init = step_init,
    .find_neighbors = find_neighbors,
    .find_objects = find_objects,
    .bytes = bytes,
};

INNER_PARAM(settings, first, 0, "grid", "a GCD that may work");
INNER_PARAM(settings, second, 0, "hgrid", "another GCD that may work");
INNER_PARAM(settings, third, 0, "bvh", "another GCD that may work");
INNER_PARAM(settings, fourth, SCREE_PARAM_OPTIONAL, NULL, "another GCD that may work");
SCREE_INT_PARAM(settings, rounds, 0, 3, 1, 8,
                "timed searches of a trial, after one that is not timed; more, up to 8, if the two "
                "are about equally fast");
SCREE_REAL_PARAM(settings, change, "-", 0, 1.5, 1, 1e6,
                 "a GCD that lost is tried again when number, sizes or density of the boxes have "
                 "changed by this factor");
SCREE_REAL_PARAM(settings, budget, "-", 0, 0.02, 0, 1,
                 "most time that trials may cost, as a share of the time of all searches");
SCREE_BOOL_PARAM(settings, report, 0, 0,
                 "says each change of the GCD, and at the end what trials have cost");
static const scree_param *const params[] = {&param_first,  &param_second, &param_third,
                                            &param_fourth, &param_rounds, &param_change,
                                            &param_budget, &param_report};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .flags = SCREE_CAP_INCREMENTAL,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "auto",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "the fastest of up to four GCDs, by a rule and by their times in the run (the default)",
    .summary =
        "A rule chooses by the sizes of the boxes, their number and the share that moves. When the "
        "time of the searches so far can pay for it, another GCD does the work of some searches, "
        "and the faster one stays. One that lost is tried again only when the boxes have changed. "
        "Timings choose; the state is the same with each inner GCD. A line reports each change and "
        "the cost of the trials.",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&descriptor);
