/* SPDX-License-Identifier: Apache-2.0 */
/* The penetration case of Dosta et al. 2024, beside the eight codes of the paper. */
#include <math.h>
#include <stdlib.h>

#include "harness.h"

/*
 * M. Dosta et al., Computer Physics Communications 296 (2024) 109066. The bands are those of one
 * run: the spread of the eight codes' runs over ten places of the ball.
 */
static const double lowest_band[2] = {-0.0790, -0.0780}, time_band[2] = {0.0309, 0.0321};
static const double end_band[2] = {-0.0602, -0.0443};

typedef struct course {
    double lowest, at, at_10ms, at_20ms, end, fall; // [m] [s] [m] [m] [m] [m]
} course;

static double free_fall(double t)
{
    return 0.06 - 5.0 * t - 4.9 * t * t;
}

/** The ball's way; looked at after every step. */
static course follow(scree_sim *sim)
{
    uint64_t steps = sim->scene->steps, show = steps / 10;
    course c = {.lowest = HUGE_VAL};
    for (uint64_t n = 1; n <= steps; n++) {
        run(sim, 1);
        double z = sim->world->x[2][body_of(sim, 0)], t = scree_sim_time(sim);
        if (z < c.lowest)
            c.lowest = z, c.at = t;
        if (t < 0.0205)
            c.fall = fmax(c.fall, fabs(z - free_fall(t)));
        if (n == steps / 5)
            c.at_10ms = z;
        if (n == 2 * steps / 5)
            c.at_20ms = z;
        if (n % show == 0)
            note("t = %.3f s: z = %.5f m", t, z);
        c.end = z;
    }
    return c;
}

static void print_rows(const char *path, const course *c, double wall)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    if (!g_file_get_contents(path, &text, NULL, &error))
        bail_out("%s", error->message);
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    for (char **line = lines; *line; line++)
        note("%s", *line);
    note("scree,1,%.6f,%.6f,,%.6f,%.6f,%.6f,  (%.0f s of wall time, one thread)", c->at, c->lowest,
         c->at_10ms, c->at_20ms, c->end, wall);
}

static bool within(double value, const double band[2])
{
    return value >= band[0] && value <= band[1];
}

/** Argument: source root. */
int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    const char *data = g_getenv("SCREE_DATA");
    g_autofree char *folder =
        data ? g_strdup(data) : g_build_filename(argv[1], "..", "shared", "data", NULL);
    g_autofree char *bed =
        g_build_filename(folder, "dosta2024-dem-benchmark", "penetration_25k_particles.txt", NULL);
    g_autofree char *set = g_strdup_printf("bodies.bed.file=%s", bed);
    g_autofree char *scene =
        g_build_filename(argv[1], "configs", "bench", "penetration", "penetration.cfg", NULL);
    g_autofree char *expected =
        g_build_filename(argv[1], "configs", "bench", "penetration", "expected.csv", NULL);
    if (!g_file_test(bed, G_FILE_TEST_IS_REGULAR)) {
        skip("penetration", "the data are not here; SCREE_DATA names their folder");
        return end_of_claims();
    }
    scree_sim *sim = start_file(scene, (const char *const[]){set, NULL}, NULL);
    claim(sim->world->n_free == 25001, "%u free bodies", sim->world->n_free);
    double begin = scree_now();
    course c = follow(sim);
    print_rows(expected, &c, scree_now() - begin);
    claim(c.fall < 1e-5, "free fall until it touches, within %.1e m", c.fall);
    claim(within(c.lowest, lowest_band) && within(c.at, time_band),
          "lowest z = %.5f m at %.5f s (bands %.4f .. %.4f m, %.4f .. %.4f s)", c.lowest, c.at,
          lowest_band[0], lowest_band[1], time_band[0], time_band[1]);
    claim(within(c.end, end_band) && fabs(scree_sim_time(sim) - 0.05) < 1e-9,
          "z(%.3f s) = %.5f m (band %.4f .. %.4f m)", scree_sim_time(sim), c.end, end_band[0],
          end_band[1]);
    scree_sim_free(sim);
    return end_of_claims();
}
