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
 *     boundary force        t = sum over contacts with what does not count of f W(r - contact point)
 *     rho DV/dt             = -div stress + rho g + t
 *
 * f is the force on body i, d the branch from its centre to that of the other body, or to the contact
 * point on what does not count. Stress is positive in compression. The identity is exact for every W
 * (modifiers' forces are not in it). Two kinds of W:
 *
 *     cells     the cell's own: 1 over its volume within it. A ball's volume, and with it mass and
 *               momentum, is shared by the cells that it crosses, and so is a branch
 *     points    a kernel about the middle of each cell (field/kernel.c)
 *
 * Steps: gather.c collects balls and paths, deposit.c adds them up on all lanes, average.c averages
 * over a window, table.c and vtk.c write it.
 *
 * State (scree.state/1): the sums of the window under way, so that a run that goes on averages on.
 *
 * Cost: a sample takes a pass over bodies and contacts for each cell or point that they reach; memory
 * 2 kB per cell.
 *
 * Limits: cells of a cylinder share balls by quadrature (field/round.c). A body that is neither ball nor
 * clump is taken as the ball of its volume about its centre. One rank.
 */
#include <math.h>

#include "field/field.h"
#include "stream.h"

enum { VERSION = 1 };

typedef struct listed {
    uint64_t window;
    double time;
} listed;

typedef struct field {
    const field_config *config;
    text_stream out, frame; // the table; a file of ParaView
    char *frame_name;
    field_grid grid;
    field_kernel kernel;
    field_scene scene;
    field_average average;
    double *values; // [n_cells][n_values]
    listed *list;
    uint64_t n_listed, list_capacity, name_capacity;
    const scree_used_field *const *used;
} field;

/* ---- the state ---- */

static double hash_of(const field_config *c)
{
    uint64_t h = 1469598103934665603ull;
    const scree_strings *lists[2] = {&c->body, &c->fields};
    for (int l = 0; l < 2; l++)
        for (uint64_t k = 0; k <= lists[l]->n; k++)
            for (const char *at = k < lists[l]->n ? lists[l]->v[k] : "\n"; *at; at++)
                h = (h ^ (uint8_t)*at) * 1099511628211ull;
    return (double)(h >> 12);
}

/* The settings that the sums depend on: sums of another grid or window are refused. */
static void write_recipe(const field *self, double recipe[24])
{
    const field_grid *g = &self->grid;
    const field_config *c = self->config;
    double *at = recipe;
    for (int k = 0; k < 3; k++) {
        *at++ = g->n[k];
        *at++ = g->lo[k];
        *at++ = g->hi[k];
        *at++ = g->origin[k];
        *at++ = g->frame[2][k];
    }
    *at++ = 2 * g->shape + g->kind;
    *at++ = c->kernel;
    *at++ = isnan(c->width) ? 0.0 : c->width;
    *at++ = c->cutoff;
    *at++ = isnan(c->window) ? 0.0 : c->window;
    *at++ = (double)c->block;
    *at++ = hash_of(c);
    *at++ = self->out.host->thickness;
    *at = self->out.host->dimension;
}

/* The arrays of the state. */
static int arrays(const field *self, double *v[5], uint64_t n[5])
{
    const field_average *a = &self->average;
    const uint64_t cells = self->grid.n_cells;
    double *const all[5] = {a->total, a->block, a->mean, a->spread, a->counts};
    const uint64_t counts[5] = {cells * a->head.n_sums, cells * a->head.n_sums, cells * a->n_values,
                                cells * a->n_values, 2 * cells};
    memcpy(v, all, sizeof all);
    memcpy(n, counts, sizeof counts);
    return a->total != NULL;
}

static int32_t save(void *instance, const scree_state_sink *sink)
{
    const field *self = instance;
    double *v[5];
    uint64_t n[5];
    int32_t status = sink->write(sink->ctx, &self->average.head, sizeof self->average.head);
    const int any = arrays(self, v, n);
    if (!any)
        return status < 0 ? status : SCREE_OK;
    for (int k = 0; k < 5 && status >= 0; k++)
        status = sink->write(sink->ctx, v[k], n[k] * sizeof(double));
    return status < 0 ? status : SCREE_OK;
}

/* The sums of the cells must fit into a checkpoint. */
static int32_t check_size(const field *self, uint64_t n_sums)
{
    const uint64_t cells = self->grid.n_cells;
    const uint64_t per_cell =
        (2 * n_sums + 2 * values_count((uint32_t)n_sums) + 2) * sizeof(double);
    const uint64_t most = (SCREE_MAX_STATE_BYTES - sizeof(field_head)) / per_cell;
    if (cells > most)
        return scree_failf(self->out.host, SCREE_E_CONFIG,
                           "cells: expected at most %" PRIu64 " cells, got %" PRIu64, most, cells);
    return SCREE_OK;
}

static int32_t allocate(field *self, uint64_t n_sums)
{
    const scree_host *host = self->out.host;
    const uint64_t cells = self->grid.n_cells;
    int32_t status = check_size(self, n_sums);
    if (status != SCREE_OK)
        return status;
    self->scene.n_sums = (uint32_t)n_sums;
    self->scene.sum = malloc(cells * n_sums * sizeof(double));
    self->values = malloc(cells * values_count((uint32_t)n_sums) * sizeof(double));
    if (!average_allocate(&self->average, cells, (uint32_t)n_sums) || !self->scene.sum ||
        !self->values)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the sums of the cells");
    return SCREE_OK;
}

static int32_t load(void *instance, const void *bytes, uint64_t size)
{
    field *self = instance;
    const scree_host *host = self->out.host;
    const char *at = bytes;
    field_head head;
    double *v[5];
    uint64_t n[5], want = sizeof head;
    int32_t status;
    if (size < sizeof head)
        return host->fail(host->ctx, SCREE_E_CONFIG, "the saved averages are cut off");
    memcpy(&head, at, sizeof head);
    if (head.version != VERSION ||
        memcmp(head.recipe, self->average.head.recipe, sizeof head.recipe))
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "the saved averages are of other cells, windows or groups");
    if (head.n_sums == 0)
        return size == sizeof head ? SCREE_OK
                                   : host->fail(host->ctx, SCREE_E_CONFIG,
                                                "the saved averages have bytes too many");
    if (head.n_cells != self->grid.n_cells || head.n_sums < SUM_FIELDS ||
        head.n_sums > SUM_FIELDS + self->config->fields.n * SCREE_MAX_COMPONENTS)
        return host->fail(host->ctx, SCREE_E_CONFIG, "the saved averages are of other fields");
    status = allocate(self, head.n_sums);
    if (status != SCREE_OK)
        return status;
    arrays(self, v, n);
    for (int k = 0; k < 5; k++)
        want += n[k] * sizeof(double);
    if (size != want)
        return scree_failf(host, SCREE_E_CONFIG,
                           "the saved averages: expected %" PRIu64 " bytes, got %" PRIu64, want,
                           size);
    self->average.head = head;
    at += sizeof head;
    for (int k = 0; k < 5; k++) {
        memcpy(v[k], at, n[k] * sizeof(double));
        at += n[k] * sizeof(double);
    }
    return SCREE_OK;
}

