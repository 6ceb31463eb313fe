// SPDX-License-Identifier: Apache-2.0
/*
 * Faults of the facets of a mesh, each by its name: without area, repeated, inside out.
 *
 * Inside out is an orientation against that of the surface around it: over each edge of
 * exactly two facets the orders of corners must run in opposite directions. Each connected part is
 * gone through from its first facet; the smaller share of it (of equal ones the share without the
 * first facet) is inside out. Walls have two sides here, so that it changes no contact.
 */
#include "shape/mesh_faults.h"

#include <math.h>
#include <string.h>

#include "shape/shape.h"
#include "shape/shape_survey.h"

#define SHOWN 10 // facets that are named of one mistake

/** Collects facets with one mistake, and reports them by policy. */
typedef struct finding {
    const scree_soup *mesh;
    const char *what; // "without area"
    uint64_t n;
    GString *list; // the first ones
} finding;

static void find(finding *f, uint64_t facet, const char *why)
{
    if (f->n++ >= SHOWN)
        return;
    g_autofree char *place = scree_mesh_place(f->mesh, facet);
    g_string_append_printf(f->list, "\n  %s%s", place, why);
}

/** True: no error. */
static bool tell(finding *f, const char *key, scree_mesh_policy policy, const char *possible,
                 GPtrArray *problems, GPtrArray *notes)
{
    static const char *const done[] = {"", " (dropped)", "", " (turned)"};
    if (f->n == 0)
        return true;
    bool error = policy == SCREE_MESH_ERROR;
    g_autofree char *more =
        f->n > SHOWN ? g_strdup_printf("\n  and %" G_GUINT64_FORMAT " more", f->n - SHOWN)
                     : g_strdup("");
    g_autofree char *help =
        error ? g_strdup_printf("\n  %s = %s would go on", key, possible) : g_strdup("");
    g_ptr_array_add(error ? problems : notes,
                    g_strdup_printf("%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                                    " facets %s%s:%s%s%s",
                                    f->mesh->file, f->n, f->mesh->n_facets, f->what, done[policy],
                                    f->list->str, more, help));
    return !error;
}

static uint32_t count_corners(const uint32_t *f)
{
    return f[2] == SCREE_NONE ? 2 : f[3] == SCREE_NONE ? 3 : 4;
}

/** Why a facet has no area, new string; NULL: it has one. Quads are flat and convex here. */
static char *find_degenerate(const scree_soup *m, const uint32_t *f, double tolerance)
{
    uint32_t n = count_corners(f);
    double longest = 0.0, u[3], v[3], c[3];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++) {
            const double *x = m->xyz + 3 * (size_t)f[i], *y = m->xyz + 3 * (size_t)f[j];
            if (f[i] == f[j])
                return g_strdup(": two corners in one place");
            longest = fmax(longest, hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]));
        }
    const double *o = m->xyz + 3 * (size_t)f[0], *p = m->xyz + 3 * (size_t)f[1],
                 *q = m->xyz + 3 * (size_t)f[2];
    for (int k = 0; k < 3; k++) {
        u[k] = p[k] - o[k];
        v[k] = q[k] - o[k];
    }
    for (int k = 0; k < 3; k++)
        c[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    double twice_area = hypot(hypot(c[0], c[1]), c[2]);
    // 1e-11: what a shape takes is 1e-12
    if (twice_area > fmax(tolerance, 1e-11 * longest) * longest)
        return NULL;
    return g_strdup_printf(": its corners are on a line (height %.3g m, weld = %.3g m)",
                           twice_area / longest, tolerance);
}

/** Takes marked facets out. */
static void drop(scree_soup *m, const uint8_t *marked)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < m->n_facets; i++) {
        if (marked[i])
            continue;
        memmove(m->corner + 4 * kept, m->corner + 4 * i, 4 * sizeof *m->corner);
        m->line[kept] = m->line[i];
        m->number[kept++] = m->number[i];
    }
    m->n_facets = kept;
}

static bool check_degenerate(scree_soup *m, double tolerance, scree_mesh_policy policy,
                             GPtrArray *problems, GPtrArray *notes)
{
    g_autofree uint8_t *marked = g_new0(uint8_t, m->n_facets + 1);
    g_autoptr(GString) list = g_string_new(NULL);
    finding f = {.mesh = m, .what = "are degenerate", .list = list};
    for (uint64_t i = 0; i < m->n_facets; i++) {
        g_autofree char *why = find_degenerate(m, m->corner + 4 * i, tolerance);
        marked[i] = why != NULL;
        if (why)
            find(&f, i, why);
    }
    if (!tell(&f, "degenerate", policy, "\"drop\"", problems, notes))
        return false;
    if (f.n)
        drop(m, marked);
    return true;
}

/** Corners in ascending order, then the facet's number. */
typedef struct facet_key {
    uint32_t corner[4], facet;
} facet_key;

static int compare_keys(const void *pa, const void *pb)
{
    const facet_key *a = pa, *b = pb;
    for (int k = 0; k < 4; k++)
        if (a->corner[k] != b->corner[k])
            return a->corner[k] < b->corner[k] ? -1 : 1;
    return a->facet < b->facet ? -1 : a->facet > b->facet;
}

