/* SPDX-License-Identifier: Apache-2.0 */
/* A resolver under test: its instance, its settings, its contacts of one call. */
#ifndef TEST_RESOLVER_CALL_H
#define TEST_RESOLVER_CALL_H

#include <math.h>

#include "../fake_host.h"

#define MOST_TOUCHES 16384u
enum { HINT_WORDS = 32 }; /* of 8 bytes, at least as many as a hint has */

/** A setting by its name: a number, or the value of a choice. */
typedef struct setting {
    const char *name;
    double value;
} setting;

typedef struct subject {
    fake_host fake;
    const scree_plugin *plugin;
    const scree_resolver_ops *ops;
    void *self;
    int64_t config[32];
} subject;

typedef struct test_touches {
    scree_contacts out;
    uint32_t pair[MOST_TOUCHES];
    uint64_t feature[MOST_TOUCHES], continues[MOST_TOUCHES];
    double normal[3][MOST_TOUCHES], depth[MOST_TOUCHES], arm[3][MOST_TOUCHES];
    double area[MOST_TOUCHES], chord[MOST_TOUCHES], twist[MOST_TOUCHES], curvature[2][MOST_TOUCHES];
} test_touches;

/** Makes an instance; the settings end with one without a name, NULL: all as they are by default. */
static inline void start_resolver(subject *s, const char *path, uint32_t dimension,
                                  const setting *settings)
{
    memset(s, 0, sizeof *s);
    fake_init(&s->fake, dimension);
    s->plugin = fake_load(path, SCREE_KIND_RESOLVER);
    s->ops = s->plugin->ops;
    fake_defaults(s->plugin, s->config);
    for (; settings && settings->name; settings++) {
        const scree_param *p = fake_param(s->plugin, settings->name);
        void *at = (char *)s->config + p->offset;
        if (p->type == SCREE_TYPE_INT)
            memcpy(at, &(int64_t){(int64_t)settings->value}, sizeof(int64_t));
        else if (p->type == SCREE_TYPE_REAL)
            memcpy(at, &settings->value, sizeof settings->value);
        else
            memcpy(at, &(int32_t){(int32_t)settings->value}, sizeof(int32_t));
    }
    if (s->ops->hint_bytes > HINT_WORDS * sizeof(double))
        bail_out("hints of %u bytes", s->ops->hint_bytes);
    if (s->ops->create(&s->fake.host, s->config, &s->self) != SCREE_OK)
        bail_out("create failed: %s", s->fake.text);
}

static inline void stop_resolver(subject *s)
{
    s->ops->destroy(s->self);
    free(s->fake.scratch);
}

static inline void prepare_shape(subject *s, uint32_t index, const scree_shape *of)
{
    if (s->ops->prepare(s->self, index, of) != SCREE_OK)
        bail_out("prepare failed: %s", s->fake.text);
}

/** Makes room for the contacts of a call. */
static inline void clear_touches(test_touches *t)
{
    t->out = (scree_contacts){.size = sizeof t->out,
                              .capacity = MOST_TOUCHES,
                              .pair = t->pair,
                              .normal = {t->normal[0], t->normal[1], t->normal[2]},
                              .depth = t->depth,
                              .arm = {t->arm[0], t->arm[1], t->arm[2]},
                              .feature = t->feature,
                              .continues = t->continues};
}

/** As clear_touches, with areas, chords and twists. */
static inline void clear_areas(test_touches *t)
{
    clear_touches(t);
    t->out.area = t->area;
    t->out.chord = t->chord;
    t->out.twist = t->twist;
}

/** Resolves all pairs of a call; a failure ends the program. */
static inline uint32_t resolve_pairs(subject *s, const scree_candidates *in, test_touches *t)
{
    uint32_t done = 0;
    if (s->ops->resolve(s->self, in, &t->out, &done) != SCREE_OK || done != in->n)
        bail_out("resolve failed: %s", s->fake.text);
    return t->out.n;
}

static inline int same_touches(const test_touches *l, const test_touches *r)
{
    const size_t n = l->out.n * sizeof(double);
    int same = l->out.n == r->out.n && !memcmp(l->depth, r->depth, n) &&
               !memcmp(l->feature, r->feature, n);
    if (same && l->out.area)
        same = !memcmp(l->area, r->area, n) && !memcmp(l->chord, r->chord, n) &&
               !memcmp(l->twist, r->twist, n);
    for (int k = 0; same && k < 3; k++)
        same = !memcmp(l->normal[k], r->normal[k], n) && !memcmp(l->arm[k], r->arm[k], n);
    return same;
}

#endif
