/* SPDX-License-Identifier: Apache-2.0 */
/* Shared code of the physics tests: claims in TAP, runs from scene texts, bodies by id, random
 * numbers.
 */
#ifndef TESTS_SCENES_HARNESS_H
#define TESTS_SCENES_HARNESS_H

#include "../../tap.h"
#include "engine/sim.h"

/** The plugins that every scene here uses; force and bodies are the test's own. */
#define PLUGINS                                                                                    \
    "gcd = { plugin = \"grid\"; }; resolvers = ( { plugin = \"sphere\"; } );"                      \
    "integrator = { plugin = \"velocity_verlet\"; };"

/** A run of a scene text, printf-like. */
scree_sim *start_text(const char *format, ...) G_GNUC_PRINTF(1, 2);
/** The same, or NULL and an error. */
scree_sim *try_text(const char *text, GError **error);
/** A run of a scene file with overrides (NULL: none). */
scree_sim *start_file(const char *path, const char *const *set, const scree_sim_options *options);
void run(scree_sim *sim, uint64_t steps);

/** Storage number of a body. */
uint32_t body_of(const scree_sim *sim, uint64_t id);
/** Position [m], counted through periodic cells. */
void unwrapped(const scree_sim *sim, uint32_t i, double x[3]);
double kinetic_energy(const scree_sim *sim); /* [J] */
/** Contacts of the newest step; the step must have been made by run_recorded. */
void run_recorded(scree_sim *sim, uint64_t steps);
void contacts_of(scree_sim *sim, scree_contact_list *list);

/** Random numbers in [low, high), the same in every run of a test. */
typedef struct dice {
    uint64_t state;
} dice;
double throw_dice(dice *d, double low, double high);

static inline double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void cross(const double a[3], const double b[3], double out[3])
{
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2],
           z = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

#endif
