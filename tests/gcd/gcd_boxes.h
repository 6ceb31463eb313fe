/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes in a plane for one GCD plugin, and the pairs of its pivots. */
#ifndef TEST_GCD_BOXES_H
#define TEST_GCD_BOXES_H

#include "../fake_host.h"

#define MOST_BOXES_HERE 6500u

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
    uint64_t n_pivots, n_pairs, reserved;
    scree_pair *pairs;
    scree_pair_sink sink;
} subject;

static inline int32_t give_room(scree_pair_sink *sink, uint64_t n, scree_pair **out)
{
    subject *s = sink->ctx;
    s->reserved = n;
    s->pairs = realloc(s->pairs, (s->n_pairs + n) * sizeof *s->pairs);
    *out = s->pairs + s->n_pairs;
    return s->pairs || !n ? SCREE_OK : SCREE_E_MEMORY;
}

static inline int32_t take_pairs(scree_pair_sink *sink, uint64_t n)
{
    subject *s = sink->ctx;
    s->n_pairs += n;
    return n <= s->reserved ? SCREE_OK : SCREE_E_INTERNAL;
}

/* A plugin with the defaults of its parameters, which are read when it is made and later. */
static inline void load(subject *s, const char *path)
{
    memset(s, 0, sizeof *s);
    fake_init(&s->fake, 2);
    s->plugin = fake_load(path, SCREE_KIND_GCD);
    s->ops = s->plugin->ops;
    s->sink = (scree_pair_sink){
        .size = sizeof s->sink, .ctx = s, .reserve = give_room, .commit = take_pairs};
    fake_defaults(s->plugin, s->config);
}

static inline void make(subject *s)
{
    if (s->ops->create(&s->fake.host, s->config, &s->self) != SCREE_OK)
        bail_out("create: %s", s->fake.text);
}

static inline void start(subject *s, const char *path)
{
    load(s, path);
    make(s);
}

static inline void stop(subject *s)
{
    s->ops->destroy(s->self);
    free(s->pairs);
    free(s->fake.scratch);
}

static inline void set_box(boxes_here *w, uint32_t i, double x0, double x1, double y0, double y1)
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

static inline void view_boxes(boxes_here *w, uint32_t n)
{
    w->view = (scree_boxes){.size = sizeof w->view, .dimension = 2, .n = n, .radius = w->radius};
    for (uint32_t k = 0; k < 3; k++) {
        w->view.lo[k] = w->lo[k];
        w->view.hi[k] = w->hi[k];
        w->view.centre[k] = w->centre[k];
    }
}

/* The next step of boxes that were handed over; moved NULL: any of them may have moved. */
static inline void begin_step(subject *s, const boxes_here *w, const uint32_t *moved,
                              uint32_t n_moved)
{
    s->n_pairs = 0;
    if (s->ops->step_init(s->self, &w->view, moved, n_moved, &s->n_pivots) != SCREE_OK)
        bail_out("%s", s->fake.text);
}

/* Hands over the first n boxes; ends the program when they are refused. */
static inline void place(subject *s, boxes_here *w, uint32_t n)
{
    view_boxes(w, n);
    if (s->ops->init(s->self, &w->view, 0) != SCREE_OK)
        bail_out("%s", s->fake.text);
    begin_step(s, w, NULL, 0);
}

/* Pairs of the pivots [first, last); their number. */
static inline uint64_t search_pivots(subject *s, uint64_t first, uint64_t last)
{
    s->n_pairs = 0;
    if (s->ops->find_neighbors(s->self, first, last, &s->sink) != SCREE_OK)
        bail_out("%s", s->fake.text);
    return s->n_pairs;
}

#endif
