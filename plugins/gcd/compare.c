/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two global contact detections on one state: passes on the pairs of the first, and compares them.
 *
 * Idea     Both inner GCDs search the same boxes. A pair that must be found (gcd.h) may not be
 *          missing on either side, and no pair may come twice; the first fault is an error that
 *          names the GCD that missed it, the boxes and, from the host, the bodies. Further pairs
 *          are allowed and counted: the share of a GCD's pairs that had to be found is its
 *          *accuracy*. At the end of a run a line for each reports searches, pairs, accuracy, what
 *          it missed, and time. With `faults = count` missed and repeated pairs are only counted:
 *          for methods that are run as a paper prints them.
 * Steps    1. Both search the whole state, each on all lanes, the first one first; the clock is
 *             read around each.
 *          2. Pairs are sorted by lower, then by higher number: two passes of counting.
 *          3. The two lists are merged; a pair that had to be found and that only one list has is a
 *             fault.
 *          4. Pivots are pieces of the first GCD's pairs.
 *
 * Cost     Both searches, and some 30 ns per pair. Memory: both GCDs', and 32 bytes per pair.
 *
 * Deviations  None: it has no source.
 *
 * Limits   A pair that both miss is not noticed: the second GCD should be a trusted one, such as
 *          gcd/bounding_volume, or use another principle. The result of find_objects is the first
 *          one's and is not compared.
 */
#include <scree/draft/suspect.h>

#include "inner/clock.h"
#include "inner/inner.h"

#define SIDES 2u

#define FAULTS_END 0
#define FAULTS_COUNT 1

typedef struct settings {
    const scree_plugin_ref *first, *second;
    int64_t every;
    int32_t faults, unused; // FAULTS_*
} settings;

/* A pair as one number that sorts by lower, then higher box. */
typedef uint64_t pair_key;

typedef struct side {
    inner in;
    found_pairs found;
    pair_key *keys;
    uint64_t room, n;
    uint64_t searches, pairs, needed, missed, twice; // counts over the compared searches
    double seconds;
} side;

typedef struct compare {
    const scree_host *host;
    const settings *config;
    side side[SIDES];
    pair_key *buffer; // second buffer for sorting
    uint64_t *count;  // [n + 1] counts for sorting
    uint32_t *stamp;  // [slot] `turn`: it has moved
    uint64_t room[3];
    uint64_t n_searches;
    uint32_t turn, spheres;
    int suspicious; // `suspect` was missed, or came twice
    scree_pair suspect;
    const scree_boxes *boxes;
    const uint32_t *moved; // NULL: all
} compare;

static const char *const side_names[SIDES] = {"first", "second"};

/* ---- sorting ---- */

/* Sorts keys by the 32 bits from `shift` on; stable. */
static void sort_by(const pair_key *SCREE_RESTRICT from, pair_key *SCREE_RESTRICT to, uint64_t n,
                    uint32_t shift, uint64_t *SCREE_RESTRICT count, uint32_t n_boxes)
{
    uint64_t sum = 0;
    memset(count, 0, ((uint64_t)n_boxes + 1) * sizeof *count);
    for (uint64_t k = 0; k < n; k++)
        count[(uint32_t)(from[k] >> shift)]++;
    for (uint32_t b = 0; b < n_boxes; b++) {
        const uint64_t members = count[b];
        count[b] = sum;
        sum += members;
    }
    for (uint64_t k = 0; k < n; k++)
        to[count[(uint32_t)(from[k] >> shift)]++] = from[k];
}

static pair_key key_of(scree_pair p)
{
    const uint64_t lower = p.a < p.b ? p.a : p.b, higher = p.a < p.b ? p.b : p.a;
    return lower << 32 | higher;
}

static scree_pair pair_of(pair_key key)
{
    return (scree_pair){(uint32_t)(key >> 32), (uint32_t)key};
}

