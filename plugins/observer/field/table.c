// SPDX-License-Identifier: Apache-2.0
// The table of observer `field`: a row per window and cell, and the script that draws it.
#include "../stream.h"
#include "field.h"

static const char *const axes[2][3] = {{"x", "y", "z"}, {"r", "phi", "z"}};

static const char *axis_name(const field_grid *g, int axis)
{
    return axes[g->shape][axis];
}

/* The letters of a component; a tensor of 6 has xx xy xz yy yz zz. */
static void name_component(FILE *file, const field_grid *g, uint32_t components, uint32_t k)
{
    static const int six[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    const char letters[2][3] = {{'x', 'y', 'z'}, {'r', 'p', 'z'}};
    const char *l = letters[g->shape];
    if (components == 3)
        fprintf(file, "_%c", l[k]);
    else if (components == 6)
        fprintf(file, "_%c%c", l[six[k][0]], l[six[k][1]]);
    else if (components == 9)
        fprintf(file, "_%c%c", l[k / 3], l[k % 3]);
}

static void name_values(FILE *file, const field_frame *f, const char *suffix)
{
    for (int v = 0; v < N_VALUES; v++)
        for (uint32_t k = 0; k < field_values[v].components; k++) {
            fprintf(file, ",%s", field_values[v].name);
            name_component(file, f->grid, field_values[v].components, k);
            fputs(suffix, file);
        }
    for (uint64_t u = 0; u < f->n_used; u++)
        for (uint32_t k = 0; k < f->used[u]->components; k++) {
            fprintf(file, ",%s", f->names[u]);
            if (f->used[u]->components > 1)
                fprintf(file, "_%" PRIu32, k);
            fputs(suffix, file);
        }
}

void table_head(FILE *file, const field_frame *f)
{
    fputs("window,first,last,samples,blocks,i,j,k", file);
    for (int k = 0; k < 3; k++)
        fprintf(file, ",%s", axis_name(f->grid, k));
    fputs(",volume", file);
    name_values(file, f, "");
    name_values(file, f, "_error");
    putc('\n', file);
}

static void write_row(FILE *file, const field_frame *f, uint64_t cell)
{
    const field_head *h = &f->average->head;
    const uint32_t n = f->average->n_values;
    uint32_t index[3];
    double at[3];
    grid_index(f->grid, cell, index);
    grid_centre(f->grid, cell, at);
    fprintf(file, "%" PRIu64 ",%.17g,%.17g,%" PRIu64 ",%" PRIu64, h->window, h->first, h->last,
            h->samples, h->blocks);
    fprintf(file, ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%.17g,%.17g,%.17g,%.17g", index[0],
            index[1], index[2], at[0], at[1], at[2], grid_volume(f->grid, cell, f->thickness));
    for (uint32_t k = 0; k < n; k++)
        fprintf(file, ",%.17g", stream_real(f->values[cell * n + k]));
    for (uint32_t k = 0; k < n; k++)
        fprintf(file, ",%.17g", stream_real(average_error(f->average, cell, k)));
    putc('\n', file);
}

void table_rows(FILE *file, const field_frame *f)
{
    for (uint64_t cell = 0; cell < f->grid->n_cells; cell++)
        write_row(file, f, cell);
}

void table_script(FILE *file, const field_grid *g, const char *name)
{
    const char *axis = axis_name(g, (int)g->cut);
    fprintf(file,
            "# Draws the last window of %s.csv along %s into %s.svg; in the folder of both: "
            "gnuplot %s.gp\n"
            "csv = '%s.csv'\n"
            "set datafile separator ','\n"
            "set datafile columnheaders\n"
            "set terminal svg size 900, 800 background 'white'\n"
            "set output '%s.svg'\n"
            "set key outside noenhanced\n"
            "stats csv using 1 nooutput\n"
            "last = STATS_max\n"
            "at = '%s'\n"
            "set xlabel at.' [%s]'\n"
            "in(w) = w == last ? column(at) : NaN\n",
            name, axis, name, name, name, name, axis,
            g->shape == CYLINDER && g->cut == 1 ? "rad" : "m");
    fprintf(file,
            "set multiplot layout 4, 1\n"
            "set ylabel 'solid fraction'\n"
            "plot csv using (in($1)):'solid_fraction':'solid_fraction_error' with yerrorbars pt 7 "
            "ps 0.3 notitle\n"
            "set ylabel 'velocity [m/s]'\n"
            "plot for [c in '%c %c %c'] csv using (in($1)):(column('velocity_'.c)) with points pt "
            "7 ps 0.3 "
            "title c\n"
            "set ylabel 'temperature [m^2/s^2]'\n"
            "plot csv using (in($1)):'temperature' with points pt 7 ps 0.3 notitle\n"
            "set ylabel 'contact stress [Pa]'\n"
            "plot for [c in '%c%c %c%c %c%c'] csv using (in($1)):(column('contact_stress_'.c)) "
            "with points "
            "pt 7 ps 0.3 title c\n"
            "unset multiplot\n",
            *axes[g->shape][0], *axes[g->shape][1], 'z', *axes[g->shape][0], *axes[g->shape][0],
            *axes[g->shape][1], *axes[g->shape][1], 'z', 'z');
}