/* ---- files ---- */

static field_frame frame_of(const field *self)
{
    return (field_frame){.grid = &self->grid,
                         .average = &self->average,
                         .used = self->used,
                         .names = self->config->fields.v,
                         .values = self->values,
                         .n_used = self->config->fields.n,
                         .thickness = self->out.host->thickness};
}

static int32_t open_table(field *self)
{
    const field_frame frame = frame_of(self);
    const char *slash = strrchr(self->out.base, '/');
    int32_t status = stream_open(&self->out, ".gp");
    if (status != SCREE_OK)
        return status;
    table_script(self->out.file, &self->grid, slash ? slash + 1 : self->out.base);
    status = stream_close(&self->out, ".gp");
    if (status == SCREE_OK)
        status = stream_open(&self->out, ".csv");
    if (status == SCREE_OK)
        table_head(self->out.file, &frame);
    return status;
}

static int32_t write_table(field *self)
{
    const field_frame frame = frame_of(self);
    int32_t status = self->out.file ? SCREE_OK : open_table(self);
    if (status != SCREE_OK)
        return status;
    table_rows(self->out.file, &frame);
    // A full disk is reported when it happens, and a run can be watched.
    if (fflush(self->out.file) != 0 || ferror(self->out.file))
        return stream_fail(&self->out, ".csv");
    self->out.whole = ftello(self->out.file);
    return SCREE_OK;
}

