// SPDX-License-Identifier: Apache-2.0
/*
 * LAMMPS data files. The first line is a title. Then comes a header of lines that start with a
 * number ("1000 atoms", "0.0 0.1 xlo xhi"), then sections that start with a word: "Atoms # sphere",
 * id type diameter density x y z [image counts]; "Velocities", id vx vy vz wx wy wz. `#` starts a
 * comment, blank lines mean nothing.
 */
#include "shape/lammps_data.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

typedef struct velocity {
    uint64_t id;
    uint32_t line;
    double u[6];
} velocity;

typedef struct lammps_reader {
    scree_lammps_data *data;
    scree_text text;
    GPtrArray *notes;
    GArray *velocities; // of velocity
    bool seen_atoms, in_header;
    void (*take)(struct lammps_reader *r); // a line of this section; NULL: skip it
} lammps_reader;

static const char *word_at(const lammps_reader *r, guint k)
{
    return k < r->text.words->len ? r->text.words->pdata[k] : "";
}

/** The words from k on, with one space between them; new string. */
static char *join_words(const lammps_reader *r, guint k)
{
    GString *s = g_string_new(NULL);
    for (guint i = k; i < r->text.words->len; i++)
        g_string_append_printf(s, "%s%s", s->len ? " " : "", word_at(r, i));
    return g_string_free(s, FALSE);
}

static void take_bounds(lammps_reader *r, int k, const char *lo, const char *hi)
{
    scree_lammps_data *d = r->data;
    if (!scree_text_real(&r->text, "lo", lo, &d->lo[k]) ||
        !scree_text_real(&r->text, "hi", hi, &d->hi[k]))
        return;
    d->bounded[k] = true;
    if (!(d->hi[k] > d->lo[k]))
        scree_text_report(&r->text, "the box has no width along %c (%g, %g)", "xyz"[k], d -> lo[k],
                          d -> hi[k]);
}

static void take_tilt(lammps_reader *r)
{
    double t;
    for (guint k = 0; k < 3; k++)
        if (scree_text_real(&r->text, "tilt", word_at(r, k), &t) && t != 0.0) {
            scree_text_report(&r->text,
                              "a triclinic box (tilt %s) is not possible here; "
                              "boxes are upright",
                              word_at(r, k));
            return;
        }
}

/** A word that is not a number, "nan" included. */
static bool starts_section(const char *word)
{
    char *end;
    g_ascii_strtod(word, &end);
    return g_ascii_isalpha(*word) && *end;
}

/** "12 bonds": what this program has not must not be there. */
static bool take_foreign(lammps_reader *r, const char *name)
{
    static const char *const foreign[] = {"bonds",      "angles", "dihedrals", "impropers",
                                          "ellipsoids", "lines",  "triangles", "bodies",
                                          "crossterms", NULL};
    static const char *const harmless[] = {"bond", "angle", "dihedral", "improper", "extra", NULL};
    int64_t n;
    for (int i = 0; foreign[i]; i++) {
        if (strcmp(name, foreign[i]) != 0)
            continue;
        if (scree_text_int(&r->text, name, word_at(r, 0), 0, INT64_MAX, &n) && n > 0)
            scree_text_report(&r->text,
                              "%" G_GINT64_FORMAT " %s: only spheres are read (atom_style sphere)",
                              n, name);
        return true;
    }
    for (int i = 0; harmless[i]; i++) // "0 bond types", "2 extra bond per atom"
        if (strcmp(word_at(r, 1), harmless[i]) == 0)
            return true;
    return false;
}

static void take_header(lammps_reader *r)
{
    static const char *const ends[] = {"xlo xhi", "ylo yhi", "zlo zhi"};
    scree_lammps_data *d = r->data;
    g_autofree char *name = join_words(r, 1), *pair = join_words(r, 2), *tilt = join_words(r, 3);
    for (int k = 0; k < 3; k++)
        if (strcmp(pair, ends[k]) == 0) {
            take_bounds(r, k, word_at(r, 0), word_at(r, 1));
            return;
        }
    if (strcmp(name, "atoms") == 0)
        scree_text_int(&r->text, "atoms", word_at(r, 0), 0, INT64_MAX, &d->n_said);
    else if (strcmp(name, "atom types") == 0)
        scree_text_int(&r->text, "atom types", word_at(r, 0), 0, INT32_MAX, &d->n_types);
    else if (strcmp(tilt, "xy xz yz") == 0)
        take_tilt(r);
    else if (strcmp(tilt, "avec") == 0 || strcmp(tilt, "bvec") == 0 || strcmp(tilt, "cvec") == 0 ||
             strcmp(tilt, "abc origin") == 0)
        scree_text_report(&r->text, "a triclinic box (%s) is not possible here; boxes are upright",
                          tilt);
    else if (!take_foreign(r, name))
        scree_text_report(&r->text, "'%.60s' is not a known line of a header", name);
}

