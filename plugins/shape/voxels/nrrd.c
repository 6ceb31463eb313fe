// SPDX-License-Identifier: Apache-2.0
/*
 * The header of a NRRD file.
 *
 * Source   G. Kindlmann, Definition of NRRD file format, teem.sourceforge.net/nrrd/format.html.
 * Read     dimension 3, type, sizes, encoding (raw, gzip), endian, spacings, space directions, space origin, space
 *          units, line skip and byte skip. Fields that say nothing about the place and the value of numbers (content,
 *          kinds, ..), comments and KEY:=VALUE pairs are skipped.
 * Refused  other dimensions, encodings and types, data in other files.
 */
#include <ctype.h>

#include "voxels.h"

/** The header, line by line. */
typedef struct header {
    const char *file, *bytes;
    uint64_t length, at;
    uint32_t line; /* from 1 */
    voxels_form *form;
    mesh_lines *problems;
    int64_t skip, line_skip;
    uint32_t sized, typed, encoded, endian, dimension, directed;
    uint32_t taken; /* bit k: fields[k] was taken */
} header;

#define SAY(h, ...) say_at(h, __VA_ARGS__)

__attribute__((format(printf, 2, 3))) static int say_at(const header *h, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return mesh_say(h->problems, "%s:%u: %s", h->file, h->line, text);
}

/** Copies the next line without its end; 0: none is left, or it is longer than a header's. */
static int next_line(header *h, char line[1024])
{
    uint64_t n = 0;
    while (h->at + n < h->length && h->bytes[h->at + n] != '\n')
        n++;
    if (h->at + n >= h->length || n >= 1024)
        return 0;
    memcpy(line, h->bytes + h->at, n);
    while (n > 0 && isspace((unsigned char)line[n - 1]))
        n--;
    line[n] = 0;
    h->at += n;
    while (h->bytes[h->at] != '\n')
        h->at++;
    h->at++;
    h->line++;
    return 1;
}

/** Reads n numbers that white space parts. */
static int read_reals(const header *h, const char *field, const char *text, uint32_t n, double *out)
{
    for (uint32_t i = 0; i < n; i++) {
        char *end;
        out[i] = strtod(text, &end);
        if (end == text || !isfinite(out[i]))
            return SAY(h, "%s: expected %u numbers", field, n);
        text = end;
    }
    text += strspn(text, " \t");
    return *text == 0 || SAY(h, "%s: expected %u numbers, got more: %s", field, n, text);
}

/** Reads "(a,b,c)"; *text moves behind it. */
static int read_vector(const header *h, const char *field, const char **text, double v[3])
{
    const char *at = *text + strspn(*text, " \t");
    int n = 0;
    if (sscanf(at, "( %lf , %lf , %lf )%n", &v[0], &v[1], &v[2], &n) != 3 || n == 0 ||
        !isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2]))
        return SAY(h, "%s: expected vectors (x,y,z), got %s", field, at);
    *text = at + n;
    return 1;
}

static int take_dimension(header *h, const char *value)
{
    double n;
    h->dimension = 1;
    return read_reals(h, "dimension", value, 1, &n) &&
           (n == 3.0 ||
            SAY(h, "dimension: expected 3, got %g: a volume has a number for each voxel", n));
}

static int take_type(header *h, const char *value)
{
    static const struct {
        const char *name;
        int32_t type;
    } types[] = {{"int8", VOXELS_INT8},           {"int8_t", VOXELS_INT8},
                 {"signed char", VOXELS_INT8},    {"uint8", VOXELS_UINT8},
                 {"uint8_t", VOXELS_UINT8},       {"uchar", VOXELS_UINT8},
                 {"unsigned char", VOXELS_UINT8}, {"int16", VOXELS_INT16},
                 {"int16_t", VOXELS_INT16},       {"short", VOXELS_INT16},
                 {"short int", VOXELS_INT16},     {"signed short", VOXELS_INT16},
                 {"uint16", VOXELS_UINT16},       {"uint16_t", VOXELS_UINT16},
                 {"ushort", VOXELS_UINT16},       {"unsigned short", VOXELS_UINT16},
                 {"int32", VOXELS_INT32},         {"int32_t", VOXELS_INT32},
                 {"int", VOXELS_INT32},           {"signed int", VOXELS_INT32},
                 {"uint32", VOXELS_UINT32},       {"uint32_t", VOXELS_UINT32},
                 {"uint", VOXELS_UINT32},         {"unsigned int", VOXELS_UINT32},
                 {"int64", VOXELS_INT64},         {"int64_t", VOXELS_INT64},
                 {"longlong", VOXELS_INT64},      {"uint64", VOXELS_UINT64},
                 {"uint64_t", VOXELS_UINT64},     {"ulonglong", VOXELS_UINT64},
                 {"float", VOXELS_FLOAT},         {"double", VOXELS_DOUBLE}};
    for (size_t k = 0; k < SCREE_COUNT(types); k++)
        if (strcmp(value, types[k].name) == 0) {
            h->form->type = types[k].type;
            h->typed = 1;
            return 1;
        }
    return SAY(h, "type: expected a number such as uint8, int16 or float, got %s", value);
}

