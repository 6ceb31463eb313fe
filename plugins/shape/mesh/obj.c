// SPDX-License-Identifier: Apache-2.0
/*
 * OBJ files (Wavefront): the statements `v` and `f`.
 *
 * Vertices count from 1, negative numbers back from the last; only the first number of v/vt/vn
 * counts. A face may name later vertices of the file. Triangles and quads are kept (the welding
 * splits quads that are not flat), larger polygons are cut into triangles: fans when they are
 * strictly convex, else ear by ear (G. H. Meisters, "Polygons have ears", Am. Math. Monthly 82,
 * 1975): a corner is cut off if its triangle turns like the polygon and contains no other corner,
 * until three are left. The cost is the square of the number of corners, at worst the cube; a file
 * that needs more than MOST_TESTS is refused.
 *
 * Materials, groups, normals and texture points are skipped. Points, lines, curves and free-form
 * surfaces are skipped with a note, since they are geometry. Any other word is an error.
 */
#include "mesh.h"

#define MOST_TESTS 100000000u // tests of corners against ears for one file: one second

static const char *const looks[] = {
    "vt",     "vn",     "vp",        "g",     "s",        "o",        "mg",  "usemtl",
    "mtllib", "usemap", "maplib",    "bevel", "c_interp", "d_interp", "lod", "shadow_obj",
    "call",   "csh",    "trace_obj", "ctech", "stech",    NULL};
static const char *const geometry[] = {"p",    "l",    "curv", "curv2", "surf", "cstype",
                                       "deg",  "bmat", "step", "parm",  "trim", "hole",
                                       "scrv", "sp",   "end",  "con",   NULL};

typedef struct obj_face {
    uint64_t first;
    uint32_t n, line;
} obj_face;

typedef struct obj_reader {
    mesh_soup *mesh;
    mesh_words text;
    mesh_lines *problems;
    uint32_t *corners; // [n_corners] corners of all faces, one face after the other
    uint64_t n_corners, room_corners;
    obj_face *faces; // [n_faces]
    uint64_t n_faces, room_faces;
    int skipped[SCREE_COUNT(geometry)];
    int no_memory;
    uint64_t tests;                 // tests of corners against ears
    uint64_t highest, highest_line; // highest vertex that a face names, from 1, and the line
} obj_reader;

/** Stops reading: memory is short. */
static int give_up(obj_reader *r)
{
    if (!r->no_memory)
        mesh_say(r->problems, "%s: no memory for its faces", r->mesh->file);
    r->no_memory = 1;
    return 0;
}

/** Index in the list, or -1. */
static int find_word(const char *const *list, const char *word)
{
    for (int i = 0; list[i]; i++)
        if (strcmp(list[i], word) == 0)
            return i;
    return -1;
}

static int take_vertex(obj_reader *r)
{
    static const char *const names[] = {"x", "y", "z"};
    double x[3];
    if (r->text.n < 4) {
        mesh_words_report(&r->text, "expected three coordinates of a vertex, got %u",
                          r->text.n - 1);
        return 1;
    }
    for (int k = 0; k < 3; k++)
        if (!mesh_words_real(&r->text, names[k], r->text.word[k + 1], &x[k]))
            return 1;
    if (!mesh_reserve(r->mesh, 1, 0, r->problems))
        return 0;
    mesh_add_vertex(r->mesh, x);
    return 1;
}

/** Is a corner "V/VT", "V//VN" or "V/VT/VN"? Tests the part behind the first slash. */
static int is_corner_rest(char *rest)
{
    char *slash = strchr(rest, '/');
    int64_t number;
    if (slash && strchr(slash + 1, '/'))
        return 0;
    if (slash && (!mesh_parse_int(slash + 1, &number) || number == 0))
        return 0;
    if (slash == rest)
        return 1;
    if (slash)
        *slash = '\0';
    return mesh_parse_int(rest, &number) && number != 0;
}

