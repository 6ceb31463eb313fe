// SPDX-License-Identifier: Apache-2.0
/*
 * dfr3d: contacts of two bodies, one for each pair of parts that cross; gaps.
 *
 * Idea     Both bodies are the source in turn. Facets that meet the other body hang together across their
 *          edges, except across concave ones of more than 30 degrees: a box in a corner touches both walls.
 *          An edge of one part that crosses a facet of another one links the two: a contact.
 */
#include "pair.h"

/* ---- memory ---- */

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Takes the next `bytes` of *memory; NULL memory: only counts. */
static void *take(char **memory, uint64_t *used, uint64_t bytes)
{
    void *at = *memory ? *memory + *used : NULL;
    *used += aligned(bytes);
    return at;
}

static uint64_t lay_out(dfr_work *w, char *memory, const dfr_sizes *sizes, uint32_t room)
{
    const uint64_t v = sizes->vertices + 1ull, f = sizes->facets + 1ull;
    uint64_t used = 0;
    for (int s = 0; s < 2; s++) { // stamps first: they are cleared together
        w->side[s].vertex_stamp = take(&memory, &used, v * sizeof(uint32_t));
        w->side[s].facet_stamp = take(&memory, &used, f * sizeof(uint32_t));
        w->side[s].group_stamp = take(&memory, &used, 2 * f * sizeof(uint32_t));
    }
    for (int s = 0; s < 2; s++) {
        w->side[s].parent = take(&memory, &used, f * sizeof(uint32_t));
        w->side[s].touched = take(&memory, &used, f * sizeof(uint32_t));
        w->side[s].marked = take(&memory, &used, f * sizeof(uint32_t));
        w->side[s].inside = take(&memory, &used, v);
        w->side[s].at = take(&memory, &used, v * sizeof(double[3]));
    }
    w->event = take(&memory, &used, (uint64_t)room * sizeof *w->event);
    w->link = take(&memory, &used, (uint64_t)room * sizeof *w->link);
    w->list = take(&memory, &used, (uint64_t)room * sizeof *w->list);
    w->corner = take(&memory, &used, 4ull * room * sizeof *w->corner);
    w->open = take(&memory, &used, 4ull * room * sizeof *w->open);
    w->panel = take(&memory, &used, (uint64_t)room * sizeof *w->panel);
    for (int s = 0; s < 2; s++)
        w->line[s] = take(&memory, &used, (uint64_t)room * sizeof *w->line[s]);
    w->room = room;
    return used;
}

uint64_t dfr_work_bytes(const dfr_sizes *sizes, uint32_t room)
{
    dfr_work w;
    return lay_out(&w, NULL, sizes, room);
}

void dfr_work_place(dfr_work *w, void *memory, const dfr_sizes *sizes, uint32_t room)
{
    memset(w, 0, sizeof *w);
    lay_out(w, memory, sizes, room);
    memset(memory, 0, (size_t)((char *)w->side[0].parent - (char *)memory));
}

void dfr_work_start(dfr_work *w, const dfr_body *a, const dfr_body *b)
{
    w->side[0].body = a;
    w->side[1].body = b;
    w->side[0].n_touched = w->side[1].n_touched = 0;
    w->n_events = w->n_links = 0;
    w->full = 0;
    w->stamp++;
}

/* ---- links ---- */

void dfr_add_link(dfr_work *w, uint32_t root_a, uint32_t root_b)
{
    for (uint32_t i = 0; i < w->n_links; i++)
        if (w->link[i].root[0] == root_a && w->link[i].root[1] == root_b)
            return;
    if (w->n_links >= w->room)
        w->full = 1;
    else
        w->link[w->n_links++] = (dfr_link){{root_a, root_b}};
}

/* Is a facet on a strip along a concave corner? Such a strip is not a part of its own. */
static int is_strip(const dfr_body *b, uint32_t facet)
{
    return b->hollow[b->group[facet]] == 2;
}

/* Convex bodies overlap in one piece: all of their facets in it are one part. */
static void join_all(dfr_work *w)
{
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 1; i < w->side[side].n_touched; i++)
            dfr_join(w, side, w->side[side].touched[0], w->side[side].touched[i]);
}

