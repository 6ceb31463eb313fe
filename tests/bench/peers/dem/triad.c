/* SPDX-License-Identifier: Apache-2.0 */
/* Measures memory bandwidth by a triad, a[i] = b[i] + s c[i], on one thread.
 *
 * usage: triad [ELEMENTS [REPETITIONS]]; GB/s are counted as 24 B per element (32 B with
 * write-allocate).
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], 0, 10) : 20000000;
    int reps = argc > 2 ? atoi(argv[2]) : 20;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c);
    if (!a || !b || !c)
        return 1;
    for (size_t i = 0; i < n; i++) {
        a[i] = 0;
        b[i] = (double)i;
        c[i] = 1.0;
    }
    double best = 1e30;
    for (int r = 0; r < reps; r++) {
        double t = now(), s = 0.5 + r;
        for (size_t i = 0; i < n; i++)
            a[i] = b[i] + s * c[i];
        t = now() - t;
        if (t < best)
            best = t;
    }
    printf("triad n=%zu MiB=%.1f GBps=%.2f (24 B/elem) check=%g\n", n, 3.0 * n * 8 / 1048576.0,
           24.0 * n / best * 1e-9, a[n / 2]);
    return 0;
}
