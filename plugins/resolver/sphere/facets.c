// SPDX-License-Identifier: Apache-2.0
// Balls against facets: the closest point of each facet, and which of these points are touches.
/*
 * Idea: a ball touches a surface where the distance from its centre has a local minimum. A closest
 * point on an edge or a vertex of one facet is such a minimum only if no facet around that edge or
 * vertex comes nearer; a closest point inside a facet always is. So the reduction of a pair's
 * facets looks at what meets at the touched edge or vertex, never at angles or tolerances:
 *
 *          c           A ball over facet f: g's closest point is the edge E, but f, which also has
 *          |           E, comes nearer: only the face of f is a touch. At a ridge f and g both name
 *      ----+---E---    E: one touch. In a concave corner both have a foot of their own: two
 * touches. f     g
 *
 * Steps, per pair (a, b, image)
 *   1. centre of a in b's axes at scale 1; closest point of every listed facet: its face when the
 *      foot of the centre is inside, else the best of its edges and vertices by (distance, key);
 *      facets beyond `range` are dropped at once, so a further candidate changes no bit
 *   2. a table names for each patch, edge and vertex the best touch of any facet around it: faces
 *      before all, then by (distance, key, facet). A face also speaks for all facets of its patch
 *   3. a touch is kept when it is the best for its own feature. Distances are compared in exact
 * bits, which works because edges and vertices are computed alike from each of their facets; the
 *      order is total, so the nearest touch is always kept, and a shared one is kept once
 *   4. a touch on an edge or vertex inside a flat patch is the face of that patch; one contact
 *      per feature, the nearest, ties to the lowest facet; ascending by feature
 *
 * Cost: a closest point per candidate facet whose plane is within reach, and a table of 9 entries
 * for each facet within reach, in the lane's scratch; nothing when only one is.
 */
#include <math.h>

#include "sphere.h"

#define FREE_SLOT (~0ull)
/* Features that one facet can name: 4 edges, 4 vertices, its patch. */
#define FEATURES_PER_FACET 9u

typedef struct touch {
    double distance2; /* [m^2] at scale 1 */
    double to[3];     /* [m] from the centre to the closest point, at scale 1 */
    uint64_t key;     /* key of the feature */
    uint32_t facet;
    uint32_t reserved;
} touch;

typedef struct slot {
    uint64_t key;
    uint32_t best; /* index of the best touch */
    uint32_t reserved;
} slot;

typedef struct workspace {
    touch *touches;  /* [most candidates of a pair] */
    uint32_t *stand; /* [as touches] touches that are kept */
    slot *slots;     /* [power of two] */
    uint32_t mask;   /* slots in use - 1 */
} workspace;

/* A ball as seen from the axes of the facets' body. */
typedef struct ball_pose {
    uint32_t body;        /* that of the facets */
    double q[4], back[4]; /* from its axes, and to them */
    double centre[3];     /* [m] at scale 1 */
    double radius, scale, range;
    int keep;
} ball_pose;

static void offer(touch *best, uint64_t key, const double *point, const double *centre)
{
    double to[3], distance2;
    sub3(point, centre, to);
    distance2 = dot3(to, to);
    if (distance2 < best->distance2 || (distance2 == best->distance2 && key < best->key)) {
        best->distance2 = distance2;
        best->key = key;
        memcpy(best->to, to, sizeof to);
    }
}

static int foot_inside(const mesh_facet *facet, const double *centre)
{
    int inside = 1;
    for (uint32_t s = 0; s < facet->n; s++) {
        double from[3];
        sub3(centre, facet->side[s].from, from);
        inside &= dot3(from, facet->side[s].inward) >= -facet->side[s].slack;
    }
    return inside;
}

/* Distance of the centre from the facet's plane, signed along its normal [m]. */
static double height_over(const mesh_facet *facet, const double *centre)
{
    double from[3];
    sub3(centre, facet->origin, from);
    return dot3(from, facet->normal);
}

/* Closest point of facet f to the centre. All edges and vertices are weighed, not only those on the
 * centre's side, so that two facets never disagree about what they share. */
static touch closest_on_facet(const mesh *m, uint32_t f, const double *centre)
{
    const mesh_facet *facet = &m->facet[f];
    touch best = {.distance2 = (double)INFINITY, .key = FREE_SLOT, .facet = f};
    if (foot_inside(facet, centre)) {
        double height = height_over(facet, centre);
        for (int k = 0; k < 3; k++)
            best.to[k] = -height * facet->normal[k];
        best.distance2 = height * height;
        best.key = KEY_FACE | facet->patch;
        return best;
    }
    for (uint32_t s = 0; s < facet->n_edges; s++) {
        const mesh_edge *edge = &m->edge[facet->edge[s]];
        double from[3], point[3], t;
        sub3(centre, edge->from, from);
        t = dot3(from, edge->along) * edge->inv_length2;
        // Near an end the vertex replaces the edge, because two edges in line would both claim the
        // point.
        if (!(t > 1e-10 && t < 1.0 - 1e-10))
            continue;
        for (int k = 0; k < 3; k++)
            point[k] = edge->from[k] + t * edge->along[k];
        offer(&best, KEY_EDGE | facet->edge[s], point, centre);
    }
    for (uint32_t s = 0; s < facet->n; s++)
        offer(&best, KEY_VERTEX | facet->vertex[s], m->vertex[facet->vertex[s]].x, centre);
    return best;
}

