// SPDX-License-Identifier: Apache-2.0
// Observer `mass_flow`: number and mass of the free bodies that cross a plane, and the rate.
/*
 * Writes NAME.csv, a row per observation, and NAME.gp, a gnuplot script that draws it into
 * NAME.svg. Forward is along the normal; the two directions are counted apart.
 *
 *   step, time [s]
 *   forward, backward           crossings since the start [-]
 *   mass_forward, mass_backward [kg] of them
 *   mass                        [kg] mass_forward - mass_backward
 *   rate, rate_count            [kg/s], [1/s] mass and number, forward less backward, since the row
 *                               before, per time; 0 in the first row of a run from its start
 *
 * Crossings, their mass and the previous row are the state (scree.state/1). Each checkpoint has
 * them, so that a restarted run writes the rows of an uninterrupted one.
 *
 * Idea: a body is behind the plane while (x - point) · normal < 0. Every step is checked, for any
 * interval of the rows: the path of a centre over a step is the straight line between its two ends,
 * and it crosses when the ends lie on two sides. With `radius`, or `min` and `max`, the point in
 * which the line meets the plane must lie in that ball or box. A body that comes back counts as
 * backward, so forward - backward is the change of the number of bodies in front.
 *
 * Insertion, deletion and wrapping across a periodic boundary are not crossings. The path of a
 * wrapped body is checked in each cell that it goes through. It crosses where it meets the plane
 * inside of a cell: once, even if the plane is the boundary itself.
 *
 * Limits: a body that crosses and is deleted in the same step is not seen; a body crosses when a
 * modifier puts it on the other side of the plane.
 *
 * It runs on one rank (no SCREE_CAP_RANKS): the previous place of each body is kept here, and would
 * be missing on another rank to which the body moves.
 *
 * A full disk ends the run; the whole rows until then are kept.
 *
 * Cost: per step a pass over the free bodies, on all lanes, and 44 bytes per body (twice that while
 * bodies come or go), 32 more from the first crossing on. The crossings of a step are summed by the host
 * (scree.sum/1): the same for any number of threads.
 */
#include <inttypes.h>
#include <math.h>

#include "groups.h"
#include "scree/draft/sums.h"
#include "stream.h"

#define SLACK 1e-12 // [-] rounding of a place, in parts of the brick
enum { GRAIN = 4096, FORWARD = 0, BACKWARD = 1 };
/* The sums; counts are whole numbers, exact up to 2^53. COUNT and MASS have two directions. */
enum { COUNT = 0, MASS = 2, ROWS = 4, ROW_TIME, ROW_MASS, ROW_COUNT, N_SUMS };

typedef struct flow_config {
    const char *file;
    scree_reals point, normal, min, max;
    scree_strings groups;
    double radius; // NaN: none
} flow_config;

/* Positions of the free bodies after the previous step. */
typedef struct positions {
    uint32_t n;
    uint64_t *id;
    double *x[3]; // NaN: the body was not there
    int32_t *image[3];
    uint64_t id_capacity, x_capacity[3], image_capacity[3];
} positions;

typedef struct flow {
    const flow_config *config;
    text_stream out;
    double point[3], normal[3], lo[3], hi[3];
    positions before, spare;
    uint8_t *flagged; // [chunks] 1: a body may have crossed
    uint64_t flag_capacity;
    const scree_view *view; // only while a step is checked
    const scree_summer *summer;
    const scree_names *names;
    double *crossed[4]; // [bodies] of this step, 0 between steps: COUNT and MASS, by direction
    uint64_t crossed_capacity;
    double sum[N_SUMS];
} flow;

static double height(const flow *self, const double x[3])
{
    double d = 0.0;
    for (int k = 0; k < 3; k++)
        d += (x[k] - self->point[k]) * self->normal[k];
    return d;
}

/* ---- previous positions by current numbers ---- */