/** A type by its number or label; 0 with a problem. */
static uint32_t take_type(lammps_reader *r, const char *word)
{
    scree_lammps_data *d = r->data;
    for (guint k = 0; k < d->labels->len; k++)
        if (d->labels->pdata[k] && strcmp(d->labels->pdata[k], word) == 0)
            return k + 1;
    int64_t type = 0;
    if (d->n_types == 0) {
        scree_text_report(&r->text,
                          "type = '%.40s': the header says 0 atom types, expected 1 or more", word);
        return 0;
    }
    if (!scree_text_int(&r->text, "type", word, 1, d->n_types >= 0 ? d->n_types : INT32_MAX, &type))
        return 0;
    return (uint32_t)type;
}

static void take_atom(lammps_reader *r)
{
    static const char *const names[] = {"diameter", "density", "x", "y", "z"};
    guint n = r->text.words->len;
    scree_lammps_atom a = {.line = (uint32_t)MIN(r->text.line, UINT32_MAX)};
    int64_t id, image;
    double value[5];
    if (n != 7 && n != 10) {
        scree_text_report(&r->text,
                          "%u columns; atom_style sphere has 7 (id type diameter density x y z), "
                          "or 10 with image counts",
                          n);
        return;
    }
    if (!scree_text_int(&r->text, "id", word_at(r, 0), 0, INT64_MAX, &id) ||
        !(a.type = take_type(r, word_at(r, 1))))
        return;
    for (guint k = 0; k < 5; k++)
        if (!scree_text_real(&r->text, names[k], word_at(r, k + 2), &value[k]))
            return;
    for (guint k = 7; k < n; k++) {
        if (!scree_text_int(&r->text, "image count", word_at(r, k), INT32_MIN, INT32_MAX, &image))
            return;
        r->data->has_images |= image != 0;
    }
    a.id = (uint64_t)id;
    a.diameter = value[0];
    a.density = value[1];
    memcpy(a.x, value + 2, sizeof a.x);
    if (!(a.diameter > 0.0))
        scree_text_report(&r->text, "diameter = %g; it must be > 0", a.diameter);
    if (!(a.density > 0.0))
        scree_text_report(&r->text, "density = %g; it must be > 0", a.density);
    g_array_append_val(r->data->atoms, a);
}

