/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of contacts as in a bed, and a host of one lane, for timing force laws without a core. */
#ifndef BENCH_CONTACTS_H
#define BENCH_CONTACTS_H

#include <math.h>
#include <time.h>

#include "../fake_host.h"

/* 4 batches of 512, one after the other as the host hands them out: they stay in the cache. */
enum { BATCH = 512, BATCHES = 4, CONTACTS = BATCH * BATCHES, FIELDS = 12 };

/** Inputs and outputs of a law for one batch. */
typedef struct bench_arrays {
    _Alignas(64) double normal[3][BATCH];
    double depth[BATCH], v[3][BATCH], slip[3][BATCH], mass[BATCH], curvature[2][BATCH];
    double in[FIELDS][BATCH], out[FIELDS][BATCH], f[3][BATCH], couple[3][BATCH], couple_b[3][BATCH];
    double stored[BATCH], lost[BATCH], roll[3][BATCH], spin[3][BATCH], arm[3][BATCH], d[3][BATCH];
    double radius[2][BATCH], push[BATCH], w[3][BATCH];
    uint32_t materials[BATCH], body[BATCH];
    uint8_t fresh[BATCH], keep[BATCH];
} bench_arrays;

typedef struct bench_contacts {
    bench_arrays arrays[BATCHES];
    const double *in[BATCHES][FIELDS];
    double *out[BATCHES][FIELDS];
    scree_bodies bodies[BATCHES];
    scree_contact_batch batch[BATCHES];
} bench_contacts;

/** A unit vector, and one across it. */
static inline void bench_directions(fake_host *fake, double n[3], double t[3])
{
    double n2 = 0.0, t2 = 0.0, nt = 0.0;
    for (int k = 0; k < 3; k++) {
        n[k] = fake_uniform(fake, -1.0, 1.0);
        t[k] = fake_uniform(fake, -1.0, 1.0);
        n2 += n[k] * n[k];
    }
    for (int k = 0; k < 3; k++) {
        n[k] /= sqrt(n2);
        nt += n[k] * t[k];
    }
    for (int k = 0; k < 3; k++) {
        t[k] -= nt * n[k];
        t2 += t[k] * t[k];
    }
    for (int k = 0; k < 3; k++)
        t[k] /= sqrt(t2);
}

/** Inputs that only some laws read. */
static inline void bench_fill_more(fake_host *fake, bench_arrays *c, uint32_t i, const double n[3])
{
    for (int side = 0; side < 2; side++)
        c->radius[side][i] = c->curvature[side][i] > 0.0 ? 1.0 / c->curvature[side][i] : 1e3;
    c->push[i] = fake_uniform(fake, 0.5e-3, 1.5e-3);
    c->keep[i] = 0;
    for (int k = 0; k < 3; k++) {
        c->spin[k][i] = fake_uniform(fake, -1.0, 1.0);
        c->roll[k][i] = 1e-6 * c->spin[k][i];
        c->w[k][i] = c->spin[k][i];
        c->d[k][i] = 2e-3 * n[k];
        c->arm[k][i] = 1e-3 * n[k];
        for (int field = 4 + k; field < FIELDS; field += 3)
            c->in[field][i] = fake_uniform(fake, -1e-7, 1e-7);
    }
}

/** One step of balls of 1 mm: overlaps around `depth`, springs around `spring`, every 16th ten
 * times as long (it slides), every 32nd contact a gap. */
static inline void bench_fill(fake_host *fake, bench_arrays *c, double depth, double spring)
{
    for (uint32_t i = 0; i < BATCH; i++) {
        double n[3], t[3], length = fake_uniform(fake, 0.0, spring) * (i % 16 == 7 ? 10.0 : 1.0);
        bench_directions(fake, n, t);
        for (int k = 0; k < 3; k++) {
            c->normal[k][i] = n[k];
            c->v[k][i] = fake_uniform(fake, -1e-3, 1e-3);
            c->slip[k][i] = 1e-6 * c->v[k][i];
            c->in[k][i] = length * t[k];
        }
        c->depth[i] = fake_uniform(fake, 0.5, 1.5) * depth;
        c->in[3][i] = fake_uniform(fake, 0.5, 1.5) * depth;
        c->mass[i] = fake_uniform(fake, 4e-6, 6e-6);
        c->curvature[0][i] = fake_uniform(fake, 900.0, 1100.0);
        c->curvature[1][i] = i % 8 == 0 ? 0.0 : fake_uniform(fake, 900.0, 1100.0);
        c->materials[i] = 0;
        c->body[i] = i;
        c->fresh[i] = i % 128 == 31;
        bench_fill_more(fake, c, i, n);
    }
}

