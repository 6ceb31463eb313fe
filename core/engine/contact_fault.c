/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a contact for values that no contact of two bodies can have. */
#include "engine/contact_fault.h"

#include <math.h>
#include <stdio.h>

#include "plugin/quantities.h"

#define UNIT 1e-6  /* [-] tolerance of the square of a normal's length */
#define ROUND 1e-6 /* [-] tolerance of a length, for rounding */

static double square_of(const double *const v[3], uint32_t c)
{
    return v[0][c] * v[0][c] + v[1][c] * v[1][c] + v[2][c] * v[2][c];
}

/** Returns the number of parts of body `at`. */
static uint32_t body_parts(const scree_bodies *bodies, uint32_t at)
{
    const uint32_t n = bodies->shapes[bodies->shape[at]]->n_parts;
    return n ? n : 1; // an infinite body has part 0
}

bool scree_parts_fault(const scree_candidates *in, const scree_contacts *out, uint32_t c,
                       char *text, size_t size)
{
    const uint32_t p = out->pair[c], body[2] = {in->a[p], in->b[p]};
    for (int k = 0; k < 2; k++)
        if (out->part[k][c] >= body_parts(in->bodies, body[k])) {
            snprintf(text, size, "part[%d] %u of a body of %u parts", k, out->part[k][c],
                     body_parts(in->bodies, body[k]));
            return true;
        }
    return false;
}

/** Returns whether two principal curvatures are ordered, with a direction along the surface. */
static bool is_principal(const scree_contacts *out, int side, uint32_t c)
{
    double *const *u = out->direction[side];
    const double first = out->principal[2 * side][c];
    const double second = out->principal[2 * side + 1][c];
    double length2 = 0.0, along = 0.0;
    for (int k = 0; k < 3; k++) {
        length2 += u[k][c] * u[k][c];
        along += u[k][c] * out->normal[k][c];
    }
    return isfinite(first) && first >= second && fabs(length2 - 1.0) <= UNIT && fabs(along) <= UNIT;
}

/** Returns whether a quantity of contact c is invalid; writes the text. */
static bool quantity_fault(const scree_contacts *out, uint32_t c, char *text, size_t size)
{
    for (const scree_quantity *q = scree_quantities; q->n == 1; q++) {
        const double *v = scree_quantity_array(out, q, 0);
        if (!v || scree_quantity_is_sound(q, v[c], out->depth[c]))
            continue;
        snprintf(text, size, "a%s %s of %g %s at a depth of %g m", *q->name == 'a' ? "n" : "",
                 q->name, v[c], q->unit, out->depth[c]);
        return true;
    }
    for (int side = 0; out->principal[0] && side < 2; side++)
        if (!is_principal(out, side, c)) {
            snprintf(text, size,
                     "principal curvatures of %s %g and %g 1/m along (%g, %g, %g), expected the "
                     "larger first, along a unit vector across the normal",
                     side ? "b" : "a", out->principal[2 * side][c], out->principal[2 * side + 1][c],
                     out->direction[side][0][c], out->direction[side][1][c],
                     out->direction[side][2][c]);
            return true;
        }
    return false;
}

bool scree_contact_fault(const scree_candidates *in, const scree_contacts *out, uint32_t c,
                         char *text, size_t size)
{
    const double *const normal[3] = {out->normal[0], out->normal[1], out->normal[2]};
    const double *const arm[3] = {out->arm[0], out->arm[1], out->arm[2]};
    const uint32_t p = out->pair[c];
    const uint32_t of_b = in->bodies->types[in->type_b]->flags;
    const double ra = in->radius_a[p], depth = out->depth[c];
    const double rb = of_b & SCREE_CAP_WALL ? in->bodies->radius[in->b[p]] : in->radius_b[p];
    const double length = sqrt(square_of(normal, c)), lever = sqrt(square_of(arm, c));
    // A plane has no other side: a ball behind it may have any depth.
    const double deepest = of_b & SCREE_CAP_INFINITE ? HUGE_VAL : (2.0 * ra + rb) * (1.0 + ROUND);
    const bool kept = in->keep && in->keep[p];
    if (!(fabs(length * length - 1.0) <= UNIT))
        snprintf(text, size, "a normal (%g, %g, %g) of length %g, expected 1", normal[0][c],
                 normal[1][c], normal[2][c], length);
    else if (!(depth <= deepest))
        snprintf(text, size, "a depth of %g m between bodies of radius %g and %g m", depth, ra, rb);
    else if (!kept && -depth > in->range + ROUND * ra)
        snprintf(text, size, "a contact across a gap of %g m, expected at most %g m (range)",
                 -depth, in->range);
    else if (!(lever <= (ra + fabs(depth)) * (1.0 + ROUND)))
        snprintf(text, size,
                 "an arm of %g m to the contact point, of a body of radius %g m with depth %g m",
                 lever, ra, depth);
    else if (out->curvature[0] && !(out->curvature[0][c] + out->curvature[1][c] > 0.0))
        snprintf(text, size, "curvatures of %g and %g 1/m, expected a sum > 0 (provides, supports)",
                 out->curvature[0][c], out->curvature[1][c]);
    else
        return (out->part[0] && scree_parts_fault(in, out, c, text, size)) ||
               quantity_fault(out, c, text, size);
    return true;
}