static void find_links(dfr_work *w)
{
    if (w->side[0].body->convex && w->side[1].body->convex)
        join_all(w);
    for (uint32_t i = 0; i < w->n_events; i++) {
        const dfr_event *e = &w->event[i];
        const int side = (int)e->side;
        if (is_strip(w->side[!side].body, e->facet))
            continue;
        const uint32_t target = dfr_root(&w->side[!side], e->facet);
        for (int k = 0; k < 2; k++) {
            const uint32_t f = w->side[side].body->edge[e->edge].facet[k];
            const uint32_t source = dfr_root(&w->side[side], f);
            if (!is_strip(w->side[side].body, f))
                dfr_add_link(w, side ? target : source, side ? source : target);
        }
    }
}

/* Finds the contacts of one pair of parts. */
static uint32_t touch(const dfr_work *w, const dfr_pose *pose, const dfr_best *best,
                      dfr_contact *out, uint32_t room)
{
    static const int at_a[] = {DFR_AT_FACET, DFR_AT_VERTEX, DFR_AT_EDGE};
    static const int at_b[] = {DFR_AT_VERTEX, DFR_AT_FACET, DFR_AT_EDGE};
    const double *n = best->contact.normal, back[3] = {-n[0], -n[1], -n[2]};
    dfr_polygon a, b;
    if (room == 0)
        return 1;
    if (dfr_face_at(w, pose, 0, at_a[best->kind], best->of_a, n, DFR_FLAT_ON, &a) &&
        dfr_face_at(w, pose, 1, at_b[best->kind], best->of_b, back, DFR_FLAT_ON, &b)) {
        const double near = 0.01 * scree_min(w->side[0].body->grid.cell[0],
                                             w->side[1].body->grid.cell[0] * pose->ratio);
        return dfr_face_contacts(&a, &b, &best->contact, near, out, room);
    }
    out[0] = best->contact;
    return 1;
}

/* Sorts by feature, drops doubles: shell sort, in place. */
uint32_t dfr_sort(dfr_contact *c, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t gap = n / 2; gap > 0; gap /= 2)
        for (uint32_t i = gap; i < n; i++) {
            const dfr_contact x = c[i];
            uint32_t j = i;
            for (; j >= gap && (c[j - gap].feature > x.feature ||
                                (c[j - gap].feature == x.feature && c[j - gap].depth < x.depth));
                 j -= gap)
                c[j] = c[j - gap];
            c[j] = x;
        }
    for (uint32_t i = 0; i < n; i++)
        if (kept == 0 || c[kept - 1].feature != c[i].feature)
            c[kept++] = c[i];
    return kept;
}

/* The pose in which crossings are searched: b is nearer by DFR_SHIFT in an odd direction. So faces
 * and edges no longer lie exactly on each other, and rounding does not split connected parts. */
static dfr_pose shifted(const dfr_work *w, const dfr_pose *pose)
{
    static const double by[3] = {0.70710678, 0.52359877, 0.43429448}; // without a common measure
    dfr_pose out = *pose;
    const double size =
        scree_max(w->side[0].body->size, pose->ratio * w->side[1].body->size) * DFR_SHIFT;
    for (int k = 0; k < 3; k++)
        out.t[k] -= (pose->t[k] < 0.0 ? -by[k] : by[k]) * size;
    return out;
}

static int separate(dfr_work *w, const dfr_pose *pose, uint32_t link, dfr_best *best)
{
    const int found = w->n_events > 0 ? dfr_separate(w, pose, &w->link[link], best)
                                      : dfr_separate_inside(w, pose, best);
    return found && best->contact.depth >= 0.0; // otherwise they cross only in the shifted pose
}

uint32_t dfr_pair(dfr_work *w, const dfr_pose *pose, int all, dfr_contact *out, uint32_t room)
{
    const dfr_pose near = shifted(w, pose);
    dfr_zone zone[2];
    dfr_best best;
    uint32_t n = 0, needed = 0;
    double deepest = -1.0;
    if (!dfr_zones(w->side[0].body, w->side[1].body, &near, zone))
        return 0;
    dfr_march(w, &near, 0, &zone[0]);
    dfr_march(w, &near, 1, &zone[1]);
    find_links(w);
    if (w->full)
        return UINT32_MAX;
    const uint32_t n_links = w->n_events > 0 ? w->n_links : 1;
    for (uint32_t i = 0; i < n_links; i++) {
        if (!separate(w, pose, i, &best))
            continue;
        if (!all && !(best.contact.depth > deepest))
            continue;
        deepest = best.contact.depth;
        n = all ? n : 0;
        const uint32_t more =
            touch(w, pose, &best, out + (n < room ? n : 0), n < room ? room - n : 0);
        n += more;
        needed = needed > n ? needed : n;
    }
    if (w->full)
        return UINT32_MAX;
    if (needed >= room) // some may not have fit
        return needed > room ? needed : room + 1;
    return dfr_sort(out, n);
}

