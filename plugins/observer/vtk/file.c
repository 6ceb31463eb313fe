// SPDX-License-Identifier: Apache-2.0
// A .vtp file of observer `vtk`: XML that names the arrays, then their bytes.
/*
 * Sources: the XML formats of "VTK File Formats" (vtk.org), version 1.0 with header_type UInt64.
 *
 * Raw: all arrays are appended behind the XML as in memory, each after its length in bytes
 * (uint64); offsets count from the end of the underscore. Base64: the same length and bytes,
 * encoded together, are inside the element of their array.
 *
 * Field data come last: OVITO recognises a file of particles by the piece at its start.
 *
 * Data are not collected: the XML needs only counts, and arrays go through a buffer.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <unistd.h>

#include "vtk.h"

void sink_flush(sink *s)
{
    uint32_t done = 0;
    while (done < s->used && !s->error) {
        ssize_t n = write(s->fd, s->buffer + done, s->used - done);
        if (n >= 0)
            done += (uint32_t)n;
        else if (errno != EINTR)
            s->error = errno;
    }
    s->used = 0;
}

static void put_plain(sink *s, const void *bytes, size_t n)
{
    const uint8_t *from = bytes;
    while (n > 0) {
        size_t some = SINK_BUFFER - s->used;
        some = some < n ? some : n;
        memcpy(s->buffer + s->used, from, some);
        s->used += (uint32_t)some;
        from += some;
        n -= some;
        if (s->used == SINK_BUFFER)
            sink_flush(s);
    }
}

enum { TRIPLES = 32 }; /* triples encoded at a time */

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Encodes three bytes as four letters. */
static void encode(const uint8_t *from, char *text)
{
    const uint32_t bits = (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2];
    for (uint32_t k = 0; k < 4; k++)
        text[k] = alphabet[bits >> (18 - 6 * k) & 63];
}

/* Writes four letters for the carry, which has `n` bytes. */
static void put_letters(sink *s, uint32_t n)
{
    char text[4];
    for (uint32_t k = n; k < 3; k++)
        s->carry[k] = 0;
    encode(s->carry, text);
    for (uint32_t k = n + 1; k < 4; k++)
        text[k] = '=';
    put_plain(s, text, 4);
    s->n_carry = 0;
}

/* Writes letters for whole triples. */
static void put_triples(sink *s, const uint8_t *from, size_t n)
{
    char text[4 * TRIPLES];
    while (n > 0) {
        const size_t some = n < TRIPLES ? n : TRIPLES;
        for (size_t k = 0; k < some; k++)
            encode(from + 3 * k, text + 4 * k);
        put_plain(s, text, 4 * some);
        from += 3 * some;
        n -= some;
    }
}

void sink_put(sink *s, const void *bytes, size_t n)
{
    const uint8_t *from = bytes;
    s->put += n;
    if (!s->base64) {
        put_plain(s, bytes, n);
        return;
    }
    const size_t lacks = s->n_carry ? 3 - s->n_carry : 0, some = n < lacks ? n : lacks;
    memcpy(s->carry + s->n_carry, from, some);
    s->n_carry += (uint32_t)some;
    from += some;
    n -= some;
    if (s->n_carry == 3)
        put_letters(s, 3);
    if (n == 0)
        return;
    put_triples(s, from, n / 3);
    s->n_carry = n % 3;
    memcpy(s->carry, from + n - n % 3, n % 3);
}

