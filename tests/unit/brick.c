// SPDX-License-Identifier: Apache-2.0
/* A brick away from its origin, turned, as a solid; it can lie in each way that the host looks for. */
#include <unistd.h>

#include "../plugin.h"

enum { HONEST, VOLUME, PARTS, NOT_FINITE, VIEW, SUPPORT, FOLDER, MORE, NO_MESH, MUTE };

typedef struct config {
    scree_reals size, at, turn; /* half sides, centre, quaternion */
    int32_t lie;
} config;

#define REALS(id, n, value, text)                                                                  \
    static const scree_param param_##id = {.size = sizeof(scree_param),                            \
                                           .type = SCREE_TYPE_REAL_ARRAY,                          \
                                           .offset = offsetof(config, id),                         \
                                           .name = #id,                                            \
                                           .help = text,                                           \
                                           .real_default = value,                                  \
                                           .real_min = -HUGE_VAL,                                  \
                                           .real_max = HUGE_VAL,                                   \
                                           .length = n}
REALS(size, 3, 1.0, "half sides");
REALS(at, 3, 0.0, "centre");
REALS(turn, 4, 0.5, "quaternion");
SCREE_CHOICE_VALUE(honest, HONEST, "no lie");
SCREE_CHOICE_VALUE(volume, VOLUME, "a negative one");
SCREE_CHOICE_VALUE(parts, PARTS, "none");
SCREE_CHOICE_VALUE(nan, NOT_FINITE, "a centroid");
SCREE_CHOICE_VALUE(view, VIEW, "a vertex that is not there");
SCREE_CHOICE_VALUE(support, SUPPORT, "a view without its function");
SCREE_CHOICE_VALUE(folder, FOLDER, "boxes() changes the current folder");
SCREE_CHOICE_VALUE(more, MORE, "more parts than facets");
SCREE_CHOICE_VALUE(no_mesh, NO_MESH, "a wall without facets");
SCREE_CHOICE_VALUE(mute, MUTE, "create() fails and does not say why");
SCREE_CHOICE_PARAM(config, lie, 0, "honest", "what is wrong", &choice_honest, &choice_volume,
                   &choice_parts, &choice_nan, &choice_view, &choice_support, &choice_folder,
                   &choice_more, &choice_no_mesh, &choice_mute);
static const scree_param *const params[] = {&param_size, &param_at, &param_turn, &param_lie};

typedef struct brick {
    double half[3], at[3], q[4]; /* of its own axes, in the present frame */
    int32_t lie;
    double vertex[3][8];
    uint32_t facet[6][4], neighbour[6][4];
    uint8_t edge[6][4];
    scree_mesh mesh;
} brick;

