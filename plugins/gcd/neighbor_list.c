/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by lists of neighbours that last for several steps, over any other GCD.
 *
 * Sources  [1] Lecture on coarse contact detection in DEM: nearest neighbour (list of all within
 *          R_nbr, and when it is made again). [2] Verlet, L. (1967): Computer "experiments" on
 *          classical fluids, Phys. Rev. 159, 98-103. [3] O'Connor, R. M. (1996): A distributed
 *          discrete element modeling environment, thesis, MIT, section 2.2.
 * Idea     The inner GCD sees boxes that are larger by a skin. Its pairs are a list; while each box
 *          stays inside its larger one, no pair of boxes that overlap can be missing from it, and
 *          all that a step costs is a look at each box and each pair.
 * Steps    1. Each box is compared with its larger box from the time of the list.
 *          2. When a box has left, appeared, or the number of boxes has changed, the boxes are
 *             grown by d = skin * side on each side (`side`: the largest side of the median box, by
 *             classes of powers of two) and the inner GCD finds the pairs of the grown ones. When
 *             three lists in a row serve for one search each, the skin does not pay: the next 32
 *             lists are made without it.
 *          3. Pivots are pieces of the list; its pairs that overlap now are reported. Given a list
 *             of moved boxes, step 1 looks only at these, and step 3 only at their pairs.
 *
 * Cost     The inner GCD's cost, divided by the searches that a list serves, plus some 2 ns per box
 *          and 2 to 3 ns per pair of the list; the list has (1 + skin)^2 or (1 + skin)^3 times more
 *          pairs. Memory: the inner GCD's, 8 bytes per pair of the list, 144 per box (the boxes at
 *          the time of the list and the current ones, side by side), 32 more with spheres, 4 more
 *          with lists of moved ones.
 *
 *          It gains on gcd/grid by itself where boxes move little in a step, against their size.
 *
 * Deviations  [1] prints: a new list when twice the largest displacement since reaches R_nbr. That
 *         misses contacts: with radii of 1 and R_nbr = 3 two bodies 3.01 apart are not on the list
 *         and touch after 1.01 of relative travel, long before 3. The margin that may be used up is
 *         R_nbr less the largest sum of two radii. Boxes have neither velocities nor radii: a side
 *         of a box uses up the skin as far as it has moved outwards, by travel of the centre and by
 *         growth; a bounding sphere as far as its centre has moved and its radius has grown. Each
 *         side of each body is compared as it is now, without sums of the largest speeds over the
 *         steps.
 *
 * Limits   One box that leaves its larger one renews the whole list: the method suits scenes in
 *         which all bodies move slowly (quasi-static flows, as [1] says). Nothing is gained over
 *         the host's own extents, which are the same idea: with `extent` off the list is all there
 *         is.
 */
#include "inner/inner.h"

#define GRAIN 8192u /* boxes per chunk */
#define CLASSES 2048u
#define SHORT_LIVED 3u
#define BARE 32u /* number of lists without skin */

typedef struct settings {
    const scree_plugin_ref *inner;
    double skin; // [-] skin over the side of the median box
} settings;

/* A box as it is now, in a line of memory of its own. */
typedef struct box_now {
    double lo[3], hi[3]; // [m]
    double unused[2];
} box_now;

typedef struct ball_now {
    double centre[3], radius; // [m]
} ball_now;

/* How many boxes have left; each lane counts on a line of its own. */
typedef struct lane_count {
    uint64_t left, unused[7];
} lane_count;

typedef struct neighbor_list {
    const scree_host *host;
    const settings *config;
    inner in;
    found_pairs found;
    scree_boxes boxes; // current boxes
    scree_boxes grown; // larger boxes from the time of the list; their arrays are in `memory`
    double *memory;
    box_now *now;
    ball_now *balls;
    uint32_t *stamp; // [slot] `turn`: it has moved
    lane_count *count;
    uint64_t room[4];
    const uint32_t *moved; // moved boxes; NULL: all
    const uint32_t *only;  // boxes to look at; NULL: all
    uint32_t n_moved, turn;
    uint32_t spheres, valid; // valid: a list exists, for grown.n slots
    uint32_t age, short_lived, bare;
} neighbor_list;

/* ---- step 1: does the list still serve? ---- */

/* Does the bounding sphere lie within the larger one? Huge and tiny lengths are not squared. */
static int ball_within(const scree_boxes *g, const scree_boxes *b, uint32_t i)
{
    const double spare = g->radius[i] * (1.0 - 1e-12) - b->radius[i];
    const double scale = 1.0 / spare;
    double most = 0.0, sum = 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        const double d = b->centre[k][i] - g->centre[k][i];
        most = scree_max(most, d < 0.0 ? -d : d);
        sum += d * scale * (d * scale);
    }
    return (spare >= 0.0) & ((most <= 0.0) | (sum <= 1.0));
}

