/* SPDX-License-Identifier: Apache-2.0 */
/* Critical time steps of a scene, and the bodies that set them. */
#ifndef CORE_CRITICAL_H
#define CORE_CRITICAL_H

#include "plugin/instance_data.h"
#include "scene/scene_data.h"

typedef struct scree_critical_step {
    double step;       /* [s], infinite: not known, or nothing limits it */
    double rate;       /* [1/s^2] SPRING, PACKING: omega^2 of the motion that sets it */
    double damping;    /* [1/s] the same: 2 zeta omega */
    double zeta;       /* [-] the same */
    uint64_t id;       /* of the body that sets it */
    double size;       /* [m] of that body (shape_size.h): of a ball its radius */
    uint32_t flags;    /* of its shape: SCREE_CAP_ROUND, BALLS, 0: a solid */
    uint32_t partner;  /* SPRING, PACKING: material of the other side */
    bool wall;         /* the same: the other side is, or some of them are, walls */
    uint32_t contacts; /* PACKING: of that body, at most */
} scree_critical_step;

typedef struct scree_critical {
    scree_critical_step rayleigh;
    scree_critical_step spring;  /* of one contact */
    scree_critical_step packing; /* of a body with as many contacts as it has room for */
    uint64_t no_elasticity; /* free bodies whose material lacks young_modulus or poisson_ratio */
    bool no_stiffness;      /* no law of the scene states its stiffness */
} scree_critical;

/**
 * Finds the steps over the free bodies, from what bodies there are, not from where they are.
 *
 * Rayleigh: pi r sqrt(rho / G) / (0.1631 nu + 0.8766) with G = E / (2 (1 + nu)), the time in which
 * a surface wave passes half around a sphere (Li, Xu, Thornton 2005); r of a body that is not round is
 * its size (shape_size.h).
 *
 * Spring: of one contact, omega^2 = max(kn, kt (1 + m r^2 / I)) / m_eff; m_eff = m / 2 between equal
 * bodies, m at a wall. A body that is not round has omega^2 = max(kn, kt) / m_eff. No step above it is
 * stable, whatever the scene.
 *
 * Packing: of a body with as many contacts as it has room for (critical_bound.h). No step below it is
 * unstable.
 *
 * All are limits of the scene's integrator at the damping ratio of that motion. Stiffnesses are
 * those of the laws, summed, at the largest speed to expect: twice the fastest start, or the fall
 * through the scene.
 *
 * `laws`: [n_laws] instances of force laws. False with an error when a law fails.
 */
bool scree_critical_find(const scree_scene *scene, uint32_t n_laws, scree_instance *const *laws,
                         scree_critical *out, GError **error);

/** [s] The smallest one. */
double scree_critical_smallest(const scree_critical *critical);
/** [s] The step that no contact survives: of one contact, else Rayleigh's. */
double scree_critical_certain(const scree_critical *critical);
/** Whose the smallest one is: "of body 7 with room for 12 contacts". New string. */
char *scree_critical_name(const scree_critical *critical);
/** [s] The step of a run: scene->dt, or dt_fraction of the smaller critical step. NaN with an error
 * when it is "auto" and neither step is known. */
double scree_critical_dt(const scree_scene *scene, const scree_critical *critical, GError **error);

#endif
