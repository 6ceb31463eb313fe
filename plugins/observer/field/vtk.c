// SPDX-License-Identifier: Apache-2.0
// A window of observer `field` for ParaView: image data of a box, a structured grid of a cylinder.
/*
 * Source: the XML formats of "VTK File Formats" (vtk.org), version 1.0 with header_type UInt64. Each
 * array is encoded as base64 inside its element: its length in bytes, then the values. Averages over cells are cell
 * data; values at points are point data, with the origin at the first point. Tensors have 9
 * components.
 */
#include "field.h"

typedef struct letters {
    FILE *file;
    uint32_t n;
    uint8_t carry[3];
} letters;

static void put_group(letters *l)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    for (uint32_t k = 0; k < 3; k++)
        bits = bits << 8 | (k < l->n ? l->carry[k] : 0u);
    for (uint32_t k = 0; k < 4; k++)
        putc(k <= l->n ? alphabet[bits >> (18 - 6 * k) & 63] : '=', l->file);
    l->n = 0;
}

static void put_bytes(letters *l, const void *bytes, size_t n)
{
    const uint8_t *from = bytes;
    for (size_t k = 0; k < n; k++) {
        l->carry[l->n++] = from[k];
        if (l->n == 3)
            put_group(l);
    }
}

static void put_real(letters *l, double v)
{
    put_bytes(l, &v, sizeof v);
}

static letters open_array(FILE *file, const char *name, const char *suffix, uint32_t components,
                          uint64_t tuples, const char *more)
{
    letters l = {.file = file};
    const uint64_t bytes = tuples * components * sizeof(double);
    fprintf(file,
            "<DataArray type=\"Float64\" Name=\"%s%s\" NumberOfComponents=\"%" PRIu32
            "\" %sformat=\"binary\">\n",
            name, suffix, components, more);
    put_bytes(&l, &bytes, sizeof bytes);
    return l;
}

static void close_array(letters *l)
{
    if (l->n)
        put_group(l);
    fputs("\n</DataArray>\n", l->file);
}

static double value_at(const field_frame *f, uint64_t cell, uint32_t column, int errors)
{
    return errors ? average_error(f->average, cell, column)
                  : f->values[cell * f->average->n_values + column];
}

/* Columns [first, first + components); a tensor of 6 is written with all 9 components. */
static void write_value(FILE *file, const field_frame *f, const char *name, uint32_t first,
                        uint32_t components, int errors)
{
    static const uint32_t full[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    const uint32_t written = components == 6 ? 9 : components;
    letters l = open_array(file, name, errors ? "_error" : "", written, f->grid->n_cells, "");
    for (uint64_t cell = 0; cell < f->grid->n_cells; cell++)
        for (uint32_t k = 0; k < written; k++)
            put_real(&l, value_at(f, cell, first + (components == 6 ? full[k] : k), errors));
    close_array(&l);
}

static void write_values(FILE *file, const field_frame *f, int errors)
{
    uint32_t column = 0;
    for (int v = 0; v < N_VALUES; v++) {
        write_value(file, f, field_values[v].name, column, field_values[v].components, errors);
        column += field_values[v].components;
    }
    for (uint64_t u = 0; u < f->n_used; u++) {
        write_value(file, f, f->names[u], column, f->used[u]->components, errors);
        column += f->used[u]->components;
    }
}

static void write_time(FILE *file, const field_frame *f)
{
    letters l;
    fputs("<FieldData>\n", file);
    l = open_array(file, "TimeValue", "", 1, 1, "NumberOfTuples=\"1\" ");
    put_real(&l, f->average->head.last);
    close_array(&l);
    fputs("</FieldData>\n", file);
}

/* Writes the corners of the cells of a cylinder. */
static void write_corners(FILE *file, const field_grid *g)
{
    const uint64_t n = (g->n[0] + 1ull) * (g->n[1] + 1ull) * (g->n[2] + 1ull);
    letters l;
    fputs("<Points>\n", file);
    l = open_array(file, "points", "", 3, n, "");
    for (uint32_t k = 0; k <= g->n[2]; k++)
        for (uint32_t j = 0; j <= g->n[1]; j++)
            for (uint32_t i = 0; i <= g->n[0]; i++) {
                const double at[3] = {grid_edge(g, 0, i), grid_edge(g, 1, j), grid_edge(g, 2, k)};
                double x[3];
                grid_place(g, at, x);
                put_bytes(&l, x, sizeof x);
            }
    close_array(&l);
    fputs("</Points>\n", file);
}

static void write_extent(FILE *file, const field_grid *g, const char *word)
{
    const uint32_t less = g->kind == POINTS;
    fprintf(file, "%s=\"0 %" PRIu32 " 0 %" PRIu32 " 0 %" PRIu32 "\"", word, g->n[0] - less,
            g->n[1] - less, g->n[2] - less);
}

static void write_spacing(FILE *file, const field_grid *g)
{
    double size[3], origin[3];
    for (int k = 0; k < 3; k++) {
        size[k] = (g->hi[k] - g->lo[k]) / g->n[k];
        origin[k] = g->lo[k] + (g->kind == POINTS ? 0.5 * size[k] : 0.0);
    }
    fprintf(file, " Origin=\"%.17g %.17g %.17g\" Spacing=\"%.17g %.17g %.17g\"", origin[0],
            origin[1], origin[2], size[0], size[1], size[2]);
}

const char *vtk_suffix(const field_grid *g)
{
    return g->shape == BOX ? ".vti" : ".vts";
}

void vtk_write(FILE *file, const field_frame *f)
{
    const field_grid *g = f->grid;
    const char *type = g->shape == BOX ? "ImageData" : "StructuredGrid";
    const char *data = g->kind == POINTS ? "PointData" : "CellData";
    fprintf(file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" "
            "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<%s ",
            type, type);
    write_extent(file, g, "WholeExtent");
    if (g->shape == BOX)
        write_spacing(file, g);
    fputs(">\n<Piece ", file);
    write_extent(file, g, "Extent");
    fprintf(file, ">\n<%s>\n", data);
    write_values(file, f, 0);
    write_values(file, f, 1);
    fprintf(file, "</%s>\n", data);
    if (g->shape == CYLINDER)
        write_corners(file, g);
    fputs("</Piece>\n", file);
    write_time(file, f);
    fprintf(file, "</%s>\n</VTKFile>\n", type);
}
