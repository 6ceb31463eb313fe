/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fastest of several global contact detections, as measured on the state at hand.
 *
 * Idea     Which GCD is fastest depends on the number of bodies, their sizes, how densely they lie
 *          and how many of them move; none of that is known when a scene is written, all of it
 *          changes in a run, and the result depends on the machine. So the inner GCDs are timed on
 *          the live state, the fastest one works, and they are timed again when the state is
 *          another one.
 * Steps    1. A *trial*: for `rounds` searches running every inner GCD searches the same boxes,
 *             step_init and find_neighbors, on all lanes. The first round is not timed (a GCD's
 *             data from the previous step are missing); the shortest of the other times counts. The
 *             GCDs take turns: the pairs of one of them are handed on.
 *          2. From then on only the fastest one works.
 *          3. A look, in each search, at a sample of 128 boxes: their number, mean and largest
 *             side, the share of space that they fill, the share that moved and how far over their
 *             side. When one of these has changed by the factor `change` since the last trial,
 *             another trial is due. It must be affordable: its expected cost must be below the
 *             share `budget` of the time spent in searches since the last trial.
 *          The pairs are the same with each inner GCD: those that must be found and no others,
 *          so the results do not show the choice. The pairs of an inner GCD that gave no others in
 *          its trials are not checked; `exact = false` passes on all pairs: the state is the same
 *          (the host drops a pair that is not a candidate), the figures for accuracy are not.
 *
 * Cost     A trial costs `rounds` searches by each GCD; one search would have been done anyhow.
 *          Between them: the sample of the state, and with `exact` a test per pair, which drops
 *          those that need not be found. A line reports each choice and its cost, one at the end
 *          the sum of them. Memory: that of all inner
 *          GCDs; those that lost keep theirs.
 *
 * Deviations  None: it has no source.
 *
 * Limits   Timings are noisy: of two that are about equally fast either may be chosen. The time of
 *          find_objects is not measured. A change that the sample does not see (one huge body among
 *          100 000) is not noticed.
 */
#include "inner/clock.h"
#include "inner/inner.h"

#define MOST 6u     /* inner GCDs */
#define SAMPLE 128u /* boxes */
#define MEASURES 7u

typedef struct settings {
    const scree_plugin_ref *first, *second, *third, *fourth, *fifth, *sixth;
    int64_t rounds;
    double change, budget; // [-]
    int32_t exact, unused;
} settings;

typedef struct candidate {
    inner in;
    found_pairs found;
    double seconds;   // seconds of the fastest timed search in the last trial
    uint64_t further; // pairs found in trials that need not be found
} candidate;

/* Measures of a state: sizes, numbers and shares; two states differ when one of these does. */
typedef struct look {
    double measure[MEASURES];
} look;

typedef struct automatic {
    const scree_host *host;
    const settings *config;
    candidate all[MOST];
    uint32_t n, chosen; // inner GCDs
    candidate *giver;   // the GCD whose pairs are handed on; NULL: the chosen one, in lanes
    const scree_boxes *boxes;
    const uint32_t *moved; // NULL: all
    uint32_t *stamp;       // [slot] `turn`: it has moved
    uint64_t room;
    uint32_t turn, spheres;
    int64_t round; // round of the current trial; = rounds: no trial is on
    look tried;    // the state of the last trial
    double before[3][SAMPLE];
    uint32_t before_slots, trials, changes;
    uint64_t searches;        // searches since the last trial
    double trial_seconds;     // seconds of the last trial, without those of the fastest GCD
    double measuring, search; // [s] extra time of all trials; time of all searches, if known
} automatic;

/* ---- a look at the state ---- */

/* Values that a measure must exceed to count. */
static const double least[MEASURES] = {1.0, 0.0, 0.0, 1e-4, 0.02, 1e-3, 1.0};

static double side_of(const scree_boxes *b, uint32_t i)
{
    double side = 0.0;
    for (uint32_t k = 0; k < b->dimension; k++)
        side = scree_max(side, b->hi[k][i] - b->lo[k][i]);
    return side;
}