static int grow_positions(positions *p, uint32_t n)
{
    int ok = scree_grow(&p->id, &p->id_capacity, (uint64_t)n + 1, sizeof *p->id);
    for (int k = 0; k < 3; k++)
        ok = ok && scree_grow(&p->x[k], &p->x_capacity[k], (uint64_t)n + 1, sizeof(double)) &&
             scree_grow(&p->image[k], &p->image_capacity[k], (uint64_t)n + 1, sizeof(int32_t));
    return ok;
}

static void copy_position(positions *to, uint32_t i, const positions *from, uint32_t j)
{
    for (int k = 0; k < 3; k++) {
        to->x[k][i] = from->x[k][j];
        to->image[k][i] = from->image[k][j];
    }
}

static int compare_ids(const void *a, const void *b)
{
    const uint64_t *one = a, *other = b;
    return one[0] < other[0] ? -1 : one[0] > other[0];
}

/* Matches bodies in any order, by a sorted list of ids; 0: out of memory. */
static int match_sorted(const positions *old, positions *fresh)
{
    uint64_t(*by_id)[2] = malloc(((size_t)old->n + 1) * sizeof *by_id);
    if (!by_id)
        return 0;
    for (uint32_t j = 0; j < old->n; j++) {
        by_id[j][0] = old->id[j];
        by_id[j][1] = j;
    }
    qsort(by_id, old->n, sizeof *by_id, compare_ids);
    for (uint32_t i = 0; i < fresh->n; i++) {
        const uint64_t key[2] = {fresh->id[i], 0};
        const uint64_t *found = bsearch(key, by_id, old->n, sizeof *by_id, compare_ids);
        if (found)
            copy_position(fresh, i, old, (uint32_t)found[1]);
    }
    free(by_id);
    return 1;
}

/* Matches bodies in one walk. This works if bodies that come and go leave the others in their
 * order. 0: it does not work. */
static int match_in_order(const positions *old, positions *fresh)
{
    uint64_t last = 0;
    uint32_t j = 0;
    for (uint32_t k = 0; k < old->n; k++)
        last = old->id[k] > last ? old->id[k] : last;
    for (uint32_t i = 0; i < fresh->n; i++) {
        if (old->n == 0 || fresh->id[i] > last)
            continue; // ids grow: the body is new
        while (j < old->n && old->id[j] != fresh->id[i])
            j++;
        if (j == old->n)
            return 0;
        copy_position(fresh, i, old, j++);
    }
    return 1;
}

/* Puts previous positions in the order of the current bodies. 0: out of memory. */
static int follow_numbers(flow *self, const scree_bodies *b)
{
    positions *fresh = &self->spare, swap;
    uint32_t n = b->n_free;
    if (self->before.n == n && (n == 0 || memcmp(self->before.id, b->id, n * sizeof *b->id) == 0))
        return 1;
    if (!grow_positions(fresh, n))
        return 0;
    fresh->n = n;
    if (n > 0)
        memcpy(fresh->id, b->id, n * sizeof *b->id);
    for (uint32_t i = 0; i < n; i++) {
        fresh->x[0][i] = fresh->x[1][i] = fresh->x[2][i] = (double)NAN;
        fresh->image[0][i] = fresh->image[1][i] = fresh->image[2][i] = 0;
    }
    if (!match_in_order(&self->before, fresh) && !match_sorted(&self->before, fresh))
        return 0;
    swap = self->before;
    self->before = self->spare;
    self->spare = swap;
    return 1;
}

/* ---- crossings ---- */

/* Is a point of the plane within the bounds, and in the brick along the axes of the bits `wrapped`? */
static int is_inside(const flow *self, const scree_cell *cell, const double x[3], uint32_t wrapped)
{
    double d2 = 0.0, r = self->config->radius;
    int inside = 1;
    for (int k = 0; k < 3; k++) {
        const int bound = (int)(wrapped >> k & 1u);
        const double slack = bound ? SLACK * (cell->hi[k] - cell->lo[k]) : 0.0;
        d2 += (x[k] - self->point[k]) * (x[k] - self->point[k]);
        inside &= x[k] >= self->lo[k] && x[k] <= self->hi[k];
        inside &= !bound || (x[k] >= cell->lo[k] - slack && x[k] <= cell->hi[k] + slack);
    }
    return inside && (isnan(r) || d2 <= r * r);
}

