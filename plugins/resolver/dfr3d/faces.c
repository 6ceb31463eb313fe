// SPDX-License-Identifier: Apache-2.0
/*
 * dfr3d: a flat face on a flat face.
 *
 * Idea     One contact under a flat face would jump from corner to corner, and a body would walk. Where both
 *          bodies are flat, each touch of the two faces is a contact: corners of one over the other, sides
 *          that cross. Each has its own depth and normal, so each by itself makes no energy, and a name that
 *          lasts: its corner, or its two sides.
 *          But these depths do not belong to one translation: faces that are turned by more than
 *          DFR_FLAT_ON have only the contact of separate.c. On a plane all corners have the plane's
 *          normal, and DFR_EDGE_ON suffices: a box on its edge has two contacts.
 * Cost     At most 8 corners a face.
 */
#include "pair.h"

static void turn_to_a(const dfr_pose *pose, int side, const double n[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = side ? dot(pose->r[k], n) : n[k];
}

static void consider(const dfr_body *b, uint32_t f, const double n[3], double *most, uint32_t *face)
{
    const uint32_t group = b->group[f];
    const double facing = dot(b->normal[f], n);
    if (b->group_face[group] == SCREE_NONE || !(facing > *most))
        return;
    *most = facing;
    *face = f;
}

int dfr_face_at(const dfr_work *w, const dfr_pose *pose, int side, int what, uint32_t index,
                const double n[3], double facing, dfr_polygon *out)
{
    const dfr_body *b = w->side[side].body;
    double own[3], most = facing;
    uint32_t f = SCREE_NONE;
    for (int k = 0; k < 3; k++)
        own[k] = side ? pose->r[0][k] * n[0] + pose->r[1][k] * n[1] + pose->r[2][k] * n[2] : n[k];
    if (what == DFR_AT_FACET)
        consider(b, index, own, &most, &f);
    else if (what == DFR_AT_EDGE)
        for (int k = 0; k < 2; k++) {
            const uint32_t v = b->edge[index].vertex[k];
            for (uint32_t i = b->fan_first[v]; i < b->fan_first[v + 1]; i++)
                consider(b, b->fan[i], own, &most, &f);
        }
    else
        for (uint32_t i = b->fan_first[index]; i < b->fan_first[index + 1]; i++)
            consider(b, b->fan[i], own, &most, &f);
    if (f == SCREE_NONE)
        return 0;
    const uint32_t number = b->group_face[b->group[f]];
    const dfr_face *face = &b->face[number];
    out->n = face->n;
    turn_to_a(pose, side, b->normal[b->lead[b->group[f]]], out->normal);
    for (uint32_t k = 0; k < face->n; k++) {
        if (side)
            dfr_to_a(pose, b->vertex[face->vertex[k]], out->point[k]);
        else
            copy(b->vertex[face->vertex[k]], out->point[k]);
        out->vertex[k] = face->vertex[k];
        out->open[k] = 1;
        out->corner[k] = DFR_OPEN_CORNER;
    }
    out->key = dfr_key(b, f);
    out->name = number & 0x1ffffff;
    return 1;
}

/* Is x, moved along the normal, on the polygon? In spite of rounding a corner on its border is. */
int dfr_is_over(const dfr_polygon *p, const double x[3])
{
    for (uint32_t k = 0; k < p->n; k++) {
        double along[3], to[3], out[3];
        sub(p->point[(k + 1) % p->n], p->point[k], along);
        sub(x, p->point[k], to);
        cross(along, p->normal, out);
        if (dot(to, out) > DFR_SAME * dot(along, along))
            return 0;
    }
    return 1;
}

int dfr_corner_touch(const dfr_polygon *p, uint32_t k, const dfr_polygon *face, double sign,
                     dfr_contact *out)
{
    double to[3];
    sub(p->point[k], face->point[0], to);
    const double depth = -dot(to, face->normal);
    if (p->corner[k] != DFR_OPEN_CORNER || !(depth > 0.0) || !dfr_is_over(face, p->point[k]))
        return 0;
    out->depth = depth;
    for (int i = 0; i < 3; i++) {
        out->normal[i] = sign * face->normal[i];
        out->point[i] = p->point[k][i] + 0.5 * depth * face->normal[i];
    }
    return 1;
}

/* Touch of sides i of a and k of b, which cross as seen along the normals. */
static int side_touch(const dfr_polygon *a, uint32_t i, const dfr_polygon *b, uint32_t k,
                      dfr_contact *out)
{
    const double *p = a->point[i], *q = b->point[k];
    double u[3], v[3], n[3], w[3], x[3];
    if (!a->open[i] || !b->open[k])
        return 0;
    sub(a->point[(i + 1) % a->n], p, u);
    sub(b->point[(k + 1) % b->n], q, v);
    sub(q, p, w);
    cross(u, v, n);
    const double n2 = dot(n, n), depth = normalize(n) > 0.0 ? -dot(w, n) : 0.0;
    if (!(n2 > 1e-6 * dot(u, u) * dot(v, v))) // nearly in line: their corners touch
        return 0;
    const double sign = dot(n, a->normal) > 0.0 ? 1.0 : -1.0;
    if (!(sign * depth > 0.0) || sign * dot(n, a->normal) < DFR_FLAT_ON ||
        -sign * dot(n, b->normal) < DFR_FLAT_ON)
        return 0;
    cross(w, v, x);
    const double s = dot(x, n) / sqrt(n2);
    cross(w, u, x);
    const double t = dot(x, n) / sqrt(n2);
    if (!(s > -DFR_SAME && s < 1.0 + DFR_SAME && t > -DFR_SAME && t < 1.0 + DFR_SAME))
        return 0;
    out->depth = sign * depth;
    for (int m = 0; m < 3; m++) {
        out->normal[m] = sign * n[m];
        out->point[m] = 0.5 * (p[m] + s * u[m] + q[m] + t * v[m]);
    }
    return 1;
}

/* Keeps only the first of several touches at one place, such as corners on corners; returns the
 * number left. */
static uint32_t drop_doubles(dfr_contact *c, uint32_t n, double near)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = 0;
        while (j < kept && distance2(c[j].point, c[i].point) > near * near)
            j++;
        if (j == kept)
            c[kept++] = c[i];
    }
    return kept;
}