/* Opens NAME/WORDS as a stream of its own. */
static int32_t open_frame(field *self, const char *words, const char *suffix)
{
    const size_t size = strlen(self->out.base) + strlen(words) + 2;
    const scree_host *host = self->out.host;
    if (!scree_grow(&self->frame_name, &self->name_capacity, size, 1))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the name of a file");
    snprintf(self->frame_name, size, "%s/%s", self->out.base, words);
    self->frame = (text_stream){.host = host, .output = self->out.output, .base = self->frame_name};
    return stream_open(&self->frame, suffix);
}

static int32_t write_list(field *self)
{
    int32_t status = open_frame(self, "windows", ".pvd");
    if (status != SCREE_OK)
        return status;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n",
          self->frame.file);
    for (uint64_t k = 0; k < self->n_listed; k++)
        fprintf(self->frame.file, "<DataSet timestep=\"%.17g\" file=\"window_%05" PRIu64 "%s\"/>\n",
                self->list[k].time, self->list[k].window, vtk_suffix(&self->grid));
    fputs("</Collection>\n</VTKFile>\n", self->frame.file);
    return stream_close(&self->frame, ".pvd");
}

static int32_t write_vtk(field *self)
{
    const scree_host *host = self->out.host;
    const field_frame frame = frame_of(self);
    char words[40];
    int32_t status;
    snprintf(words, sizeof words, "window_%05" PRIu64, self->average.head.window);
    status = open_frame(self, words, vtk_suffix(&self->grid));
    if (status != SCREE_OK)
        return status;
    vtk_write(self->frame.file, &frame);
    status = stream_close(&self->frame, vtk_suffix(&self->grid));
    if (status != SCREE_OK)
        return status;
    if (!scree_grow(&self->list, &self->list_capacity, self->n_listed + 1, sizeof *self->list))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the list of windows");
    self->list[self->n_listed++] = (listed){self->average.head.window, self->average.head.last};
    return write_list(self);
}

static int32_t write_window(field *self)
{
    const field_average *a = &self->average;
    int32_t status;
    for (uint64_t cell = 0; cell < a->head.n_cells; cell++)
        values_of(a->total + cell * a->head.n_sums, (uint32_t)a->head.n_sums,
                  (double)a->head.samples, self->grid.dimension, self->values + cell * a->n_values);
    status = write_table(self);
    return status == SCREE_OK && self->config->vtk ? write_vtk(self) : status;
}

/* ---- samples ---- */

/* Fields of the bodies: their components are known when there is something to see. */
static int32_t prepare(field *self, const scree_bodies *b)
{
    const scree_host *host = self->out.host;
    uint64_t n_sums = SUM_FIELDS;
    for (uint32_t k = 0; k < b->n_used; k++)
        n_sums += b->used[k]->components;
    self->used = b->used;
    if (!self->average.total)
        return allocate(self, n_sums);
    if (n_sums != self->average.head.n_sums)
        return scree_failf(host, SCREE_E_CONFIG,
                           "the `fields` have %" PRIu64 " components now, and had %" PRIu64
                           " when the window began",
                           n_sums - SUM_FIELDS, self->average.head.n_sums - SUM_FIELDS);
    return SCREE_OK;
}

/* Window k has the times (k window, (k + 1) window], the first one 0 too. One that is too short to be
 * counted has one state. */
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
    return SCREE_OK;
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

static int32_t wants_contacts(void *instance)
{
    (void)instance;
    return SCREE_CONTACTS_TOTAL;
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
    }
    free(self->scene.rooms);
    free(self->scene.counted);
    free(self->scene.balls);
    free(self->scene.paths);
    free(self->scene.sum);
    free(self->kernel.bell);
    free(self->kernel.area);
    free(self->values);
    free(self->list);
    free(self->frame_name);
    free(self);
}

/* ---- from the scene's words ---- */

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
        status = check_size(self, SUM_FIELDS + c->fields.n);
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
                                .n_rooms = host->lanes};
    self->scene.rooms = calloc(host->lanes, sizeof *self->scene.rooms);
    if (!self->scene.rooms)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the lanes");
    self->average.head.version = VERSION;
    write_recipe(self, self->average.head.recipe);
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
SCREE_CHOICE_PARAM(field_config, grid, 0, "box", "what is cut into cells", &choice_box,
                   &choice_cylinder);