static void look_at(automatic *self, uint32_t n_moved, look *now)
{
    const scree_boxes *b = self->boxes;
    const uint32_t m = b->n < SAMPLE ? b->n : SAMPLE;
    const int known = self->before_slots == b->n;
    double used = 0.0, sides = 0.0, largest = 0.0, filled = 0.0, went = 0.0, far = 0.0, space = 1.0;
    double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t s = 0; s < m; s++) {
        const uint32_t i = (uint32_t)((uint64_t)s * b->n / m);
        double volume = 1.0, by = 0.0;
        const int here = !scree_box_empty(b, i);
        for (uint32_t k = 0; k < b->dimension; k++) {
            const double moved = b->lo[k][i] - self->before[k][s];
            by = scree_max(by, moved < 0.0 ? -moved : moved);
            self->before[k][s] = b->lo[k][i];
            volume *= here ? b->hi[k][i] - b->lo[k][i] : 0.0;
            lo[k] = scree_min(lo[k], b->lo[k][i]);
            hi[k] = scree_max(hi[k], b->hi[k][i]);
        }
        used += here;
        sides += here ? side_of(b, i) : 0.0;
        largest = scree_max(largest, here ? side_of(b, i) : 0.0);
        filled += volume;
        went += known && here && by > 0.0;
        far += known && here && by < HUGE_VAL ? by : 0.0;
    }
    for (uint32_t k = 0; k < b->dimension; k++)
        space *= hi[k] > lo[k] ? hi[k] - lo[k] : 0.0;
    const double share = m ? used / m : 0.0, mean = used > 0.0 ? sides / used : 0.0;
    self->before_slots = b->n;
    *now =
        (look){{share * b->n, mean, largest, space > 0.0 ? filled / m * b->n / space : 0.0,
                self->moved ? (double)n_moved / scree_max(b->n, 1.0) : went / scree_max(used, 1.0),
                sides > 0.0 ? far / sides : 0.0, self->moved ? 2.0 : 1.0}};
}

static int has_changed(const look *a, const look *b, double factor)
{
    int changed = 0;
    for (uint32_t k = 0; k < MEASURES; k++) {
        const double x = scree_max(a->measure[k], least[k]), y = scree_max(b->measure[k], least[k]);
        changed |= x > factor * y || y > factor * x;
    }
    return changed;
}

/* ---- trials ---- */

static void tell(const automatic *self, uint32_t before)
{
    char text[512];
    size_t at = 0;
    for (uint32_t k = 0; k < self->n && at < sizeof text; k++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%sgcd/%s %.4g ms", k ? ", " : "",
                               self->all[k].in.plugin->id, 1e3 * self->all[k].seconds);
    scree_logf(self->host, before == self->chosen ? SCREE_LOG_DEBUG : SCREE_LOG_INFO,
               "%u boxes: %s; gcd/%s works from now on; to find that out took %.4g ms",
               self->boxes->n, text, self->all[self->chosen].in.plugin->id,
               1e3 * self->trial_seconds);
}

static void begin_trial(automatic *self, const look *now)
{
    self->tried = *now;
    self->round = 0;
    self->trial_seconds = 0.0;
    for (uint32_t k = 0; k < self->n; k++)
        self->all[k].seconds = HUGE_VAL;
}

static void end_trial(automatic *self)
{
    const uint32_t before = self->trials ? self->chosen : SCREE_NONE;
    self->chosen = 0;
    for (uint32_t k = 1; k < self->n; k++)
        if (self->all[k].seconds < self->all[self->chosen].seconds)
            self->chosen = k;
    self->trial_seconds -= (double)self->config->rounds * self->all[self->chosen].seconds;
    self->trial_seconds = scree_max(self->trial_seconds, 0.0);
    self->measuring += self->trial_seconds;
    self->search += (double)self->config->rounds * self->all[self->chosen].seconds;
    self->trials++;
    self->changes += before != SCREE_NONE && before != self->chosen;
    self->searches = 0;
    tell(self, before);
}

/* Moves the pairs that must be found to the front; `out` may be v. */
static uint64_t keep(const pair_filter *filter, const scree_pair *v, uint64_t n, scree_pair *out)
{
    uint64_t kept = 0;
    for (uint64_t k = 0; k < n; k++) {
        const scree_pair p = v[k];
        out[kept] = p;
        kept += (uint64_t)(filter_meets(filter, p) & filter_moved(filter, p));
    }
    return kept;
}

static pair_filter filter_of(const automatic *self, const inner *in)
{
    return (pair_filter){self->boxes, self->moved && !in->listed ? self->stamp : NULL, self->turn,
                         self->spheres};
}

/* Keeps the pairs of a GCD that must be found, and counts its other pairs. */
static void count_further(const automatic *self, candidate *c)
{
    const pair_filter filter = filter_of(self, &c->in);
    for (uint32_t k = 0; k < c->found.n_lanes; k++) {
        found_by_lane *lane = &c->found.lane[k];
        const uint64_t all = lane->n;
        lane->n = keep(&filter, lane->v, all, lane->v);
        c->further += c->in.listed || !self->moved ? all - lane->n : 0;
    }
}

