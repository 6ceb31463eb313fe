// SPDX-License-Identifier: Apache-2.0
/*
 * superquadric: ellipsoids, and rounded boxes, cylinders, octahedra between them.
 *
 * Sources  [1] R. M. O'Connor, A distributed discrete element modeling environment, 1996, 8.3.2, eq.
 *              8.3; more in superquadric/form.c.
 * Form     I = {|x/a1|^(2/xi) + |y/a2|^(2/xi)}^(xi/eta) + |z/a3|^(2/eta), 1 on the surface: xi
 *          shapes the sections across z, eta the profile along it. xi = eta = 1 is an ellipsoid;
 *          below 1 there are edges, 2 is an octahedron, above 2 the solid is hollow-sided. Other
 *          programs give the exponents themselves, `blockiness` = (n1, n2) = (2/eta, 2/xi).
 * Mass     exact, by gamma functions.
 * Boxes    exact for any rotation, by the support function of the convex hull.
 * Views    scree.support/1 if convex (xi, eta <= 2), exact; scree.implicit/1, b (I^(eta/2) - 1)
 *          with b the shortest half axis: it grows evenly from the origin outward,
 *          and for xi, eta <= 1 its size is at most the distance from the surface;
 *          scree.mesh/1 by tolerance (solid/loft.c); radii of curvature, and of a ball that rolls
 *          inside, for resolvers of this tree (superquadric/radii.c, ../smooth.h).
 * Cost     four powers for a support point or a value of the implicit function; one square root for
 *          the support point of an ellipsoid.
 * Limits   Each half axis is at least 1/1000 of the longest. A mesh has at most a million facets.
 */
#include "superquadric/superquadric.h"

#define LEAST_SHARE 1e-3 /* part of the longest half axis */

typedef struct config {
    scree_reals axes, blockiness;
    double xi, eta;
} config;

static const solid_kind kind = {superquadric_farthest, superquadric_reach, superquadric_value,
                                superquadric_mesh,     superquadric_roll,  superquadric_radii};

/** Reads the exponents of the section and the profile. */
static int32_t read_exponents(const scree_host *host, const config *c, double *m, double *n)
{
    if (c->blockiness.n && !(isnan(c->xi) && isnan(c->eta)))
        return scree_failf(host, SCREE_E_CONFIG,
                           "blockiness is given as well as %s; expected one of the two",
                           isnan(c->xi) ? "eta" : "xi");
    *m = c->blockiness.n ? c->blockiness.v[1] : isnan(c->xi) ? 2.0 : 2.0 / c->xi;
    *n = c->blockiness.n ? c->blockiness.v[0] : isnan(c->eta) ? 2.0 : 2.0 / c->eta;
    return SCREE_OK;
}

static int32_t check_axes(const scree_host *host, const double *axis)
{
    const double most = scree_max(scree_max(axis[0], axis[1]), axis[2]);
    for (int k = 0; k < 3; k++)
        if (axis[k] < LEAST_SHARE * most)
            return scree_failf(host, SCREE_E_CONFIG,
                               "axes[%d]: expected at least %g m, a thousandth of the longest half "
                               "axis, got %g m",
                               k, LEAST_SHARE * most, axis[k]);
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    double m = 2.0, n = 2.0;
    int32_t code = check_axes(host, c->axes.v);
    code = code == SCREE_OK ? read_exponents(host, c, &m, &n) : code;
    if (code != SCREE_OK)
        return code;
    superquadric_form *form = malloc(sizeof *form);
    solid_mass mass = {0};
    if (form) {
        *form = superquadric_of(c->axes.v, m, n);
        mass.volume = superquadric_volume(form);
        mass.radius = sqrt(form->longest2);
        superquadric_moments(form, mass.moment);
    }
    return solid_new(host, &kind, form, sizeof *form, &mass, form && superquadric_is_convex(form),
                     instance);
}

/* ---- descriptor ---- */

SCREE_REALS_PARAM(config, axes, 3, "m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0, 1e50,
                  "half axes along x, y, z");
SCREE_REAL_PARAM(config, xi, NULL, SCREE_PARAM_OPTIONAL, 0, 0.05, 3.0,
                 "squareness of the sections across z: 1 is round, less has edges; absent: 1");
SCREE_REAL_PARAM(config, eta, NULL, SCREE_PARAM_OPTIONAL, 0, 0.05, 3.0,
                 "squareness of the profile along z; absent: 1");
SCREE_REALS_PARAM(
    config, blockiness, 2, NULL, SCREE_PARAM_OPTIONAL, 0, 2.0 / 3.0, 40.0,
    "exponents (n1, n2) = (2 / eta, 2 / xi), of the profile and of the sections; instead "
    "of xi and eta");
static const scree_param *const params[] = {&param_axes, &param_xi, &param_eta, &param_blockiness};

static const scree_shape_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = solid_destroy,
    .bytes = solid_bytes,
    .measure = solid_measure,
    .place = solid_place,
    .boxes = solid_find_boxes,
    .view = solid_view,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_SHAPE,
    .flags = SCREE_CAP_USES_LIBM, // the mass needs gamma functions
    .dimensions = SCREE_DIMENSION_3,
    .id = "superquadric",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "an ellipsoid, or a rounded box, cylinder or octahedron",
    .summary =
        "The solid {|x/a|^(2/xi) + |y/b|^(2/xi)}^(xi/eta) + |z/c|^(2/eta) <= 1. With xi = eta = 1 "
        "an ellipsoid; 0.25 gives a box with rounded edges, xi = 1 and eta = 0.25 a cylinder, 2 an "
        "octahedron. Convex for xi and eta up to 2; above, sections and profile are hollowed, and "
        "there is no support function. Volume and inertia are exact.",
    .citation =
        "O'Connor 1996, A distributed discrete element modeling environment, thesis, MIT, 8.3; "
        "Jaklic, Leonardis, Solina 2000, Segmentation and Recovery of Superquadrics",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