static int box_within(const scree_boxes *g, const scree_boxes *b, uint32_t i)
{
    return (g->lo[0][i] <= b->lo[0][i]) & (b->hi[0][i] <= g->hi[0][i]) &
           (g->lo[1][i] <= b->lo[1][i]) & (b->hi[1][i] <= g->hi[1][i]) &
           (g->lo[2][i] <= b->lo[2][i]) & (b->hi[2][i] <= g->hi[2][i]);
}

/* Copies box i; 1 when it has left its larger one. */
static uint64_t look_at(neighbor_list *self, uint32_t i, int judged)
{
    const scree_boxes *b = &self->boxes, *g = &self->grown;
    for (uint32_t k = 0; k < 3; k++) {
        self->now[i].lo[k] = b->lo[k][i];
        self->now[i].hi[k] = b->hi[k][i];
    }
    if (self->spheres) {
        for (uint32_t k = 0; k < 3; k++)
            self->balls[i].centre[k] = b->centre[k][i];
        self->balls[i].radius = b->radius[i];
    }
    if (!judged || scree_box_empty(b, i))
        return 0;
    return !(box_within(g, b, i) && (!self->spheres || ball_within(g, b, i)));
}

static int32_t look_at_some(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    neighbor_list *self = user;
    const int judged = self->valid && self->grown.n == self->boxes.n;
    uint64_t left = 0;
    for (uint64_t k = begin; k < end; k++)
        left += look_at(self, self->only ? self->only[k] : (uint32_t)k, judged);
    self->count[lane].left += left;
    return SCREE_OK;
}

/* Sets *left when a new list is needed. */
static int32_t look(neighbor_list *self, int *left)
{
    const scree_host *host = self->host;
    uint64_t sum = !self->valid || self->grown.n != self->boxes.n;
    for (uint32_t k = 0; k < host->lanes; k++)
        self->count[k].left = 0;
    self->only = self->valid ? self->moved : NULL; // boxes that are not listed were copied before
    const int32_t status = host->parallel_for(
        host->ctx, 0, self->only ? self->n_moved : self->boxes.n, GRAIN, look_at_some, self);
    for (uint32_t k = 0; k < host->lanes; k++)
        sum += self->count[k].left;
    *left = sum > 0;
    return status;
}

/* ---- step 2: a new list ---- */

static double largest_side(const scree_boxes *b, uint32_t i)
{
    double side = 0.0;
    for (uint32_t k = 0; k < b->dimension; k++)
        side = scree_max(side, b->hi[k][i] - b->lo[k][i]);
    return side;
}

static uint32_t class_of(double side)
{
    uint64_t bits;
    memcpy(&bits, &side, sizeof bits);
    return (uint32_t)(bits >> 52) & (CLASSES - 1);
}

/* The mean of the largest sides in the class of the median one; 0 when it is not finite. */
static double median_side(const scree_boxes *b)
{
    uint32_t members[CLASSES] = {0}, n = 0, median = 0;
    double sum = 0.0;
    for (uint32_t i = 0; i < b->n; i++) {
        const uint32_t used = !scree_box_empty(b, i);
        members[used ? class_of(largest_side(b, i)) : 0] += used;
        n += used;
    }
    for (uint32_t below = members[0]; median + 1 < CLASSES && below * 2 < n;)
        below += members[++median];
    for (uint32_t i = 0; i < b->n; i++) {
        const double side = scree_box_empty(b, i) ? 0.0 : largest_side(b, i);
        sum += class_of(side) == median ? side / scree_max(members[median], 1.0) : 0.0;
    }
    return sum < HUGE_VAL ? sum : 0.0;
}

static double *column(const neighbor_list *self, uint32_t k)
{
    return self->memory + k * (self->room[0] / 10);
}

/* Grows the box by d, within the range of a double; empty boxes stay empty. */
static void grow_box(neighbor_list *self, uint32_t i, double d)
{
    const scree_boxes *b = &self->boxes;
    const int used = !scree_box_empty(b, i);
    for (uint32_t k = 0; k < 3; k++) {
        const double by = used && k < b->dimension ? d : 0.0;
        const double lo = b->lo[k][i] - by, hi = b->hi[k][i] + by;
        column(self, k)[i] = lo > -HUGE_VAL ? lo : b->lo[k][i];
        column(self, 3 + k)[i] = hi < HUGE_VAL ? hi : b->hi[k][i];
        column(self, 6 + k)[i] = b->centre[k][i];
    }
    const double radius = (b->radius[i] + (used ? d : 0.0)) * (1.0 + 2e-12);
    column(self, 9)[i] = radius < HUGE_VAL ? radius : b->radius[i];
}