static int32_t try_one(automatic *self, uint32_t k, uint32_t n_moved)
{
    candidate *c = &self->all[k];
    const double begin = clock_now();
    int32_t status = scree_inner_step(&c->in, self->boxes, self->moved, n_moved);
    if (status == SCREE_OK)
        status = scree_inner_find(&c->in, &c->found, self->boxes->n);
    const double took = clock_now() - begin;
    self->trial_seconds += took;
    if (self->round > 0)
        c->seconds = scree_min(c->seconds, took);
    if (status == SCREE_OK)
        count_further(self, c);
    return status;
}

/* One round: all GCDs search; each in its turn hands on its pairs. */
static int32_t try_all(automatic *self, uint32_t n_moved)
{
    int32_t status = SCREE_OK;
    for (uint32_t k = 0; k < self->n && status == SCREE_OK; k++)
        status = try_one(self, k, n_moved);
    self->giver = &self->all[(uint64_t)self->round % self->n];
    if (status == SCREE_OK && ++self->round == self->config->rounds)
        end_trial(self);
    return status;
}

/* ---- a step ---- */

static int wants_trial(automatic *self, const look *now)
{
    const double spent = (double)self->searches * self->all[self->chosen].seconds;
    if (!self->trials)
        return 1;
    return has_changed(now, &self->tried, self->config->change) &&
           self->trial_seconds <= self->config->budget * spent;
}

/* Only the chosen GCD works; the others lose track of moved boxes. */
static int32_t work(automatic *self, uint32_t n_moved)
{
    candidate *c = &self->all[self->chosen];
    for (uint32_t k = 0; k < self->n; k++)
        self->all[k].in.in_step &= k == self->chosen;
    self->giver = self->host->lanes > 1 && (c->in.plugin->flags & SCREE_CAP_SERIAL) ? c : NULL;
    int32_t status = scree_inner_step(&c->in, self->boxes, self->moved, n_moved);
    if (status == SCREE_OK && self->giver)
        status = scree_inner_find(&c->in, &c->found, self->boxes->n);
    self->searches++;
    self->search += c->seconds;
    return status;
}

static int32_t mark_moved(automatic *self, uint32_t n_moved)
{
    const uint64_t known = self->room;
    if (!scree_grow(&self->stamp, &self->room, self->boxes->n, sizeof *self->stamp))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "auto: out of memory");
    if (self->room > known)
        memset(self->stamp + known, 0, (self->room - known) * sizeof *self->stamp);
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
    look now;
    self->boxes = boxes;
    self->moved = moved;
    *n_pivots = 0;
    int32_t status = moved ? mark_moved(self, n_moved) : SCREE_OK;
    if (status != SCREE_OK)
        return status;
    look_at(self, n_moved, &now);
    if (self->round == self->config->rounds && wants_trial(self, &now))
        begin_trial(self, &now);
    status = self->round < self->config->rounds ? try_all(self, n_moved) : work(self, n_moved);
    *n_pivots =
        self->giver ? scree_found_pieces(&self->giver->found) : self->all[self->chosen].in.n_pivots;
    return status;
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    automatic *self = instance;
    int32_t status = SCREE_OK;
    self->spheres = flags & SCREE_GCD_SPHERES;
    self->before_slots = 0;
    for (uint32_t k = 0; k < self->n && status == SCREE_OK; k++)
        status = scree_inner_init(&self->all[k].in, boxes, flags);
    return status;
}

/* ---- what is handed on ---- */

typedef struct through {
    const automatic *self;
    const inner *in;
    scree_pair_sink *to;
    scree_pair *given;
    pair_filter filter;
} through;

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
            return scree_inner_blame(t->in, t->given[k], n_boxes);
    return t->to->commit(t->to, keep(&t->filter, t->given, n, t->given));
}

