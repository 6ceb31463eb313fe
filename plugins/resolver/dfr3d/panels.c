// SPDX-License-Identifier: Apache-2.0
// dfr3d: facets of walls: turned alike, which are flat together, where their patch has corners, how a side of them is seen.
#include "pair.h"

/* ---- what is the same for all poses ---- */

static uint32_t corners_of(const scree_mesh *m, uint32_t f)
{
    return m->facet[4ull * f + 3] == SCREE_NONE ? 3 : 4;
}

static void place_of(const scree_mesh *m, uint32_t v, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = m->vertex[k][v];
}

/* The corner of facet g at the place of vertex v of its neighbour f. */
static uint32_t corner_at(const scree_mesh *m, uint32_t g, uint32_t v)
{
    double x[3], least = HUGE_VAL;
    uint32_t best = 0;
    place_of(m, v, x);
    for (uint32_t k = 0; k < corners_of(m, g); k++) {
        double y[3];
        place_of(m, m->facet[4ull * g + k], y);
        const double d = distance2(x, y);
        if (d < least) {
            least = d;
            best = k;
        }
    }
    return best;
}

/* Do f and its neighbour g across edge e show the same side? Then they run along the edge in
 * opposite directions. */
static int is_alike(const scree_mesh *m, uint32_t f, uint32_t e, uint32_t g)
{
    const uint32_t v = m->facet[4ull * f + e], w = m->facet[4ull * f + (e + 1) % corners_of(m, f)];
    return (corner_at(m, g, w) + 1) % corners_of(m, g) == corner_at(m, g, v);
}

/* turned[f]: facet f shows another side than the lowest facet connected with it. Returns their
 * number; -1: no memory. */
static int64_t find_turned(const scree_mesh *m, uint8_t *turned)
{
    enum { UNSEEN = 2 };
    uint32_t *stack = malloc((m->n_facets + 1ull) * sizeof *stack), n = 0;
    int64_t n_turned = 0;
    if (!stack)
        return -1;
    memset(turned, UNSEEN, m->n_facets);
    for (uint32_t start = 0; start < m->n_facets; start++) {
        if (turned[start] != UNSEEN)
            continue;
        turned[start] = 0;
        stack[n++] = start;
        while (n > 0) {
            const uint32_t f = stack[--n];
            for (uint32_t e = 0; e < corners_of(m, f); e++) {
                const uint32_t g = m->neighbour[4ull * f + e];
                if (g == SCREE_NONE || turned[g] != UNSEEN)
                    continue;
                turned[g] = is_alike(m, f, e, g) ? turned[f] : !turned[f];
                n_turned += turned[g];
                stack[n++] = g;
            }
        }
    }
    free(stack);
    return n_turned;
}

/* Reverses the vertices of facet f, in arrays of four places per facet. */
static void turn_facet(const scree_mesh *m, uint32_t f, uint32_t *facet, uint32_t *neighbour,
                       uint8_t *edge)
{
    static const uint8_t behind[] = {SCREE_EDGE_OPEN, SCREE_EDGE_FLAT, SCREE_EDGE_CONCAVE,
                                     SCREE_EDGE_CONVEX};
    const uint32_t n = corners_of(m, f);
    for (uint32_t k = 0; k < n; k++) {
        const uint64_t other = 4ull * f + n - 1 - k; // edge k from vertex k
        facet[4ull * f + k] = m->facet[4ull * f + (n - k) % n];
        neighbour[4ull * f + k] = m->neighbour[other];
        edge[4ull * f + k] = behind[m->edge[other]];
    }
}

/* Sets the mesh in which connected facets have the same orientation: the given one if so, else a
 * copy, *own. 0: no memory. */
static int turn_alike(const scree_mesh *given, const scree_mesh **mesh, scree_mesh **own)
{
    const uint64_t places = 4ull * given->n_facets;
    uint8_t *turned = malloc(given->n_facets + 1ull);
    const int64_t n = turned ? find_turned(given, turned) : -1;
    *mesh = given;
    *own = n > 0 ? malloc(sizeof **own + places * (2 * sizeof(uint32_t) + 1)) : NULL;
    if (*own) {
        uint32_t *facet = (uint32_t *)(void *)(*own + 1), *neighbour = facet + places;
        uint8_t *edge = (uint8_t *)(neighbour + places);
        **own = *given;
        memcpy(facet, given->facet, places * sizeof *facet);
        memcpy(neighbour, given->neighbour, places * sizeof *neighbour);
        memcpy(edge, given->edge, places);
        for (uint32_t f = 0; f < given->n_facets; f++)
            if (turned[f])
                turn_facet(given, f, facet, neighbour, edge);
        (*own)->facet = facet;
        (*own)->neighbour = neighbour;
        (*own)->edge = edge;
        *mesh = *own;
    }
    free(turned);
    return n == 0 || *own != NULL;
}

