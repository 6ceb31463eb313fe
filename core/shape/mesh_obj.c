// SPDX-License-Identifier: Apache-2.0
/*
 * OBJ files (Wavefront): the statements `v` and `f`.
 *
 * Vertices count from 1, negative ones back from the last; of v/vt/vn the first number counts. A
 * face may name vertices that come later in the file. Triangles and quads are kept (the welding
 * splits quads that are not flat), larger polygons are cut into triangles: fans when they are
 * strictly convex, else ear by ear (G. H. Meisters, "Polygons have ears", Am. Math. Monthly 82,
 * 1975): a corner whose triangle turns the way of the polygon and has no other corner in it is cut
 * off, until three are left. That takes the square of the number of corners, the cube at worst; a
 * file that asks for more than MOST_TESTS is refused.
 *
 * Materials, groups, normals and texture points are skipped. Points, lines, curves and free-form
 * surfaces are skipped with a note, since they are geometry. Any other word is an error.
 */
#include "shape/mesh_obj.h"

#include <math.h>
#include <string.h>

#include "base/spelling.h"
#include "base/text.h"
#include "config/config_read.h"

#define MOST_TESTS 100000000u // of corners against ears in one file: a second, then it is refused

static const char *const looks[] = {
    "vt",     "vn",     "vp",        "g",     "s",        "o",        "mg",  "usemtl",
    "mtllib", "usemap", "maplib",    "bevel", "c_interp", "d_interp", "lod", "shadow_obj",
    "call",   "csh",    "trace_obj", "ctech", "stech",    NULL};
static const char *const geometry[] = {"p",    "l",    "curv", "curv2", "surf", "cstype",
                                       "deg",  "bmat", "step", "parm",  "trim", "hole",
                                       "scrv", "sp",   "end",  "con",   NULL};
static const char *const words_read[] = {"v", "f", NULL};

typedef struct obj_reader {
    scree_soup *mesh;
    scree_text text;
    GPtrArray *problems;
    GArray *corners; // of uint32_t, of all faces one after the other
    GArray *faces;   // of obj_face
    bool skipped[G_N_ELEMENTS(geometry)];
    uint64_t tests;                 // of corners against ears
    uint64_t highest, highest_line; // vertex that a face names, from 1
} obj_reader;

typedef struct obj_face {
    uint64_t first;
    uint32_t n, line;
} obj_face;

/** Index in the list, or -1. */
static int find_word(const char *const *list, const char *word)
{
    for (int i = 0; list[i]; i++)
        if (strcmp(list[i], word) == 0)
            return i;
    return -1;
}

static bool take_vertex(obj_reader *r)
{
    static const char *const names[] = {"x", "y", "z"};
    double x[3];
    if (r->text.words->len < 4) {
        scree_text_report(&r->text, "expected three coordinates of a vertex, got %u",
                          r->text.words->len - 1);
        return true;
    }
    for (int k = 0; k < 3; k++)
        if (!scree_text_real(&r->text, names[k], r->text.words->pdata[k + 1], &x[k]))
            return true;
    if (!scree_mesh_reserve(r->mesh, 1, 0, r->problems))
        return false;
    scree_mesh_add_vertex(r->mesh, x);
    return true;
}

/** Whether a corner is "V", "V/VT", "V//VN" or "V/VT/VN": what follows the first slash. */
static bool is_corner_rest(const char *rest)
{
    g_auto(GStrv) numbers = g_strsplit(rest, "/", -1);
    guint n = g_strv_length(numbers);
    for (guint k = 0; k < n; k++) {
        gint64 number;
        if (k == 0 && n == 2 && !*numbers[0])
            continue;
        if (!g_ascii_string_to_signed(numbers[k], 10, INT64_MIN, INT64_MAX, &number, NULL) ||
            number == 0)
            return false;
    }
    return n == 1 || n == 2;
}

/** The vertex that "7", "7/1", "7//3", "-1/2/3" names, from 0. */
static bool take_corner(obj_reader *r, char *word, uint32_t *corner)
{
    int64_t number;
    char *slash = strchr(word, '/');
    if (slash && !is_corner_rest(slash + 1)) {
        scree_text_report(
            &r->text, "a corner is V, V/VT, V//VN or V/VT/VN, of whole numbers; got '%.40s'", word);
        return false;
    }
    if (slash)
        *slash = '\0';
    if (!scree_text_int(&r->text, "vertex", word, -(int64_t)(3 * SCREE_MESH_MOST_FACETS),
                        (int64_t)(3 * SCREE_MESH_MOST_FACETS), &number))
        return false;
    if (number == 0 || number < -(int64_t)r->mesh->n_vertices) {
        scree_text_report(&r->text,
                          "vertex %" G_GINT64_FORMAT
                          ": they count from 1, or back from -1; %" G_GUINT64_FORMAT
                          " are there so far",
                          number, r->mesh->n_vertices);
        return false;
    }
    *corner = (uint32_t)(number > 0 ? number - 1 : (int64_t)r->mesh->n_vertices + number);
    if ((uint64_t)*corner + 1 > r->highest) {
        r->highest = (uint64_t)*corner + 1;
        r->highest_line = r->text.line;
    }
    return true;
}

