/* SPDX-License-Identifier: Apache-2.0 */
/* A sound clump of balls that overlap (2D: discs), each of which counts whole; once per promise
 * that it breaks. */
#include <math.h>

#include "unsound.h"

#define PI 3.14159265358979323846

#define SINS(SIN)                                                                                  \
    SIN(NONE, "none")                                                                              \
    SIN(AXIS, "axis")     /* in the plane it takes x of its balls for y */                         \
    SIN(HOLLOW, "hollow") /* moments of points, not of balls */                                    \
    SIN(SWELLS, "swells") /* more content than its balls, by an option */
enum sin { SINS(UNSOUND_NAME) };
enum { BALLS = 3 };
enum { PLAIN, LEADEN };
typedef struct config {
    int32_t filling;
} config;

typedef struct clump {
    enum sin sin;
    uint32_t flat;
    int32_t filling;
    double at[3][BALLS], radius[BALLS]; // in the present frame
    scree_balls view;
} clump;

/** The coordinate of a ball that counts for the mass. */
static double coordinate(const clump *c, int axis, uint32_t i)
{
    return c->at[c->sin == AXIS && c->flat && axis == 1 ? 0 : axis][i];
}

static double content_of(const clump *c, uint32_t i)
{
    const double r = c->radius[i];
    return c->flat ? PI * r * r : 4.0 / 3.0 * PI * r * r * r;
}

static void add_ball(const clump *c, uint32_t i, scree_measure *m)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const double share = content_of(c, i) / m->content, r = c->radius[i];
    const double own = c->sin == HOLLOW ? 0.0 : r * r / (c->flat ? 4.0 : 5.0);
    double off[3], second[6];
    for (int k = 0; k < 3; k++)
        off[k] = coordinate(c, k, i) - m->centroid[k];
    for (int k = 0; k < 6; k++)
        second[k] = off[row[k]] * off[column[k]] + (k < (c->flat ? 2 : 3) ? own : 0.0);
    for (int k = 0; k < 3; k++) {
        m->inertia[k] += share * (second[(k + 1) % 3] + second[(k + 2) % 3]);
        m->inertia[3 + k] -= share * second[3 + k];
    }
}

static int32_t measure(void *instance, scree_measure *m)
{
    const clump *c = instance;
    m->flat = c->flat;
    m->n_parts = BALLS;
    for (uint32_t i = 0; i < BALLS; i++)
        m->content += content_of(c, i);
    for (uint32_t i = 0; i < BALLS; i++)
        for (int k = 0; k < 3; k++)
            m->centroid[k] += content_of(c, i) / m->content * coordinate(c, k, i);
    for (uint32_t i = 0; i < BALLS; i++) {
        double square = 0.0;
        add_ball(c, i, m);
        for (int k = 0; k < 3; k++)
            square += (c->at[k][i] - m->centroid[k]) * (c->at[k][i] - m->centroid[k]);
        m->radius = fmax(m->radius, sqrt(square) + c->radius[i]);
    }
    m->content *= c->sin == SWELLS && c->filling == LEADEN ? 3.0 : 1.0;
    return SCREE_OK;
}

static int32_t place(void *instance, const scree_frame *f)
{
    clump *c = instance;
    const double back[4] = {f->q[0], -f->q[1], -f->q[2], -f->q[3]};
    for (uint32_t i = 0; i < BALLS; i++) {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = c->at[k][i] - f->shift[k];
        scree_rotate(back, x, x);
        for (int k = 0; k < 3; k++)
            c->at[k][i] = x[k];
    }
    return SCREE_OK;
}

static int32_t view(void *instance, const char *name, double tolerance, const void **out)
{
    clump *c = instance;
    *out = strcmp(name, SCREE_VIEW_BALLS) ? NULL : &c->view;
    return SCREE_OK;
}

static int32_t create(enum sin sin, const scree_host *host, const void *given, void **instance)
{
    static const double at[3][BALLS] = {
        {0.0, 0.010, 0.004}, {0.0, 0.002, 0.008}, {0.0, 0.001, 0.003}};
    clump *c = calloc(1, sizeof *c);
    if (!c)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    *c = (clump){.sin = sin,
                 .flat = host->dimension == 2,
                 .filling = sin == SWELLS ? ((const config *)given)->filling : PLAIN,
                 .radius = {0.010, 0.008, 0.009},
                 .view = {.size = sizeof(scree_balls), .n = BALLS, .radius = c->radius}};
    for (int k = 0; k < 3; k++) {
        c->view.centre[k] = c->at[k];
        for (uint32_t i = 0; i < BALLS; i++)
            c->at[k][i] = k == 2 && c->flat ? 0.0 : at[k][i];
    }
    *instance = c;
    return SCREE_OK;
}

SCREE_CHOICE_VALUE(plain, PLAIN, "as its balls");
SCREE_CHOICE_VALUE(leaden, LEADEN, "with lead in it");
SCREE_CHOICE_PARAM(config, filling, 0, "plain", "in its balls", &choice_plain, &choice_leaden);
static const scree_param *const params[] = {&param_filling};

#define VTABLE(NAME, ID)                                                                           \
    [NAME] = {OPS(shape, create_##NAME, free), .measure = measure, .place = place, .view = view},
#define DESCRIPTOR(NAME, ID)                                                                       \
    [NAME] = {PLUGIN(SHAPE, ID, "a clump that breaks one promise"),                                \
              .flags = SCREE_CAP_BALLS,                                                            \
              .config_size = NAME == SWELLS ? sizeof(config) : 0,                                  \
              .params = params,                                                                    \
              .n_params = NAME == SWELLS,                                                          \
              .ops = &ops[NAME]},
UNSOUND(shape)
SCREE_DEFINE_MANIFEST(UNSOUND_LIST);
