// SPDX-License-Identifier: Apache-2.0
// Observer `angle`: slope of the free surface of a pile or of a bed in a drum.
/*
 * Writes NAME.csv, a row per observation:
 *
 *   points           columns whose tops were fitted
 *   tangent, angle [rad], degrees   of the slope, against the horizontal
 *   direction_x, direction_y, direction_z   horizontal, of the steepest ascent; 0 for a pile
 *   height [m]       of the fit at the axis of a pile, at the middle of a plane
 *   rms [m]          of the tops about the fit
 *
 * Method: the plane across gravity is divided into square columns of the side `cell` (2D: strips;
 * absent: 2 mean diameters, or as little as 1 where the bed is narrow: the part of it that counts
 * then has COLUMNS columns along each axis, if the bodies are small enough; that 1 diameter is that
 * of a ball with the volume of the body). The top of a column is the highest point (centre plus radius) of the
 * bodies with their centre in it, at the place of that centre. A line is fitted to the tops by
 * least squares of their heights:
 *
 *   surface = "pile" h = h_0 - tangent r, r the distance from the axis through `centre` (absent:
 *                      the mean place of the bodies). Only tops with r from `from` to `to` of the
 *                      largest r count, without the round apex and the toe. The largest r is that
 *                      of tops above a tenth of the height, because grains that have rolled away do
 *                      not belong to the pile
 *   surface = "plane" h = h_0 + a u + b w over both horizontal axes (2D: one); only tops within
 *                      `to` of half the extent of the bed around its middle count, along each axis:
 *                      in a drum the ends of the surface are bent. tangent^2 = a^2 + b^2
 *
 * A fit needs LEAST tops per number that it finds, else the row has nan: with as many tops as
 * numbers any heights fit. More than half of the rows without a fit are a warning at the end.
 *
 * Only bodies that touch something count, unless `touching` is false: a flying body is not part of
 * the surface. The radius of a body that is not round is that of the ball that holds it.
 *
 * Limits: one pile, one bed. The last bit of the angle may differ between machines, because libm's
 * atan gives it; the tangent does not use libm.
 *
 * Cost: a sort of the bodies by column, 40 bytes per body; the contacts, when `touching`.
 */
#include <inttypes.h>

#include "groups.h"
#include "scree/draft/sums.h"
#include "stream.h"
#include "upright.h"

#define PILE 0
#define PLANE 1
#define FOOT 0.1 // share of the height above which tops belong to the pile
#define LEAST 3u // tops per fitted number: 9 of a plane in 3D, else 6
#define COLUMNS 3.0

typedef struct angle_config {
    const char *file;
    scree_strings groups;
    scree_reals centre;
    double cell, from, to; // cell NaN: not given
    int32_t surface, touching;
} angle_config;

/* A body, or the top of a column. */
typedef struct top {
    double column[2]; // whole numbers
    double at[2];     // [m] along the horizontal axes
    double height;    // [m]
} top;

typedef struct angle {
    const scree_host *host;
    const angle_config *config;
    const scree_names *names;
    text_stream out;
    top *tops;
    uint8_t *touched; // [n_free]
    uint64_t capacity, touched_capacity;
    uint64_t rows, unfit;       // rows written, and those without a fit
    double up[3], across[2][3]; // [-] unit vectors
    double side;                // [m] of the columns of the last row
} angle;

typedef struct fit {
    uint64_t points;
    double slope[2], height, rms;
} fit;

static void mark_touched(angle *self, const scree_view *view)
{
    const scree_contact_list *l = view->contacts;
    const uint32_t n = view->bodies->n_free;
    memset(self->touched, !self->config->touching, n);
    if (!l || !self->config->touching)
        return;
    for (uint64_t c = 0; c < l->n; c++) {
        if (l->depth[c] < 0.0)
            continue;
        if (l->a[c] < n)
            self->touched[l->a[c]] = 1;
        if (l->b[c] < n)
            self->touched[l->b[c]] = 1;
    }
}