/* The pairs of a side that count, as sorted keys. */
static int32_t sort_side(compare *self, side *s, const pair_filter *filter)
{
    const uint32_t n_boxes = self->boxes->n;
    uint64_t n = 0;
    if (!scree_grow(&s->keys, &s->room, s->found.n, sizeof *s->keys) ||
        !scree_grow(&self->buffer, &self->room[0], s->found.n, sizeof *self->buffer) ||
        !scree_grow(&self->count, &self->room[1], (uint64_t)n_boxes + 1, sizeof *self->count))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "compare: out of memory");
    for (uint32_t k = 0; k < s->found.n_lanes; k++) {
        const found_by_lane *lane = &s->found.lane[k];
        for (uint64_t p = 0; p < lane->n; p++) {
            s->keys[n] = key_of(lane->v[p]);
            n += (uint64_t)filter_moved(filter, lane->v[p]);
        }
    }
    s->n = n;
    sort_by(s->keys, self->buffer, n, 0, self->count, n_boxes);
    sort_by(self->buffer, s->keys, n, 32, self->count, n_boxes);
    return SCREE_OK;
}

/* ---- what differs ---- */

static void show_box(char *text, size_t size, const scree_boxes *b, uint32_t i)
{
    size_t at = 0;
    for (uint32_t k = 0; k < b->dimension && at < size; k++)
        at += (size_t)snprintf(text + at, size - at, "%s%.9g..%.9g", k ? ", " : "", b->lo[k][i],
                               b->hi[k][i]);
}

/* Reports side `guilty` for a pair. */
static int32_t blame(compare *self, uint32_t guilty, pair_key key, const char *sin)
{
    const scree_pair p = pair_of(key);
    char a[160], b[160], text[768];
    show_box(a, sizeof a, self->boxes, p.a);
    show_box(b, sizeof b, self->boxes, p.b);
    snprintf(text, sizeof text,
             "gcd/%s (%s) %s the pair (%u, %u) of %u boxes; gcd/%s (%s) did not; box %u: %s m; "
             "box %u: %s m",
             self->side[guilty].in.plugin->id, side_names[guilty], sin, p.a, p.b, self->boxes->n,
             self->side[!guilty].in.plugin->id, side_names[!guilty], p.a, a, p.b, b);
    self->suspicious = 1;
    self->suspect = p;
    return self->host->fail(self->host->ctx, SCREE_E_INTERNAL, text);
}

/* Takes out pairs that came before, and counts them, or blames the side for the first. */
static int32_t take_twice(compare *self, uint32_t guilty)
{
    side *s = &self->side[guilty];
    uint64_t n = 0;
    for (uint64_t k = 0; k < s->n; k++) {
        const int twice = k && s->keys[k - 1] == s->keys[k];
        if (twice && self->config->faults == FAULTS_END)
            return blame(self, guilty, s->keys[k], "gave twice");
        s->keys[n] = s->keys[k];
        n += !twice;
    }
    s->twice += s->n - n;
    s->n = n;
    return SCREE_OK;
}

/* Counts the pairs that had to be found, and those of them that one side misses, or blames it for
 * the first. */
static int32_t merge(compare *self, const pair_filter *filter)
{
    side *s = self->side;
    uint64_t at[SIDES] = {0, 0};
    while (at[0] < s[0].n || at[1] < s[1].n) {
        const pair_key a = at[0] < s[0].n ? s[0].keys[at[0]] : UINT64_MAX;
        const pair_key b = at[1] < s[1].n ? s[1].keys[at[1]] : UINT64_MAX;
        const int needed = filter_meets(filter, pair_of(a < b ? a : b));
        if (a != b && needed && self->config->faults == FAULTS_END)
            return blame(self, a < b, a < b ? a : b, "missed");
        s[0].missed += (uint64_t)(needed & (b < a));
        s[1].missed += (uint64_t)(needed & (a < b));
        s[0].needed += (uint64_t)(needed & (a <= b));
        s[1].needed += (uint64_t)(needed & (b <= a));
        at[0] += a <= b;
        at[1] += b <= a;
    }
    return SCREE_OK;
}

