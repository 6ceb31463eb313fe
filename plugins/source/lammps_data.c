// SPDX-License-Identifier: Apache-2.0
/*
 * LAMMPS data files. The first line is a title. Then comes a header of lines that start with a
 * number ("1000 atoms", "0.0 0.1 xlo xhi"), then sections that start with a word: "Atoms # sphere",
 * id type diameter density x y z [image counts], or "Atoms # bpm/sphere", where a molecule follows
 * the id; "Velocities", id vx vy vz wx wy wz; "Bonds", number type id id. `#` starts a comment, blank
 * lines mean nothing.
 */
#include "lammps_data.h"

#include <ctype.h>

enum { LONGEST = 128 };

typedef struct velocity {
    uint64_t id;
    uint32_t line;
    double u[6];
} velocity;

typedef struct lammps_reader {
    lammps_data *data;
    mesh_words text;
    mesh_lines *notes;
    velocity *velocities;
    uint64_t n_velocities, room_velocities;
    int seen_atoms, seen_bonds, in_header;
    int64_t bond_type;                     // type of the first bond
    uint32_t molecules;                    // 1: atoms have a molecule behind the id
    void (*take)(struct lammps_reader *r); // a line of this section; NULL: skip it
} lammps_reader;

static const char *word_at(const lammps_reader *r, uint32_t k)
{
    return k < r->text.n ? r->text.word[k] : "";
}

/** Joins the words from k on with single spaces, as far as the room goes. */
static void join_words(const lammps_reader *r, uint32_t k, char text[LONGEST])
{
    size_t n = 0;
    text[0] = '\0';
    for (uint32_t i = k; i < r->text.n && n < LONGEST - 1; i++) {
        int more = snprintf(text + n, LONGEST - n, "%s%s", n ? " " : "", word_at(r, i));
        n += more > 0 ? (size_t)more : 0;
    }
}

/** Makes room for one more; 0 with a problem. */
static int reserve(lammps_reader *r, void *array_ptr, uint64_t *room, uint64_t n, size_t size)
{
    if (scree_grow(array_ptr, room, n + 1, size))
        return 1;
    mesh_words_report(&r->text, "no memory for what follows");
    return 0;
}

static void take_bounds(lammps_reader *r, int k, const char *lo, const char *hi)
{
    lammps_data *d = r->data;
    if (!mesh_words_real(&r->text, "lo", lo, &d->lo[k]) ||
        !mesh_words_real(&r->text, "hi", hi, &d->hi[k]))
        return;
    d->bounded[k] = 1;
    if (!(d->hi[k] > d->lo[k]))
        mesh_words_report(&r->text, "the box has no width along %c (%g, %g)", "xyz"[k], d -> lo[k],
                          d -> hi[k]);
}

static uint32_t line_of(const lammps_reader *r)
{
    return r->text.line < UINT32_MAX ? (uint32_t)r->text.line : UINT32_MAX;
}

static void take_tilt(lammps_reader *r)
{
    r->data->tilt_line = line_of(r);
    for (uint32_t k = 0; k < 3; k++)
        mesh_words_real(&r->text, "tilt", word_at(r, k), &r->data->tilt[k]);
}

/** A word that is not a number, "nan" included. */
static int starts_section(const char *word)
{
    char *end;
    (void)strtod(word, &end);
    return isalpha((unsigned char)*word) && *end;
}

/** Does a line count something that is not read? A count such as "12 angles" must be 0; others are
 * harmless. */
static int take_foreign(lammps_reader *r, const char *name)
{
    static const char *const foreign[] = {"angles",     "dihedrals",  "impropers",
                                          "ellipsoids", "lines",      "triangles",
                                          "bodies",     "crossterms", NULL};
    static const char *const harmless[] = {"angle", "dihedral", "improper", "extra", NULL};
    int64_t n;
    for (int i = 0; foreign[i]; i++) {
        if (strcmp(name, foreign[i]) != 0)
            continue;
        if (mesh_words_int(&r->text, name, word_at(r, 0), 0, INT64_MAX, &n) && n > 0)
            mesh_words_report(&r->text, "%lld %s: only spheres are read (atom_style sphere)",
                              (long long)n, name);
        return 1;
    }
    for (int i = 0; harmless[i]; i++) // "0 angle types", "2 extra bond per atom"
        if (strcmp(word_at(r, 1), harmless[i]) == 0)
            return 1;
    return 0;
}