/** Reads the vertex of "7", "7/1", "7//3" or "-1/2/3", counted from 0. */
static int take_corner(obj_reader *r, char *word, uint32_t *corner)
{
    int64_t number;
    char *slash = strchr(word, '/');
    if (slash && !is_corner_rest(slash + 1)) {
        mesh_words_report(
            &r->text, "a corner is V, V/VT, V//VN or V/VT/VN, of whole numbers; got '%.40s'", word);
        return 0;
    }
    if (slash)
        *slash = '\0';
    if (!mesh_words_int(&r->text, "vertex", word, -(int64_t)(3 * MESH_MOST_FACETS),
                        (int64_t)(3 * MESH_MOST_FACETS), &number))
        return 0;
    if (number == 0 || number < -(int64_t)r->mesh->n_vertices) {
        mesh_words_report(&r->text,
                          "vertex %lld: they count from 1, or back from -1; %llu are there so far",
                          (long long)number, (unsigned long long)r->mesh->n_vertices);
        return 0;
    }
    *corner = (uint32_t)(number > 0 ? number - 1 : (int64_t)r->mesh->n_vertices + number);
    if ((uint64_t)*corner + 1 > r->highest) {
        r->highest = (uint64_t)*corner + 1;
        r->highest_line = r->text.line;
    }
    return 1;
}

static void take_face(obj_reader *r)
{
    uint32_t n = r->text.n - 1;
    obj_face face = {.first = r->n_corners,
                     .n = n,
                     .line = (uint32_t)(r->text.line < UINT32_MAX ? r->text.line : UINT32_MAX)};
    if (n < 3) {
        mesh_words_report(&r->text, "expected three vertices of a face or more, got %u", n);
        return;
    }
    if (!scree_grow(&r->corners, &r->room_corners, r->n_corners + n, sizeof *r->corners) ||
        !scree_grow(&r->faces, &r->room_faces, r->n_faces + 1, sizeof *r->faces)) {
        give_up(r);
        return;
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t corner;
        if (!take_corner(r, r->text.word[k + 1], &corner))
            return;
        r->corners[r->n_corners++] = corner;
    }
    r->faces[r->n_faces++] = face;
}

/** Reads one statement; 0: reading on is useless. */
static int take_statement(obj_reader *r)
{
    const char *word = r->text.word[0];
    int skip = find_word(geometry, word);
    if (strcmp(word, "v") == 0)
        return take_vertex(r);
    if (strcmp(word, "f") == 0 || strcmp(word, "fo") == 0) {
        take_face(r);
        return r->n_corners < UINT32_MAX / 2 && !r->no_memory;
    }
    if (skip >= 0) {
        r->skipped[skip] = 1;
    } else if (find_word(looks, word) < 0) {
        const char *hint = mesh_same_word(word, "v", SIZE_MAX)   ? "; did you mean \"v\"?"
                           : mesh_same_word(word, "f", SIZE_MAX) ? "; did you mean \"f\"?"
                                                                 : "";
        mesh_words_report(&r->text, "expected a statement of an OBJ file, got \"%.40s\"%s", word,
                          hint);
    }
    return 1;
}

/** A polygon seen along its normal. */
typedef struct polygon {
    uint32_t n;
    uint32_t *corner; // [n] vertices
    double *x, *y;    // [n] in its plane
    uint64_t *tests;  // counted over the file
} polygon;

/** Projects along the axis on which Newell's normal is largest; the projection is turned so that
 * the area is >= 0. */
static void project(const mesh_soup *m, polygon *p)
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

/** Are there only left turns, once around? Then the first corner sees all others in order. */
static int is_convex(const polygon *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t j = (i + 1) % p->n;
        if (!(turn(p, i, j, (i + 2) % p->n) > 0.0))
            return 0;
        if (i >= 1 && j != 0 && !(turn(p, 0, i, j) > 0.0))
            return 0;
    }
    return 1;
}

/** Can corner `at` of the remaining ones be cut off? */
static int is_ear(const polygon *p, const uint32_t *left, uint32_t n, uint32_t at)
{
    uint32_t a = left[(at + n - 1) % n], b = left[at], c = left[(at + 1) % n];
    if (!(turn(p, a, b, c) > 0.0))
        return 0;
    *p->tests += n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t q = left[i], v = p->corner[q];
        if (v == p->corner[a] || v == p->corner[b] || v == p->corner[c])
            continue; // the slit of a hole returns to a corner
        if (turn(p, a, b, q) >= 0.0 && turn(p, b, c, q) >= 0.0 && turn(p, c, a, q) >= 0.0)
            return 0;
    }
    return 1;
}

static void add_triangle(mesh_soup *m, const polygon *p, uint32_t a, uint32_t b, uint32_t c,
                         uint32_t line)
{
    const uint32_t corner[3] = {p->corner[a], p->corner[b], p->corner[c]};
    mesh_add_facet(m, 3, corner, line);
}