static void take_velocity(lammps_reader *r)
{
    static const char *const names[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    velocity v = {.line = (uint32_t)MIN(r->text.line, UINT32_MAX)};
    int64_t id;
    if (r->text.words->len != 7) {
        scree_text_report(&r->text, "%u columns; a velocity has 7 (id vx vy vz wx wy wz)",
                          r->text.words->len);
        return;
    }
    if (!scree_text_int(&r->text, "id", word_at(r, 0), 0, INT64_MAX, &id))
        return;
    v.id = (uint64_t)id;
    for (guint k = 0; k < 6; k++)
        if (!scree_text_real(&r->text, names[k], word_at(r, k + 1), &v.u[k]))
            return;
    g_array_append_val(r->velocities, v);
}

static void take_label(lammps_reader *r)
{
    int64_t type;
    if (r->text.words->len != 2) {
        scree_text_report(&r->text, "expected a type and its label");
        return;
    }
    // As many labels as lines have been read at most, so that no number asks for much memory.
    if (!scree_text_int(&r->text, "type", word_at(r, 0), 1, r->data->labels->len + 1, &type))
        return;
    if ((guint)type > r->data->labels->len)
        g_ptr_array_set_size(r->data->labels, (int)type);
    g_free(r->data->labels->pdata[type - 1]);
    r->data->labels->pdata[type - 1] = g_strdup(word_at(r, 1));
}

/** "sphere", or no word at all. */
static void check_style(lammps_reader *r)
{
    g_autofree char *style = g_strstrip(g_strdup(r->text.remark ? r->text.remark : ""));
    if (*style && strcmp(style, "sphere") != 0 && strcmp(style, "granular") != 0)
        scree_text_report(&r->text,
                          "atom_style %.60s is not read; atom_style sphere is (convert with "
                          "`atom_style sphere` and `write_data`)",
                          style);
}

static void take_section(lammps_reader *r)
{
    static const char *const skipped[] = {"Masses", "Pair Coeffs", "PairIJ Coeffs", NULL};
    g_autofree char *name = join_words(r, 0);
    r->in_header = false;
    r->take = NULL;
    if (strcmp(name, "Atoms") == 0) {
        if (r->seen_atoms)
            scree_text_report(&r->text, "a second section Atoms");
        check_style(r);
        r->seen_atoms = true;
        r->take = take_atom;
    } else if (strcmp(name, "Velocities") == 0) {
        if (r->data->has_velocities)
            scree_text_report(&r->text, "a second section Velocities");
        r->data->has_velocities = true;
        r->take = take_velocity;
    } else if (strcmp(name, "Atom Type Labels") == 0) {
        r->take = take_label;
    } else {
        for (int i = 0; skipped[i]; i++)
            if (strcmp(name, skipped[i]) == 0) {
                g_ptr_array_add(r->notes,
                                g_strdup_printf("%s:%" G_GUINT64_FORMAT ": section %s is skipped",
                                                r->data->file, r->text.line, name));
                return;
            }
        scree_text_report(
            &r->text,
            "section '%.60s' is not read; Atoms, Velocities and Atom Type Labels are, "
            "Masses and Pair Coeffs are skipped",
            name);
    }
}

static int compare_velocities(const void *pa, const void *pb)
{
    const velocity *a = pa, *b = pb;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

/** Gives atoms their velocities by id. */
static void join_velocities(lammps_reader *r)
{
    GArray *list = r->velocities;
    g_autofree bool *used = g_new0(bool, list->len + 1);
    g_array_sort(list, compare_velocities);
    const velocity *v = (const velocity *)(void *)list->data;
    for (guint i = 1; i < list->len; i++)
        if (v[i].id == v[i - 1].id) {
            r->text.line = v[i].line;
            scree_text_report(&r->text,
                              "atom %" G_GUINT64_FORMAT " has a velocity already, on line %u",
                              v[i].id, v[i - 1].line);
        }
    for (guint i = 0; i < r->data->atoms->len; i++) {
        scree_lammps_atom *a = &g_array_index(r->data->atoms, scree_lammps_atom, i);
        guint lo = 0, hi = list->len;
        while (lo < hi) {
            guint mid = lo + (hi - lo) / 2;
            if (v[mid].id < a->id)
                lo = mid + 1;
            else
                hi = mid;
        }
        if (lo == list->len || v[lo].id != a->id) {
            r->text.line = a->line;
            scree_text_report(&r->text, "atom %" G_GUINT64_FORMAT " has no line in Velocities",
                              a->id);
            continue;
        }
        used[lo] = true;
        memcpy(a->v, v[lo].u, sizeof a->v);
        memcpy(a->w, v[lo].u + 3, sizeof a->w);
    }
    for (guint i = 0; i < list->len; i++)
        if (!used[i] && (i == 0 || v[i].id != v[i - 1].id)) {
            r->text.line = v[i].line;
            scree_text_report(&r->text,
                              "a velocity of atom %" G_GUINT64_FORMAT ", which is not in Atoms",
                              v[i].id);
        }
}

/** The word after "units = " in the title. */
static char *find_units(const char *title, size_t length)
{
    g_autofree char *line = g_strndup(title, length);
    const char *at = strstr(line, "units = ");
    if (!at)
        return NULL;
    at += strlen("units = ");
    return g_strndup(at, strspn(at, "abcdefghijklmnopqrstuvwxyz"));
}

static void check_counts(lammps_reader *r)
{
    scree_lammps_data *d = r->data;
    if (r->text.n_problems > 0)
        return; // lines that were wrong are not counted
    if (!r->seen_atoms)
        scree_text_report(&r->text, "no section Atoms");
    else if (d->n_said < 0)
        scree_text_report(&r->text, "the header does not say how many atoms there are");
    else if (d->n_said != (int64_t)d->atoms->len)
        scree_text_report(
            &r->text, "the header says %" G_GINT64_FORMAT " atoms, section Atoms has %u lines%s",
            d->n_said, d->atoms->len, d->n_said > (int64_t)d->atoms->len ? " (truncated?)" : "");
}

scree_lammps_data *scree_lammps_parse(const char *bytes, size_t length, const char *file,
                                      GPtrArray *problems, GPtrArray *notes)
{
    g_autoptr(scree_lammps_data) d = g_new0(scree_lammps_data, 1);
    const char *eol = length ? memchr(bytes, '\n', length) : NULL;
    size_t title = eol ? (size_t)(eol - bytes) + 1 : length;
    lammps_reader r = {.data = d, .notes = notes, .in_header = true};
    d->file = g_strdup(file);
    d->n_said = d->n_types = -1;
    d->labels = g_ptr_array_new_with_free_func(g_free);
    d->atoms = g_array_new(FALSE, FALSE, sizeof(scree_lammps_atom));
    d->units = find_units(bytes, title);
    r.velocities = g_array_new(FALSE, FALSE, sizeof(velocity));
    scree_text_init(&r.text, bytes + title, length - title, d->file, problems);
    r.text.comment = '#';
    r.text.lines_taken = 1;
    while (scree_text_next(&r.text)) {
        if (starts_section(word_at(&r, 0)))
            take_section(&r);
        else if (r.in_header)
            take_header(&r);
        else if (r.take)
            r.take(&r);
    }
    r.text.line = r.text.lines_taken;
    check_counts(&r);
    if (d->has_velocities && r.text.n_problems == 0)
        join_velocities(&r);
    bool ok = r.text.n_problems == 0;
    scree_text_clear(&r.text);
    g_array_free(r.velocities, TRUE);
    return ok ? g_steal_pointer(&d) : NULL;
}

void scree_lammps_free(scree_lammps_data *d)
{
    if (!d)
        return;
    g_ptr_array_free(d->labels, TRUE);
    g_array_free(d->atoms, TRUE);
    g_free(d->file);
    g_free(d->units);
    g_free(d);
}