uint32_t dfr_face_contacts(const dfr_polygon *a, const dfr_polygon *b, const dfr_contact *best,
                           double near, dfr_contact *out, uint32_t room)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < a->n && n < room; k++)
        if (dfr_corner_touch(a, k, b, -1.0, &out[n]))
            out[n++].feature =
                DFR_VERTEX_OF_A << 62 | (uint64_t)(a->vertex[k] & 0xfffffff) << 34 | b->key;
    for (uint32_t k = 0; k < b->n && n < room; k++)
        if (dfr_corner_touch(b, k, a, 1.0, &out[n]))
            out[n++].feature =
                DFR_VERTEX_OF_B << 62 | (uint64_t)(b->vertex[k] & 0xfffffff) << 34 | a->key;
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t k = 0; k < b->n && n < room; k++)
            if (side_touch(a, i, b, k, &out[n]))
                out[n++].feature = DFR_SIDES << 62 | (uint64_t)a->name << 37 | (uint64_t)i << 31 |
                                   (uint64_t)b->name << 6 | k;
    if (n == room)
        return n;
    n = drop_doubles(out, n, 4.0 * DFR_SAME * sqrt(distance2(a->point[0], a->point[a->n / 2])));
    return best ? dfr_add_best(out, n, best, near) : n;
}

uint32_t dfr_add_best(dfr_contact *out, uint32_t n, const dfr_contact *best, double near)
{
    uint32_t closest = SCREE_NONE;
    double least = near * near, deepest = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        deepest = scree_max(deepest, out[i].depth);
        const double d = distance2(out[i].point, best->point);
        if (d < least) {
            least = d;
            closest = i;
        }
    }
    if (closest == SCREE_NONE && n >= 3 && best->depth <= deepest * (1.0 + 1e-6)) // between them
        return n;
    if (closest == SCREE_NONE) { // it is not one of those
        out[n] = *best;
        return n + 1;
    }
    const uint64_t feature = out[closest].feature; // the same touch, found at the corner itself
    out[closest] = *best;
    out[closest].feature = feature;
    return n;
}
