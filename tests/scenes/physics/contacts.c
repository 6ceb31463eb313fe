/* SPDX-License-Identifier: Apache-2.0 */
/* The contacts of a scene of configs/, at several of its steps, against brute force on true
 * geometry. */
#include <stdlib.h>

#include "brute.h"

/** Arguments: file of the scene, its name, number of looks, steps between two, then overrides. */
int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    g_autofree const char **set = g_new0(const char *, argc);
    for (int k = 5; k < argc; k++)
        set[k - 5] = argv[k];
    g_autoptr(scree_sim) sim = start_file(argv[1], set, NULL);
    uint64_t looks = g_ascii_strtoull(argv[3], NULL, 10),
             every = g_ascii_strtoull(argv[4], NULL, 10);
    uint64_t most = 0;
    for (uint64_t look = 0; look < looks; look++) {
        run_recorded(sim, every);
        double largest = scree_world_largest(sim->world), warp = brute_warp(sim) / largest;
        double slack = (1e-13 + warp) * largest;
        g_autoptr(GArray) run = run_touches(sim);
        g_autoptr(GArray) brute = brute_touches(sim, 0.0);
        comparison c = compare_touches(sim, run, brute, slack);
        claim(c.missed == 0 && c.extra == 0 && c.depth_error < 1e-12 + 4.0 * warp,
              "step %" G_GUINT64_FORMAT ": %" G_GUINT64_FORMAT
              " contacts, missed %" G_GUINT64_FORMAT ", extra %" G_GUINT64_FORMAT
              ", depths within %.1e of the radius (quads warped by %.1e)",
              sim->step, c.n_run, c.missed, c.extra, c.depth_error, warp);
        if (look + 1 == looks && run->len) {
            g_array_remove_index(run, run->len / 2);
            c = compare_touches(sim, run, brute, slack);
            claim(c.missed == 1 && c.extra == 0, "negative control: a contact left out is missed");
        }
        most = MAX(most, c.n_brute);
    }
    claim(most > 0, "there were contacts: %" G_GUINT64_FORMAT " at most", most);
    return tap_end();
}