static void take_header(lammps_reader *r)
{
    static const char *const ends[] = {"xlo xhi", "ylo yhi", "zlo zhi"};
    static const char *const tilts[] = {"avec", "bvec", "cvec", "abc origin"};
    lammps_data *d = r->data;
    char name[LONGEST], pair[LONGEST], tilt[LONGEST];
    join_words(r, 1, name);
    join_words(r, 2, pair);
    join_words(r, 3, tilt);
    for (int k = 0; k < 3; k++)
        if (strcmp(pair, ends[k]) == 0) {
            take_bounds(r, k, word_at(r, 0), word_at(r, 1));
            return;
        }
    for (int k = 0; k < 4; k++)
        if (strcmp(tilt, tilts[k]) == 0) {
            mesh_words_report(&r->text,
                              "a general triclinic box (%s) is not read; one of lo, hi and xy xz "
                              "yz is",
                              tilt);
            return;
        }
    if (strcmp(name, "atoms") == 0)
        mesh_words_int(&r->text, "atoms", word_at(r, 0), 0, INT64_MAX, &d->n_said);
    else if (strcmp(name, "bonds") == 0)
        mesh_words_int(&r->text, "bonds", word_at(r, 0), 0, INT64_MAX, &d->n_bonds_said);
    else if (strcmp(name, "atom types") == 0)
        mesh_words_int(&r->text, "atom types", word_at(r, 0), 0, INT32_MAX, &d->n_types);
    else if (strcmp(name, "bond types") == 0)
        mesh_words_int(&r->text, "bond types", word_at(r, 0), 0, INT32_MAX, &d->n_bond_types);
    else if (strcmp(tilt, "xy xz yz") == 0)
        take_tilt(r);
    else if (!take_foreign(r, name))
        mesh_words_report(&r->text, "'%.60s' is not a known line of a header", name);
}

/** Reads a type by its number or label; 0 with a problem. */
static uint32_t take_type(lammps_reader *r, const char *word)
{
    lammps_data *d = r->data;
    for (uint64_t k = 0; k < d->n_labels; k++)
        if (d->label[k] && strcmp(d->label[k], word) == 0)
            return (uint32_t)k + 1;
    int64_t type = 0;
    if (d->n_types == 0) {
        mesh_words_report(&r->text,
                          "type = '%.40s': the header says 0 atom types, expected 1 or more", word);
        return 0;
    }
    if (!mesh_words_int(&r->text, "type", word, 1, d->n_types >= 0 ? d->n_types : INT32_MAX, &type))
        return 0;
    return (uint32_t)type;
}

/** Reads the image counts behind the other columns; 0 with a problem. */
static int take_images(lammps_reader *r)
{
    int64_t image;
    for (uint32_t k = 7 + r->molecules; k < r->text.n; k++) {
        if (!mesh_words_int(&r->text, "image count", word_at(r, k), INT32_MIN, INT32_MAX, &image))
            return 0;
        r->data->has_images |= image != 0;
    }
    return 1;
}

static void take_atom(lammps_reader *r)
{
    static const char *const names[] = {"diameter", "density", "x", "y", "z"};
    lammps_data *d = r->data;
    lammps_atom a = {.line = line_of(r)};
    int64_t id;
    double value[5];
    const uint32_t m = r->molecules;
    if (r->text.n != 7 + m && r->text.n != 10 + m) {
        mesh_words_report(&r->text,
                          "%u columns; atom_style %ssphere has %u (id %stype diameter density x y "
                          "z), or %u with image counts",
                          r->text.n, m ? "bpm/" : "", 7 + m, m ? "molecule " : "", 10 + m);
        return;
    }
    if (!mesh_words_int(&r->text, "id", word_at(r, 0), 0, INT64_MAX, &id) ||
        !(a.type = take_type(r, word_at(r, 1 + m))))
        return;
    for (uint32_t k = 0; k < 5; k++)
        if (!mesh_words_real(&r->text, names[k], word_at(r, k + 2 + m), &value[k]))
            return;
    if (!take_images(r))
        return;
    a.id = (uint64_t)id;
    a.diameter = value[0];
    a.density = value[1];
    memcpy(a.x, value + 2, sizeof a.x);
    if (!(a.diameter > 0.0))
        mesh_words_report(&r->text, "diameter: expected a number > 0, got %g", a.diameter);
    if (!(a.density > 0.0))
        mesh_words_report(&r->text, "density: expected a number > 0, got %g", a.density);
    if (reserve(r, &d->atom, &d->room_atoms, d->n_atoms, sizeof a))
        d->atom[d->n_atoms++] = a;
}

