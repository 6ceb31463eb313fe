/* SPDX-License-Identifier: Apache-2.0 */
/* Critical time steps of a scene, and the bodies that set them. */
#ifndef CORE_CRITICAL_H
#define CORE_CRITICAL_H

#include "instance.h"
#include "scene.h"

typedef struct scree_critical_step {
    double step;      /* [s], infinite: not known, or nothing limits it */
    uint64_t id;      /* of the body that sets it */
    double radius;    /* [m] of that body */
    uint32_t partner; /* SPRING: material of the other side */
    bool wall;        /* SPRING: the other side is a wall, else a body of the same size */
} scree_critical_step;

typedef struct scree_critical {
    scree_critical_step rayleigh, spring;
    uint64_t no_elasticity; /* free bodies whose material lacks young_modulus or poisson_ratio */
    bool no_stiffness;      /* no law of the scene tells its stiffness */
} scree_critical;

/**
 * Finds both steps over the free bodies.
 *
 * Rayleigh: pi r sqrt(rho / G) / (0.1631 nu + 0.8766) with G = E / (2 (1 + nu)), the time in which
 * a surface wave passes half around a sphere (Li, Xu, Thornton 2005).
 *
 * Spring and mass: 2 / omega, the limit of central differences for one undamped contact, with
 * omega^2 = max(kn, kt (1 + m r^2 / I)) / m_eff; m_eff = m / 2 between equal bodies, m at a wall. A
 * body with several contacts has a smaller one: that is what dt_fraction is for. Stiffnesses are
 * those of the laws, summed, at the largest speed to expect: twice the fastest start, or the fall
 * through the scene.
 *
 * `laws`: [n_laws] instances of force laws. False with an error when a law fails.
 */
bool scree_critical_find(const scree_scene *scene, uint32_t n_laws, scree_instance *const *laws,
                         scree_critical *out, GError **error);

/** [s] The step of a run: scene->dt, or dt_fraction of the smaller critical step. NaN with an error
 * when it is "auto" and neither step is known. */
double scree_critical_dt(const scree_scene *scene, const scree_critical *critical, GError **error);

#endif