static int take_sizes(header *h, const char *value)
{
    double n[3];
    if (!read_reals(h, "sizes", value, 3, n))
        return 0;
    for (int k = 0; k < 3; k++) {
        if (!(n[k] >= 2.0 && n[k] <= VOXELS_MOST_SIDE && n[k] == floor(n[k])))
            return SAY(h, "sizes: expected whole numbers from 2 to %d, got %g", VOXELS_MOST_SIDE,
                       n[k]);
        h->form->n[k] = (uint32_t)n[k];
    }
    h->sized = 1;
    return 1;
}

static int take_encoding(header *h, const char *value)
{
    const int gzip = strcmp(value, "gzip") == 0 || strcmp(value, "gz") == 0;
    if (!gzip && strcmp(value, "raw") != 0)
        return SAY(h, "encoding: expected raw or gzip, got %s", value);
    h->form->encoding = gzip ? VOXELS_GZIP : VOXELS_RAW;
    h->encoded = 1;
    return 1;
}

static int take_endian(header *h, const char *value)
{
    const int big = strcmp(value, "big") == 0;
    if (!big && strcmp(value, "little") != 0)
        return SAY(h, "endian: expected little or big, got %s", value);
    h->form->endian = big ? VOXELS_BIG : VOXELS_LITTLE;
    h->endian = 1;
    return 1;
}

static int take_spacings(header *h, const char *value)
{
    double side[3];
    if (!read_reals(h, "spacings", value, 3, side))
        return 0;
    for (int k = 0; k < 3; k++) {
        if (!(side[k] > 0.0))
            return SAY(h, "spacings: expected numbers > 0, got %g", side[k]);
        if (!h->directed)
            h->form->step[k][k] = side[k];
    }
    return 1;
}

static int take_directions(header *h, const char *value)
{
    h->directed = 1;
    for (int k = 0; k < 3; k++)
        if (!read_vector(h, "space directions", &value, h->form->step[k]))
            return 0;
    return 1;
}

static int take_origin(header *h, const char *value)
{
    return read_vector(h, "space origin", &value, h->form->origin);
}

/** The unit of the first axis; others must have the same. */
static int take_units(header *h, const char *value)
{
    char unit[3][16];
    if (sscanf(value, " \"%15[^\"]\" \"%15[^\"]\" \"%15[^\"]\"", unit[0], unit[1], unit[2]) != 3)
        return SAY(h, "space units: expected three units in quotes, got %s", value);
    if (strcmp(unit[0], unit[1]) != 0 || strcmp(unit[0], unit[2]) != 0)
        return SAY(h, "space units: expected the same unit three times, got %s", value);
    memcpy(h->form->units_text, unit[0], sizeof unit[0]);
    h->form->units = h->form->units_text;
    return 1;
}

static int take_skip(header *h, const char *value, const char *field, int64_t least, int64_t *out)
{
    double n;
    if (!read_reals(h, field, value, 1, &n))
        return 0;
    if (!(n >= (double)least && n <= 1e15 && n == floor(n)))
        return SAY(h, "%s: expected a whole number from %lld on, got %g", field, (long long)least,
                   n);
    *out = (int64_t)n;
    return 1;
}

static int take_byte_skip(header *h, const char *value)
{
    return take_skip(h, value, "byte skip", -1, &h->skip);
}

static int take_line_skip(header *h, const char *value)
{
    return take_skip(h, value, "line skip", 0, &h->line_skip);
}