/* [m] Diameter of the ball, in 2D disc, with the volume of a body. */
static double equal_diameter(const scree_bodies *b, uint32_t i)
{
    const scree_shape *shape = b->shapes[b->shape[i]];
    const double v = shape->volume;
    if (shape->flags & SCREE_CAP_ROUND || !(v > 0.0))
        return 2.0 * b->radius[i];
    return 2.0 * b->scale[i] * (shape->flat ? sqrt(v / M_PI) : cbrt(0.75 * v / M_PI));
}

/* Lists the bodies that count, with the heights of their highest points, and their mean diameters:
 * of the balls that hold them, and of those with their volume. */
static uint64_t take_bodies(angle *self, const scree_view *view, double diameter[2])
{
    const scree_bodies *b = view->bodies;
    uint64_t n = 0;
    diameter[0] = diameter[1] = 0.0;
    for (uint32_t i = 0; i < b->n_free; i++) {
        top *t = &self->tops[n];
        if (!self->touched[i] || !is_of_groups(&self->config->groups, self->names, b->group[i]))
            continue;
        for (int k = 0; k < 2; k++)
            t->at[k] = place_along(b, i, self->across[k]);
        t->height = place_along(b, i, self->up) + b->radius[i];
        diameter[0] += 2.0 * b->radius[i];
        diameter[1] += equal_diameter(b, i);
        n++;
    }
    for (int k = 0; k < 2; k++)
        diameter[k] /= n ? (double)n : 1.0;
    return n;
}

/* [m] Side of the columns, for a bed of n bodies. */
static double find_side(const angle *self, uint64_t n, uint32_t dimension, const double diameter[2])
{
    const double columns = dimension == 2 ? 2.0 * COLUMNS : COLUMNS;
    double side = 2.0 * diameter[0];
    for (uint32_t k = 0; k + 1 < dimension; k++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (uint64_t i = 0; i < n; i++) {
            lo = scree_min(lo, self->tops[i].at[k]);
            hi = scree_max(hi, self->tops[i].at[k]);
        }
        if (n)
            side = scree_min(side, self->config->to * (hi - lo) / columns);
    }
    return self->config->cell > 0.0 ? self->config->cell : scree_max(side, diameter[1]);
}

static int compare_tops(const void *pa, const void *pb)
{
    const top *a = pa, *b = pb;
    for (int k = 0; k < 2; k++)
        if (a->column[k] != b->column[k])
            return a->column[k] < b->column[k] ? -1 : 1;
    if (a->height != b->height) // the highest body of a column comes first
        return a->height > b->height ? -1 : 1;
    for (int k = 0; k < 2; k++)
        if (a->at[k] != b->at[k])
            return a->at[k] < b->at[k] ? -1 : 1;
    return 0;
}

/* Keeps the top of each column. */
static uint64_t find_tops(angle *self, uint64_t n, double side)
{
    top *t = self->tops;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < n; i++)
        for (int k = 0; k < 2; k++)
            t[i].column[k] = floor(t[i].at[k] / side);
    qsort(t, n, sizeof *t, compare_tops);
    for (uint64_t i = 0; i < n; i++)
        if (i == 0 || t[i].column[0] != t[kept - 1].column[0] ||
            t[i].column[1] != t[kept - 1].column[1])
            t[kept++] = t[i];
    return kept;
}

/* Turns places into distances from the axis of the pile; keeps the tops of the flank. */
static uint64_t keep_flank(angle *self, uint64_t n, const double axis[2])
{
    top *t = self->tops;
    double most = 0.0, lo = HUGE_VAL, hi = -HUGE_VAL;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < n; i++) {
        lo = scree_min(lo, t[i].height);
        hi = scree_max(hi, t[i].height);
    }
    for (uint64_t i = 0; i < n; i++) {
        const double x = t[i].at[0] - axis[0], y = t[i].at[1] - axis[1];
        t[i].at[0] = sqrt(x * x + y * y);
        t[i].at[1] = 0.0;
        if (t[i].height >= lo + FOOT * (hi - lo))
            most = scree_max(most, t[i].at[0]);
    }
    for (uint64_t i = 0; i < n; i++)
        if (t[i].at[0] >= self->config->from * most && t[i].at[0] <= self->config->to * most)
            t[kept++] = t[i];
    return kept;
}