/* A path between two observations, and the axes along which it may leave the brick. */
typedef struct path {
    const scree_cell *cell;
    double from[3], to[3];
    uint32_t wrapped;
} path;

/* 1 forward, -1 backward, 0: seen from another cell, the path does not cross within the bounds. */
static int crossing_of(const flow *self, const path *p, const int32_t s[3])
{
    double shift[3], from[3], to[3], at[3], d0, d1;
    scree_shift(p->cell, s, shift);
    for (int k = 0; k < 3; k++) {
        from[k] = p->from[k] + shift[k];
        to[k] = p->to[k] + shift[k];
    }
    d0 = height(self, from);
    d1 = height(self, to);
    if ((d0 < 0.0) == (d1 < 0.0))
        return 0;
    for (int k = 0; k < 3; k++)
        at[k] = from[k] + (to[k] - from[k]) * (d0 / (d0 - d1));
    if (!is_inside(self, p->cell, at, p->wrapped))
        return 0;
    return d0 < 0.0 ? 1 : -1;
}

/* Looks at the path from all cells that it goes through: 1 forward, -1 backward, 0: no crossing. */
static int crossing_in_cells(const flow *self, const path *p)
{
    double lo[3], hi[3];
    int32_t s[3] = {0, 0, 0}, last[3];
    for (int k = 0; k < 3; k++) {
        const double slack = SLACK * (p->cell->hi[k] - p->cell->lo[k]);
        lo[k] = fmin(p->from[k], p->to[k]) - slack;
        hi[k] = fmax(p->from[k], p->to[k]) + slack;
        if (!(p->wrapped >> k & 1u) && scree_repeats(p->cell, k))
            lo[k] = hi[k] = 0.5 * (p->cell->lo[k] + p->cell->hi[k]); // it has not left this one
    }
    const scree_images m = scree_images_of(p->cell, lo, hi, p->cell->lo, p->cell->hi);
    for (scree_images_range(&m, 2, s, last); s[2] <= last[2]; s[2]++)
        for (scree_images_range(&m, 1, s, last); s[1] <= last[1]; s[1]++)
            for (scree_images_range(&m, 0, s, last); s[0] <= last[0]; s[0]++) {
                const int way = crossing_of(self, p, s);
                if (way)
                    return way;
            }
    return 0;
}

/* 1 forward, -1 backward, 0: body i has not crossed. */
static int crossing(const flow *self, const scree_bodies *b, uint32_t i)
{
    static const int32_t here[3] = {0, 0, 0};
    const positions *before = &self->before;
    path p = {.cell = b->cell};
    int32_t wrapped[3];
    double shift[3];
    if (isnan(before->x[0][i]))
        return 0;
    for (int k = 0; k < 3; k++) {
        wrapped[k] = b->image[k][i] - before->image[k][i];
        p.wrapped |= wrapped[k] ? 1u << k : 0u;
    }
    scree_shift(b->cell, wrapped, shift);
    for (int k = 0; k < 3; k++) {
        p.from[k] = before->x[k][i];
        p.to[k] = b->x[k][i] + shift[k];
    }
    if (!p.wrapped)
        return crossing_of(self, &p, here);
    if (scree_is_tilted(b->cell))
        p.wrapped = b->cell->repeats;
    return crossing_in_cells(self, &p);
}

static void remember(flow *self, const scree_bodies *b, uint64_t begin, uint64_t end)
{
    for (int k = 0; k < 3; k++) {
        memcpy(self->before.x[k] + begin, b->x[k] + begin, (end - begin) * sizeof(double));
        memcpy(self->before.image[k] + begin, b->image[k] + begin, (end - begin) * sizeof(int32_t));
    }
}

