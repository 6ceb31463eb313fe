// SPDX-License-Identifier: Apache-2.0
/*
 * growth: normal, point, twist and bed of an overlap.
 *
 * Sources  [1] Y. T. Feng, An energy-conserving contact theory for discrete element modelling of arbitrarily shaped
 *              particles: contact volume based model and computational issues, Computer Methods in Applied Mechanics
 *              and Engineering 373, 2021: normal and point from the vector area and its moment.
 * Idea     G = dV/dx and M = dV/dr about the centroid c of the overlap give one contact:
 *
 *              area   |G|, normal G / |G|
 *              point  c + G × M / G^2
 *              twist M·G / |G|: the moment that a force at a point cannot give; 0 where the border
 *              of the cut is flat
 * Limits   a body inside of the other has no G: the normal leads from centre to centre. Near that the point is
 *          kept within the radius of a, and the moment is not quite that of the volume.
 */
#include "growth.h"

static const double NONE = 1e-12; // [-] part of the squared reach: smaller areas count as 0
static const double LEAST = 1e-18;

/* The bed about the contact point. */
static void turn_bed(const solid_growth *of, solid_overlap *out)
{
    out->bed = of->bed;
    out->bed.turn = scree_less(of->bed.turn, 1.0, scree_cross(out->at, of->bed.slope));
}

static void finish_inside(const solid_growth *of, scree_vec d, double reach, solid_overlap *out)
{
    out->area = out->twist = 0.0;
    out->depth = reach;
    out->normal = scree_dot(d, d) > 0.0 ? solid_unit(d) : scree_vec_of(1.0, 0.0, 0.0); // any
    out->at = of->centroid;
}

int solid_overlap_of(const solid_growth *of, scree_vec d, double radius, double reach,
                     solid_overlap *out)
{
    const double square = scree_dot(of->gradient, of->gradient), area = sqrt(square);
    out->volume = of->volume;
    if (!(of->volume > LEAST * reach * reach * reach))
        return 0;
    if (!(area > NONE * reach * reach)) {
        finish_inside(of, d, reach, out);
        turn_bed(of, out);
        return 1;
    }
    const scree_vec about = scree_less(of->moment, 1.0, scree_cross(of->centroid, of->gradient));
    out->area = area;
    out->depth = scree_min(of->volume / area, reach);
    out->normal = scree_scaled(1.0 / area, of->gradient);
    out->twist = scree_dot(about, of->gradient) / area;
    out->at = scree_less(of->centroid, -1.0 / square, scree_cross(of->gradient, about));
    const double far = solid_length(out->at);
    out->at = scree_scaled(far > radius ? radius / far : 1.0, out->at);
    turn_bed(of, out);
    return 1;
}

static void put_extras(scree_contacts *out, const solid_overlap *of)
{
    const uint32_t c = out->n - 1;
    if (out->volume)
        out->volume[c] = of->volume;
    if (out->area)
        out->area[c] = of->area;
    if (out->twist)
        out->twist[c] = of->twist;
    if (!out->bed)
        return;
    out->bed[c] = of->bed.value;
    scree_vec_put(out->bed_slope, c, of->bed.slope);
    scree_vec_put(out->bed_turn, c, of->bed.turn);
}

void solid_put_gap(scree_contacts *out, uint32_t p, const solid_touch *touch)
{
    static const solid_overlap none = {.volume = 0.0};
    solid_put(out, p, touch, 1);
    put_extras(out, &none);
}

void solid_put_overlap(scree_contacts *out, uint32_t p, const solid_overlap *of)
{
    const solid_touch touch = {.depth = of->depth, .normal = of->normal, .at = of->at};
    solid_put(out, p, &touch, 1);
    put_extras(out, of);
}