static int take_data_file(header *h, const char *value)
{
    return SAY(
        h,
        "the numbers are in another file, %s: give that file with format = \"raw\", sizes and "
        "numbers",
        value);
}

static int take_field(header *h, const char *name, const char *value)
{
    static const struct {
        const char *name;
        int (*take)(header *h, const char *value);
    } fields[] = {{"dimension", take_dimension},
                  {"type", take_type},
                  {"sizes", take_sizes},
                  {"encoding", take_encoding},
                  {"endian", take_endian},
                  {"spacings", take_spacings},
                  {"space directions", take_directions},
                  {"space origin", take_origin},
                  {"space units", take_units},
                  {"byte skip", take_byte_skip},
                  {"byteskip", take_byte_skip},
                  {"line skip", take_line_skip},
                  {"lineskip", take_line_skip},
                  {"data file", take_data_file},
                  {"datafile", take_data_file}};
    size_t k = 0, first = 0;
    while (k < SCREE_COUNT(fields) && strcmp(name, fields[k].name) != 0)
        k++;
    if (k == SCREE_COUNT(fields))
        return 1;                                // it says nothing about the numbers
    while (fields[first].take != fields[k].take) // of two spellings the first
        first++;
    if (h->taken >> first & 1)
        return SAY(h, "expected one field '%s', got another one", fields[first].name);
    h->taken |= 1u << first;
    return fields[k].take(h, value);
}

/** Reads fields to the empty line that ends the header. */
static int read_fields(header *h)
{
    char line[1024];
    while (next_line(h, line)) {
        char *colon = strchr(line, ':');
        if (line[0] == 0)
            return 1;
        if (line[0] == '#')
            continue;
        if (!colon)
            return SAY(h, "expected FIELD: VALUE, got %.100s", line);
        if (colon[1] == '=')
            continue;
        *colon = 0;
        for (char *c = line; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        if (!take_field(h, line, colon + 1 + strspn(colon + 1, " \t")))
            return 0;
    }
    return SAY(h, "the header has no end: expected an empty line after it");
}

static int check_fields(const header *h)
{
    const int wide = voxels_size_of(h->form->type) > 1;
    const char *missing = !h->dimension        ? "dimension"
                          : !h->typed          ? "type"
                          : !h->sized          ? "sizes"
                          : !h->encoded        ? "encoding"
                          : wide && !h->endian ? "endian"
                                               : NULL;
    return !missing || mesh_say(h->problems, "%s: the header has no field '%s'", h->file, missing);
}

/** Moves to the first number. */
static int skip(header *h)
{
    const uint64_t size =
        voxels_size_of(h->form->type) * (uint64_t)h->form->n[0] * h->form->n[1] * h->form->n[2];
    if (h->skip && h->form->encoding == VOXELS_GZIP)
        return mesh_say(h->problems, "%s: byte skip: expected none with gzip, got %lld", h->file,
                        (long long)h->skip);
    for (int64_t i = 0; i < h->line_skip && h->at < h->length; i++) {
        while (h->at < h->length && h->bytes[h->at] != '\n')
            h->at++;
        h->at += h->at < h->length;
    }
    if (h->skip == -1 && h->form->encoding == VOXELS_RAW) // they are the last bytes of the file
        h->at = size <= h->length - h->at ? h->length - size : h->at;
    else if (h->skip == -1 || (uint64_t)h->skip > h->length - h->at)
        return mesh_say(h->problems, "%s: byte skip: %lld is not possible here", h->file,
                        (long long)h->skip);
    else
        h->at += (uint64_t)h->skip;
    return 1;
}

int voxels_read_nrrd(const char *file, const char *bytes, uint64_t length, voxels_form *form,
                     uint64_t *data, mesh_lines *problems)
{
    header h = {.file = file, .bytes = bytes, .length = length, .form = form, .problems = problems};
    char line[1024];
    if (length < 8 || memcmp(bytes, "NRRD000", 7) != 0 || !next_line(&h, line))
        return mesh_say(problems,
                        "%s: expected a NRRD file, which begins with NRRD0001 to NRRD0005", file);
    if (!read_fields(&h) || !check_fields(&h) || !skip(&h))
        return 0;
    *data = h.at;
    return 1;
}