/* Keeps the middle of the bed, and measures places from there. */
static uint64_t keep_middle(angle *self, uint64_t n)
{
    top *t = self->tops;
    double lo[2] = {HUGE_VAL, HUGE_VAL}, hi[2] = {-HUGE_VAL, -HUGE_VAL};
    uint64_t kept = 0;
    for (uint64_t i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) {
            lo[k] = scree_min(lo[k], t[i].at[k]);
            hi[k] = scree_max(hi[k], t[i].at[k]);
        }
    for (uint64_t i = 0; i < n; i++) {
        int inside = 1;
        for (int k = 0; k < 2; k++) {
            t[i].at[k] -= 0.5 * (lo[k] + hi[k]);
            inside &= fabs(t[i].at[k]) <= self->config->to * 0.5 * (hi[k] - lo[k]);
        }
        if (inside)
            t[kept++] = t[i];
    }
    return kept;
}

/* Fits the height over the two places: h = height + slope · at, along the axes whose places
 * differ. */
static fit fit_tops(const top *t, uint64_t n)
{
    double mean[3] = {0.0, 0.0, 0.0}, m[2][2] = {{0.0}}, v[2] = {0.0, 0.0}, det, sum = 0.0;
    fit f = {.points = n, .slope = {(double)NAN, 0.0}, .height = (double)NAN, .rms = (double)NAN};
    for (uint64_t i = 0; i < n; i++) {
        mean[0] += t[i].at[0] / (double)n;
        mean[1] += t[i].at[1] / (double)n;
        mean[2] += t[i].height / (double)n;
    }
    for (uint64_t i = 0; i < n; i++) {
        const double d[2] = {t[i].at[0] - mean[0], t[i].at[1] - mean[1]};
        for (int k = 0; k < 2; k++) {
            m[k][0] += d[k] * d[0];
            m[k][1] += d[k] * d[1];
            v[k] += d[k] * (t[i].height - mean[2]);
        }
    }
    det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    const int plane = det > 1e-12 * m[0][0] * m[0][0];
    if (n < LEAST * (plane ? 3u : 2u) || !(m[0][0] > 0.0))
        return f;
    f.slope[1] = plane ? (m[0][0] * v[1] - m[1][0] * v[0]) / det : 0.0;
    f.slope[0] = (v[0] - m[0][1] * f.slope[1]) / m[0][0];
    f.height = mean[2] - f.slope[0] * mean[0] - f.slope[1] * mean[1];
    for (uint64_t i = 0; i < n; i++) {
        const double off =
            t[i].height - f.height - f.slope[0] * t[i].at[0] - f.slope[1] * t[i].at[1];
        sum += off * off / (double)n;
    }
    f.rms = sqrt(sum);
    return f;
}

/* Finds where the axis of the pile meets the horizontal plane. */
static void find_centre(const angle *self, uint64_t n, double axis[2])
{
    const scree_reals *given = &self->config->centre;
    for (int k = 0; k < 2; k++) {
        double sum = 0.0;
        for (uint64_t i = 0; i < n; i++)
            sum += self->tops[i].at[k] / (double)n;
        axis[k] = 0.0;
        for (uint64_t c = 0; c < given->n; c++)
            axis[k] += given->v[c] * self->across[k][c];
        axis[k] = given->n ? axis[k] : sum;
    }
}

/* ---- rows, and scalars for conditions ---- */

static const scree_scalar scalars[] = {
    SCREE_SCALAR("points", "-", 0),      SCREE_SCALAR("tangent", "-", 0),
    SCREE_SCALAR("angle", "rad", 0),     SCREE_SCALAR("degrees", "-", 0),
    SCREE_SCALAR("direction_x", "-", 0), SCREE_SCALAR("direction_y", "-", 0),
    SCREE_SCALAR("direction_z", "-", 0), SCREE_SCALAR("height", "m", 0),
    SCREE_SCALAR("rms", "m", 0)};