static int precedes(const touch *left, const touch *right)
{
    if (KEY_IS_FACE(left->key) != KEY_IS_FACE(right->key))
        return KEY_IS_FACE(left->key);
    if (left->distance2 != right->distance2)
        return left->distance2 < right->distance2;
    if (left->key != right->key)
        return left->key < right->key;
    return left->facet < right->facet;
}

static slot *find_slot(const workspace *w, uint64_t key)
{
    uint32_t at = (uint32_t)((key * 0x9e3779b97f4a7c15ull) >> 32) & w->mask;
    while (w->slots[at].key != key && w->slots[at].key != FREE_SLOT)
        at = (at + 1) & w->mask;
    return &w->slots[at];
}

static void name_best(const workspace *w, uint64_t key, uint32_t best)
{
    slot *s = find_slot(w, key);
    if (s->key == FREE_SLOT || precedes(&w->touches[best], &w->touches[s->best])) {
        s->key = key;
        s->best = best;
    }
}

/* Steps 2 and 3. */
static uint32_t find_standing(const mesh *m, workspace *w, uint32_t n)
{
    uint32_t n_stand = 0;
    w->mask = 31;
    while (w->mask < 2 * FEATURES_PER_FACET * n)
        w->mask = 2 * w->mask + 1;
    for (uint32_t i = 0; i <= w->mask; i++)
        w->slots[i].key = FREE_SLOT;
    for (uint32_t i = 0; i < n; i++)
        if (KEY_IS_FACE(w->touches[i].key))
            name_best(w, w->touches[i].key, i);
    for (uint32_t i = 0; i < n; i++) {
        const mesh_facet *facet = &m->facet[w->touches[i].facet];
        const slot *face = find_slot(w, KEY_FACE | facet->patch);
        uint32_t best = face->key == FREE_SLOT ? i : face->best;
        for (uint32_t s = 0; s < facet->n_edges; s++)
            name_best(w, KEY_EDGE | facet->edge[s], best);
        for (uint32_t s = 0; s < facet->n; s++)
            name_best(w, KEY_VERTEX | facet->vertex[s], best);
    }
    for (uint32_t i = 0; i < n; i++) {
        w->stand[n_stand] = i;
        n_stand += find_slot(w, w->touches[i].key)->best == i;
    }
    return n_stand;
}

/* Step 4, first half: a touch on an edge or vertex inside a patch becomes the patch's face. */
static void name_patch(const mesh *m, touch *t, const double *centre)
{
    const mesh_facet *facet = &m->facet[t->facet];
    uint64_t number = t->key & (KEY_EDGE - 1);
    double height;
    if (KEY_IS_FACE(t->key) || (t->key >= KEY_VERTEX ? m->vertex[number].flat_patch
                                                     : m->edge[number].flat_patch) == SCREE_NONE)
        return;
    height = height_over(facet, centre);
    for (int k = 0; k < 3; k++)
        t->to[k] = -height * facet->normal[k];
    t->distance2 = height * height;
    t->key = KEY_FACE | facet->patch;
}

/* Step 4, second half: ascending by feature, one touch each. */
static uint32_t sort_standing(workspace *w, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t one = w->stand[i], at = i;
        const touch *t = &w->touches[one];
        for (; at > 0; at--) {
            const touch *before = &w->touches[w->stand[at - 1]];
            if (before->key < t->key || (before->key == t->key && precedes(before, t)))
                break;
            w->stand[at] = w->stand[at - 1];
        }
        w->stand[at] = one;
    }
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || w->touches[w->stand[i]].key != w->touches[w->stand[kept - 1]].key)
            w->stand[kept++] = w->stand[i];
    return kept;
}

/* Notes the body of the facets, often the same for many pairs. */
static void see_body(const scree_bodies *bodies, uint32_t body, ball_pose *pose)
{
    pose->body = body;
    pose->scale = bodies->scale[body];
    for (int k = 0; k < 4; k++) {
        pose->q[k] = bodies->q[k][body];
        pose->back[k] = k ? -pose->q[k] : pose->q[k];
    }
}

static void see_ball(const scree_candidates *in, uint32_t p, ball_pose *pose)
{
    const double from_b[3] = {-in->d[0][p], -in->d[1][p], -in->d[2][p]};
    pose->radius = in->radius_a[p];
    scree_rotate_nested(pose->back, from_b, pose->centre);
    for (int k = 0; k < 3; k++)
        pose->centre[k] /= pose->scale;
    pose->keep = in->keep && in->keep[p];
}

