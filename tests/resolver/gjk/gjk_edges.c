// SPDX-License-Identifier: Apache-2.0
// Claims about the resolver `gjk`: where an edge lies on a face, contacts come and go without a jump of their potential.
// usage: gjk_edges PLUGIN.so [PLUGIN.x86-64-v3.so]
#include "gjk_pairs.h"

static const uint32_t forth[2] = {0, 1};

#define DEEP 1e-3

/* A bar with an edge down lies askew on a box. The part `on` of its edge, from -1 to 1, is at the height of the box's top
 * less DEEP, and at x = `at`; the edge leans by `lean`. Returns the sum of squared depths: the potential of equal springs. */
static double lay_bar(subject *s, double lean, double on, double at)
{
    const double thick = 0.3, eighth = 0.125 * 3.14159265358979323846, turn = 0.15;
    make_box(&solids[0], 2.0, 2.0, 1.0);
    make_box(&solids[1], 1.0, thick, thick);
    const double c = cos(eighth), r = sin(eighth), cy = cos(0.5 * lean), sy = sin(0.5 * lean),
                 cz = cos(turn), sz = sin(turn);
    const double p[4] = {cy * c, cy * r, sy * c, -sy * r}; // about its length, then leaning
    const double q[2][4] = {{1.0, 0.0, 0.0, 0.0},
                            {cz * p[0] - sz * p[3], cz * p[1] - sz * p[2], cz * p[2] + sz * p[1],
                             cz * p[3] + sz * p[0]}};
    for (int k = 0; k < 2; k++) {
        pair.scale[k] = 1.0;
        for (int i = 0; i < 4; i++)
            pair.q[i][k] = q[k][i];
    }
    memset(pair.d, 0, sizeof pair.d);
    set_pair(s);
    const double local[3] = {on, -thick, -thick};
    spot there = spot_of(0, 0, 0);
    for (int i = 0; i < 3; i++)
        there = plus(there, (real)local[i],
                     spot_of(placed_at[1].m[0][i], placed_at[1].m[1][i], placed_at[1].m[2][i]));
    pair.d[0] = at - (double)there.x;
    pair.d[1] = -(double)there.y;
    pair.d[2] = 1.0 - DEEP - (double)there.z;
    set_pair(s);
    touch_ordered(s, &pair, forth, pair.d, 0.0, NULL, &touches);
    double sum = 0.0;
    for (uint32_t k = 0; k < touches.out.n; k++)
        sum += touches.depth[k] * touches.depth[k];
    return sum;
}

/* The largest change of the potential, of that of one contact as deep; rows of lay_bar(). */
typedef struct changes {
    double before, most;
    int any;
} changes;

static void follow(changes *c, double potential)
{
    if (c->any)
        c->most = fmax(c->most, fabs(potential - c->before) / (DEEP * DEEP));
    c->before = potential;
    c->any = 1;
}

static void test_rocking(subject *s)
{
    changes c = {0};
    for (int k = -1000; k <= 1000; k++) // the rim at x = 2 is under the middle of the bar
        follow(&c, lay_bar(s, 2e-6 * k, 0.0, 2.0));
    printf("# rocking: steps of the potential are up to %.2g of that of one contact\n", c.most);
    tap_ok(c.most < 0.02, "an edge that rocks over the rim of a face has no jump of its potential");
}

static void test_leaving(subject *s)
{
    double most = 0.0;
    for (int way = 0; way < 8; way++) {
        const double lean = (way & 1 ? 1.0 : -1.0) * (way & 4 ? 2e-4 : 8e-4),
                     end = way & 2 ? 1.0 : -1.0;
        changes c = {0};
        for (int k = -200; k <= 200; k++)
            follow(&c, lay_bar(s, lean, end, end * 2.0 + 2e-8 * k));
        most = fmax(most, c.most);
    }
    printf("# an end leaves: steps of the potential are up to %.2g of that of one contact\n", most);
    tap_ok(most < 0.02, "an edge whose end leaves a face has no jump of its potential");
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        subject s;
        start_resolver(&s, argv[k], 3, NULL);
        test_rocking(&s);
        test_leaving(&s);
        stop_resolver(&s);
    }
    return tap_end();
}