/* Has any body in this chunk changed sides or been wrapped? If not, the chunk is done. */
static int32_t look(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    flow *self = user;
    const scree_bodies *b = self->view->bodies;
    const positions *p = &self->before;
    int any = 0;
    (void)lane;
    for (uint64_t i = begin; i < end; i++) {
        const double from[3] = {p->x[0][i], p->x[1][i], p->x[2][i]};
        const double to[3] = {b->x[0][i], b->x[1][i], b->x[2][i]};
        any |= (height(self, from) < 0.0) != (height(self, to) < 0.0);
        any |= (b->image[0][i] != p->image[0][i]) | (b->image[1][i] != p->image[1][i]) |
               (b->image[2][i] != p->image[2][i]);
    }
    self->flagged[begin / GRAIN] = (uint8_t)any;
    if (!any)
        remember(self, b, begin, end);
    return SCREE_OK;
}

/* Makes room for the crossings of this step; new entries are 0. */
static int32_t grow_crossed(flow *self, uint32_t n)
{
    const uint64_t before = self->crossed_capacity;
    for (int k = 0; k < 4; k++) {
        uint64_t capacity = before;
        if (!scree_grow(&self->crossed[k], &capacity, (uint64_t)n + 1, sizeof(double)))
            return self->out.host->fail(self->out.host->ctx, SCREE_E_MEMORY,
                                        "no memory for the crossings of a step");
        memset(self->crossed[k] + before, 0, (capacity - before) * sizeof(double));
        self->crossed_capacity = k == 3 ? capacity : before;
    }
    return SCREE_OK;
}

/* Notes the crossings of bodies [begin, end); returns 1 if any crossed. */
static int32_t note_crossings(flow *self, uint32_t begin, uint32_t end, int *any)
{
    const scree_bodies *b = self->view->bodies;
    for (uint32_t i = begin; i < end; i++) {
        int way = crossing(self, b, i), status, kind = way > 0 ? FORWARD : BACKWARD;
        if (way == 0 || !is_of_groups(&self->config->groups, self->names, b->group[i]))
            continue;
        status = grow_crossed(self, b->n);
        if (status != SCREE_OK)
            return status;
        self->crossed[COUNT + kind][i] = 1.0;
        self->crossed[MASS + kind][i] = 1.0 / b->inv_mass[i];
        *any = 1;
    }
    return SCREE_OK;
}

/* Adds the crossings of this step to the sums, and forgets them. */
static int32_t add_crossings(flow *self, int any)
{
    double sum[4];
    const double *const none[4] = {NULL};
    int32_t status = self->summer->bodies(self->summer->ctx, 4,
                                          any ? (const double *const *)self->crossed : none, sum);
    for (int k = 0; k < 4; k++) {
        self->sum[k] += status == SCREE_OK ? sum[k] : 0.0;
        if (any)
            memset(self->crossed[k], 0, self->view->bodies->n * sizeof(double));
    }
    return status;
}

/* Counts the crossings since the previous state. */
static int32_t check_step(flow *self, const scree_view *view)
{
    const scree_bodies *b = view->bodies;
    const scree_host *host = self->out.host;
    uint64_t n = b->n_free, chunks = (n + GRAIN - 1) / GRAIN;
    int32_t status;
    int any = 0;
    if (!follow_numbers(self, b) ||
        !scree_grow(&self->flagged, &self->flag_capacity, chunks + 1, sizeof *self->flagged))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the bodies of a step");
    self->view = view;
    status = host->parallel_for(host->ctx, 0, n, GRAIN, look, self);
    if (status == SCREE_OK)
        for (uint64_t c = 0; c < chunks; c++) {
            uint64_t end = (c + 1) * GRAIN < n ? (c + 1) * GRAIN : n;
            if (!self->flagged[c])
                continue;
            status = note_crossings(self, (uint32_t)(c * GRAIN), (uint32_t)end, &any);
            if (status != SCREE_OK)
                break;
            remember(self, b, c * GRAIN, end);
        }
    if (status == SCREE_OK)
        status = add_crossings(self, any);
    self->view = NULL;
    return status;
}

/* ---- rows ---- */