/* Views the arrays of the larger boxes as scree_boxes. */
static void view_grown(neighbor_list *self)
{
    scree_boxes *g = &self->grown;
    *g = self->boxes;
    for (uint32_t k = 0; k < 3; k++) {
        g->lo[k] = column(self, k);
        g->hi[k] = column(self, 3 + k);
        g->centre[k] = column(self, 6 + k);
    }
    g->radius = column(self, 9);
}

static double choose_skin(neighbor_list *self)
{
    self->short_lived = self->valid && self->age <= 1 ? self->short_lived + 1 : 0;
    if (self->bare)
        self->bare--;
    else if (self->short_lived >= SHORT_LIVED)
        self->bare = BARE;
    self->short_lived = self->bare ? 0 : self->short_lived;
    return self->bare ? 0.0 : self->config->skin * median_side(&self->boxes);
}

static int32_t renew(neighbor_list *self)
{
    const double d = choose_skin(self);
    view_grown(self);
    for (uint32_t i = 0; i < self->boxes.n; i++)
        grow_box(self, i, d);
    self->valid = 0;
    self->age = 0;
    int32_t status = scree_inner_step(&self->in, &self->grown, NULL, 0);
    if (status == SCREE_OK)
        status = scree_inner_find(&self->in, &self->found, self->boxes.n);
    self->valid = status == SCREE_OK;
    return status;
}

/* ---- a step ---- */

static int32_t make_room(neighbor_list *self, uint32_t n)
{
    const uint64_t padded = ((uint64_t)n + 7) / 8 * 8;
    if (padded * 10 > self->room[0]) { // its data do not outlive a resize
        const uint64_t some = (padded + padded / 2) / 8 * 8;
        free(self->memory);
        self->memory = aligned_alloc(64, some * 10 * sizeof(double));
        self->room[0] = self->memory ? some * 10 : 0;
        self->valid = 0;
    }
    const uint64_t known = self->room[3];
    if ((!self->memory && n) ||
        !scree_grow(&self->now, &self->room[1], (uint64_t)n + 1, sizeof *self->now) ||
        (self->spheres && !scree_grow(&self->balls, &self->room[2], n, sizeof *self->balls)) ||
        (self->moved && !scree_grow(&self->stamp, &self->room[3], n, sizeof *self->stamp)))
        return scree_failf(self->host, SCREE_E_MEMORY, "neighbor_list: out of memory for %u boxes",
                           n);
    if (self->room[3] > known)
        memset(self->stamp + known, 0, (self->room[3] - known) * sizeof *self->stamp);
    return SCREE_OK;
}

static void stamp_moved(neighbor_list *self)
{
    if (++self->turn == 0) { // after 2^32 turns
        memset(self->stamp, 0, self->room[3] * sizeof *self->stamp);
        self->turn = 1;
    }
    for (uint32_t k = 0; k < self->n_moved; k++)
        self->stamp[self->moved[k]] = self->turn;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    neighbor_list *self = instance;
    int left = 0;
    scree_boxes_keep(&self->boxes, boxes);
    self->moved = moved;
    self->n_moved = n_moved;
    int32_t status = make_room(self, boxes->n);
    if (status == SCREE_OK && moved)
        stamp_moved(self);
    if (status == SCREE_OK)
        status = look(self, &left);
    if (status == SCREE_OK && left)
        status = renew(self);
    self->age++;
    *n_pivots = moved && !n_moved ? 0 : scree_found_pieces(&self->found);
    return status;
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    neighbor_list *self = instance;
    self->spheres = flags & SCREE_GCD_SPHERES;
    self->valid = self->age = self->short_lived = self->bare = 0;
    // The inner boxes are larger than those whose surfaces the host knows.
    return scree_inner_init(&self->in, boxes, flags & ~SCREE_GCD_CONFORMAL);
}

/* ---- step 3: the current pairs ---- */

static inline uint64_t boxes_meet(const box_now *a, const box_now *b)
{
    return (uint64_t)((a->lo[0] <= b->hi[0]) & (b->lo[0] <= a->hi[0]) & (a->lo[1] <= b->hi[1]) &
                      (b->lo[1] <= a->hi[1]) & (a->lo[2] <= b->hi[2]) & (b->lo[2] <= a->hi[2]));
}