static void take_velocity(lammps_reader *r)
{
    static const char *const names[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    velocity v = {.line = line_of(r)};
    int64_t id;
    if (r->text.n != 7) {
        mesh_words_report(&r->text, "%u columns; a velocity has 7 (id vx vy vz wx wy wz)",
                          r->text.n);
        return;
    }
    if (!mesh_words_int(&r->text, "id", word_at(r, 0), 0, INT64_MAX, &id))
        return;
    v.id = (uint64_t)id;
    for (uint32_t k = 0; k < 6; k++)
        if (!mesh_words_real(&r->text, names[k], word_at(r, k + 1), &v.u[k]))
            return;
    if (reserve(r, &r->velocities, &r->room_velocities, r->n_velocities, sizeof v))
        r->velocities[r->n_velocities++] = v;
}

/** Judges the type of a bond: those of a file must be equal, because a law has one kind of bonds. */
static void check_bond_type(lammps_reader *r, int64_t type)
{
    const lammps_data *d = r->data;
    if (d->n_bond_types >= 0 && (type < 1 || type > d->n_bond_types))
        mesh_words_report(&r->text, "bond type %lld: the header says %lld bond types",
                          (long long)type, (long long)d->n_bond_types);
    else if (d->n_bonds && type != r->bond_type)
        mesh_words_report(&r->text,
                          "bond type %lld, but line %u has type %lld: bonds of only one type are "
                          "read",
                          (long long)type, d->bond[0].line, (long long)r->bond_type);
    r->bond_type = d->n_bonds ? r->bond_type : type;
}

static void take_bond(lammps_reader *r)
{
    lammps_data *d = r->data;
    lammps_bond one = {.line = line_of(r)};
    int64_t value[4];
    if (r->text.n != 4) {
        mesh_words_report(&r->text, "%u columns; a bond has 4 (number type atom atom)", r->text.n);
        return;
    }
    for (uint32_t k = 0; k < 4; k++)
        if (!mesh_words_int(&r->text, k < 2 ? "bond" : "id", word_at(r, k), 0, INT64_MAX,
                            &value[k]))
            return;
    one.id[0] = (uint64_t)value[2];
    one.id[1] = (uint64_t)value[3];
    check_bond_type(r, value[1]);
    if (one.id[0] == one.id[1])
        mesh_words_report(&r->text, "atom %llu is bonded to itself", (unsigned long long)one.id[0]);
    if (reserve(r, &d->bond, &d->room_bonds, d->n_bonds, sizeof one))
        d->bond[d->n_bonds++] = one;
}

static void take_label(lammps_reader *r)
{
    lammps_data *d = r->data;
    int64_t type;
    if (r->text.n != 2) {
        mesh_words_report(&r->text, "expected a type and its label");
        return;
    }
    // Labels are at most as many as lines read, so that a wrong number cannot ask for much
    // memory.
    if (!mesh_words_int(&r->text, "type", word_at(r, 0), 1, (int64_t)d->n_labels + 1, &type))
        return;
    const char *word = word_at(r, 1);
    char *copy = malloc(strlen(word) + 1);
    if (!copy || !reserve(r, &d->label, &d->room_labels, d->n_labels, sizeof *d->label)) {
        mesh_words_report(&r->text, "no memory for a label");
        free(copy);
        return;
    }
    strcpy(copy, word);
    if ((uint64_t)type > d->n_labels)
        d->label[d->n_labels++] = NULL;
    free(d->label[type - 1]);
    d->label[type - 1] = copy;
}

/** The style must be "sphere" or "bpm/sphere", or absent. */
static void check_style(lammps_reader *r)
{
    const char *style = r->text.remark ? r->text.remark : "";
    style += strspn(style, " \t\r\f\v");
    size_t n = strlen(style);
    while (n > 0 && isspace((unsigned char)style[n - 1]))
        n--;
    const int known = (n == 6 && !strncmp(style, "sphere", n)) ||
                      (n == 8 && !strncmp(style, "granular", n)) || n == 0;
    r->molecules = n == 10 && !strncmp(style, "bpm/sphere", n);
    if (!known && !r->molecules)
        mesh_words_report(&r->text,
                          "atom_style %.*s is not read; sphere and bpm/sphere are (convert with "
                          "`atom_style sphere` and `write_data`)",
                          n < 60 ? (int)n : 60, style);
}

static void take_section(lammps_reader *r)
{
    static const char *const skipped[] = {"Masses", "Pair Coeffs", "PairIJ Coeffs", "Bond Coeffs",
                                          NULL};
    char name[LONGEST];
    join_words(r, 0, name);
    r->in_header = 0;
    r->take = NULL;
    if (strcmp(name, "Atoms") == 0) {
        if (r->seen_atoms)
            mesh_words_report(&r->text, "a second section Atoms");
        check_style(r);
        r->seen_atoms = 1;
        r->take = take_atom;
    } else if (strcmp(name, "Velocities") == 0) {
        if (r->data->has_velocities)
            mesh_words_report(&r->text, "a second section Velocities");
        r->data->has_velocities = 1;
        r->take = take_velocity;
    } else if (strcmp(name, "Bonds") == 0) {
        if (r->seen_bonds)
            mesh_words_report(&r->text, "a second section Bonds");
        r->seen_bonds = 1;
        r->take = take_bond;
    } else if (strcmp(name, "Atom Type Labels") == 0) {
        r->take = take_label;
    } else {
        for (int i = 0; skipped[i]; i++)
            if (strcmp(name, skipped[i]) == 0) {
                mesh_say(r->notes, "%s:%llu: section %s is skipped", r->data->file,
                         (unsigned long long)r->text.line, name);
                return;
            }
        mesh_words_report(
            &r->text,
            "section '%.60s' is not read; Atoms, Velocities, Bonds and Atom Type Labels are, "
            "Masses, Pair Coeffs and Bond Coeffs are skipped",
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

/** Finds the first velocity of an id or of a higher one. */
static uint64_t find_velocity(const lammps_reader *r, uint64_t id)
{
    uint64_t lo = 0, hi = r->n_velocities;
    while (lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (r->velocities[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/** Gives atoms their velocities by id; used[k]: velocity k has an atom. */
static void give_velocities(lammps_reader *r, uint8_t *used)
{
    const velocity *v = r->velocities;
    for (uint64_t i = 0; i < r->data->n_atoms; i++) {
        lammps_atom *a = &r->data->atom[i];
        const uint64_t k = find_velocity(r, a->id);
        if (k == r->n_velocities || v[k].id != a->id) {
            r->text.line = a->line;
            mesh_words_report(&r->text, "atom %llu has no line in Velocities",
                              (unsigned long long)a->id);
            continue;
        }
        used[k] = 1;
        memcpy(a->v, v[k].u, sizeof a->v);
        memcpy(a->w, v[k].u + 3, sizeof a->w);
    }
}

static void join_velocities(lammps_reader *r)
{
    const uint64_t n = r->n_velocities;
    uint8_t *used = calloc(n + 1, 1);
    if (!used) {
        mesh_words_report(&r->text, "no memory to sort the velocities");
        return;
    }
    if (n > 0)
        qsort(r->velocities, n, sizeof *r->velocities, compare_velocities);
    const velocity *v = r->velocities;
    for (uint64_t i = 1; i < n; i++)
        if (v[i].id == v[i - 1].id) {
            r->text.line = v[i].line;
            mesh_words_report(&r->text, "atom %llu has a velocity already, on line %u",
                              (unsigned long long)v[i].id, v[i - 1].line);
        }
    give_velocities(r, used);
    for (uint64_t i = 0; i < n; i++)
        if (!used[i] && (i == 0 || v[i].id != v[i - 1].id)) {
            r->text.line = v[i].line;
            mesh_words_report(&r->text, "a velocity of atom %llu, which is not in Atoms",
                              (unsigned long long)v[i].id);
        }
    free(used);
}

/** A body of the file, to be found by its id. */
typedef struct place {
    uint64_t id;
    uint32_t index;
    uint32_t reserved; // 0
} place;

static int compare_places(const void *pa, const void *pb)
{
    const place *a = pa, *b = pb;
    return a->id < b->id ? -1 : a->id > b->id;
}

/** Finds the places of bonded atoms. */
static void join_bonds(lammps_reader *r)
{
    lammps_data *d = r->data;
    place *places = calloc(d->n_atoms + 1, sizeof *places);
    if (!places) {
        mesh_words_report(&r->text, "no memory to find the atoms of the bonds");
        return;
    }
    for (uint64_t i = 0; i < d->n_atoms; i++)
        places[i] = (place){.id = d->atom[i].id, .index = (uint32_t)i};
    qsort(places, d->n_atoms, sizeof *places, compare_places);
    for (uint64_t k = 0; k < d->n_bonds; k++)
        for (int e = 0; e < 2; e++) {
            const place wanted = {.id = d->bond[k].id[e]};
            const place *found =
                bsearch(&wanted, places, d->n_atoms, sizeof *places, compare_places);
            if (found) {
                d->bond[k].index[e] = found->index;
                continue;
            }
            r->text.line = d->bond[k].line;
            mesh_words_report(&r->text, "a bond of atom %llu, which is not in Atoms",
                              (unsigned long long)wanted.id);
        }
    free(places);
}

/** The word after "units = " in the title. */
static void find_units(const char *title, size_t length, char units[16])
{
    static const char before[] = "units = ";
    const size_t n = sizeof before - 1;
    for (size_t i = 0; i + n <= length; i++) {
        if (memcmp(title + i, before, n) != 0)
            continue;
        size_t k = 0;
        for (; i + n + k < length && k < 15 && islower((unsigned char)title[i + n + k]); k++)
            units[k] = title[i + n + k];
        units[k] = '\0';
        return;
    }
}

static void check_counts(lammps_reader *r)
{
    const lammps_data *d = r->data;
    const long long found = (long long)d->n_atoms;
    if (r->text.n_problems > 0)
        return; // wrong lines are not counted
    if (!r->seen_atoms)
        mesh_words_report(&r->text, "no section Atoms");
    else if (d->n_said < 0)
        mesh_words_report(&r->text, "the header does not say how many atoms there are");
    else if (d->n_said != found)
        mesh_words_report(&r->text, "the header says %lld atoms, section Atoms has %lld lines%s",
                          (long long)d->n_said, found, d->n_said > found ? " (truncated?)" : "");
    else if (d->n_bonds_said != (int64_t)d->n_bonds)
        mesh_words_report(&r->text, "the header says %lld bonds, section Bonds has %llu lines%s",
                          (long long)d->n_bonds_said, (unsigned long long)d->n_bonds,
                          d->n_bonds_said > (int64_t)d->n_bonds ? " (truncated?)" : "");
}

int lammps_parse(lammps_data *d, const char *bytes, size_t length, const char *file,
                 mesh_notes *notes)
{
    const char *eol = length ? memchr(bytes, '\n', length) : NULL;
    size_t title = eol ? (size_t)(eol - bytes) + 1 : length;
    lammps_reader r = {.data = d, .notes = &notes->notes, .in_header = 1};
    *d = (lammps_data){.file = file, .n_said = -1, .n_types = -1, .n_bond_types = -1};
    find_units(bytes, title, d->units);
    mesh_words_init(&r.text, bytes + title, length - title, file, &notes->problems);
    r.text.comment = '#';
    r.text.lines_taken = 1;
    while (mesh_words_next(&r.text)) {
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
    if (d->n_bonds > 0 && r.text.n_problems == 0)
        join_bonds(&r);
    int ok = r.text.n_problems == 0;
    mesh_words_clear(&r.text);
    free(r.velocities);
    return ok;
}

void lammps_clear(lammps_data *d)
{
    for (uint64_t k = 0; k < d->n_labels; k++)
        free(d->label[k]);
    free(d->label);
    free(d->atom);
    free(d->bond);
    *d = (lammps_data){0};
}
