// SPDX-License-Identifier: Apache-2.0
/*
 * cast: the cast of the voids of a packing: a container, less the grains in it.
 *
 * Sources  R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996, 8.3.4, (8.6),
 *          (8.7); W. E. Lorensen, H. E. Cline, Marching cubes, Computer Graphics 21, 1987, 163.
 * Idea     The solid is where a point is in the container and in no grain. Without `decay` that is the exact
 *          complement: its porosity is the solid fraction of the packing. With `decay` the grains are blended as in
 *          shape/blend, so that pores of grains that touch are joined by necks of radius a sqrt(ln 2 / decay).
 * Steps    the function at the corners of cells, its largest piece (level/surface.c), marching cubes (../cubes.c)
 * Views    scree.mesh/1, exact: the facets are the solid. Volume, centroid and inertia are theirs.
 * Deviations from the source, and why
 *   - (8.7) subtracts the fields, C - A, at one level. Inside of the container C varies, so that the surface of a grain
 *     would be where C is, not where its own field has its level. Here the function is the larger one of the
 *     container's and minus the grains'.
 * Error    as of shape/blend: h^2 k / 8 on the surface of a grain, up to h / 2 where a grain crosses the container.
 *          Between grains that touch the cast is thinner than a cell, and ends within sqrt(a h) of the contact.
 * Cost     as of shape/blend. The faces of a box lose 1/1024 of a cell.
 * Limits   as of shape/blend.
 */
#include "level/parts_params.h"

typedef struct config {
    parts_config parts; // first
    const scree_plugin_ref *container;
    scree_reals min, max;
} config;

typedef struct cast {
    parts *grains;
    parts_kind container;  // view NULL: a box
    double lo[3], hi[3];   // [m] of the box
    int32_t any, reserved; // any: a point of the container that was looked at is in a part
    int32_t *cuts;         // &any, for value()
} cast;

/** [m] Distance from the nearest face of the box, negative inside. */
static double off_box(const cast *self, const double x[3])
{
    double most = -HUGE_VAL;
    for (int k = 0; k < 3; k++)
        most = scree_max(most, scree_max(self->lo[k] - x[k], x[k] - self->hi[k]));
    return most;
}

static void value(const void *ctx, uint32_t n, const double *const x[3], double *out,
                  double *const gradient[3])
{
    enum { BLOCK = 64 };
    const cast *self = ctx;
    double grains[BLOCK];
    (void)gradient;
    for (uint32_t at = 0; at < n; at += BLOCK) {
        const uint32_t m = n - at < BLOCK ? n - at : BLOCK;
        const double *const p[3] = {x[0] + at, x[1] + at, x[2] + at};
        parts_value(self->grains, m, p, grains);
        if (self->container.view)
            self->container.view->value(self->container.view->ctx, m, p, out + at, NULL);
        for (uint32_t i = 0; i < m; i++) {
            const double point[3] = {p[0][i], p[1][i], p[2][i]};
            const double around = self->container.view ? out[at + i] : off_box(self, point);
            if (self->cuts) // in create only
                *self->cuts |= around < 0.0 && grains[i] < 0.0;
            out[at + i] = scree_max(around, -grains[i]);
        }
    }
}

static void free_cast(void *given)
{
    cast *self = given;
    parts_free(self->grains);
    parts_free_kind(&self->container);
    free(self);
}

/** Sets the container. */
static int32_t take_container(const scree_host *host, const config *c, cast *self)
{
    if ((c->container != NULL) == (c->min.n > 0) || c->min.n != c->max.n)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "expected either a container, or min and max of a box");
    if (c->container)
        return parts_take_kind(host, c->container, "container", &self->container);
    for (int k = 0; k < 3; k++) {
        self->lo[k] = c->min.v[k];
        self->hi[k] = c->max.v[k];
        if (!(self->lo[k] < self->hi[k]))
            return scree_failf(host, SCREE_E_CONFIG,
                               "max: expected more than min along %c, got %g and %g m", "xyz"[k],
                               self -> hi[k], self -> lo[k]);
    }
    return SCREE_OK;
}

static void set_box(const cast *self, level *l)
{
    for (int k = 0; k < 3; k++) {
        l->lo[k] = self->container.view ? -1.001 * self->container.reach : self->lo[k];
        l->hi[k] = self->container.view ? 1.001 * self->container.reach : self->hi[k];
    }
    l->tight = self->container.view == NULL;
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    const level_cells cells = parts_cells(&c->parts);
    cast *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    int32_t code = take_container(host, c, self);
    code = code == SCREE_OK ? parts_new(host, &c->parts, &self->grains) : code;
    if (code != SCREE_OK) {
        free_cast(self);
        return code;
    }
    self->cuts = &self->any;
    level l = {.view = {sizeof l.view, 0, self, value},
               .form = self,
               .free_form = free_cast,
               .bytes = sizeof *self + parts_bytes(self->grains)};
    if (self->container.view && SCREE_HAS(self->container.ops, bytes))
        l.bytes += self->container.ops->bytes(self->container.instance);
    set_box(self, &l);
    code = level_new(host, &l, &cells, instance);
    if (code == SCREE_OK)
        self->cuts = NULL; // other threads may ask for values from now on
    if (code == SCREE_OK && !self->any)
        scree_logf(host, SCREE_LOG_WARNING,
                   "%s: no corner of its cells is in a part, so nothing is cut from the container",
                   c->parts.file        ? "file"
                   : c->parts.places->n ? "places"
                                        : "first");
    return code;
}

/* ---- descriptor ---- */

SCREE_PLUGIN_PARAM(config, container, SHAPE, SCREE_PARAM_OPTIONAL, NULL,
                   "shape of the container, about the origin; instead of min and max");
SCREE_REALS_PARAM(config, min, 3, "m", SCREE_PARAM_OPTIONAL, 0, -1e50, 1e50,
                  "lower corner of a box, which is the container");
SCREE_REALS_PARAM(config, max, 3, "m", SCREE_PARAM_OPTIONAL, 0, -1e50, 1e50,
                  "upper corner of the box");
static const scree_param *const params[] = {PARTS_PARAMS, &param_container, &param_min, &param_max};

static const scree_shape_ops ops = {.size = sizeof ops, .create = create, POLYHEDRON_CALLS};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_SHAPE,
    .flags = SCREE_CAP_USES_LIBM, // exponentials
    .dimensions = SCREE_DIMENSION_3,
    .id = "cast",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "the cast of the voids of a packing: a porous solid",
    .summary =
        "A container, a box or another shape, less grains: up to four shapes at places of the "
        "scene "
        "or of a table, as shape/blend takes them. Without `decay` it is the exact complement: its "
        "porosity is the solid fraction of the packing. With it the pores of grains that touch are "
        "joined by necks of radius a sqrt(ln 2 / decay). Fragments that are not joined to the "
        "largest piece are left out. The surface is that of marching cubes on `cells`; "
        "resolver/dfr3d with equal `cells`, and resolver/sdf, serve it.",
    .citation = "O'Connor 1996, A distributed discrete element modeling environment, thesis, MIT, "
                "8.3.4; Lorensen, Cline 1987, Computer Graphics 21, 163",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