/* Lists the values in the order of the table. */
static void list_values(const angle *self, const fit *f, double *value)
{
    const int pile = self->config->surface == PILE;
    const double steep = sqrt(f->slope[0] * f->slope[0] + f->slope[1] * f->slope[1]);
    const double tangent = pile ? -f->slope[0] : steep;
    value[0] = (double)f->points;
    value[1] = tangent;
    value[2] = atan(tangent);
    value[3] = atan(tangent) * (180.0 / M_PI);
    for (int k = 0; k < 3; k++)
        value[4 + k] =
            pile || !(steep > 0.0)
                ? 0.0
                : (f->slope[0] * self->across[0][k] + f->slope[1] * self->across[1][k]) / steep;
    value[7] = f->height;
    value[8] = f->rms;
}

static int32_t read_scalars(void *instance, const scree_view *view, double *value)
{
    angle *self = instance;
    const uint64_t most = (uint64_t)view->bodies->n_free + 1;
    double axis[2], diameter[2];
    uint64_t n;
    if (!scree_grow(&self->tops, &self->capacity, most, sizeof(top)) ||
        !scree_grow(&self->touched, &self->touched_capacity, most, sizeof(uint8_t)))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for the bodies");
    find_up(view->bodies, self->up, self->across);
    mark_touched(self, view);
    n = take_bodies(self, view, diameter);
    find_centre(self, n, axis);
    self->side = find_side(self, n, view->bodies->dimension, diameter);
    n = find_tops(self, n, self->side);
    n = self->config->surface == PILE ? keep_flank(self, n, axis) : keep_middle(self, n);
    const fit f = fit_tops(self->tops, n);
    list_values(self, &f, value);
    return SCREE_OK;
}

static void write_header(angle *self)
{
    fputs("step,time", self->out.file);
    for (uint32_t k = 0; k < SCREE_COUNT(scalars); k++)
        fprintf(self->out.file, ",%s", scalars[k].name);
    putc('\n', self->out.file);
}

static int32_t observe(void *instance, const scree_view *view)
{
    angle *self = instance;
    double value[SCREE_COUNT(scalars)];
    int32_t status = self->out.file ? SCREE_OK : stream_open(&self->out, ".csv");
    if (status == SCREE_OK && !self->out.whole)
        write_header(self);
    if (status == SCREE_OK)
        status = read_scalars(self, view, value);
    if (status != SCREE_OK)
        return status;
    self->rows++;
    self->unfit += isnan(value[1]);
    fprintf(self->out.file, "%" PRIu64 ",%.17g,%.0f", view->step, view->time, value[0]);
    for (uint32_t k = 1; k < SCREE_COUNT(scalars); k++)
        fprintf(self->out.file, ",%.17g", stream_real(value[k]));
    putc('\n', self->out.file);
    return stream_keep(&self->out, ".csv");
}

static const scree_scalar *scalar(void *instance, uint32_t k)
{
    (void)instance;
    return k < SCREE_COUNT(scalars) ? &scalars[k] : NULL;
}

static const scree_scalars scalars_given = {
    .size = sizeof scalars_given, .scalar = scalar, .read = read_scalars};

static const void *get_extension(const char *name)
{
    return strcmp(name, SCREE_EXTENSION_SCALARS) == 0 ? &scalars_given : NULL;
}

static int32_t finish(void *instance, const scree_view *view)
{
    angle *self = instance;
    if (2 * self->unfit > self->rows)
        scree_logf(
            self->host, SCREE_LOG_WARNING,
            "%" PRIu64 " of %" PRIu64 " rows of %s.csv have no angle: a fit needs %u columns "
            "with a top, of %g m here; expected a smaller cell, a larger `to`, or more bodies",
            self->unfit, self->rows, self->out.base,
            LEAST * (view->bodies->dimension == 3 && self->config->surface == PLANE ? 3 : 2),
            self->side);
    return self->out.file ? stream_close(&self->out, ".csv") : SCREE_OK;
}

static int32_t narrow(void *instance, scree_demands *demands)
{
    const angle *self = instance;
    if (!self->config->touching)
        demands->needs &= ~(uint64_t)SCREE_WANTS_CONTACTS;
    return scree_narrow_sums(instance, demands);
}