/* ---- gaps ---- */

typedef struct gap_search {
    const dfr_body *a, *b;
    const dfr_pose *pose;
    double least; // [-] squared distance
    double on[2][3];
    uint32_t facet[2];
    int found;
} gap_search;

/* The gap between two nodes; node `i` of b gets a box in a's frame: centre and half sides. */
static double node_gap2(const gap_search *g, const dfr_node *na, const dfr_node *nb)
{
    double centre[3], half[3], at[3], sum = 0.0;
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5 * (nb->lo[k] + nb->hi[k]);
        half[k] = 0.5 * (nb->hi[k] - nb->lo[k]);
    }
    dfr_to_a(g->pose, centre, at);
    for (int k = 0; k < 3; k++) {
        const double *r = g->pose->r[k];
        const double reach =
            g->pose->ratio * (fabs(r[0]) * half[0] + fabs(r[1]) * half[1] + fabs(r[2]) * half[2]);
        const double d =
            scree_max(scree_max(na->lo[k] - at[k] - reach, at[k] - reach - na->hi[k]), 0.0);
        sum += d * d;
    }
    return sum * (1.0 - 1e-12);
}

static void compare_leaves(gap_search *g, const dfr_node *na, const dfr_node *nb)
{
    for (uint32_t j = 0; j < nb->n; j++) {
        const uint32_t fb = g->b->tree_facet[nb->first + j];
        double p[3][3], q[3][3];
        for (int k = 0; k < 3; k++)
            dfr_to_a(g->pose, g->b->vertex[g->b->facet[fb][k]], q[k]);
        for (uint32_t i = 0; i < na->n; i++) {
            const uint32_t fa = g->a->tree_facet[na->first + i];
            double on[2][3];
            for (int k = 0; k < 3; k++)
                copy(g->a->vertex[g->a->facet[fa][k]], p[k]);
            const double d = dfr_closest_of_triangles(p, q, on[0], on[1]);
            const int lower = g->found && d == g->least &&
                              (fa < g->facet[0] || (fa == g->facet[0] && fb < g->facet[1]));
            if (!(d < g->least) && !lower)
                continue;
            g->least = d;
            g->found = 1;
            g->facet[0] = fa;
            g->facet[1] = fb;
            memcpy(g->on, on, sizeof on);
        }
    }
}

int dfr_gap(const dfr_body *a, const dfr_body *b, const dfr_pose *pose, double far,
            dfr_contact *out)
{
    gap_search g = {.a = a, .b = b, .pose = pose, .least = far * far};
    uint32_t stack[512][2], n = 1;
    stack[0][0] = stack[0][1] = 0;
    while (n > 0) {
        const uint32_t i = stack[--n][0], j = stack[n][1];
        const dfr_node *na = &a->node[i], *nb = &b->node[j];
        if (node_gap2(&g, na, nb) > g.least)
            continue;
        if (na->n > 0 && nb->n > 0) {
            compare_leaves(&g, na, nb);
            continue;
        }
        const int split_b = na->n > 0 || (nb->n == 0 && (i > j)); // the other one next
        const dfr_node *split = split_b ? nb : na;
        double d[2];
        for (uint32_t k = 0; k < 2; k++)
            d[k] = node_gap2(&g, split_b ? na : &a->node[split->first + k],
                             split_b ? &b->node[split->first + k] : nb);
        const uint32_t nearer = d[1] < d[0];
        for (uint32_t k = 0; k < 2; k++) { // the nearer one last: it is taken first
            const uint32_t child = split->first + (k ? nearer : !nearer);
            stack[n][0] = split_b ? i : child;
            stack[n++][1] = split_b ? child : j;
        }
    }
    if (!g.found)
        return 0;
    sub(g.on[1], g.on[0], out->normal);
    out->depth = -normalize(out->normal);
    for (int k = 0; k < 3; k++)
        out->point[k] = 0.5 * (g.on[0][k] + g.on[1][k]);
    if (out->depth == 0.0)
        copy(a->normal[g.facet[0]], out->normal);
    out->feature = DFR_SIDES << 62; // a gap has only one contact
    return 1;
}