/** The end of a flat patch around a vertex. */
typedef struct patch_end {
    uint32_t edge;   // 4 facet + edge
    uint32_t lowest; // lowest vertex at the place
    int around;      // 1: it has no end
} patch_end;

/* Walks from corner k of facet f over flat edges, forward (the edge before the corner) or back. */
static patch_end walk_patch(const scree_mesh *m, uint32_t f, uint32_t k, int forward)
{
    patch_end end = {.lowest = m->facet[4ull * f + k]};
    const uint32_t start = f;
    for (uint32_t steps = 0; steps <= m->n_facets; steps++) {
        const uint32_t n = corners_of(m, f), v = m->facet[4ull * f + k];
        const uint32_t edge = 4 * f + (forward ? (k + n - 1) % n : k), g = m->neighbour[edge];
        end.edge = edge;
        end.lowest = v < end.lowest ? v : end.lowest;
        if (m->edge[edge] != SCREE_EDGE_FLAT || g == SCREE_NONE)
            return end;
        k = corner_at(m, g, v);
        f = g;
        if (f == start)
            break;
    }
    end.around = 1;
    return end;
}

/* A corner of a patch: 0 in its middle, on a straight border and where the patch is concave; else
 * 16 plus the kinds of the edges there. */
static uint8_t corner_kind(const scree_mesh *m, uint32_t f, uint32_t k, uint32_t *vertex)
{
    const patch_end before = walk_patch(m, f, k, 1), after = walk_patch(m, f, k, 0);
    *vertex = before.lowest < after.lowest ? before.lowest : after.lowest;
    if (before.around || after.around)
        return 0;
    double p[3][3], u[3], v[3], turned[3], normal[3], x[3], y[3];
    const uint32_t fb = before.edge / 4, kb = before.edge % 4, fa = after.edge / 4,
                   ka = after.edge % 4;
    place_of(m, m->facet[4ull * fb + kb], p[0]);
    place_of(m, m->facet[4ull * f + k], p[1]);
    place_of(m, m->facet[4ull * fa + (ka + 1) % corners_of(m, fa)], p[2]);
    sub(p[1], p[0], u);
    sub(p[2], p[1], v);
    cross(u, v, turned);
    const uint32_t *c = m->facet + 4ull * f;
    for (int i = 0; i < 3; i++)
        place_of(m, c[i], p[i]);
    sub(p[1], p[0], x);
    sub(p[2], p[0], y);
    cross(x, y, normal);
    normalize(normal);
    if (!(dot(turned, normal) > 1e-9 * sqrt(dot(u, u) * dot(v, v))))
        return 0;
    return (uint8_t)(16 | m->edge[before.edge] | m->edge[after.edge] << 2);
}

static void make_patches(dfr_wall *wall)
{
    const scree_mesh *mesh = wall->mesh;
    int changed = 1;
    for (uint32_t f = 0; f < mesh->n_facets; f++)
        wall->patch[f] = f;
    while (changed) {
        changed = 0;
        for (uint32_t i = 0; i < 4 * mesh->n_facets; i++) {
            const uint32_t g = mesh->neighbour[i];
            if (mesh->facet[i] == SCREE_NONE || g == SCREE_NONE ||
                mesh->edge[i] != SCREE_EDGE_FLAT || wall->patch[g] >= wall->patch[i / 4])
                continue;
            wall->patch[i / 4] = wall->patch[g];
            changed = 1;
        }
    }
}

int dfr_wall_make(dfr_wall *wall, const scree_mesh *given)
{
    const uint64_t places = 4ull * given->n_facets + 1;
    *wall = (dfr_wall){.mesh = given};
    if (!turn_alike(given, &wall->mesh, &wall->own))
        return 0;
    const scree_mesh *mesh = wall->mesh;
    wall->patch = malloc(places * sizeof *wall->patch);
    wall->vertex = calloc(places, sizeof *wall->vertex);
    wall->corner = calloc(places, 1);
    if (!wall->patch || !wall->vertex || !wall->corner) {
        dfr_wall_clear(wall);
        return 0;
    }
    make_patches(wall);
    for (uint32_t i = 0; i < 4 * mesh->n_facets; i++)
        if (mesh->facet[i] != SCREE_NONE)
            wall->corner[i] = corner_kind(mesh, i / 4, i % 4, &wall->vertex[i]);
    return 1;
}