static void destroy(void *instance)
{
    angle *self = instance;
    if (!self)
        return;
    // Without finish the run has failed: the rows until then are kept.
    if (self->out.file && stream_close(&self->out, ".csv") != SCREE_OK)
        scree_logf(self->host, SCREE_LOG_WARNING, "%s.csv could not be closed", self->out.base);
    free(self->tops);
    free(self->touched);
    free(self);
}

static int32_t check_config(const scree_host *host, const angle_config *c)
{
    if (!(c->from < c->to))
        return scree_failf(host, SCREE_E_CONFIG, "expected from < to, got %g and %g", c->from,
                           c->to);
    if (c->centre.n && c->centre.n != 3 && c->centre.n != host->dimension)
        return scree_failf(host, SCREE_E_CONFIG, "centre: expected %s numbers, got %" PRIu64,
                           host->dimension == 2 ? "2 or 3" : "3", c->centre.n);
    if (!c->file[0] || strchr(c->file, '\n'))
        return scree_failf(host, SCREE_E_CONFIG,
                           "file: expected a name without line ends, got \"%s\"", c->file);
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const angle_config *given = config;
    const scree_output *output = host->get_service(host->ctx, SCREE_SERVICE_OUTPUT);
    angle *self;
    int32_t status = check_config(host, given);
    if (status != SCREE_OK)
        return status;
    if (!output)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED,
                          "the host offers no " SCREE_SERVICE_OUTPUT ": nowhere to write");
    self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->config = given;
    self->names = host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    self->out = (text_stream){.host = host, .output = output, .base = given->file};
    *instance = self;
    return SCREE_OK;
}

SCREE_STRING_PARAM(angle_config, file, 0, "angle", "base name of the .csv file");
SCREE_STRINGS_PARAM(angle_config, groups, 0, SCREE_PARAM_OPTIONAL | SCREE_PARAM_GROUP,
                    "names of groups of bodies that count; none: all free bodies");
SCREE_CHOICE_VALUE(pile, PILE, "a cone, in 2D a wedge, around its axis: angle of repose");
SCREE_CHOICE_VALUE(plane, PLANE, "the middle of a bed: dynamic angle of a drum, slope of a heap");
SCREE_CHOICE_PARAM(angle_config, surface, 0, "pile", "what is fitted", &choice_pile, &choice_plane);
SCREE_REALS_PARAM(angle_config, centre, 0, "m", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
                  "a point of the axis of the pile; absent: the mean place of the bodies");
SCREE_REAL_PARAM(angle_config, cell, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL,
                 "side of the columns; absent: 2 mean diameters, 1 to 2 where the bed is narrow");
SCREE_REAL_PARAM(angle_config, from, "-", 0, 0.2, 0, 1,
                 "of a pile: tops nearer to the axis, as a share of the farthest, do not count");
SCREE_REAL_PARAM(angle_config, to, "-", SCREE_PARAM_MIN_OPEN, 0.8, 0, 1,
                 "tops farther from the axis, or from the middle, do not count");
SCREE_BOOL_PARAM(angle_config, touching, 0, 1, "only bodies that touch something count");
static const scree_param *const params[] = {&param_file,   &param_groups,  &param_surface,
                                            &param_centre, &param_cell,    &param_from,
                                            &param_to,     &param_touching};

static const scree_observer_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .narrow = narrow,
    .observe = observe,
    .finish = finish,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_OBSERVER,
    .needs = SCREE_WANTS_CONTACTS,
    .flags = SCREE_CAP_USES_LIBM,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "angle",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "slope of the free surface: angle of repose of a pile, dynamic angle of a drum",
    .summary =
        "The tops of columns of the side `cell` are fitted by least squares: of a pile over the "
        "distance from its axis, between the shares `from` and `to` of the farthest; of a plane "
        "over the horizontal axes, within the share `to` around the middle. Bodies that "
        "touch nothing do not count. A row per observation, with the number of tops and their rms "
        "about the fit; nan with fewer than 9 tops for a plane, 6 for a line or a pile.",
    .config_size = sizeof(angle_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&plugin);