static inline uint64_t balls_meet(const ball_now *a, const ball_now *b)
{
    const double dx = a->centre[0] - b->centre[0], dy = a->centre[1] - b->centre[1];
    const double dz = a->centre[2] - b->centre[2], reach = a->radius + b->radius;
    return (uint64_t)(dx * dx + dy * dy + dz * dz <= reach * reach);
}

static uint64_t pick(const scree_pair *SCREE_RESTRICT v, uint64_t n,
                     const box_now *SCREE_RESTRICT now, scree_pair *SCREE_RESTRICT out)
{
    uint64_t kept = 0;
    for (uint64_t k = 0; k < n; k++) {
        out[kept] = v[k];
        kept += boxes_meet(&now[v[k].a], &now[v[k].b]);
    }
    return kept;
}

static uint64_t drop_apart(scree_pair *v, uint64_t n, const ball_now *balls)
{
    uint64_t kept = 0;
    for (uint64_t k = 0; k < n; k++) {
        const scree_pair p = v[k];
        v[kept] = p;
        kept += balls_meet(&balls[p.a], &balls[p.b]);
    }
    return kept;
}

static uint64_t drop_unmoved(scree_pair *v, uint64_t n, const uint32_t *stamp, uint32_t turn)
{
    uint64_t kept = 0;
    for (uint64_t k = 0; k < n; k++) {
        const scree_pair p = v[k];
        v[kept] = p;
        kept += (uint64_t)((stamp[p.a] == turn) | (stamp[p.b] == turn));
    }
    return kept;
}

static int32_t emit(const void *owner, const scree_pair *v, uint64_t n, scree_pair_sink *sink)
{
    const neighbor_list *self = owner;
    scree_pair *out;
    const int32_t status = sink->reserve(sink, n, &out);
    if (status != SCREE_OK)
        return status;
    n = pick(v, n, self->now, out);
    if (self->spheres)
        n = drop_apart(out, n, self->balls);
    if (self->moved)
        n = drop_unmoved(out, n, self->stamp, self->turn);
    return sink->commit(sink, n);
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const neighbor_list *self = instance;
    return scree_found_each(&self->found, first, last, emit, self, sink);
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const neighbor_list *self = instance;
    return scree_inner_objects(&self->in, &self->boxes, zone, sink);
}

/* ---- the plugin ---- */

static void destroy(void *instance)
{
    neighbor_list *self = instance;
    if (!self)
        return;
    scree_inner_free(&self->in);
    scree_found_free(&self->found);
    free(self->memory);
    free(self->now);
    free(self->balls);
    free(self->stamp);
    free(self->count);
    free(self);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    neighbor_list *self = calloc(1, sizeof *self);
    int32_t status = SCREE_OK;
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "neighbor_list: out of memory");
    self->host = host;
    self->config = config;
    self->count = calloc(host->lanes, sizeof *self->count);
    if (!self->count)
        status = host->fail(host->ctx, SCREE_E_MEMORY, "neighbor_list: out of memory");
    if (status == SCREE_OK)
        status = scree_inner_make(&self->in, host, self->config->inner);
    if (status == SCREE_OK)
        status = scree_found_make(&self->found, host);
    if (status == SCREE_OK)
        *instance = self;
    else
        destroy(self);
    return status;
}

static uint64_t bytes(void *instance)
{
    const neighbor_list *self = instance;
    return sizeof *self + scree_inner_bytes(&self->in) + scree_found_bytes(&self->found) +
           self->host->lanes * sizeof *self->count + self->room[0] * sizeof(double) +
           self->room[1] * sizeof *self->now + self->room[2] * sizeof *self->balls +
           self->room[3] * sizeof *self->stamp;
}

static int32_t show_cells(void *instance, const scree_layout_sink *sink)
{
    const neighbor_list *self = instance;
    return scree_inner_cells(&self->in, sink);
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

INNER_PARAM(settings, inner, 0, "grid", "the GCD that makes the lists");
SCREE_REAL_PARAM(settings, skin, "-", 0, 0.05, 0, 100,
                 "by how much boxes are larger for the list, on each side, over the side of the "
                 "median box");
static const scree_param *const params[] = {&param_inner, &param_skin};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .flags = SCREE_CAP_INCREMENTAL,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "neighbor_list",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "lists of neighbours that last for several steps, made by any other GCD",
    .summary =
        "The inner GCD finds the pairs of boxes that are larger by a skin; while no box has left "
        "its larger one a step only looks at that list. For bodies that move slowly, with the "
        "host's own extents switched off or small.",
    .citation = "Verlet, L. (1967): Computer \"experiments\" on classical fluids, Phys. Rev. 159, "
                "98-103",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&descriptor);
