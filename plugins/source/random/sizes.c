// SPDX-License-Identifier: Apache-2.0
// Sizes of bodies by number or solid fraction.
#include "sizes.h"

/* Refuses more bodies than any packing can hold, before memory for them is taken. */
static int32_t refuse_all(const packing *p, double scale, uint64_t n)
{
    if (!packing_fits(p, packing_reach(p, scale))) // this reports the reason
        return SCREE_E_CONFIG;
    return packing_problem(p,
                           "no place for %lld bodies: %llu of them have the volume of the region; "
                           "take a larger region or fewer bodies",
                           (long long)p->config->count, (unsigned long long)n + 1);
}

enum { SAMPLE = 1024 }; // bodies that show how many a fraction needs
enum { BODY = 300 };    // [bytes] of a body in a run, at least

/* Whether the system lends memory for n bodies at once; volatile: the call is not left out. */
static int has_room(double n)
{
    void *volatile room = n < 1e6 ? NULL : malloc((size_t)n * BODY);
    const int has = n < 1e6 || room;
    free(room);
    return has;
}

/* Refuses a fraction of bodies so small that no memory holds them; `mean`: their volume. */
static int32_t refuse_fraction(const packing *p, double target, double mean)
{
    const double n = target / mean;
    if (p->args->most <= MOST_BODIES)
        return SCREE_OK;
    if (n > 2.0 * MOST_BODIES) // 2: the mean is that of a sample
        return packing_problem(
            p,
            "a fraction of %g takes %.3g bodies: expected %d at most; take a smaller "
            "region or larger bodies",
            p->config->fraction, n, MOST_BODIES);
    if (!has_room(n))
        return packing_problem(p,
                               "a fraction of %g takes %.3g bodies, which need %.3g GB of memory "
                               "or more, and the system has less; take a smaller region or larger "
                               "bodies",
                               p->config->fraction, n, 1e-9 * BODY * n);
    return SCREE_OK;
}

int32_t sizes_draw(const packing *p, double **out, uint64_t *n)
{
    double target = p->config->fraction * packing_region(p), sum = 0.0;
    uint64_t capacity = 0;
    for (*n = 0;; ++*n) {
        const uint64_t number = p->args->first + *n;
        double scale = packing_scale(p, number), one = packing_solid_of(p, number, scale);
        // By fraction: the last body counts when the sum is nearer to the target with it.
        if (p->config->count >= 0 ? *n >= (uint64_t)p->config->count : sum + 0.5 * one > target)
            return SCREE_OK;
        if (*n >= p->args->most)
            return SCREE_OK;
        if (*n >= MOST_BODIES)
            return packing_problem(p, "more than %u bodies", MOST_BODIES);
        sum += one;
        if (*n + 1 == SAMPLE && p->config->count < 0) {
            const int32_t code = refuse_fraction(p, target, sum / SAMPLE);
            if (code < 0)
                return code;
        }
        if (p->args->add_shape && p->config->count >= 0 && sum > packing_region(p))
            return refuse_all(p, scale, *n);
        if (!scree_grow(out, &capacity, *n + 1, sizeof **out))
            return p->host->fail(p->host->ctx, SCREE_E_MEMORY, "out of memory");
        (*out)[*n] = scale;
    }
}