static int32_t write_script(flow *self)
{
    const char *slash = strrchr(self->out.base, '/');
    const char *name = slash ? slash + 1 : self->out.base;
    int32_t status = stream_open(&self->out, ".gp");
    if (status != SCREE_OK)
        return status;
    fprintf(self->out.file,
            "# Draws %s.csv into %s.svg; in the folder of both: gnuplot %s.gp\n"
            "csv = '%s.csv'\n"
            "set datafile separator ','\n"
            "set terminal svg size 800, 600 background 'white'\n"
            "set output '%s.svg'\n"
            "set key left top noenhanced autotitle columnhead\n"
            "set xlabel 'time [s]'\n"
            "set multiplot layout 2, 1\n"
            "set ylabel 'mass [kg]'\n"
            "plot for [c = 5:7] csv using 2:c with lines title columnheader(c)\n"
            "set ylabel 'rate [kg/s]'\n"
            "plot csv using 2:8 with fsteps notitle\n"
            "unset multiplot\n",
            name, name, name, name, name);
    return stream_close(&self->out, ".gp");
}

static int32_t write_row(flow *self, const scree_view *view)
{
    FILE *file;
    double *sum = self->sum;
    double mass = sum[MASS + FORWARD] - sum[MASS + BACKWARD];
    double count = sum[COUNT + FORWARD] - sum[COUNT + BACKWARD];
    double span = sum[ROWS] > 0.0 ? view->time - sum[ROW_TIME] : 0.0;
    if (!self->out.file) {
        int32_t status = write_script(self);
        if (status == SCREE_OK)
            status = stream_open(&self->out, ".csv");
        if (status != SCREE_OK)
            return status;
        fputs("step,time,forward,backward,mass_forward,mass_backward,mass,rate,rate_count\n",
              self->out.file);
    }
    file = self->out.file;
    fprintf(file, "%" PRIu64 ",%.17g,%.0f,%.0f,%.17g,%.17g,%.17g,%.17g,%.17g\n", view->step,
            view->time, sum[COUNT + FORWARD], sum[COUNT + BACKWARD], sum[MASS + FORWARD],
            sum[MASS + BACKWARD], mass, span > 0.0 ? (mass - sum[ROW_MASS]) / span : 0.0,
            span > 0.0 ? (count - sum[ROW_COUNT]) / span : 0.0);
    sum[ROWS] += 1.0;
    sum[ROW_TIME] = view->time;
    sum[ROW_MASS] = mass;
    sum[ROW_COUNT] = count;
    // A full disk is reported when it happens, and a run can be watched.
    if (fflush(file) != 0 || ferror(file))
        return stream_fail(&self->out, ".csv");
    self->out.whole = ftello(file);
    return SCREE_OK;
}

/* A state that comes twice has no crossings: no body has moved since. */
static int32_t observe(void *instance, const scree_view *view)
{
    flow *self = instance;
    const int32_t status = check_step(self, view);
    return status == SCREE_OK && view->due ? write_row(self, view) : status;
}

/* ---- state, for a restart ---- */

static int32_t save(void *instance, const scree_state_sink *to)
{
    const flow *self = instance;
    return to->write(to->ctx, self->sum, sizeof self->sum);
}

static int32_t load(void *instance, const void *bytes, uint64_t n)
{
    flow *self = instance;
    if (n != sizeof self->sum)
        return scree_failf(self->out.host, SCREE_E_CONFIG,
                           "state: expected %zu bytes, got %" PRIu64, sizeof self->sum, n);
    memcpy(self->sum, bytes, sizeof self->sum);
    return SCREE_OK;
}

static const scree_state state = {.size = sizeof state, .save = save, .load = load};

/* ---- scalars, for conditions ---- */

/* The rates are those of the totals between two checks, independent of rows. */
static const scree_scalar scalars[] = {SCREE_SCALAR("forward", "-", 0),
                                       SCREE_SCALAR("backward", "-", 0),
                                       SCREE_SCALAR("mass_forward", "kg", 0),
                                       SCREE_SCALAR("mass_backward", "kg", 0),
                                       SCREE_SCALAR("mass", "kg", 0),
                                       SCREE_SCALAR("rate", "kg/s", SCREE_SCALAR_RATE),
                                       SCREE_SCALAR("rate_count", "1/s", SCREE_SCALAR_RATE)};