void dfr_wall_clear(dfr_wall *wall)
{
    free(wall->own);
    free(wall->patch);
    free(wall->vertex);
    free(wall->corner);
    memset(wall, 0, sizeof *wall);
}

/* ---- panels ---- */

/* Can a corner be touched from a side? Not if both its edges are hollow on that side. */
static uint8_t corner_from(uint8_t kind, double sign)
{
    const int hollow = sign > 0.0 ? SCREE_EDGE_CONCAVE : SCREE_EDGE_CONVEX;
    if (kind == 0)
        return DFR_NO_CORNER;
    return (kind & 3) != hollow || (kind >> 2 & 3) != hollow ? DFR_OPEN_CORNER : DFR_HOLLOW_CORNER;
}

static void normal_of(const scree_mesh *m, const dfr_pose *pose, uint32_t f, double n[3])
{
    double x[3][3], u[3], v[3];
    for (int i = 0; i < 3; i++) {
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = m->vertex[k][m->facet[4ull * f + (uint32_t)i]];
        dfr_to_a(pose, p, x[i]);
    }
    sub(x[1], x[0], u);
    sub(x[2], x[0], v);
    cross(u, v, n);
    normalize(n);
}

/* Corners of facet f as the mesh has them. */
void dfr_place_panel(const dfr_wall *wall, const dfr_pose *pose, uint32_t f, dfr_panel *out)
{
    const scree_mesh *m = wall->mesh;
    const uint32_t *v = m->facet + 4ull * f;
    out->facet = f;
    out->patch = wall->patch[f];
    out->touched = out->in_part = 0;
    out->height = out->away = 0.0;
    out->shape.n = v[3] == SCREE_NONE ? 3 : 4;
    normal_of(m, pose, f, out->shape.normal);
    for (uint32_t i = 0; i < out->shape.n; i++) {
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = m->vertex[k][v[i]];
        dfr_to_a(pose, p, out->shape.point[i]);
        out->shape.vertex[i] = wall->vertex[4ull * f + i];
    }
    out->shape.key = out->patch;
    out->shape.name = f & 0x1ffffff;
}

static void swap_bytes(void *x, void *y, size_t n)
{
    char keep[sizeof(double[3])];
    memcpy(keep, x, n);
    memcpy(x, y, n);
    memcpy(y, keep, n);
}

/* Reverses a panel, so that it is counterclockwise about the other normal; side k begins at point
 * k. */
static void turn_over(dfr_panel *p)
{
    dfr_polygon *s = &p->shape;
    const int n = (int)s->n;
    for (int k = 0; k < 3; k++)
        s->normal[k] = -s->normal[k];
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        swap_bytes(s->point[i], s->point[j], sizeof s->point[i]);
        swap_bytes(&s->vertex[i], &s->vertex[j], sizeof s->vertex[i]);
        swap_bytes(&s->corner[i], &s->corner[j], 1);
    }
    for (int i = 0, j = n - 2; i < j; i++, j--) {
        swap_bytes(&s->open[i], &s->open[j], 1);
        swap_bytes(p->other[i], p->other[j], sizeof p->other[i]);
    }
}

/* Sets the sides and corners that can be touched, as seen from `sign`. */
void dfr_face_panel(const dfr_wall *wall, const dfr_pose *pose, double sign, dfr_panel *p)
{
    const scree_mesh *m = wall->mesh;
    const uint8_t *edge = m->edge + 4ull * p->facet;
    const uint8_t convex = sign > 0.0 ? SCREE_EDGE_CONVEX : SCREE_EDGE_CONCAVE;
    dfr_polygon *shape = &p->shape;
    for (uint32_t i = 0; i < shape->n; i++) {
        const uint32_t g = m->neighbour[4ull * p->facet + i];
        double along[3];
        shape->open[i] = edge[i] == SCREE_EDGE_OPEN || edge[i] == convex;
        shape->corner[i] = corner_from(wall->corner[4ull * p->facet + i], sign);
        sub(shape->point[(i + 1) % shape->n], shape->point[i], along);
        cross(along, shape->normal, p->other[i]);
        normalize(p->other[i]);
        if (g == SCREE_NONE || edge[i] != convex)
            continue;
        normal_of(m, pose, g, p->other[i]);
        for (int k = 0; k < 3; k++)
            p->other[i][k] *= sign;
    }
    if (sign < 0.0)
        turn_over(p);
}
