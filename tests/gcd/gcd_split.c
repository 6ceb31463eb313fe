// SPDX-License-Identifier: Apache-2.0
// Claims about merge-splitting (O'Connor 7.1): a list that is sorted in any number of pieces has the same order as one
// that is sorted as a whole. The pairs of gcd/dess come in the order of its lists.
// usage: gcd_split dess.so [dess.x86-64-v3.so]
#include "gcd_boxes.h"

static boxes_here w;

// Step 0: boxes anywhere; 1: they moved a little; 2: the order on x is reversed; 3: many coordinates are equal.
static void fill(uint32_t n, uint32_t step)
{
    uint64_t state = 77;
    double u[4];
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < 4; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            u[k] = scree_uniform(state);
        }
        const double r = 0.2 + 0.6 * u[2], side = sqrt(n) + 1.0;
        double x = side * u[0] + (step ? 0.05 * u[3] : 0.0), y = side * u[1];
        x = step == 2 ? -x : step == 3 ? floor(x) : x;
        y = step == 3 ? floor(y) : y;
        set_box(&w, i, x - r, x + r, y - r, y + r);
    }
    view_boxes(&w, n);
}

typedef struct answer {
    scree_pair *pairs;
    uint64_t n;
} answer;

static answer find(subject *s, uint32_t n, const char *sort, int64_t pieces)
{
    answer all = {NULL, 0};
    fake_choose(s->plugin, s->config, "sort", sort);
    *(int64_t *)fake_member(s->plugin, s->config, "pieces") = pieces;
    make(s);
    for (uint32_t step = 0; step < 4; step++) {
        fill(n, step);
        if (step == 0)
            place(s, &w, n);
        else
            begin_step(s, &w, NULL, 0);
        search_pivots(s, 0, s->n_pivots);
        all.pairs = realloc(all.pairs, (all.n + s->n_pairs + 1) * sizeof *all.pairs);
        if (s->n_pairs)
            memcpy(all.pairs + all.n, s->pairs, s->n_pairs * sizeof *all.pairs);
        all.n += s->n_pairs;
    }
    s->ops->destroy(s->self);
    return all;
}

static void test_pieces(subject *s, const char *sort)
{
    static const uint32_t counts[] = {0, 1, 2, 5, 100, 1000, 3001};
    static const int64_t pieces[] = {2, 3, 4, 7, 8, 255, 256};
    uint64_t met = 0;
    for (uint32_t c = 0; c < SCREE_COUNT(counts); c++) {
        const answer whole = find(s, counts[c], sort, 1);
        int same = 1;
        for (uint32_t p = 0; p < SCREE_COUNT(pieces); p++) {
            const answer split = find(s, counts[c], sort, pieces[p]);
            const int good =
                split.n == whole.n &&
                (!whole.n || !memcmp(split.pairs, whole.pairs, whole.n * sizeof *whole.pairs));
            if (!good)
                printf("# %u boxes in %lld pieces: %llu pairs, whole %llu\n", counts[c],
                       (long long)pieces[p], (unsigned long long)split.n,
                       (unsigned long long)whole.n);
            same &= good;
            free(split.pairs);
        }
        met += whole.n;
        free(whole.pairs);
        tap_ok(same, "the pairs of lists in pieces are those of whole lists, in one order");
    }
    tap_ok(met > 5000, "and these are thousands");
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    for (int i = 1; i < argc; i++) {
        subject s;
        if (i == 2 && !__builtin_cpu_supports("avx2"))
            break;
        load(&s, argv[i]);
        test_pieces(&s, "heap");
        test_pieces(&s, "insertion");
        free(s.pairs);
        free(s.fake.scratch);
    }
    return tap_end();
}