static double depth_of(const ball_pose *pose, const touch *t)
{
    return pose->radius - pose->scale * sqrt(t->distance2);
}

/* Finds all touches of pair p, reduced. */
static uint32_t reduce_pair(const mesh *m, const scree_candidates *in, uint32_t p,
                            const ball_pose *pose, workspace *w)
{
    uint32_t begin = in->first ? in->first[p] : p, end = in->first ? in->first[p + 1] : p + 1;
    uint32_t n = 0;
    for (uint32_t c = begin; c < end; c++) {
        uint32_t f = in->first && in->part_b ? in->part_b[c] : 0;
        // No point of a facet is nearer than its plane.
        double height = pose->scale * fabs(height_over(&m->facet[f], pose->centre));
        if (pose->radius - height < -pose->range && !pose->keep)
            continue;
        w->touches[n] = closest_on_facet(m, f, pose->centre);
        n += (depth_of(pose, &w->touches[n]) >= -pose->range) | pose->keep;
    }
    if (!n)
        return 0;
    if (n > 1)
        n = find_standing(m, w, n);
    else
        w->stand[0] = 0;
    for (uint32_t i = 0; i < n; i++)
        name_patch(m, &w->touches[w->stand[i]], pose->centre);
    return n > 1 ? sort_standing(w, n) : n;
}

static void write_contact(const mesh *m, const ball_pose *pose, const touch *t, uint32_t p,
                          scree_contacts *out)
{
    const mesh_facet *facet = &m->facet[t->facet];
    double local[3], normal[3], depth = depth_of(pose, t), distance = sqrt(t->distance2);
    uint32_t c = out->n++;
    // On a face, and with the centre on an edge, the facet's normal is the direction.
    if (KEY_IS_FACE(t->key) || !(distance > COINCIDENT)) {
        double sign = height_over(facet, pose->centre) < 0.0 ? 1.0 : -1.0;
        for (int k = 0; k < 3; k++)
            local[k] = sign * facet->normal[k];
    } else {
        for (int k = 0; k < 3; k++)
            local[k] = t->to[k] / distance;
    }
    scree_rotate_nested(pose->q, local, normal);
    out->pair[c] = p;
    out->depth[c] = depth;
    if (out->feature)
        out->feature[c] = t->key;
    if (out->part[0]) {
        out->part[0][c] = 0;
        out->part[1][c] = t->facet;
    }
    for (int k = 0; k < 3; k++) {
        out->normal[k][c] = normal[k];
        out->arm[k][c] = normal[k] * (pose->radius - 0.5 * depth);
    }
}

static int32_t get_workspace(const sphere_resolver *self, const scree_candidates *in, workspace *w)
{
    uint64_t most = 1, slots = 32;
    char *memory;
    if (in->first)
        for (uint32_t p = 0; p < in->n; p++)
            if (in->first[p + 1] - in->first[p] > most)
                most = in->first[p + 1] - in->first[p];
    while (slots < 2 * FEATURES_PER_FACET * most)
        slots *= 2;
    // The room holds one touch more than candidates, because compaction writes before it
    // decides.
    memory =
        self->host->scratch(self->host->ctx, in->lane,
                            (most + 1) * (sizeof(touch) + sizeof(slot)) + slots * sizeof(slot));
    if (!memory)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for facets of a pair");
    w->slots = (slot *)memory;
    w->touches = (touch *)(w->slots + slots);
    w->stand = (uint32_t *)(w->touches + most + 1);
    return SCREE_OK;
}

int32_t facets_resolve(const sphere_resolver *self, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    workspace w;
    const mesh *m = NULL;
    ball_pose pose = {.body = SCREE_NONE, .range = in->range};
    int32_t status = get_workspace(self, in, &w);
    out->n = 0;
    *done = 0;
    if (status != SCREE_OK)
        return status;
    for (uint32_t p = 0; p < in->n; p++) {
        uint32_t n;
        if (in->b[p] != pose.body) {
            uint32_t shape = in->bodies->shape[in->b[p]];
            if (shape >= self->n_meshes || !self->meshes[shape].shape)
                return scree_failf(self->host, SCREE_E_INTERNAL, "shape %u was not prepared",
                                   shape);
            m = &self->meshes[shape];
            see_body(in->bodies, in->b[p], &pose);
        }
        see_ball(in, p, &pose);
        n = reduce_pair(m, in, p, &pose, &w);
        if (n > out->capacity - out->n) {
            if (p == 0)
                out->n = n; // the host asks again, with room for them
            break;
        }
        for (uint32_t i = 0; i < n; i++)
            write_contact(m, &pose, &w.touches[w.stand[i]], p, out);
        *done = p + 1;
    }
    return SCREE_OK;
}
