// SPDX-License-Identifier: Apache-2.0
// Observer `field`: continuum fields of the bodies and their contacts, averaged over cells or at points.
/*
 * Sources
 *     Goldhirsch 2010, Granular Matter 12, 239: coarse graining, fluctuations about V(r, t)
 *     Weinhart, Thornton, Luding, Bogaard 2012, Granular Matter 14, 289: walls
 *     Babic 1997, International Journal of Engineering Science 35, 523: averages, couple stress
 *
 * Idea: for a weight W of integral 1 about a place r
 *
 *     density               rho = sum of m W(r - x_i)
 *     momentum              rho V = sum of m v W(r - x_i)
 *     kinetic stress        sum of m v' v' W(r - x_i),   v' = v - V(r, t)
 *     contact stress        -sum over contacts of f d times the integral of W(r - x_i - s d) ds, 0 <= s <= 1
 *     boundary force t = sum over contacts with bodies that do not count of f W(r - contact point)
 *     rho DV/dt             = -div stress + rho g + t
 *
 * f is the force on body i, d the branch from its centre to that of the other body, or to the
 * contact point on a body that does not count. Stress is positive in compression. The identity is
 * exact for every W (modifiers' forces are not in it). Two kinds of W:
 *
 *     cells     the cell's own: 1 over its volume within it. A ball's volume, and with it mass and
 *               momentum, is shared by the cells that it crosses, and so is a branch
 *     points    a kernel about the middle of each cell (field/kernel.c)
 *
 * Steps: gather.c collects balls and paths, deposit.c adds them up on all lanes (cells.c, points.c),
 * average.c averages over a window; files.c with table.c and vtk.c writes the window; state.c saves
 * it.
 *
 * State (scree.state/1): the sums of the current window, so that averages continue over a restart.
 *
 * Cost: a sample takes a pass over bodies and contacts for each cell or point that they reach; memory
 * 2 kB per cell.
 *
 * Limits: cells of a cylinder share balls by quadrature (field/round.c). A body that is neither ball nor
 * clump is taken as the ball of its volume about its centre. One rank.
 */
#include <math.h>

#include "field/instance.h"
#include "scree/draft/sums.h"

/* ---- samples ---- */

/* Checks the periodic images of a body that may reach the grid: each costs as much as a body. */
static int32_t check_images(const field *self, const scree_bodies *b)
{
    const double most = 10000.0;
    double images = 1.0;
    for (int k = 0; k < 3; k++)
        if (scree_repeats(b->cell, k))
            images *= 1.0 + (self->grid.box_hi[k] - self->grid.box_lo[k]) /
                                (b->cell->hi[k] - b->cell->lo[k]);
    if (images <= most)
        return SCREE_OK;
    return scree_failf(self->out.host, SCREE_E_CONFIG,
                       "the grid%s is as large as %.4g periodic cells: expected at most %g",
                       self->config->kind == POINTS ? ", with the reach of the kernel," : "",
                       images, most);
}

/* Prepares the fields of the bodies, whose components are known only from the first observation
 * on. */
static int32_t prepare(field *self, const scree_bodies *b)
{
    const scree_host *host = self->out.host;
    uint64_t n_sums = SUM_FIELDS;
    for (uint32_t k = 0; k < b->n_used; k++)
        n_sums += b->used[k]->components;
    self->used = b->used;
    if (check_images(self, b) != SCREE_OK)
        return SCREE_E_CONFIG;
    if (!self->average.total)
        return state_allocate(self, n_sums);
    if (n_sums != self->average.head.n_sums)
        return scree_failf(host, SCREE_E_CONFIG,
                           "the `fields` have %" PRIu64 " components now, and had %" PRIu64
                           " when the window began",
                           n_sums - SUM_FIELDS, self->average.head.n_sums - SUM_FIELDS);
    return SCREE_OK;
}

/* Window k has the times (k window, (k + 1) window], the first one 0 too. A window that is too
 * short to be counted has one state. */
static uint64_t window_of(const field *self, double time, uint64_t step)
{
    const uint64_t uncounted = (uint64_t)1 << 63;
    double k;
    if (isnan(self->config->window))
        return 0;
    k = ceil(time / self->config->window * (1.0 - 1e-12)) - 1.0;
    if (!(k < 0x1p63))
        return uncounted + step;
    return k > 0.0 ? (uint64_t)k : 0;
}

/* 1 when no later time belongs to the window. It is written at once then, so that a run that goes on
 * does not write it again. */
static int is_over(const field *self, uint64_t window, double time)
{
    const uint64_t uncounted = (uint64_t)1 << 63;
    return !isnan(self->config->window) &&
           (window >= uncounted ||
            time >= ((double)window + 1.0) * self->config->window * (1.0 - 1e-12));
}