SCREE_CHOICE_VALUE(cells, CELLS,
                   "averages over the cells: balls and branches are cut at their borders");
SCREE_CHOICE_VALUE(points, POINTS, "a kernel about the middle of each cell");
SCREE_CHOICE_PARAM(field_config, kind, 0, "cells", "how a place is averaged over", &choice_cells,
                   &choice_points);
SCREE_CHOICE_VALUE(gauss, GAUSS, "exp(-r^2 / (2 width^2)), cut and renormalised");
SCREE_CHOICE_VALUE(lucy, LUCY, "(1 + 3 q) (1 - q)^3, q = r / (cutoff width)");
SCREE_CHOICE_PARAM(field_config, kernel, 0, "gauss", "of points", &choice_gauss, &choice_lucy);
VECTOR_PARAM(min, "m", "box: its lower corner");
VECTOR_PARAM(max, "m", "box: its upper corner");
VECTOR_PARAM(point, "m", "cylinder: the middle of its lower end; absent: the origin");
VECTOR_PARAM(axis, "-", "cylinder: its direction, any length; absent: z");
SCREE_REAL_PARAM(field_config, radius, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "cylinder: of the outer wall");
SCREE_REAL_PARAM(field_config, inner, "m", SCREE_PARAM_OPTIONAL, 0, 0, HUGE_VAL,
                 "cylinder: of the inner wall; absent: 0");
SCREE_REAL_PARAM(field_config, height, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "cylinder: its length; not in 2D");
SCREE_REAL_PARAM(field_config, width, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "points: of the kernel");
SCREE_REAL_PARAM(field_config, cutoff, "-", 0, 3, 0.5, 8,
                 "points: the kernel ends at this times width");
SCREE_REAL_PARAM(field_config, window, "s", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "time over which is averaged; absent: the whole run");
SCREE_INT_PARAM(field_config, block, 0, 10, 1, 1000000000,
                "samples of a block; standard errors are from the spread of blocks");
SCREE_BOOL_PARAM(field_config, vtk, 0, 1, "write a file for ParaView per window");
static const scree_param param_cells = {
    .size = sizeof param_cells,
    .type = SCREE_TYPE_INT_ARRAY,
    .flags = SCREE_PARAM_REQUIRED,
    .offset = offsetof(field_config, cells),
    .name = "cells",
    .help = "how many along x, y, z, or r, phi, z",
    .int_min = 1,
    .int_max = 1000000,
};
static const scree_param param_file = {
    .size = sizeof param_file,
    .type = SCREE_TYPE_STRING,
    .offset = offsetof(field_config, file),
    .name = "file",
    .help = "base name of the .csv and .gp files, and the folder of those for ParaView",
    .string_default = "field",
};
static const scree_param param_body = {
    .size = sizeof param_body,
    .type = SCREE_TYPE_STRING_ARRAY,
    .flags = SCREE_PARAM_OPTIONAL | SCREE_PARAM_GROUP,
    .offset = offsetof(field_config, body),
    .name = "body",
    .help = "names of groups of bodies that count; none: all free bodies",
};
static const scree_param param_fields = {
    .size = sizeof param_fields,
    .type = SCREE_TYPE_STRING_ARRAY,
    .flags = SCREE_PARAM_OPTIONAL | SCREE_PARAM_FIELD,
    .offset = offsetof(field_config, fields),
    .name = "fields",
    .help = "names of body fields, averaged by mass, \"NAME\" or \"SLOT/NAME\"",
};
static const scree_param *const params[] = {
    &param_file,   &param_grid,   &param_kind,   &param_cells,  &param_min,
    &param_max,    &param_point,  &param_axis,   &param_radius, &param_inner,
    &param_height, &param_kernel, &param_width,  &param_cutoff, &param_window,
    &param_block,  &param_body,   &param_fields, &param_vtk};

static const scree_observer_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .bytes = bytes,
    .wants_contacts = wants_contacts,
    .observe = observe,
    .finish = finish,
};

static const scree_state state = {.size = sizeof state, .save = save, .load = load};

static const void *get_extension(const char *name)
{
    return strcmp(name, SCREE_EXTENSION_STATE) == 0 ? &state : NULL;
}

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_OBSERVER,
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