static int32_t emit(const void *owner, const scree_pair *v, uint64_t n, scree_pair_sink *sink)
{
    const automatic *self = owner;
    const pair_filter filter = filter_of(self, &self->giver->in);
    scree_pair *out;
    const int32_t status = sink->reserve(sink, n, &out);
    return status == SCREE_OK ? sink->commit(sink, keep(&filter, v, n, out)) : status;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const automatic *self = instance;
    const candidate *c = &self->all[self->chosen];
    const inner *in = &c->in;
    if (self->giver)
        return scree_found_each(&self->giver->found, first, last, emit, self, sink);
    if ((!self->config->exact || !c->further) && (in->listed || !self->moved))
        return in->ops->find_neighbors(in->self, first, last, sink);
    through t = {self, in, sink, NULL, filter_of(self, in)};
    scree_pair_sink between = {.size = sizeof between,
                               .lane = sink->lane,
                               .ctx = &t,
                               .reserve = reserve_through,
                               .commit = commit_kept};
    return in->ops->find_neighbors(in->self, first, last, &between);
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const automatic *self = instance;
    const inner *in = &self->all[self->chosen].in;
    return scree_inner_objects(self->giver ? &self->giver->in : in, self->boxes, zone, sink);
}

/* ---- the plugin ---- */

static void destroy(void *instance)
{
    automatic *self = instance;
    if (!self)
        return;
    if (self->trials)
        scree_logf(self->host, SCREE_LOG_INFO,
                   "%u trials, %u changes; they took %.4g s next to %.4g s of searches, about; "
                   "gcd/%s at the end",
                   self->trials, self->changes, self->measuring, self->search,
                   self->all[self->chosen].in.plugin->id);
    for (uint32_t k = 0; k < self->n; k++) {
        scree_inner_free(&self->all[k].in);
        scree_found_free(&self->all[k].found);
    }
    free(self->stamp);
    free(self);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    automatic *self = calloc(1, sizeof *self);
    const settings *s = config;
    const scree_plugin_ref *const refs[MOST] = {s->first,  s->second, s->third,
                                                s->fourth, s->fifth,  s->sixth};
    int32_t status = SCREE_OK;
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "auto: out of memory");
    self->host = host;
    self->config = s;
    self->round = s->rounds;
    for (uint32_t k = 0; k < MOST && status == SCREE_OK; k++) {
        if (!refs[k])
            continue;
        candidate *c = &self->all[self->n++];
        status = scree_inner_make(&c->in, host, refs[k]);
        if (status == SCREE_OK)
            status = scree_found_make(&c->found, host);
    }
    if (status == SCREE_OK)
        *instance = self;
    else
        destroy(self);
    return status;
}

static uint64_t bytes(void *instance)
{
    const automatic *self = instance;
    uint64_t sum = sizeof *self + self->room * sizeof *self->stamp;
    for (uint32_t k = 0; k < self->n; k++)
        sum += scree_inner_bytes(&self->all[k].in) + scree_found_bytes(&self->all[k].found);
    return sum;
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

INNER_PARAM(settings, first, 0, "grid", "a GCD that is tried");
INNER_PARAM(settings, second, 0, "hgrid", "another GCD that is tried");
INNER_PARAM(settings, third, 0, "bvh", "another GCD that is tried");
INNER_PARAM(settings, fourth, SCREE_PARAM_OPTIONAL, NULL, "another GCD that is tried");
INNER_PARAM(settings, fifth, SCREE_PARAM_OPTIONAL, NULL, "another GCD that is tried");
INNER_PARAM(settings, sixth, SCREE_PARAM_OPTIONAL, NULL, "another GCD that is tried");
SCREE_INT_PARAM(settings, rounds, 0, 3, 2, 1000,
                "searches of a trial; the first is not timed, of the others the fastest counts");
SCREE_REAL_PARAM(settings, change, "-", 0, 1.5, 1, 1e6,
                 "they are tried again when number, sizes, density or motion of the boxes have "
                 "changed by this factor");
SCREE_BOOL_PARAM(settings, exact, 0, 1,
                 "the same pairs with each inner GCD; false: and further ones, as it gives them, "
                 "which is faster");
SCREE_REAL_PARAM(settings, budget, "-", 0, 0.02, 0, 1e6,
                 "cost of a trial, as a share of the time of the searches since the last one");
static const scree_param *const params[] = {
    &param_first, &param_second, &param_third,  &param_fourth, &param_fifth,
    &param_sixth, &param_rounds, &param_change, &param_budget, &param_exact};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .flags = SCREE_CAP_INCREMENTAL,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "auto",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "the fastest of several GCDs, as timed on the live state",
    .summary =
        "The inner GCDs are timed on the state at hand, the fastest one works, and they are timed "
        "again when number, sizes, density or motion of the boxes have changed and a trial can be "
        "paid. Timings choose; the pairs, and so the state, are the same with each inner GCD. A "
        "line reports each change and the cost of its trials.",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&descriptor);
