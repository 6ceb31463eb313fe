/* SPDX-License-Identifier: Apache-2.0 */
/* Critical time steps of a scene, and the bodies that set them. */
#ifndef CORE_CRITICAL_H
#define CORE_CRITICAL_H

#include "plugin/instance_data.h"
#include "scene/scene_data.h"

typedef struct scree_critical_step {
    double step;       /* [s] infinite: unknown, or nothing limits it */
    double rate;       /* [1/s^2] omega^2 of the motion that sets the step; SPRING, PACKING only */
    double damping;    /* [1/s] 2 zeta omega of this motion */
    double zeta;       /* [-] damping ratio of this motion */
    uint64_t id;       /* body that sets the step */
    double size;       /* [m] size of this body (scree_shape_size); the radius of a ball */
    uint32_t flags;    /* of this body's shape: SCREE_CAP_ROUND, BALLS, 0: a solid */
    uint32_t partner;  /* SPRING, PACKING only: material of the other side */
    bool wall;         /* the other side is a wall, or has walls; SPRING, PACKING only */
    uint32_t contacts; /* most contacts of this body; PACKING only */
} scree_critical_step;

typedef struct scree_critical {
    scree_critical_step rayleigh;
    scree_critical_step spring;  /* for one contact */
    scree_critical_step packing; /* for a body with as many contacts as it has room for */
    uint64_t no_elasticity; /* free bodies whose material lacks young_modulus or poisson_ratio */
    bool no_stiffness;      /* no law of the scene reports a stiffness */
} scree_critical;

/**
 * Finds the steps over the free bodies of the scene, whatever their places.
 *
 * Rayleigh: pi r sqrt(rho / G) / (0.1631 nu + 0.8766) with G = E / (2 (1 + nu)), the time in which
 * a surface wave passes half around a sphere (Li, Xu, Thornton 2005). If a body is not round, r is
 * its size (scree_shape_size).
 *
 * Spring: one contact has omega^2 = max(kn, kt (1 + m r^2 / I)) / m_eff, with m_eff = m / 2 between
 * equal bodies, m at a wall; max(kn, kt) / m_eff if the body is not round. No scene is stable above
 * this step.
 *
 * Packing: a body has as many contacts as it has room for (critical_bound.h). Every scene is stable
 * below this step.
 *
 * Each step is the limit of the scene's integrator at the damping ratio of the motion. Stiffnesses
 * are summed over the laws, at the largest expected speed: twice the fastest start, or the fall
 * through the scene.
 *
 * `laws`: [n_laws] instances of force laws. False with an error: a law fails.
 */
bool scree_critical_find(const scree_scene *scene, uint32_t n_laws, scree_instance *const *laws,
                         scree_critical *out, GError **error);

/** [s] The smallest critical step. */
double scree_critical_smallest(const scree_critical *critical);
/** [s] The step above which no contact is stable: Spring, or Rayleigh's if Spring is unknown. */
double scree_critical_certain(const scree_critical *critical);
/** Text about the body of the smallest step: "of body 7 with room for 12 contacts". New string. */
char *scree_critical_name(const scree_critical *critical);
/** [s] The step of a run: scene->dt, or dt_fraction of the smallest critical step. NaN with an
 * error: it is "auto", and no critical step is known. */
double scree_critical_dt(const scree_scene *scene, const scree_critical *critical, GError **error);

#endif
