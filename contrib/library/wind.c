/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a scene of scree inside a program: beads in a wind that this program blows.
 *     cc wind.c -o wind $(pkg-config --cflags --libs libscree scree)
 *     ./wind hopper
 */
#include <libscree.h>
#include <scree/modifier.h>
#include <stdio.h>

/* Called at each evaluation of the forces: Stokes' drag in air that moves along x. */
static int32_t blow(void *user, const scree_forces *args)
{
    const double speed = *(const double *)user; /* [m/s] */
    const scree_bodies *b = args->bodies;
    for (uint32_t i = 0; i < b->n; i++) {
        double *line = args->wrench + 8 * (size_t)i;
        const double s = 6.0 * 3.14159265358979 * 1.8e-5 * b->radius[i]; /* [N s/m] */
        const double u[3] = {speed - b->v[0][i], -b->v[1][i], -b->v[2][i]};
        for (int k = 0; k < 3; k++) {
            line[k] += s * u[k];
            line[7] += s * u[k] * u[k]; /* heat */
        }
        args->power[i] += s * u[0] * speed; /* work of the air */
    }
    return 0;
}

/* Reads the mean height [m] of the bodies. */
static double mean_height(sc_run *run)
{
    sc_array x = {.size = sizeof x};
    double sum = 0.0;
    if (sc_array_get(run, "x", &x))
        return 0.0;
    for (uint64_t i = 0; i < x.n; i++)
        sum += ((const double *)x.column[2])[i * x.stride];
    return sum / (double)x.n;
}

int main(int argc, char **argv)
{
    const char *set[] = {"generate.beads.count=200", "modifiers={air={plugin=\"callback\";};}",
                         NULL};
    const sc_options options = {.size = sizeof options, .set = set, .flags = SC_QUIET_SCENE};
    double speed = 2.0;
    sc_run *run;
    int32_t code = sc_open(argc > 1 ? argv[1] : "hopper", &options, &run);
    if (!code)
        code = sc_on_forces(run, "air", blow, &speed);
    for (int window = 0; !code && window < 5; window++) {
        const sc_until until = {.size = sizeof until, .steps = 100};
        code = sc_advance(run, &until, NULL);
        printf("t = %.6f s, mean height %.9f m\n", sc_time(run), mean_height(run));
    }
    char hash[65];
    if (!code)
        code = sc_hash(run, hash);
    if (code)
        fprintf(stderr, "wind: %s\n", sc_error(run));
    else
        printf("state %s\n", hash);
    sc_close(run);
    return code;
}