static int32_t compare_sides(compare *self, const pair_filter *filter)
{
    int32_t status = SCREE_OK;
    for (uint32_t k = 0; k < SIDES && status == SCREE_OK; k++)
        status = sort_side(self, &self->side[k], filter);
    for (uint32_t k = 0; k < SIDES && status == SCREE_OK; k++)
        status = take_twice(self, k);
    if (status != SCREE_OK)
        return status;
    for (uint32_t k = 0; k < SIDES; k++) {
        self->side[k].searches++;
        self->side[k].pairs += self->side[k].n;
    }
    return merge(self, filter);
}

/* ---- a step ---- */

static int32_t search(compare *self, side *s, uint32_t n_moved, double *seconds)
{
    const double begin = clock_now();
    int32_t status = scree_inner_step(&s->in, self->boxes, self->moved, n_moved);
    if (status == SCREE_OK)
        status = scree_inner_find(&s->in, &s->found, self->boxes->n);
    *seconds += clock_now() - begin;
    return status;
}

static int32_t mark_moved(compare *self, uint32_t n_moved)
{
    const uint64_t known = self->room[2];
    if (!scree_grow(&self->stamp, &self->room[2], self->boxes->n, sizeof *self->stamp))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "compare: out of memory");
    if (self->room[2] > known)
        memset(self->stamp + known, 0, (self->room[2] - known) * sizeof *self->stamp);
    if (++self->turn == 0) { // after 2^32 turns
        memset(self->stamp, 0, self->room[2] * sizeof *self->stamp);
        self->turn = 1;
    }
    for (uint32_t k = 0; k < n_moved; k++)
        self->stamp[self->moved[k]] = self->turn;
    return SCREE_OK;
}

static pair_filter filter_of(const compare *self)
{
    return (pair_filter){self->boxes, self->moved ? self->stamp : NULL, self->turn, self->spheres};
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    compare *self = instance;
    const int compared = self->n_searches++ % (uint64_t)self->config->every == 0;
    double unused = 0.0;
    self->boxes = boxes;
    self->moved = moved;
    self->suspicious = 0;
    int32_t status = moved ? mark_moved(self, n_moved) : SCREE_OK;
    if (status == SCREE_OK)
        status = search(self, &self->side[0], n_moved, compared ? &self->side[0].seconds : &unused);
    if (status == SCREE_OK && compared)
        status = search(self, &self->side[1], n_moved, &self->side[1].seconds);
    else
        self->side[1].in.in_step = 0;
    if (status == SCREE_OK && compared) {
        const pair_filter filter = filter_of(self);
        status = compare_sides(self, &filter);
    }
    *n_pivots = scree_found_pieces(&self->side[0].found);
    return status;
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    compare *self = instance;
    int32_t status = SCREE_OK;
    self->spheres = flags & SCREE_GCD_SPHERES;
    for (uint32_t k = 0; k < SIDES && status == SCREE_OK; k++)
        status = scree_inner_init(&self->side[k].in, boxes, flags & ~SCREE_GCD_CONFORMAL);
    return status;
}

static int32_t emit(const void *owner, const scree_pair *v, uint64_t n, scree_pair_sink *sink)
{
    const compare *self = owner;
    const pair_filter filter = filter_of(self);
    scree_pair *out;
    uint64_t kept = 0;
    const int32_t status = sink->reserve(sink, n, &out);
    if (status == SCREE_OK)
        for (uint64_t k = 0; k < n; k++) {
            out[kept] = v[k];
            kept += (uint64_t)filter_moved(&filter, v[k]);
        }
    return status == SCREE_OK ? sink->commit(sink, kept) : status;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const compare *self = instance;
    return scree_found_each(&self->side[0].found, first, last, emit, self, sink);
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const inner *in = &((const compare *)instance)->side[0].in;
    return in->ops->find_objects(in->self, zone, sink);
}

/* ---- the plugin ---- */