void sink_print(sink *s, const char *format, ...)
{
    char text[1024];
    va_list args;
    int n;
    va_start(args, format);
    n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n > 0)
        put_plain(s, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/* The current file: its arrays are written twice, first as XML, then as bytes. */
typedef struct vtp {
    sink *s;
    const frame *f;
    const part *part;
    int32_t base64;
    int32_t appending;             // 1: the XML is complete, bytes follow
    int32_t failed;                // an array is not as long as it should be
    uint64_t offset;               // [bytes] of the next array
    const scree_used_field *field; // the field whose values are written; NULL: an array
} vtp;

static uint64_t type_bytes(const char *type)
{
    return strcmp(type, "Int32") == 0 ? 4 : strcmp(type, "String") == 0 ? 1 : 8;
}

static void emit_value(const scree_used_field *field, uint32_t body, sink *s)
{
    for (uint32_t k = 0; k < field->components; k++)
        put_reals(s, &field->v[k][body], 1);
}

/* Emits a body field of a plugin at the points of part bodies, or the body's value in all cells of
 * parts walls and solids. */
static void emit_field(const vtp *v, sink *s)
{
    const frame *f = v->f;
    for (uint64_t i = 0; v->part == &bodies_part && i < f->n_points; i++)
        emit_value(v->field, f->rows[i].body, s);
    for (uint64_t i = 0; v->part != &bodies_part && i < f->n_walls; i++)
        for (uint32_t c = 0; c < f->walls[i].n_cells; c++)
            emit_value(v->field, f->walls[i].body, s);
}

/* Writes the length, then the bytes of an array. */
static void write_bytes(vtp *v, const array *a, uint64_t bytes)
{
    sink *s = v->s;
    s->base64 = v->base64;
    sink_put(s, &bytes, sizeof bytes);
    s->put = 0;
    if (v->field)
        emit_field(v, s);
    else
        a->emit(v->f, s);
    v->failed |= s->put != bytes;
    if (s->n_carry)
        put_letters(s, s->n_carry);
    s->base64 = 0;
}

/* Writes the element of an array of `n` values, or its bytes when the XML is complete. */
static void write_array(vtp *v, const array *a, uint64_t n, const char *more)
{
    const char *element = strcmp(a->type, "String") == 0 ? "Array" : "DataArray";
    uint64_t bytes = n * type_bytes(a->type);
    if (v->appending) {
        write_bytes(v, a, bytes);
        return;
    }
    sink_print(v->s, "<%s type=\"%s\" Name=\"%s\" NumberOfComponents=\"%" PRIu32 "\" %s", element,
               a->type, a->name, a->components, more);
    if (v->base64) {
        sink_print(v->s, "format=\"binary\">\n");
        write_bytes(v, a, bytes);
        sink_print(v->s, "\n</%s>\n", element);
        return;
    }
    sink_print(v->s, "format=\"appended\" offset=\"%" PRIu64 "\"/>\n", v->offset);
    v->offset += sizeof(uint64_t) + bytes;
}

/* The name is NAME, or SLOT/NAME if two fields have one name. */
static void name_field(const scree_bodies *b, uint32_t k, char *text, size_t size)
{
    const scree_used_field *field = b->used[k];
    int twice = 0;
    for (uint32_t other = 0; other < b->n_used; other++)
        twice |= other != k && strcmp(b->used[other]->name, field->name) == 0;
    snprintf(text, size, "%s%s%s", twice ? field->slot : "", twice ? "/" : "", field->name);
}

/* Writes the fields that the scene asks for. */
static void write_fields(vtp *v, uint64_t n)
{
    const scree_bodies *b = v->f->view->bodies;
    for (uint32_t k = 0; k < b->n_used; k++) {
        char name[512];
        name_field(b, k, name, sizeof name);
        const array a = {name, "Float64", b->used[k]->components, NULL};
        v->field = b->used[k];
        write_array(v, &a, n * a.components, "");
    }
    v->field = NULL;
}

static void write_list(vtp *v, const char *element, const array *list, uint64_t n, int fields)
{
    if (!v->appending)
        sink_print(v->s, "<%s>\n", element);
    for (; list->name; list++)
        write_array(v, list, n * list->components, "");
    if (fields)
        write_fields(v, n);
    if (!v->appending)
        sink_print(v->s, "</%s>\n", element);
}

static void emit_time(const frame *f, sink *s)
{
    put_reals(s, &f->view->time, 1);
}

static void emit_step(const frame *f, sink *s)
{
    put_int64(s, f->view->step);
}

static void emit_groups(const frame *f, sink *s)
{
    for (uint32_t g = 0; g < f->n_groups; g++)
        sink_put(s, f->group_names[g], strlen(f->group_names[g]) + 1);
}

static void write_field_data(vtp *v)
{
    static const array time = {"TimeValue", "Float64", 1, emit_time};
    static const array step = {"step", "Int64", 1, emit_step};
    static const array groups = {"group_names", "String", 1, emit_groups};
    char tuples[64];
    uint64_t letters = 0;
    for (uint32_t g = 0; g < v->f->n_groups; g++)
        letters += strlen(v->f->group_names[g]) + 1;
    if (!v->appending)
        sink_print(v->s, "<FieldData>\n");
    write_array(v, &time, 1, "NumberOfTuples=\"1\" ");
    write_array(v, &step, 1, "NumberOfTuples=\"1\" ");
    snprintf(tuples, sizeof tuples, "NumberOfTuples=\"%" PRIu32 "\" ", v->f->n_groups);
    write_array(v, &groups, letters, tuples);
    if (!v->appending)
        sink_print(v->s, "</FieldData>\n");
}

static void write_piece(vtp *v, const part *p, const char *cells)
{
    const frame *f = v->f;
    if (!v->appending) {
        sink_print(v->s, "<Piece NumberOfPoints=\"%" PRIu64 "\"", f->n_points);
        for (const char *const *kind =
                 (const char *const[]){"Verts", "Lines", "Strips", "Polys", NULL};
             *kind; kind++)
            sink_print(v->s, " NumberOf%s=\"%" PRIu64 "\"", *kind,
                       strcmp(*kind, cells) == 0 ? f->n_cells : 0);
        sink_print(v->s, ">\n");
    }
    write_list(v, "PointData", p->point_data, f->n_points, p == &bodies_part);
    write_list(v, "CellData", p->cell_data, f->n_cells, p == &walls_part || p == &solids_part);
    write_list(v, "Points", (const array[]){p->points, {0}}, f->n_points, 0);
    if (!v->appending)
        sink_print(v->s, "<%s>\n", cells);
    write_array(v, &p->connectivity, f->n_corners, "");
    write_array(v, &p->offsets, f->n_cells, "");
    if (!v->appending)
        sink_print(v->s, "</%s>\n</Piece>\n", cells);
}

static void list_arrays(sink *s, const char *element, const array *list)
{
    sink_print(s, "<%s>\n", element);
    for (; list->name; list++)
        sink_print(s, "<PDataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%" PRIu32 "\"/>\n",
                   list->type, list->name, list->components);
    sink_print(s, "</%s>\n", element);
}

void write_pvtp(sink *s, const part *p, const frame *f, const char *stem)
{
    sink_print(s, "<?xml version=\"1.0\"?>\n"
                  "<VTKFile type=\"PPolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                  "header_type=\"UInt64\">\n<PPolyData GhostLevel=\"0\">\n");
    list_arrays(s, "PPointData", p->point_data);
    list_arrays(s, "PCellData", p->cell_data);
    list_arrays(s, "PPoints", (const array[]){p->points, {0}});
    for (uint32_t rank = 0; rank < f->piece->n; rank++)
        sink_print(s, "<Piece Source=\"%s_%" PRIu32 ".vtp\"/>\n", stem, rank);
    sink_print(s, "</PPolyData>\n</VTKFile>\n");
    sink_flush(s);
}

int32_t write_vtp(sink *s, const part *p, const frame *f, const char *cells, int32_t base64)
{
    vtp v = {.s = s, .f = f, .part = p, .base64 = base64};
    sink_print(s, "<?xml version=\"1.0\"?>\n"
                  "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                  "header_type=\"UInt64\">\n<PolyData>\n");
    write_piece(&v, p, cells);
    write_field_data(&v);
    sink_print(s, "</PolyData>\n");
    if (!base64) {
        v.appending = 1;
        sink_print(s, "<AppendedData encoding=\"raw\">\n_");
        write_piece(&v, p, cells);
        write_field_data(&v);
        sink_print(s, "\n</AppendedData>\n");
    }
    sink_print(s, "</VTKFile>\n");
    sink_flush(s);
    return v.failed ? SCREE_E_INTERNAL : SCREE_OK;
}