/** Batches as the plugin gets them; its fields are the first arrays of `in`. */
static inline void bench_make(fake_host *fake, bench_contacts *c, double depth, double spring)
{
    for (uint32_t k = 0; k < BATCHES; k++) {
        bench_arrays *a = &c->arrays[k];
        bench_fill(fake, a, depth, spring);
        scree_contact_batch *b = &c->batch[k];
        *b = (scree_contact_batch){.size = sizeof *b,
                                   .n = BATCH,
                                   .accepted = 1,
                                   .since = 1e-6,
                                   .a = a->body,
                                   .b = a->body,
                                   .depth = a->depth,
                                   .mass = a->mass,
                                   .materials = a->materials,
                                   .fresh = a->fresh,
                                   .keep = a->keep,
                                   .in = c->in[k],
                                   .out = c->out[k],
                                   .stored = a->stored,
                                   .lost = a->lost,
                                   .curvature = {a->curvature[0], a->curvature[1]},
                                   .radius = {a->radius[0], a->radius[1]},
                                   .bodies = &c->bodies[k],
                                   .normal_force = a->push};
        c->bodies[k] = (scree_bodies){.size = sizeof(scree_bodies), .dimension = 3, .n = BATCH};
        for (int d = 0; d < FIELDS; d++) {
            c->in[k][d] = a->in[d];
            c->out[k][d] = a->out[d];
        }
        for (int d = 0; d < 3; d++) {
            b->normal[d] = a->normal[d];
            b->v[d] = a->v[d];
            b->slip[d] = a->slip[d];
            b->roll[d] = a->roll[d];
            b->spin[d] = a->spin[d];
            b->arm[d] = a->arm[d];
            b->d[d] = a->d[d];
            c->bodies[k].w[d] = a->w[d];
            b->f[d] = a->f[d];
            b->couple[d] = a->couple[d];
            b->couple_b[d] = a->couple_b[d];
        }
    }
}

/** Lane scratch that stays where it is, as the host's does. */
static inline void *bench_scratch(void *ctx, uint32_t lane, uint64_t bytes)
{
    static _Alignas(64) char room[1 << 19];
    return bytes <= sizeof room ? room : NULL;
}

static inline double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** One of two laws that are compared. */
typedef struct bench_side {
    const char *name;
    int32_t (*compute)(void *instance, const scree_contact_batch *batches, uint32_t n);
    void *instance;
} bench_side;

static inline void *bench_instance(const scree_force_ops *ops, const scree_host *host,
                                   const void *config)
{
    void *instance = NULL;
    if (ops->create(host, config, &instance) == SCREE_OK)
        return instance;
    bail_out("create failed: %s", ((const fake_host *)host->ctx)->text);
}

/** Seconds of all batches, once. */
static inline double bench_once(const bench_side *s, const bench_contacts *c)
{
    double t = bench_now();
    int32_t status = s->compute(s->instance, c->batch, BATCHES);
    t = bench_now() - t;
    if (status == SCREE_OK)
        return t;
    bail_out("%s: compute failed", s->name);
}

static inline int bench_compare_ratios(const void *p, const void *q)
{
    const double *a = p, *b = q;
    double x = a[1] / a[0], y = b[1] / b[0];
    return (x > y) - (x < y);
}

/** The two take turns; the fastest of many repetitions counts, and of several rounds of them the
 * one with the median ratio. [ns] per contact of both. */
static inline void bench_turns(const bench_side *p, const bench_side *q, const bench_contacts *c,
                               long repetitions, double ns[2])
{
    enum { ROUNDS = 21 };
    double best[ROUNDS][2];
    for (int round = 0; round < ROUNDS; round++) {
        best[round][0] = best[round][1] = HUGE_VAL;
        for (long turn = 0; turn < 2 * repetitions; turn++) {
            int first = (turn ^ turn >> 1) & 1; // p q q p
            double t = 1e9 * bench_once(first ? q : p, c) / CONTACTS;
            best[round][first] = fmin(best[round][first], t);
        }
    }
    qsort(best, ROUNDS, sizeof *best, bench_compare_ratios);
    ns[0] = best[ROUNDS / 2][0];
    ns[1] = best[ROUNDS / 2][1];
}

#endif
