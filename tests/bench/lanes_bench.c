/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the gain of a second thread on this machine for work that needs no memory: on one with
 * two threads per core, or with neighbours, less than 2. Prints the seconds of one thread, and of
 * two that have half of the work each. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { LANES = 16, ROUNDS = 40000000 };

typedef struct work {
    long rounds;
    uint64_t sum;
} work;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *spin(void *user)
{
    work *w = user;
    uint32_t x[LANES];
    for (uint32_t k = 0; k < LANES; k++)
        x[k] = k + 1;
    for (long n = 0; n < w->rounds; n++)
        for (uint32_t k = 0; k < LANES; k++) {
            x[k] ^= x[k] << 13;
            x[k] ^= x[k] >> 17;
            x[k] ^= x[k] << 5;
        }
    w->sum = 0;
    for (uint32_t k = 0; k < LANES; k++)
        w->sum += x[k];
    return NULL;
}

int main(void)
{
    work all = {ROUNDS, 0}, half[2] = {{ROUNDS / 2, 0}, {ROUNDS / 2, 0}};
    pthread_t other;
    const double begin = now();
    spin(&all);
    const double middle = now();
    if (pthread_create(&other, NULL, spin, &half[1])) {
        fprintf(stderr, "lanes_bench: no second thread\n");
        return 1;
    }
    spin(&half[0]);
    pthread_join(other, NULL);
    printf("%.6f %.6f\n", middle - begin, now() - middle);
    return (all.sum | half[0].sum | half[1].sum) == 0; // what was worked out is needed
}