static facet_key key_of(const scree_soup *m, uint32_t facet)
{
    facet_key key = {.facet = facet};
    memcpy(key.corner, m->corner + 4 * (size_t)facet, sizeof key.corner);
    for (int i = 1; i < 4; i++)
        for (int j = i; j > 0 && key.corner[j] < key.corner[j - 1]; j--) {
            uint32_t t = key.corner[j];
            key.corner[j] = key.corner[j - 1];
            key.corner[j - 1] = t;
        }
    return key;
}

static bool check_duplicate(scree_soup *m, scree_mesh_policy policy, GPtrArray *problems,
                            GPtrArray *notes)
{
    uint32_t n = (uint32_t)m->n_facets;
    g_autofree uint8_t *marked = g_new0(uint8_t, n + 1);
    g_autofree uint32_t *same_as = g_new0(uint32_t, n + 1);
    g_autoptr(GString) list = g_string_new(NULL);
    finding f = {.mesh = m, .what = "are duplicates", .list = list};
    facet_key *keys = g_try_new(facet_key, n + 1);
    if (!keys) {
        g_ptr_array_add(problems,
                        g_strdup_printf("%s: no memory to compare %u facets", m->file, n));
        return false;
    }
    for (uint32_t i = 0; i < n; i++)
        keys[i] = key_of(m, i);
    qsort(keys, n, sizeof *keys, compare_keys);
    for (uint32_t i = 1, first = 0; i < n; i++) {
        if (memcmp(keys[i].corner, keys[first].corner, sizeof keys[i].corner) != 0) {
            first = i;
            continue;
        }
        marked[keys[i].facet] = 1;
        same_as[keys[i].facet] = keys[first].facet;
    }
    g_free(keys);
    for (uint32_t i = 0; i < n; i++) {
        if (!marked[i])
            continue;
        g_autofree char *place = scree_mesh_place(m, same_as[i]);
        g_autofree char *why = g_strdup_printf(", as %s", place);
        find(&f, i, why);
    }
    if (!tell(&f, "duplicate", policy, "\"drop\"", problems, notes))
        return false;
    if (f.n)
        drop(m, marked);
    return true;
}

bool scree_mesh_check(scree_soup *m, double tolerance, scree_mesh_policy degenerate,
                      scree_mesh_policy duplicate, GPtrArray *problems, GPtrArray *notes)
{
    bool ok = check_degenerate(m, tolerance, degenerate, problems, notes);
    ok = ok && check_duplicate(m, duplicate, problems, notes);
    if (ok && m->n_facets == 0) {
        g_ptr_array_add(problems, g_strdup_printf("%s: no facets are left", m->file));
        return false;
    }
    return ok && scree_mesh_compact(m, problems);
}

static scree_shape *make_shape(const scree_soup *m, GPtrArray *problems)
{
    g_autoptr(GError) error = NULL;
    scree_shape *shape = scree_shape_new_facets(3, (uint32_t)m->n_vertices, m->xyz,
                                                (uint32_t)m->n_facets, m->corner, &error);
    if (!shape)
        g_ptr_array_add(problems, g_strdup_printf("%s: %s", m->file, error->message));
    return shape;
}

/** Turns marked facets: the same first corner, the others the other way round. */
static void turn(scree_soup *m, const uint8_t *marked)
{
    for (uint64_t i = 0; i < m->n_facets; i++) {
        uint32_t *f = m->corner + 4 * i, last = f[3] == SCREE_NONE ? 2 : 3, t = f[1];
        if (!marked[i])
            continue;
        f[1] = f[last];
        f[last] = t;
    }
}

scree_shape *scree_mesh_shape(scree_soup *m, scree_mesh_policy inside_out, GPtrArray *problems,
                              GPtrArray *notes)
{
    scree_shape *shape = make_shape(m, problems);
    if (!shape)
        return NULL;
    g_autofree uint8_t *marked = g_new0(uint8_t, m->n_facets + 1);
    g_autoptr(GString) list = g_string_new(NULL);
    finding f = {.mesh = m, .what = "are inside out", .list = list};
    uint64_t one_sided = scree_shape_find_turned(shape, marked);
    for (uint64_t i = 0; i < m->n_facets; i++)
        if (marked[i])
            find(&f, i, "");
    bool ok = tell(&f, "inside_out", inside_out, "\"note\" or \"turn\"", problems, notes);
    if (m->n_opposed)
        g_ptr_array_add(notes, g_strdup_printf("%s: %" G_GUINT64_FORMAT
                                               " facets have a normal against the order of their "
                                               "vertices, which counts; the first is facet "
                                               "%" G_GUINT64_FORMAT,
                                               m->file, m->n_opposed, m->opposed));
    if (one_sided)
        g_ptr_array_add(notes,
                        g_strdup_printf("%s: a surface has one side only, as a Moebius strip "
                                        "has (%" G_GUINT64_FORMAT " edges)",
                                        m->file, one_sided));
    if (ok && f.n && inside_out == SCREE_MESH_TURN) {
        turn(m, marked);
        scree_shape_free(shape);
        return make_shape(m, problems);
    }
    if (ok)
        return shape;
    scree_shape_free(shape);
    return NULL;
}
