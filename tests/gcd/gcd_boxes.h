/* SPDX-License-Identifier: Apache-2.0 */
/* A few boxes in a plane for one GCD plugin, and the pairs of its pivots. */
#ifndef TEST_GCD_BOXES_H
#define TEST_GCD_BOXES_H

#include "../fake_host.h"

#define MOST_BOXES_HERE 16u
#define MOST_PAIRS 256u

typedef struct boxes_here {
    double lo[3][MOST_BOXES_HERE], hi[3][MOST_BOXES_HERE];
    double centre[3][MOST_BOXES_HERE], radius[MOST_BOXES_HERE];
    scree_boxes view;
} boxes_here;

typedef struct subject {
    fake_host fake;
    const scree_plugin *plugin;
    const scree_gcd_ops *ops;
    void *self;
    uint64_t config[16];
    uint64_t n_pivots;
    uint32_t n_pairs;
    scree_pair pairs[MOST_PAIRS];
    scree_pair_sink sink;
} subject;

static int32_t give_room(scree_pair_sink *sink, uint64_t n, scree_pair **out)
{
    subject *s = sink->ctx;
    *out = s->pairs + s->n_pairs;
    return s->n_pairs + n <= MOST_PAIRS ? SCREE_OK : SCREE_E_CAPACITY;
}

static int32_t take_pairs(scree_pair_sink *sink, uint64_t n)
{
    ((subject *)sink->ctx)->n_pairs += (uint32_t)n;
    return SCREE_OK;
}

static void start(subject *s, const char *path)
{
    memset(s, 0, sizeof *s);
    fake_init(&s->fake, 2);
    s->plugin = fake_load(path, SCREE_KIND_GCD);
    s->ops = s->plugin->ops;
    s->sink = (scree_pair_sink){
        .size = sizeof s->sink, .ctx = s, .reserve = give_room, .commit = take_pairs};
    if (s->ops->create(&s->fake.host, s->config, &s->self) != SCREE_OK)
        exit(1);
}

static void stop(subject *s)
{
    s->ops->destroy(s->self);
    free(s->fake.scratch);
}

static void set_box(boxes_here *w, uint32_t i, double x0, double x1, double y0, double y1)
{
    w->lo[0][i] = x0;
    w->hi[0][i] = x1;
    w->lo[1][i] = y0;
    w->hi[1][i] = y1;
    w->lo[2][i] = w->hi[2][i] = w->centre[2][i] = 0.0;
    w->centre[0][i] = 0.5 * (x0 + x1);
    w->centre[1][i] = 0.5 * (y0 + y1);
    w->radius[i] = 1e3;
}

/* Hands over the first n boxes; ends the program when they are refused. */
static void place(subject *s, boxes_here *w, uint32_t n)
{
    w->view = (scree_boxes){.size = sizeof w->view, .dimension = 2, .n = n, .radius = w->radius};
    for (uint32_t k = 0; k < 3; k++) {
        w->view.lo[k] = w->lo[k];
        w->view.hi[k] = w->hi[k];
        w->view.centre[k] = w->centre[k];
    }
    if (s->ops->init(s->self, &w->view, 0) != SCREE_OK ||
        s->ops->step_init(s->self, &w->view, NULL, 0, &s->n_pivots) != SCREE_OK)
        bail_out("%s", s->fake.text);
}

/* Pairs of the pivots [first, last); their number. */
static uint32_t search_pivots(subject *s, uint64_t first, uint64_t last)
{
    s->n_pairs = 0;
    if (s->ops->find_neighbors(s->self, first, last, &s->sink) != SCREE_OK)
        bail_out("%s", s->fake.text);
    return s->n_pairs;
}

#endif
