// SPDX-License-Identifier: Apache-2.0
/*
 * STL files, text and binary.
 *
 * Binary: 80 bytes without meaning (some programs start them with "solid"), a 32-bit count, and 50
 * bytes per triangle: normal, three vertices (floats, little-endian) and two bytes without meaning.
 * A file is binary when its length is 84 + 50 count. Otherwise it is text if it starts with "solid"
 * and has no zero byte, else a binary file with a wrong length.
 *
 * Text: solid .. { facet normal x y z, outer loop, 3 vertex x y z, endloop, endfacet } endsolid, as
 * words; several solids may follow each other.
 */
#include "mesh.h"
#include <ctype.h>

enum { HEADER = 84, TRIANGLE = 50 };

static uint32_t read_u32(const char *at)
{
    const uint8_t *b = (const uint8_t *)at;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double read_float(const char *at)
{
    uint32_t bits = read_u32(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/** Adds a triangle and notes whether its stored normal is against the order of its vertices. */
static void add_triangle(mesh_soup *m, const double n[3], double x[3][3], uint64_t line)
{
    uint32_t first = (uint32_t)m->n_vertices;
    const uint32_t corner[3] = {first, first + 1, first + 2};
    double u[3], v[3], c[3], along = 0.0, cc = 0.0, nn = 0.0;
    for (int k = 0; k < 3; k++) {
        u[k] = x[1][k] - x[0][k];
        v[k] = x[2][k] - x[0][k];
    }
    for (int k = 0; k < 3; k++) {
        c[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        along += c[k] * n[k];
        cc += c[k] * c[k];
        nn += n[k] * n[k];
    }
    if (along < -0.5 * sqrt(cc) * sqrt(nn)) { // a stored normal of 0 is ignored
        if (m->n_opposed++ == 0)
            m->opposed = m->n_facets;
    }
    for (int k = 0; k < 3; k++)
        mesh_add_vertex(m, x[k]);
    mesh_add_facet(m, 3, corner, line);
}

static int check_length(const mesh_soup *m, uint64_t count, size_t length, mesh_lines *problems)
{
    uint64_t wanted = HEADER + TRIANGLE * count;
    if (length < HEADER)
        return mesh_say(problems,
                        "%s: %zu bytes are not an STL file: neither \"solid\" nor a binary header "
                        "of 84 bytes",
                        m->file, length);
    if (length == wanted)
        return 1;
    return mesh_say(problems,
                    "%s: %s: its header (byte 80) says %llu triangles, %llu bytes; the file has "
                    "%zu bytes, room for %zu",
                    m->file, length < wanted ? "truncated" : "too long for its count",
                    (unsigned long long)count, (unsigned long long)wanted, length,
                    (length - HEADER) / TRIANGLE);
}

static int read_binary(mesh_soup *m, const char *bytes, size_t length, mesh_lines *problems)
{
    uint64_t count = length >= HEADER ? read_u32(bytes + 80) : 0, wrong = 0;
    if (!check_length(m, count, length, problems) || !mesh_reserve(m, 3 * count, count, problems))
        return 0;
    for (uint64_t i = 0; i < count; i++) {
        const char *at = bytes + HEADER + TRIANGLE * i;
        double v[4][3];
        int finite = 1;
        for (int k = 0; k < 12; k++)
            v[k / 3][k % 3] = read_float(at + 4 * k);
        for (int k = 3; k < 12; k++)
            finite &= isfinite(v[k / 3][k % 3]);
        for (int k = 0; k < 3; k++)
            if (!isfinite(v[0][k])) // the normal is only a hint
                v[0][0] = v[0][1] = v[0][2] = 0.0;
        if (!finite && wrong++ < MESH_MOST_PROBLEMS)
            mesh_say(problems, "%s: facet %llu (byte %llu): a coordinate is not a finite number",
                     m->file, (unsigned long long)i, (unsigned long long)(HEADER + TRIANGLE * i));
        add_triangle(m, v[0], v + 1, 0);
    }
    if (wrong > MESH_MOST_PROBLEMS)
        mesh_say(problems, "%s: %llu facets have coordinates that are not finite", m->file,
                 (unsigned long long)wrong);
    return wrong == 0;
}

/** The words of a text STL, one after the other, independent of lines. */
typedef struct stl_words {
    mesh_words text;
    uint32_t next;
} stl_words;

/** The next word, NULL at the end. */
static const char *peek(stl_words *w)
{
    if (w->next >= w->text.n) {
        if (!mesh_words_next(&w->text))
            return NULL;
        w->next = 0;
    }
    return w->text.word[w->next];
}

/** Takes the word that must come next. */
static int take(stl_words *w, const char *word)
{
    const char *found = peek(w);
    if (found && mesh_same_word(found, word, SIZE_MAX)) {
        w->next++;
        return 1;
    }
    if (found)
        mesh_words_report(&w->text, "'%s' is expected, not '%.40s'", word, found);
    else if (w->text.n_problems == 0)
        mesh_words_report(&w->text, "truncated: the file ends where '%s' is expected", word);
    return 0;
}

/** Reads three numbers; "nan" is allowed for a normal, which is 0 then. */
static int take_reals(stl_words *w, const char *what, int normal, double x[3])
{
    int finite = 1;
    for (int k = 0; k < 3; k++) {
        const char *word = peek(w);
        if (!word)
            return take(w, what);
        double loose = strtod(word, NULL);
        if (normal && !isfinite(loose))
            finite = 0;
        else if (!mesh_words_real(&w->text, what, word, &x[k]))
            return 0;
        w->next++;
    }
    if (!finite)
        for (int k = 0; k < 3; k++)
            x[k] = 0.0;
    return 1;
}

static int take_facet(stl_words *w, mesh_soup *m, mesh_lines *problems)
{
    double n[3], x[3][3];
    if (!take(w, "facet"))
        return 0;
    uint64_t line = w->text.line;
    int ok =
        take(w, "normal") && take_reals(w, "normal", 1, n) && take(w, "outer") && take(w, "loop");
    for (int k = 0; ok && k < 3; k++)
        ok = take(w, "vertex") && take_reals(w, "vertex", 0, x[k]);
    ok = ok && take(w, "endloop") && take(w, "endfacet") && mesh_reserve(m, 3, 1, problems);
    if (ok)
        add_triangle(m, n, x, line);
    return ok;
}

/** Takes "solid" or "endsolid", and a name on the same line. */
static int take_solid(stl_words *w, const char *word)
{
    int ok = take(w, word);
    w->next = w->text.n;
    return ok;
}

static int read_text(mesh_soup *m, const char *bytes, size_t length, mesh_lines *problems)
{
    stl_words w = {.next = 0};
    const char *word;
    m->text = 1;
    mesh_words_init(&w.text, bytes, length, m->file, problems);
    int ok = 1;
    do {
        ok = take_solid(&w, "solid");
        while (ok && (word = peek(&w)) && !mesh_same_word(word, "endsolid", SIZE_MAX))
            ok = take_facet(&w, m, problems);
        ok = ok && take_solid(&w, "endsolid");
    } while (ok && peek(&w));
    ok = ok && w.text.n_problems == 0;
    mesh_words_clear(&w.text);
    return ok;
}

static int looks_like_text(const char *bytes, size_t length)
{
    size_t at = 0;
    if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        at = 3;
    while (at < length && isspace((unsigned char)bytes[at]))
        at++;
    return length - at >= 5 && mesh_same_word(bytes + at, "solid", 5) &&
           !memchr(bytes, '\0', length);
}

int mesh_is_binary_stl(const char *bytes, size_t length)
{
    return length >= HEADER && length == HEADER + (uint64_t)TRIANGLE * read_u32(bytes + 80);
}

int mesh_read_stl(mesh_soup *m, const char *bytes, size_t length, mesh_notes *notes)
{
    int ok = !mesh_is_binary_stl(bytes, length) && looks_like_text(bytes, length)
                 ? read_text(m, bytes, length, &notes->problems)
                 : read_binary(m, bytes, length, &notes->problems);
    if (ok && m->n_facets == 0)
        return mesh_say(&notes->problems, "%s: no triangles", m->file);
    return ok;
}
