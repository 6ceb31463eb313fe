// SPDX-License-Identifier: Apache-2.0
/*
 * Faults of the facets of a mesh, each by its name: without area, repeated, inside out.
 *
 * A facet is inside out when its orientation is opposite to that of the surface around it: over
 * each edge of exactly two facets the orders of corners must run in opposite directions. Each
 * connected part is walked from its first facet; the smaller share (of equal shares the one without
 * the first facet) is inside out. Walls have two sides here, so this changes no contact.
 */
#include "mesh.h"

enum { SHOWN = 10, MOST_PLACE = 400 }; // facets named per mistake; bytes of a place

/** Collects facets with one mistake, and reports them by policy. */
typedef struct finding {
    const mesh_soup *mesh;
    const char *what; // "are degenerate"
    uint64_t n;
    mesh_lines list; // names of the first facets
} finding;

static void find(finding *f, uint64_t facet, const char *why)
{
    char place[MOST_PLACE];
    if (f->n++ >= SHOWN)
        return;
    mesh_place(f->mesh, facet, place, sizeof place);
    mesh_say(&f->list, "\n  %s%s", place, why);
}

/** Reports the finding, and ends it. 1: no error. */
static int report(finding *f, const char *key, int32_t policy, const char *possible,
                  mesh_notes *notes)
{
    static const char *const done[] = {"", " (dropped)", "", " (turned)"};
    char list[SHOWN * (MOST_PLACE + 100) + 1] = "", more[64] = "", help[128] = "";
    size_t at = 0;
    int refused = f->n > 0 && policy == MESH_ERROR;
    for (uint64_t i = 0; i < f->list.n; i++)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s", f->list.line[i]);
    mesh_lines_clear(&f->list);
    if (f->n > SHOWN)
        snprintf(more, sizeof more, "\n  and %llu more", (unsigned long long)f->n - SHOWN);
    if (refused)
        snprintf(help, sizeof help, "\n  %s = %s would go on", key, possible);
    if (f->n > 0)
        mesh_say(refused ? &notes->problems : &notes->notes, "%s: %llu of %llu facets %s%s:%s%s%s",
                 f->mesh->file, (unsigned long long)f->n, (unsigned long long)f->mesh->n_facets,
                 f->what, done[policy], list, more, help);
    return !refused;
}

static uint32_t count_corners(const uint32_t *f)
{
    return f[2] == SCREE_NONE ? 2 : f[3] == SCREE_NONE ? 3 : 4;
}

/** Writes why a facet has no area; 0: it has one. Quads are flat and convex here. */
static int find_degenerate(const mesh_soup *m, const uint32_t *f, double tolerance, char *why,
                           size_t size)
{
    uint32_t n = count_corners(f);
    double longest = 0.0, u[3], v[3], c[3];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++) {
            const double *x = m->xyz + 3 * (size_t)f[i], *y = m->xyz + 3 * (size_t)f[j];
            if (f[i] == f[j]) {
                snprintf(why, size, ": two corners in one place");
                return 1;
            }
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
    // 1e-11: what a surface takes is 1e-12
    if (twice_area > fmax(tolerance, 1e-11 * longest) * longest)
        return 0;
    snprintf(why, size, ": its corners are on a line (height %.3g m, weld = %.3g m)",
             twice_area / longest, tolerance);
    return 1;
}

/** Removes marked facets. */
static void drop(mesh_soup *m, const uint8_t *marked)
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

static int no_memory(const mesh_soup *m, mesh_notes *notes)
{
    return mesh_say(&notes->problems, "%s: no memory to compare %llu facets", m->file,
                    (unsigned long long)m->n_facets);
}

static int check_degenerate(mesh_soup *m, double tolerance, int32_t policy, mesh_notes *notes)
{
    uint8_t *marked = calloc(m->n_facets + 1, 1);
    finding f = {.mesh = m, .what = "are degenerate"};
    if (!marked)
        return no_memory(m, notes);
    for (uint64_t i = 0; i < m->n_facets; i++) {
        char why[100];
        marked[i] = (uint8_t)find_degenerate(m, m->corner + 4 * i, tolerance, why, sizeof why);
        if (marked[i])
            find(&f, i, why);
    }
    int ok = report(&f, "degenerate", policy, "\"drop\"", notes);
    if (ok && f.n)
        drop(m, marked);
    free(marked);
    return ok;
}

/** Corners in ascending order, and the facet's number. */
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

static facet_key key_of(const mesh_soup *m, uint32_t facet)
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

