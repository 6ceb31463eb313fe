/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays by a table: growth keeps used elements, leaves out absent arrays, ends them all. */
#include "../../test.h"
#include "base/arrays.h"

typedef struct things {
    uint64_t capacity;
    double *x[3];
    uint32_t *id;
    uint8_t *mark; /* with MARKED */
    double *line;  /* 8 each */
} things;

enum { MARKED = 1, MORE = 2 };

static const scree_array rows[] = {
    SCREE_ARRAY_EACH(things, x, 0),
    SCREE_ARRAY(things, id, 1, 0),
    SCREE_ARRAY(things, mark, 1, MARKED),
    SCREE_ARRAY(things, line, 8, 0),
};
static const scree_arrays arrays = {rows, G_N_ELEMENTS(rows)};

static void fill(things *t, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            t->x[k][i] = (double)(3 * i) + k;
        t->id[i] = (uint32_t)i + 7;
        if (t->mark)
            t->mark[i] = (uint8_t)i;
        for (int k = 0; k < 8; k++)
            t->line[8 * i + k] = -(double)(8 * i) - k;
    }
}

static void check(const things *t, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            g_assert_cmpfloat(t->x[k][i], ==, (double)(3 * i) + k);
        g_assert_cmpuint(t->id[i], ==, i + 7);
        if (t->mark)
            g_assert_cmpuint(t->mark[i], ==, i);
        for (int k = 0; k < 8; k++)
            g_assert_cmpfloat(t->line[8 * i + k], ==, -(double)(8 * i) - k);
    }
}

TEST("/arrays/growth-keeps-what-is-used")
{
    things t = {0};
    uint64_t used = 0;
    for (uint64_t n = 1; n < 200; n = 3 * n / 2 + 1) {
        uint64_t before = t.capacity;
        scree_arrays_grow(&t, arrays, MARKED | MORE, &t.capacity, n, used);
        g_assert_cmpuint(t.capacity, >=, n);
        g_assert_true(n > before || t.capacity == before);
        check(&t, used);
        fill(&t, t.capacity);
        used = n;
    }
    g_assert_nonnull(t.mark);
    scree_arrays_free(&t, arrays);
}

TEST("/arrays/only-those-that-the-flags-allow")
{
    things t = {0};
    scree_arrays_grow(&t, arrays, MORE, &t.capacity, 10, 0);
    g_assert_null(t.mark);
    fill(&t, 10);
    check(&t, 10);
    scree_arrays_free(&t, arrays);
    for (int k = 0; k < 3; k++)
        g_assert_null(t.x[k]);
    g_assert_null(t.id);
    g_assert_null(t.line);
    scree_arrays_free(&t, arrays); // again is fine
}

TEST("/arrays/bytes-of-an-element")
{
    g_assert_cmpuint(scree_arrays_bytes(arrays, 0), ==, 3 * 8 + 4 + 8 * 8);
    g_assert_cmpuint(scree_arrays_bytes(arrays, MARKED), ==, 3 * 8 + 4 + 1 + 8 * 8);
}