static int32_t observe(void *instance, const scree_view *view)
{
    field *self = instance;
    field_head *head = &self->average.head;
    const uint64_t window = window_of(self, view->time, view->step);
    int32_t status = prepare(self, view->bodies);
    if (status == SCREE_OK && head->samples > 0 && window != head->window) {
        status = write_window(self);
        average_reset(&self->average);
    }
    self->scene.view = view;
    if (status == SCREE_OK)
        status = gather(&self->scene);
    if (status == SCREE_OK)
        status = deposit(&self->scene);
    self->scene.view = NULL;
    if (status != SCREE_OK)
        return status;
    head->first = head->samples == 0 ? view->time : head->first;
    head->last = view->time;
    head->window = window;
    average_add(&self->average, self->scene.sum, self->grid.dimension,
                (uint64_t)self->config->block, self->values);
    if (!is_over(self, window, view->time))
        return SCREE_OK;
    status = write_window(self);
    average_reset(&self->average);
    return status;
}

static int32_t finish(void *instance, const scree_view *view)
{
    field *self = instance;
    int32_t status = SCREE_OK;
    self->used = view->bodies->used;
    if (self->average.head.samples > 0)
        status = write_window(self);
    if (status == SCREE_OK && self->out.file)
        status = stream_close(&self->out, ".csv");
    return status;
}

static uint64_t bytes(void *instance)
{
    const field *self = instance;
    const field_head *h = &self->average.head;
    return sizeof *self + self->scene.ball_capacity * sizeof(field_ball) +
           self->scene.path_capacity * sizeof(field_path) +
           h->n_cells * (3 * h->n_sums + 3 * self->average.n_values + 2) * sizeof(double);
}

static void destroy(void *instance)
{
    field *self = instance;
    if (!self)
        return;
    // Without finish the run has failed: the whole windows until then are kept.
    if (self->out.file && stream_close(&self->out, ".csv") != SCREE_OK)
        scree_logf(self->out.host, SCREE_LOG_WARNING, "%s.csv could not be closed", self->out.base);
    average_free(&self->average);
    for (uint32_t k = 0; k < self->scene.n_rooms && self->scene.rooms; k++) {
        free(self->scene.rooms[k].shares);
        free(self->scene.rooms[k].cuts);
        free(self->scene.rooms[k].corners);
        free(self->scene.rooms[k].arcs);
    }
    free(self->scene.rooms);
    free(self->scene.counted);
    free(self->scene.balls);
    free(self->scene.paths);
    free(self->scene.sum);
    free(self->grid.borders);
    free(self->kernel.bell);
    free(self->kernel.area);
    free(self->values);
    free(self->list);
    free(self->frame_name);
    free(self);
}

/* ---- from the settings ---- */

static int32_t check_words(const scree_host *host, const field_config *c)
{
    if (!c->file[0] || strpbrk(c->file, "'\n"))
        return scree_failf(host, SCREE_E_CONFIG,
                           "file: expected a name without ' and line ends, got \"%s\"", c->file);
    if (c->kind == POINTS && isnan(c->width))
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "kind = \"points\" needs width, that of the kernel");
    if (c->kind == CELLS && !isnan(c->width))
        return host->fail(host->ctx, SCREE_E_CONFIG, "width goes with kind = \"points\"");
    return SCREE_OK;
}

static int32_t build(field *self)
{
    const scree_host *host = self->out.host;
    const field_config *c = self->config;
    int32_t status = grid_make(&self->grid, c, host);
    if (status == SCREE_OK)
        status = state_check_size(self, SUM_FIELDS + c->fields.n);
    if (status != SCREE_OK)
        return status;
    if (c->kind == POINTS && !kernel_make(&self->kernel, c, host->dimension, host->thickness))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the kernel");
    for (int k = 0; k < 3; k++) { // cells: the kernel reaches 0
        self->grid.box_lo[k] -= self->kernel.reach;
        self->grid.box_hi[k] += self->kernel.reach;
    }
    self->scene = (field_scene){.host = host,
                                .grid = &self->grid,
                                .kernel = &self->kernel,
                                .config = c,
                                .names = host->get_service(host->ctx, SCREE_SERVICE_NAMES),
                                .n_rooms = host->lanes};
    self->scene.rooms = calloc(host->lanes, sizeof *self->scene.rooms);
    if (!self->scene.rooms)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the lanes");
    state_begin(self);
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const field_config *given = config;
    const scree_output *output = host->get_service(host->ctx, SCREE_SERVICE_OUTPUT);
    field *self;
    int32_t status;
    if (!output)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED,
                          "the host offers no " SCREE_SERVICE_OUTPUT ": nowhere to write");
    status = check_words(host, given);
    if (status != SCREE_OK)
        return status;
    self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->out = (text_stream){.host = host, .output = output, .base = given->file};
    self->config = given;
    status = build(self);
    if (status != SCREE_OK) {
        destroy(self);
        return status;
    }
    *instance = self;
    return SCREE_OK;
}