static const scree_scalar *scalar(void *instance, uint32_t k)
{
    (void)instance;
    return k < SCREE_COUNT(scalars) ? &scalars[k] : NULL;
}

static int32_t read_scalars(void *instance, const scree_view *view, double *value)
{
    const double *sum = ((const flow *)instance)->sum;
    (void)view;
    memcpy(value, sum, ROWS * sizeof *value);
    value[4] = value[5] = sum[MASS + FORWARD] - sum[MASS + BACKWARD];
    value[6] = sum[COUNT + FORWARD] - sum[COUNT + BACKWARD];
    return SCREE_OK;
}

static const scree_scalars scalars_given = {
    .size = sizeof scalars_given, .scalar = scalar, .read = read_scalars};

static const void *get_extension(const char *name)
{
    if (strcmp(name, SCREE_EXTENSION_STATE) == 0)
        return &state;
    return strcmp(name, SCREE_EXTENSION_SCALARS) == 0 ? &scalars_given : NULL;
}

static int32_t finish(void *instance, const scree_view *view)
{
    flow *self = instance;
    (void)view;
    return self->out.file ? stream_close(&self->out, ".csv") : SCREE_OK;
}

static void free_positions(positions *p)
{
    free(p->id);
    for (int k = 0; k < 3; k++) {
        free(p->x[k]);
        free(p->image[k]);
    }
}

static void destroy(void *instance)
{
    flow *self = instance;
    if (!self)
        return;
    // Without finish the run has failed: the rows until then are kept.
    if (self->out.file && stream_close(&self->out, ".csv") != SCREE_OK)
        scree_logf(self->out.host, SCREE_LOG_WARNING, "%s.csv could not be closed", self->out.base);
    free_positions(&self->before);
    free_positions(&self->spare);
    free(self->flagged);
    for (int k = 0; k < 4; k++)
        free(self->crossed[k]);
    free(self);
}

/* Reads a vector of the scene with 3 numbers; in 2D 2 suffice. */
static int32_t read_vector(const scree_host *host, const char *key, const scree_reals *from,
                           double to[3])
{
    if (from->n != 3 && from->n != host->dimension)
        return scree_failf(host, SCREE_E_CONFIG, "%s: expected %s numbers, got %" PRIu64, key,
                           host->dimension == 2 ? "2 or 3" : "3", from->n);
    for (uint64_t k = 0; k < 3; k++)
        to[k] = k < from->n ? from->v[k] : 0.0;
    return SCREE_OK;
}

static int32_t read_box(flow *self)
{
    const flow_config *c = self->config;
    const scree_host *host = self->out.host;
    int32_t status;
    for (int k = 0; k < 3; k++) {
        self->lo[k] = -HUGE_VAL;
        self->hi[k] = HUGE_VAL;
    }
    if (c->min.n == 0 && c->max.n == 0)
        return SCREE_OK;
    status = read_vector(host, "min", &c->min, self->lo);
    if (status == SCREE_OK)
        status = read_vector(host, "max", &c->max, self->hi);
    if (host->dimension == 2) {
        self->lo[2] = -HUGE_VAL;
        self->hi[2] = HUGE_VAL;
    }
    for (int k = 0; k < 3 && status == SCREE_OK; k++)
        if (!(self->lo[k] < self->hi[k]))
            status =
                scree_failf(host, SCREE_E_CONFIG, "expected min[%d] < max[%d], got %g m and %g m",
                            k, k, self->lo[k], self->hi[k]);
    return status;
}