static void take_face(obj_reader *r)
{
    uint32_t n = r->text.words->len - 1;
    obj_face face = {
        .first = r->corners->len, .n = n, .line = (uint32_t)MIN(r->text.line, UINT32_MAX)};
    if (n < 3) {
        scree_text_report(&r->text, "expected three vertices of a face or more, got %u", n);
        return;
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t corner;
        if (!take_corner(r, r->text.words->pdata[k + 1], &corner))
            return;
        g_array_append_val(r->corners, corner);
    }
    g_array_append_val(r->faces, face);
}

/** One statement; false: no use in going on. */
static bool take_statement(obj_reader *r)
{
    const char *word = r->text.words->pdata[0];
    int skip = find_word(geometry, word);
    if (strcmp(word, "v") == 0)
        return take_vertex(r);
    if (strcmp(word, "f") == 0 || strcmp(word, "fo") == 0) {
        take_face(r);
        return r->corners->len < UINT32_MAX / 2;
    }
    if (skip >= 0) {
        r->skipped[skip] = true;
    } else if (find_word(looks, word) < 0) {
        g_autofree char *hint = scree_did_you_mean(word, words_read);
        scree_text_report(&r->text, "expected a statement of an OBJ file, got \"%.40s\"%s", word,
                          hint);
    }
    return true;
}

/** A polygon seen along its normal. */
typedef struct polygon {
    uint32_t n;
    uint32_t *corner; // [n] vertices
    double *x, *y;    // [n] in its plane
    uint64_t *tests;  // counted over the file
} polygon;

/** Projects along the axis on which Newell's normal is largest; turned so that the area is >= 0. */
static void project(const scree_soup *m, polygon *p)
{
    double n[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < p->n; i++) {
        const double *a = m->xyz + 3 * (size_t)p->corner[i];
        const double *b = m->xyz + 3 * (size_t)p->corner[(i + 1) % p->n];
        for (int k = 0; k < 3; k++)
            n[k] += (a[(k + 1) % 3] - b[(k + 1) % 3]) * (a[(k + 2) % 3] + b[(k + 2) % 3]);
    }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(n[k]) > fabs(n[axis]))
            axis = k;
    double sign = n[axis] < 0.0 ? -1.0 : 1.0;
    for (uint32_t i = 0; i < p->n; i++) {
        const double *v = m->xyz + 3 * (size_t)p->corner[i];
        p->x[i] = v[(axis + 1) % 3];
        p->y[i] = sign * v[(axis + 2) % 3];
    }
}

static double turn(const polygon *p, uint32_t a, uint32_t b, uint32_t c)
{
    return (p->x[b] - p->x[a]) * (p->y[c] - p->y[a]) - (p->y[b] - p->y[a]) * (p->x[c] - p->x[a]);
}

/** Left turns only, and once around: the first corner sees all others in order. */
static bool is_convex(const polygon *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t j = (i + 1) % p->n;
        if (!(turn(p, i, j, (i + 2) % p->n) > 0.0))
            return false;
        if (i >= 1 && j != 0 && !(turn(p, 0, i, j) > 0.0))
            return false;
    }
    return true;
}

/** Corner `at` of those left can be cut off. */
static bool is_ear(const polygon *p, const uint32_t *left, uint32_t n, uint32_t at)
{
    uint32_t a = left[(at + n - 1) % n], b = left[at], c = left[(at + 1) % n];
    if (!(turn(p, a, b, c) > 0.0))
        return false;
    *p->tests += n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t q = left[i], v = p->corner[q];
        if (v == p->corner[a] || v == p->corner[b] || v == p->corner[c])
            continue; // the slit of a hole comes back to a corner
        if (turn(p, a, b, q) >= 0.0 && turn(p, b, c, q) >= 0.0 && turn(p, c, a, q) >= 0.0)
            return false;
    }
    return true;
}

static void add_triangle(scree_soup *m, const polygon *p, uint32_t a, uint32_t b, uint32_t c,
                         uint32_t line)
{
    const uint32_t corner[3] = {p->corner[a], p->corner[b], p->corner[c]};
    scree_mesh_add_facet(m, 3, corner, line);
}