static const uint32_t facets[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                      {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
static const uint32_t neighbours[6][4] = {{2, 5, 3, 4}, {4, 3, 5, 2}, {4, 1, 5, 0},
                                          {0, 5, 1, 4}, {0, 3, 1, 2}, {2, 1, 3, 0}};
static const uint8_t edges[6][4] = {{2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 2, 2},
                                    {2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 2, 2}};

static void multiply(const double a[4], const double b[4], double out[4])
{
    const double c[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                         a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                         a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                         a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    memcpy(out, c, sizeof c);
}

static void corner_of(const brick *b, uint32_t i, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = i >> k & 1u ? b->half[k] : -b->half[k];
    scree_rotate(b->q, out, out);
    for (int k = 0; k < 3; k++)
        out[k] += b->at[k];
}

static void publish(brick *b)
{
    for (uint32_t i = 0; i < 8; i++) {
        double x[3];
        corner_of(b, i, x);
        for (int k = 0; k < 3; k++)
            b->vertex[k][i] = x[k];
    }
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    brick *b = calloc(1, sizeof *b);
    double length = 0.0;
    if (c->lie == MUTE) {
        free(b);
        return SCREE_E_CONFIG;
    }
    if (!b)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    for (int k = 0; k < 4; k++)
        length += c->turn.v[k] * c->turn.v[k];
    for (int k = 0; k < 4; k++)
        b->q[k] = c->turn.v[k] / sqrt(length);
    memcpy(b->half, c->size.v, sizeof b->half);
    memcpy(b->at, c->at.v, sizeof b->at);
    b->lie = c->lie;
    b->mesh = (scree_mesh){.size = sizeof b->mesh,
                           .closed = 1,
                           .n_vertices = b->lie == VIEW ? 7 : 8,
                           .n_facets = 6,
                           .vertex = {b->vertex[0], b->vertex[1], b->vertex[2]},
                           .facet = b->facet[0],
                           .neighbour = b->neighbour[0],
                           .edge = b->edge[0]};
    memcpy(b->facet, facets, sizeof facets);
    memcpy(b->neighbour, neighbours, sizeof neighbours);
    memcpy(b->edge, edges, sizeof edges);
    publish(b);
    *instance = b;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    return sizeof(brick);
}

static int32_t measure(void *instance, scree_measure *m)
{
    const brick *b = instance;
    double own[3], square = 0.0, axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    m->n_parts = b->lie == PARTS ? 0 : 1;
    m->content = 8.0 * b->half[0] * b->half[1] * b->half[2];
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, n = (k + 2) % 3;
        own[k] = (b->half[l] * b->half[l] + b->half[n] * b->half[n]) / 3.0;
        square += b->half[k] * b->half[k];
        m->centroid[k] = b->at[k];
        scree_rotate(b->q, axis[k], axis[k]);
    }
    for (int i = 0; i < 6; i++) {
        static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
        for (int k = 0; k < 3; k++)
            m->inertia[i] += own[k] * axis[k][row[i]] * axis[k][column[i]];
    }
    m->radius = sqrt(square);
    if (b->lie == VOLUME)
        m->content = -m->content;
    if (b->lie == NOT_FINITE)
        m->centroid[1] = (double)NAN;
    return SCREE_OK;
}

static int32_t place(void *instance, const scree_frame *frame)
{
    brick *b = instance;
    const double back[4] = {frame->q[0], -frame->q[1], -frame->q[2], -frame->q[3]};
    for (int k = 0; k < 3; k++)
        b->at[k] -= frame->shift[k];
    scree_rotate(back, b->at, b->at);
    multiply(back, b->q, b->q);
    publish(b);
    return SCREE_OK;
}

static int32_t boxes(void *instance, const scree_shape_boxes *batch)
{
    const brick *b = instance;
    if (b->lie == FOLDER && chdir("/") != 0)
        return SCREE_E_IO;
    for (uint32_t i = 0; i < batch->n; i++) {
        const double q[4] = {batch->q[0][i], batch->q[1][i], batch->q[2][i], batch->q[3][i]};
        double s = batch->scale[i], square = 0.0;
        for (int k = 0; k < 3; k++) {
            batch->lo[k][i] = HUGE_VAL;
            batch->hi[k][i] = -HUGE_VAL;
            square += b->half[k] * b->half[k];
        }
        for (uint32_t c = 0; c < 8; c++) {
            double x[3] = {s * b->vertex[0][c], s * b->vertex[1][c], s * b->vertex[2][c]};
            scree_rotate(q, x, x);
            for (int k = 0; k < 3; k++) {
                batch->lo[k][i] = fmin(batch->lo[k][i], x[k] + batch->x[k][i]);
                batch->hi[k][i] = fmax(batch->hi[k][i], x[k] + batch->x[k][i]);
            }
        }
        for (int k = 0; k < 3; k++)
            batch->centre[k][i] = 0.5 * (batch->lo[k][i] + batch->hi[k][i]);
        batch->radius[i] = s * sqrt(square) * (1.0 + 1e-12);
    }
    return SCREE_OK;
}

static int32_t view(void *instance, const char *name, double tolerance, const void **out)
{
    static const scree_support nothing = {.size = sizeof nothing};
    const brick *b = instance;
    *out = strcmp(name, SCREE_VIEW_MESH) == 0 && b->lie != NO_MESH ? &b->mesh : NULL;
    if (b->lie == SUPPORT && strcmp(name, SCREE_VIEW_SUPPORT) == 0)
        *out = &nothing;
    return SCREE_OK;
}

static const scree_shape_ops ops = {OPS(shape, create, free), .bytes = bytes, .measure = measure,
                                    .place = place,           .boxes = boxes, .view = view};

static const scree_plugin plugin = {
    PLUGIN_OF(SCREE_DIMENSION_3, SHAPE, "brick", "a brick of the tests"), PLUGIN_CONFIG,
    .ops = &ops};

/* The same as a wall, where it is: a part for each facet. */
static int32_t measure_wall(void *instance, scree_measure *m)
{
    const brick *b = instance;
    for (int k = 0; k < 3; k++)
        m->radius += fabs(b->half[k]) + fabs(b->at[k]);
    m->n_parts = b->lie == MORE ? 7 : 6;
    return SCREE_OK;
}

static const scree_shape_ops wall_ops = {OPS(shape, create, free), .bytes = bytes,
                                         .measure = measure_wall, .boxes = boxes, .view = view};

static const scree_plugin wall = {
    PLUGIN_OF(SCREE_DIMENSION_3, SHAPE, "walls", "the facets of a brick of the tests"),
    PLUGIN_CONFIG, .flags = SCREE_CAP_WALL, .ops = &wall_ops};

SCREE_DEFINE_MANIFEST(&plugin, &wall);