static void report(const compare *self)
{
    for (uint32_t k = 0; k < SIDES && self->side[0].searches; k++) {
        const side *s = &self->side[k];
        char faults[120] = "";
        if (self->config->faults == FAULTS_COUNT)
            snprintf(faults, sizeof faults,
                     "%llu missed (%.3g %% of all that had to be), %llu twice, ",
                     (unsigned long long)s->missed,
                     s->missed ? 100.0 * (double)s->missed / (double)(s->needed + s->missed) : 0.0,
                     (unsigned long long)s->twice);
        scree_logf(self->host, SCREE_LOG_INFO,
                   "%s, gcd/%s: %llu searches, %.1f pairs each, %.2f %% of them had to be found, "
                   "%s%.4g ms each (%.2f times the other's)",
                   side_names[k], s->in.plugin->id, (unsigned long long)s->searches,
                   (double)s->pairs / (double)s->searches,
                   s->pairs ? 100.0 * (double)s->needed / (double)s->pairs : 100.0, faults,
                   1e3 * s->seconds / (double)s->searches, s->seconds / self->side[!k].seconds);
    }
}

static void destroy(void *instance)
{
    compare *self = instance;
    if (!self)
        return;
    report(self);
    for (uint32_t k = 0; k < SIDES; k++) {
        scree_inner_free(&self->side[k].in);
        scree_found_free(&self->side[k].found);
        free(self->side[k].keys);
    }
    free(self->buffer);
    free(self->count);
    free(self->stamp);
    free(self);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    compare *self = calloc(1, sizeof *self);
    int32_t status = SCREE_OK;
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "compare: out of memory");
    self->host = host;
    self->config = config;
    for (uint32_t k = 0; k < SIDES && status == SCREE_OK; k++) {
        status = scree_inner_make(&self->side[k].in, host,
                                  k ? self->config->second : self->config->first);
        if (status == SCREE_OK)
            status = scree_found_make(&self->side[k].found, host);
    }
    if (status == SCREE_OK)
        *instance = self;
    else
        destroy(self);
    return status;
}

static uint64_t bytes(void *instance)
{
    const compare *self = instance;
    uint64_t sum = sizeof *self + self->room[0] * sizeof *self->buffer +
                   self->room[1] * sizeof *self->count + self->room[2] * sizeof *self->stamp;
    for (uint32_t k = 0; k < SIDES; k++)
        sum += scree_inner_bytes(&self->side[k].in) + scree_found_bytes(&self->side[k].found) +
               self->side[k].room * sizeof *self->side[k].keys;
    return sum;
}

static int32_t suspect_pair(void *instance, scree_pair *pair)
{
    const compare *self = instance;
    *pair = self->suspect;
    return self->suspicious;
}

static const scree_suspect suspect = {.size = sizeof(scree_suspect), .pair = suspect_pair};

static int32_t show_cells(void *instance, const scree_layout_sink *sink)
{
    const compare *self = instance;
    return scree_inner_cells(&self->side[0].in, sink);
}

static const scree_layout layout = {.size = sizeof(scree_layout), .cells = show_cells};

static const void *get_extension(const char *name)
{
    return strcmp(name, SCREE_DRAFT_SUSPECT) == 0  ? (const void *)&suspect
           : strcmp(name, SCREE_DRAFT_LAYOUT) == 0 ? &layout
                                                   : NULL;
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

INNER_PARAM(settings, first, 0, "grid", "the GCD whose pairs are used");
INNER_PARAM(settings, second, 0, "dess", "the GCD that it is compared with");
SCREE_INT_PARAM(settings, every, 0, 1, 1, INT64_MAX, "one search of so many is compared");
SCREE_CHOICE_VALUE(end, FAULTS_END, "the first one ends the run, with its boxes and bodies");
SCREE_CHOICE_VALUE(count, FAULTS_COUNT,
                   "the lines at the end count them; the run has the first's pairs");
SCREE_CHOICE_PARAM(settings, faults, 0, "end",
                   "what a pair does that one of them misses, or gives twice: end, or count",
                   &choice_end, &choice_count);
static const scree_param *const params[] = {&param_first, &param_second, &param_every,
                                            &param_faults};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .flags = SCREE_CAP_INCREMENTAL,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "compare",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "two GCDs on one state: the pairs of the first, and what differs",
    .summary =
        "Both search the same boxes. A pair that must be found and that one of them misses, or "
        "gives twice, ends the run with its boxes and bodies, or is counted. At the end of a "
        "run a line for each reports pairs, accuracy (the share of its pairs that had to be found) "
        "and time.",
    .citation = NULL,
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&descriptor);