static int32_t read_plane(flow *self)
{
    const scree_host *host = self->out.host;
    double length;
    int32_t status = read_vector(host, "point", &self->config->point, self->point);
    if (status == SCREE_OK)
        status = read_vector(host, "normal", &self->config->normal, self->normal);
    if (status != SCREE_OK)
        return status;
    length = sqrt(self->normal[0] * self->normal[0] + self->normal[1] * self->normal[1] +
                  self->normal[2] * self->normal[2]);
    if (!(length > 0.0) || !isfinite(length))
        return scree_failf(host, SCREE_E_CONFIG, "normal: expected a direction, got (%g, %g, %g)",
                           self->normal[0], self->normal[1], self->normal[2]);
    if (host->dimension == 2 && self->normal[2] != 0.0)
        return scree_failf(host, SCREE_E_CONFIG, "normal[2]: expected 0 in 2D, got %g",
                           self->normal[2]);
    for (int k = 0; k < 3; k++)
        self->normal[k] /= length;
    return read_box(self);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const flow_config *given = config;
    const scree_output *output = host->get_service(host->ctx, SCREE_SERVICE_OUTPUT);
    const scree_summer *summer = host->get_service(host->ctx, SCREE_SERVICE_SUM);
    flow *self;
    int32_t status;
    if (!output)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED,
                          "the host offers no " SCREE_SERVICE_OUTPUT ": nowhere to write");
    if (!summer)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "the host offers no " SCREE_SERVICE_SUM);
    if (!given->file[0] || strpbrk(given->file, "'\n"))
        return scree_failf(host, SCREE_E_CONFIG,
                           "file: expected a name without ' and line ends, got \"%s\"",
                           given->file);
    self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->out = (text_stream){.host = host, .output = output, .base = given->file};
    self->config = given;
    self->summer = summer;
    self->names = host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    status = read_plane(self);
    if (status != SCREE_OK) {
        free(self);
        return status;
    }
    *instance = self;
    return SCREE_OK;
}

#define VECTOR_PARAM(id, unit_text, flag_mask, text)                                               \
    static const scree_param param_##id = {                                                        \
        .size = sizeof param_##id,                                                                 \
        .type = SCREE_TYPE_REAL_ARRAY,                                                             \
        .flags = flag_mask,                                                                        \
        .offset = offsetof(flow_config, id),                                                       \
        .name = #id,                                                                               \
        .unit = unit_text,                                                                         \
        .help = text,                                                                              \
        .real_min = -HUGE_VAL,                                                                     \
        .real_max = HUGE_VAL,                                                                      \
    }
VECTOR_PARAM(point, "m", SCREE_PARAM_REQUIRED, "a point of the plane");
VECTOR_PARAM(normal, "-", SCREE_PARAM_REQUIRED, "forward is along it; any length");
VECTOR_PARAM(min, "m", SCREE_PARAM_OPTIONAL, "with max: a box in which the plane must be crossed");
VECTOR_PARAM(max, "m", SCREE_PARAM_OPTIONAL, "the other corner of that box");
SCREE_REAL_PARAM(flow_config, radius, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL,
                 "distance from point within which the plane must be crossed; absent: any");
SCREE_STRING_PARAM(flow_config, file, 0, "mass_flow", "base name of the .csv and .gp files");
SCREE_STRINGS_PARAM(flow_config, groups, 0, SCREE_PARAM_OPTIONAL | SCREE_PARAM_GROUP,
                    "names of groups of bodies that count; none: all free bodies");
static const scree_param *const params[] = {&param_file, &param_point, &param_normal, &param_radius,
                                            &param_min,  &param_max,   &param_groups};

static const scree_observer_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .narrow = scree_narrow_sums,
    .observe = observe,
    .finish = finish,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_OBSERVER,
    .needs = SCREE_WANTS_EVERY_STEP,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "mass_flow",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "number and mass of bodies that cross a plane, with their rate",
    .summary =
        "Every step is looked at, whatever the interval of the rows: a free body crosses when "
        "the path of its centre over a step meets the plane, within radius or the box from "
        "min to max where they are given. Forward and backward are counted apart. Bodies "
        "that are inserted, deleted or wrapped do not cross by that. The rate is forward "
        "less backward since the previous row, per time. A run that continues from a checkpoint "
        "keeps its counts.",
    .config_size = sizeof(flow_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&plugin);