/** same_as[i]: the first facet with the corners of facet i; SCREE_NONE: facet i itself. */
static int find_duplicates(const mesh_soup *m, uint32_t *same_as)
{
    uint32_t n = (uint32_t)m->n_facets;
    facet_key *keys = malloc((n + 1) * sizeof *keys);
    if (!keys)
        return 0;
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = key_of(m, i);
        same_as[i] = SCREE_NONE;
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    for (uint32_t i = 1, first = 0; i < n; i++) {
        if (memcmp(keys[i].corner, keys[first].corner, sizeof keys[i].corner) == 0)
            same_as[keys[i].facet] = keys[first].facet;
        else
            first = i;
    }
    free(keys);
    return 1;
}

static int check_duplicate(mesh_soup *m, int32_t policy, mesh_notes *notes)
{
    uint64_t n = m->n_facets;
    uint8_t *marked = calloc(n + 1, 1);
    uint32_t *same_as = malloc((n + 1) * sizeof *same_as);
    finding f = {.mesh = m, .what = "are duplicates"};
    int ok = marked && same_as && find_duplicates(m, same_as);
    if (!ok)
        n = (uint64_t)no_memory(m, notes);
    for (uint64_t i = 0; i < n; i++) {
        char why[MOST_PLACE] = ", as ";
        marked[i] = same_as[i] != SCREE_NONE;
        if (!marked[i])
            continue;
        mesh_place(m, same_as[i], why + strlen(why), sizeof why - strlen(why));
        find(&f, i, why);
    }
    ok = ok && report(&f, "duplicate", policy, "\"drop\"", notes);
    if (ok && f.n)
        drop(m, marked);
    free(marked);
    free(same_as);
    return ok;
}

int mesh_check(mesh_soup *m, double tolerance, int32_t degenerate, int32_t duplicate,
               mesh_notes *notes)
{
    int ok =
        check_degenerate(m, tolerance, degenerate, notes) && check_duplicate(m, duplicate, notes);
    if (ok && m->n_facets == 0)
        return mesh_say(&notes->problems, "%s: no facets are left", m->file);
    return ok && mesh_compact(m, &notes->problems);
}

static mesh_surface *make_surface(const mesh_soup *m, mesh_notes *notes)
{
    mesh_lines why = {0};
    mesh_surface *surface =
        mesh_surface_new(3, m->n_vertices, m->xyz, m->n_facets, m->corner, &why);
    for (uint64_t i = 0; i < why.n; i++)
        mesh_say(&notes->problems, "%s: %s", m->file, why.line[i]);
    mesh_lines_clear(&why);
    return surface;
}

/** Turns marked facets: the first corner stays, the order of the others is reversed. */
static void turn(mesh_soup *m, const uint8_t *marked)
{
    for (uint64_t i = 0; i < m->n_facets; i++) {
        uint32_t *f = m->corner + 4 * i, last = f[3] == SCREE_NONE ? 2 : 3, t = f[1];
        if (!marked[i])
            continue;
        f[1] = f[last];
        f[last] = t;
    }
}

/** Notes facets whose normal in the file is against the order of their vertices. */
static void note_sides(const mesh_soup *m, uint64_t one_sided, mesh_notes *notes)
{
    if (m->n_opposed)
        mesh_say(&notes->notes,
                 "%s: %llu facets have a normal against the order of their vertices, which counts; "
                 "the first is facet %llu",
                 m->file, (unsigned long long)m->n_opposed, (unsigned long long)m->opposed);
    if (one_sided)
        mesh_say(&notes->notes,
                 "%s: a surface has one side only, as a Moebius strip has (%llu edges)", m->file,
                 (unsigned long long)one_sided);
}

mesh_surface *mesh_finish(mesh_soup *m, int32_t inside_out, mesh_notes *notes)
{
    mesh_surface *surface = make_surface(m, notes);
    uint8_t *marked = calloc(m->n_facets + 1, 1);
    finding f = {.mesh = m, .what = "are inside out"};
    uint64_t one_sided = 0, n = m->n_facets;
    int ok = surface && marked && mesh_find_turned(surface, marked, &one_sided);
    if (surface && !ok)
        no_memory(m, notes);
    if (!ok)
        n = 0;
    for (uint64_t i = 0; i < n; i++)
        if (marked[i])
            find(&f, i, "");
    if (ok) {
        ok = report(&f, "inside_out", inside_out, "\"note\" or \"turn\"", notes);
        note_sides(m, one_sided, notes);
    }
    if (!ok || (f.n && inside_out == MESH_TURN)) {
        mesh_surface_free(surface);
        surface = NULL;
    }
    if (ok && !surface) {
        turn(m, marked);
        surface = make_surface(m, notes);
    }
    free(marked);
    return surface;
}