/** False: it crosses itself, or has no area. */
static bool cut_ears(scree_soup *m, const polygon *p, uint32_t line)
{
    g_autofree uint32_t *left = g_new(uint32_t, p->n);
    uint32_t n = p->n, at = 0;
    for (uint32_t i = 0; i < n; i++)
        left[i] = i;
    while (n > 3) {
        uint32_t tried = 0;
        while (tried < n && *p->tests < MOST_TESTS && !is_ear(p, left, n, at)) {
            at = (at + 1) % n;
            tried++;
        }
        if (tried == n || *p->tests >= MOST_TESTS)
            return false;
        add_triangle(m, p, left[(at + n - 1) % n], left[at], left[(at + 1) % n], line);
        memmove(left + at, left + at + 1, (n - at - 1) * sizeof *left);
        n--;
        at = (at + n - 1) % n; // the one before may be an ear now
    }
    if (!(turn(p, left[0], left[1], left[2]) > 0.0))
        return false;
    add_triangle(m, p, left[0], left[1], left[2], line);
    return true;
}

static bool add_polygon(obj_reader *r, const obj_face *face, uint32_t *corner)
{
    scree_soup *m = r->mesh;
    polygon p = {.n = face->n, .corner = corner, .tests = &r->tests};
    if (!scree_mesh_reserve(m, 0, face->n - 2, r->problems))
        return false;
    p.x = g_new(double, p.n);
    p.y = g_new(double, p.n);
    project(m, &p);
    bool convex = is_convex(&p), ok = true;
    r->text.line = face->line;
    if (convex) {
        for (uint32_t i = 1; i + 1 < p.n; i++)
            add_triangle(m, &p, 0, i, i + 1, face->line);
    } else if (!cut_ears(m, &p, face->line)) {
        bool long_work = r->tests >= MOST_TESTS;
        scree_text_report(&r->text,
                          long_work
                              ? "a face of %u vertices: with those before it there is too much "
                                "to cut; let the program that wrote the file triangulate it"
                              : "a face of %u vertices crosses itself or has no area",
                          p.n);
        ok = false;
        if (long_work) // no use in going on
            r->text.n_problems = SCREE_TEXT_MOST_PROBLEMS;
    }
    g_free(p.x);
    g_free(p.y);
    return ok || r->text.n_problems < SCREE_TEXT_MOST_PROBLEMS;
}

static bool add_faces(obj_reader *r)
{
    scree_soup *m = r->mesh;
    uint32_t *corners = (uint32_t *)(void *)r->corners->data;
    if (r->highest > m->n_vertices) {
        r->text.line = r->highest_line;
        scree_text_report(
            &r->text, "expected a vertex from 1 to %" G_GUINT64_FORMAT ", got %" G_GUINT64_FORMAT,
            (guint64)m->n_vertices, r->highest);
        return false;
    }
    for (uint64_t i = 0; i < r->faces->len; i++) {
        const obj_face *face = &g_array_index(r->faces, obj_face, i);
        uint32_t *corner = corners + face->first;
        if (face->n > 4) {
            if (!add_polygon(r, face, corner))
                return false;
            continue;
        }
        if (!scree_mesh_reserve(m, 0, 1, r->problems))
            return false;
        scree_mesh_add_facet(m, face->n, corner, face->line);
    }
    // Facets of one face share its number.
    uint64_t number = 0;
    for (uint64_t i = 0; i < m->n_facets; i++) {
        if (i > 0 && m->line[i] != m->line[i - 1])
            number++;
        m->number[i] = number;
    }
    return r->text.n_problems == 0;
}

static void note_skipped(const obj_reader *r, GPtrArray *notes)
{
    g_autoptr(GString) list = g_string_new(NULL);
    for (int i = 0; geometry[i]; i++)
        if (r->skipped[i])
            g_string_append_printf(list, "%s%s", list->len ? ", " : "", geometry[i]);
    if (list->len)
        g_ptr_array_add(notes, g_strdup_printf("%s: points, lines, curves and free-form surfaces "
                                               "are not read: %s",
                                               r->mesh->file, list->str));
}

scree_soup *scree_mesh_read_obj(const char *bytes, size_t length, const char *file,
                                GPtrArray *problems, GPtrArray *notes)
{
    g_autoptr(scree_soup) m = scree_mesh_new(file);
    obj_reader r = {.mesh = m, .problems = problems};
    bool ok = true;
    m->text = true;
    scree_text_init(&r.text, bytes, length, file, problems);
    r.text.comment = '#';
    r.text.joins = true;
    r.corners = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    r.faces = g_array_new(FALSE, FALSE, sizeof(obj_face));
    while (ok && scree_text_next(&r.text))
        ok = take_statement(&r);
    if (!ok && r.corners->len >= UINT32_MAX / 2)
        scree_text_report(&r.text, "too many faces for one mesh");
    ok = ok && r.text.n_problems == 0 && add_faces(&r);
    if (ok && m->n_facets == 0) {
        scree_text_report(&r.text, "no faces (f v1 v2 v3)");
        ok = false;
    }
    note_skipped(&r, notes);
    g_array_free(r.corners, TRUE);
    g_array_free(r.faces, TRUE);
    scree_text_clear(&r.text);
    return ok ? g_steal_pointer(&m) : NULL;
}