#define VECTOR_PARAM(id, unit_text, text)                                                          \
    static const scree_param param_##id = {                                                        \
        .size = sizeof param_##id,                                                                 \
        .type = SCREE_TYPE_REAL_ARRAY,                                                             \
        .flags = SCREE_PARAM_OPTIONAL,                                                             \
        .offset = offsetof(field_config, id),                                                      \
        .name = #id,                                                                               \
        .unit = unit_text,                                                                         \
        .help = text,                                                                              \
        .real_min = -HUGE_VAL,                                                                     \
        .real_max = HUGE_VAL,                                                                      \
    }
SCREE_CHOICE_VALUE(box, BOX, "cells between min and max");
SCREE_CHOICE_VALUE(cylinder, CYLINDER, "rings, sectors and slices about an axis");
SCREE_CHOICE_PARAM(field_config, grid, 0, "box", "the space that is cut into cells", &choice_box,
                   &choice_cylinder);
SCREE_CHOICE_VALUE(cells, CELLS,
                   "averages over the cells: balls and branches are cut at their borders");
SCREE_CHOICE_VALUE(points, POINTS, "a kernel about the middle of each cell");
SCREE_CHOICE_PARAM(field_config, kind, 0, "cells", "how values are averaged over a place",
                   &choice_cells, &choice_points);
SCREE_CHOICE_VALUE(gauss, GAUSS, "exp(-r^2 / (2 width^2)), cut and renormalised");
SCREE_CHOICE_VALUE(lucy, LUCY, "(1 + 3 q) (1 - q)^3, q = r / (cutoff width)");
SCREE_CHOICE_PARAM(field_config, kernel, 0, "gauss", "the kernel of points", &choice_gauss,
                   &choice_lucy);
VECTOR_PARAM(min, "m", "box: its lower corner");
VECTOR_PARAM(max, "m", "box: its upper corner");
VECTOR_PARAM(point, "m", "cylinder: the middle of its lower end; absent: the origin");
VECTOR_PARAM(axis, "-", "cylinder: its direction, any length; absent: z");
SCREE_REAL_PARAM(field_config, radius, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "cylinder: radius of the outer wall");
SCREE_REAL_PARAM(field_config, inner, "m", SCREE_PARAM_OPTIONAL, 0, 0, HUGE_VAL,
                 "cylinder: radius of the inner wall; absent: 0");
SCREE_REAL_PARAM(field_config, height, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "cylinder: its length; not in 2D");
SCREE_REAL_PARAM(field_config, width, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "points: width of the kernel");
SCREE_REAL_PARAM(field_config, cutoff, "-", 0, 3, 0.5, 8,
                 "points: the kernel ends at this times width");
SCREE_REAL_PARAM(field_config, window, "s", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "time of one average; absent: the whole run");
SCREE_INT_PARAM(field_config, block, 0, 10, 1, 1000000000,
                "samples of a block; standard errors are from the spread of blocks");
SCREE_BOOL_PARAM(field_config, vtk, 0, 1, "write a file for ParaView per window");
SCREE_INTS_PARAM(field_config, cells, 0, SCREE_PARAM_REQUIRED, 0, 1, 1000000,
                 "number of cells along x, y, z, or r, phi, z");
SCREE_STRING_PARAM(field_config, file, 0, "field",
                   "base name of the .csv and .gp files, and the folder of those for ParaView");
SCREE_STRINGS_PARAM(field_config, groups, 0, SCREE_PARAM_OPTIONAL | SCREE_PARAM_GROUP,
                    "names of groups of bodies that count; none: all free bodies");
SCREE_STRINGS_PARAM(field_config, fields, 0, SCREE_PARAM_OPTIONAL | SCREE_PARAM_FIELD,
                    "names of body fields, averaged by mass, \"NAME\" or \"SLOT/NAME\"");
static const scree_param *const params[] = {
    &param_file,   &param_grid,   &param_kind,   &param_cells,  &param_min,
    &param_max,    &param_point,  &param_axis,   &param_radius, &param_inner,
    &param_height, &param_kernel, &param_width,  &param_cutoff, &param_window,
    &param_block,  &param_groups, &param_fields, &param_vtk};

static const scree_observer_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .narrow = scree_narrow_sums,
    .bytes = bytes,
    .observe = observe,
    .finish = finish,
};

static const scree_state state = {.size = sizeof state, .save = state_save, .load = state_load};

static const void *get_extension(const char *name)
{
    return strcmp(name, SCREE_EXTENSION_STATE) == 0 ? &state : NULL;
}

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_OBSERVER,
    .needs = SCREE_WANTS_CONTACTS,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "field",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .citation =
        "Goldhirsch 2010, Granular Matter 12, 239; Weinhart et al. 2012, Granular Matter 14, 289",
    .help = "continuum fields: density, velocity, temperature, stress, in cells or at points",
    .summary = "A sample is taken at each observation. The bodies that count are averaged over "
               "cells of a box "
               "or cylinder, or about points; contacts act along the line between the two centres, "
               "those with "
               "walls and other bodies from the centre to the contact point, where the boundary "
               "force acts. "
               "Stress is positive in compression. Each window gives mean values, with standard "
               "errors from "
               "blocks of samples. Averages go on over a restart.",
    .config_size = sizeof(field_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&plugin);
