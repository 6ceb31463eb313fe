/* SPDX-License-Identifier: Apache-2.0 */
/* A GCD plugin without the host, for the adapter of the peers' harness. */
#ifndef SCREE_GCD_PEER_H
#define SCREE_GCD_PEER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gcd_peer gcd_peer;

/** Where pairs go: `n` pairs a0 b0 a1 b1 .. of this step. */
typedef void (*gcd_peer_pairs)(void *ctx, uint64_t n, const uint32_t *ab);

/** SPEC: FILE.so[,KEY=VALUE]...; ends the program if it is not a plugin. Freed by gcd_peer_close.
 */
gcd_peer *gcd_peer_open(const char *spec, uint32_t n, uint32_t dimension);
void gcd_peer_close(gcd_peer *p);

/** One step, every box moved: boxes of balls at x[axis][n] with radii r[n]; all pairs once. Returns
 * how many. */
uint64_t gcd_peer_step(gcd_peer *p, const double *const x[3], const double *r, gcd_peer_pairs to,
                       void *ctx);

#ifdef __cplusplus
}
#endif
#endif
