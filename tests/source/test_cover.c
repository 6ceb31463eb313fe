// SPDX-License-Identifier: Apache-2.0
// The map of taken places of source/random, against brute force.
#include <glib.h>
#include <math.h>
#include <stdbool.h>

#include "cover.h"

enum { BALLS = 400, QUESTIONS = 200000 };

typedef struct ball {
    double x[3], r;
} ball;

static bool overlaps(const ball *balls, const double x[3], double r)
{
    for (int i = 0; i < BALLS; i++) {
        const ball *b = &balls[i];
        double dx = b->x[0] - x[0], dy = b->x[1] - x[1], dz = b->x[2] - x[2], sum = b->r + r;
        if (dx * dx + dy * dy + dz * dz < sum * sum * (1.0 - 1e-12))
            return true;
    }
    return false;
}

/** Places on the map are taken, and a good part of the taken ones is on it. */
static void test_taken(gconstpointer data)
{
    const uint32_t dimension = GPOINTER_TO_UINT(data);
    const double lo[3] = {0.0, 0.0, 0.0}, hi[3] = {1.0, 1.0, 1.0}, least = 0.03;
    ball balls[BALLS];
    cover map = {0};
    uint32_t hits = 0, spared = 0;
    g_assert_true(cover_init(&map, dimension, least, lo, hi, BALLS));
    for (int i = 0; i < BALLS; i++) {
        balls[i].r = g_test_rand_double_range(least, 0.05);
        for (uint32_t k = 0; k < 3; k++)
            balls[i].x[k] = k < dimension ? g_test_rand_double_range(-0.1, 1.1) : 0.0;
        if (dimension == 2)
            balls[i].r *= 0.3;
        cover_add(&map, balls[i].x, balls[i].r);
    }
    for (int i = 0; i < QUESTIONS / 10; i++) {
        double x[3] = {0.0, 0.0, 0.0};
        for (uint32_t k = 0; k < dimension; k++)
            x[k] = g_test_rand_double_range(-0.01, 1.01);
        double r = i % 2 ? least : g_test_rand_double_range(0.5 * least, 0.05);
        bool hit = overlaps(balls, x, r), on_map = cover_hit(&map, cover_find(&map, x), r);
        g_assert_true(hit || !on_map);
        hits += hit;
        spared += on_map;
    }
    g_test_message("%u of %u hits are on the map", spared, hits);
    g_assert_cmpuint(hits, <, QUESTIONS / 10);
    g_assert_cmpuint(spared, >, hits / 8); // or it serves nothing
    cover_clear(&map);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_data_func("/cover/what-is-on-the-map-is-taken", GUINT_TO_POINTER(3), test_taken);
    g_test_add_data_func("/cover/in-the-plane-too", GUINT_TO_POINTER(2), test_taken);
    return g_test_run();
}