/** Cuts ears off; 0: the polygon crosses itself, or has no area. left[n] is room. */
static int cut_ears(mesh_soup *m, const polygon *p, uint32_t line, uint32_t *left)
{
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
            return 0;
        add_triangle(m, p, left[(at + n - 1) % n], left[at], left[(at + 1) % n], line);
        memmove(left + at, left + at + 1, (n - at - 1) * sizeof *left);
        n--;
        at = (at + n - 1) % n; // the previous corner may now be an ear
    }
    if (!(turn(p, left[0], left[1], left[2]) > 0.0))
        return 0;
    add_triangle(m, p, left[0], left[1], left[2], line);
    return 1;
}

static void refuse_polygon(obj_reader *r, const obj_face *face)
{
    int long_work = r->tests >= MOST_TESTS;
    r->text.line = face->line;
    mesh_words_report(&r->text,
                      long_work ? "a face of %u vertices: with those before it there is too much "
                                  "to cut; let the program that wrote the file triangulate it"
                                : "a face of %u vertices crosses itself or has no area",
                      face->n);
    if (long_work) // reading on is useless
        r->text.n_problems = MESH_MOST_PROBLEMS;
}

static int add_polygon(obj_reader *r, const obj_face *face, uint32_t *corner)
{
    mesh_soup *m = r->mesh;
    polygon p = {.n = face->n, .corner = corner, .tests = &r->tests};
    if (!mesh_reserve(m, 0, face->n - 2, r->problems))
        return 0;
    uint32_t *left = malloc(p.n * sizeof *left);
    p.x = malloc(p.n * sizeof *p.x);
    p.y = malloc(p.n * sizeof *p.y);
    if (left && p.x && p.y) {
        project(m, &p);
        if (is_convex(&p))
            for (uint32_t i = 1; i + 1 < p.n; i++)
                add_triangle(m, &p, 0, i, i + 1, face->line);
        else if (!cut_ears(m, &p, face->line, left))
            refuse_polygon(r, face);
    } else {
        give_up(r);
    }
    free(left);
    free(p.x);
    free(p.y);
    return r->text.n_problems < MESH_MOST_PROBLEMS && !r->no_memory;
}

static int add_faces(obj_reader *r)
{
    mesh_soup *m = r->mesh;
    if (r->highest > m->n_vertices) {
        r->text.line = r->highest_line;
        mesh_words_report(&r->text, "expected a vertex from 1 to %llu, got %llu",
                          (unsigned long long)m->n_vertices, (unsigned long long)r->highest);
        return 0;
    }
    for (uint64_t i = 0; i < r->n_faces; i++) {
        const obj_face *face = &r->faces[i];
        uint32_t *corner = r->corners + face->first;
        if (face->n > 4) {
            if (!add_polygon(r, face, corner))
                return 0;
            continue;
        }
        if (!mesh_reserve(m, 0, 1, r->problems))
            return 0;
        mesh_add_facet(m, face->n, corner, face->line);
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

static void note_skipped(const obj_reader *r, mesh_lines *notes)
{
    char list[256] = "";
    size_t at = 0;
    for (int i = 0; geometry[i]; i++)
        if (r->skipped[i])
            at +=
                (size_t)snprintf(list + at, sizeof list - at, "%s%s", at ? ", " : "", geometry[i]);
    if (at)
        mesh_say(notes, "%s: points, lines, curves and free-form surfaces are not read: %s",
                 r->mesh->file, list);
}

int mesh_read_obj(mesh_soup *m, const char *bytes, size_t length, mesh_notes *notes)
{
    obj_reader r = {.mesh = m, .problems = &notes->problems};
    int ok = 1;
    m->text = 1;
    mesh_words_init(&r.text, bytes, length, m->file, r.problems);
    r.text.comment = '#';
    r.text.joins = 1;
    while (ok && mesh_words_next(&r.text))
        ok = take_statement(&r);
    if (!ok && r.n_corners >= UINT32_MAX / 2)
        mesh_words_report(&r.text, "too many faces for one mesh");
    ok = ok && r.text.n_problems == 0 && add_faces(&r);
    if (ok && m->n_facets == 0) {
        mesh_words_report(&r.text, "no faces (f v1 v2 v3)");
        ok = 0;
    }
    note_skipped(&r, &notes->notes);
    free(r.corners);
    free(r.faces);
    mesh_words_clear(&r.text);
    return ok;
}
