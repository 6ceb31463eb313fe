// SPDX-License-Identifier: Apache-2.0
// Claims about gcd/dess: which of the cases of Perkins' figure 3 it matches, and ties.
// usage: gcd_dess PLUGIN.so [PLUGIN.x86-64-v3.so]
#include "gcd_boxes.h"

// How a match lies to the target [2, 6] on an axis: before, over its start, around it, within, over
// its end, after.
static const double match[6][2] = {{0, 1}, {1, 3}, {1, 7}, {3, 5}, {5, 8}, {7, 9}};

// The name of a case: row and column from 1, numbered by rows; the lower half is the upper one with
// the roles exchanged.
static void name_case(uint32_t row, uint32_t column, char name[8])
{
    if (row <= 3)
        snprintf(name, 8, "%uA", 6 * (row - 1) + column);
    else
        snprintf(name, 8, "%uB", 6 * (6 - row) + 7 - column);
}

static void test_cases(subject *s)
{
    char found[256] = "", name[8];
    int once = 1;
    for (uint32_t target = 0; target < 2; target++) { // its number must not matter
        found[0] = 0;
        for (uint32_t row = 1; row <= 6; row++)
            for (uint32_t column = 1; column <= 6; column++) {
                static boxes_here w;
                const double *x = match[column - 1], *y = match[row - 1];
                const int meet = column > 1 && column < 6 && row > 1 && row < 6;
                set_box(&w, target, 2, 6, 2, 6);
                set_box(&w, 1 - target, x[0], x[1], y[0], y[1]);
                place(s, &w, 2);
                once &= search_pivots(s, 0, s->n_pivots) == (uint32_t)meet;
                name_case(row, column, name);
                if (s->n_pairs && s->pairs[0].a == target)
                    strcat(strcat(found, name), " ");
            }
        printf("# matched: %s\n", found);
        // in the order of the rows
        tap_ok(strcmp(found, "10A 11A 16A 17A 15B 14B 9B 8B ") == 0,
               "of figure 3 the cases 8B 9B 10A 11A 14B 15B 16A 17A are matched, no others");
    }
    tap_ok(once, "each of the 36 cases gives one pair if it is a contact, else none");
}

static void test_lattice(subject *s)
{
    static boxes_here w;
    for (uint32_t i = 0; i < 16; i++)
        set_box(&w, i, i % 4, i % 4 + 1.0, i / 4, i / 4 + 1.0);
    place(s, &w, 16);
    tap_ok(search_pivots(s, 0, s->n_pivots) == 2 * 12 + 2 * 9,
           "boxes that touch at sides and corners are pairs");
    for (uint32_t i = 0; i < 16; i++)
        set_box(&w, i, i % 4, i % 4 + 0.99, i / 4, i / 4 + 0.99);
    place(s, &w, 16);
    tap_ok(search_pivots(s, 0, s->n_pivots) == 0, "and with a gap between them none is");
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    for (int i = 1; i < argc; i++)
        for (int heap = 0; heap < 2; heap++) {
            subject s;
            if (i == 2 && !__builtin_cpu_supports("avx2"))
                break;
            start(&s, argv[i]);
            fake_choose(s.plugin, s.config, "sort", heap ? "heap" : "insertion");
            fake_choose(s.plugin, s.config, "master", "x");
            test_cases(&s);
            test_lattice(&s);
            stop(&s);
        }
    return tap_end();
}
