// SPDX-License-Identifier: Apache-2.0
// The table of observer `field`: a row per window and cell, and the script that draws it.
#include "../stream.h"
#include "field.h"

static const char *const axes[2][3] = {{"x", "y", "z"}, {"r", "phi", "z"}};

static const char *axis_name(const field_grid *g, int axis)
{
    return axes[g->shape][axis];
}

/* The letter of a component. */
static char letter_of(const field_grid *g, int axis)
{
    return "xyzrpz"[3 * g->shape + axis];
}

/* The letters of a component; a tensor of 6 has xx xy xz yy yz zz. */
static void name_component(FILE *file, const field_grid *g, uint32_t components, uint32_t k)
{
    static const int six[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};

    const char l[3] = {letter_of(g, 0), letter_of(g, 1), letter_of(g, 2)};
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

/* ---- the script ---- */

static const char *unit_of(const field_grid *g, int axis)
{
    return g->shape == CYLINDER && axis == 1 ? "rad" : "m";
}

static void script_head(FILE *file, const char *name, const char *how, const char *size)
{
    fprintf(file,
            "# Draws the last window of %s.csv %s into %s.svg; in the folder of both: gnuplot "
            "%s.gp\n"
            "csv = '%s.csv'\n"
            "set datafile separator ','\n"
            "set datafile columnheaders\n"
            "set terminal svg size %s background 'white'\n"
            "set output '%s.svg'\n"
            "stats csv using 1 nooutput\n"
            "last = STATS_max\n",
            name, how, name, name, name, size, name);
}

/* Values along the axis with the most cells. */
static void script_line(FILE *file, const field_grid *g, const char *name)
{
    const char *axis = axis_name(g, (int)g->cut);
    char how[16];
    snprintf(how, sizeof how, "along %s", axis);
    script_head(file, name, how, "900, 800");
    fprintf(file,
            "set key outside noenhanced\n"
            "at = '%s'\n"
            "set xlabel at.' [%s]'\n"
            "in(w) = w == last ? column(at) : NaN\n",
            axis, unit_of(g, (int)g->cut));
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

/* Maps over the two axes with the most cells, in the middle of the third one. */
static void script_maps(FILE *file, const field_grid *g, const char *name)
{
    int third = 2;
    for (int k = 2; k >= 0; k--)
        third = g->n[k] < g->n[third] ? k : third;
    const int a = third == 0, b = third == 2 ? 1 : 2, same = unit_of(g, a) == unit_of(g, b);
    const double wide = same ? (g->hi[a] - g->lo[a]) / (g->hi[b] - g->lo[b]) : 1.0;
    const uint32_t most = g->n[a] > g->n[b] ? g->n[a] : g->n[b];
    const double pixel = (g->hi[a] - g->lo[a]) / g->n[a];
    const char *ends[2] = {axis_name(g, a), axis_name(g, b)};
    char how[48], where[64];
    snprintf(where, sizeof where, "sprintf(', %s = %%g %s', at_mean)", axis_name(g, third),
             unit_of(g, third));
    snprintf(how, sizeof how, "as maps over %s and %s", ends[0], ends[1]);
    script_head(file, name, how, wide > 2.0 ? "900, 1100" : wide < 0.5 ? "1300, 600" : "1000, 860");
    fprintf(
        file,
        "slice = %" PRIu32 " # the cell along %s, of 0 to %" PRIu32 "\n"
        "every = %" PRIu32 " # cells from one arrow to the next\n"
        "set table $map\n"
        "plot csv using (column('%s')):(column('%s')):(column('solid_fraction')):(sqrt("
        "column('velocity_%c')**2 + column('velocity_%c')**2 + column('velocity_%c')**2)):(column("
        "'temperature')):(column('pressure')):(column('velocity_%c')):(column('velocity_%c')):"
        "(column('%c')):(column('%c')):(column('%s')) with table if ($1 == last && "
        "column('%c') == slice)\n"
        "unset table\n",
        g->n[third] / 2, axis_name(g, third), g->n[third] - 1, (most + 23) / 24, ends[0], ends[1],
        letter_of(g, 0), letter_of(g, 1), 'z', letter_of(g, a), letter_of(g, b), 'i' + a, 'i' + b,
        axis_name(g, third), 'i' + third);
    fprintf(file,
            "unset datafile\nset datafile separator whitespace\n"
            "stats $map using (valid(4) ? $4 : 0) name 'speed' nooutput\n"
            "long = speed_max > 0 ? %.17g * every / speed_max : 0\n"
            "stats $map using 11 name 'at' nooutput\n"
            "where = %s\n",
            g->shape == BOX ? pixel : 0.0, g->n[third] > 1 ? where : "''");
    fprintf(file,
            "set palette defined (0 '#440154', 1 '#31688e', 2 '#35b779', 3 '#fde725')\n"
            "unset key\n%sset tics font ',9'\nset autoscale cbfix\n"
            "set xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\n"
            "set xlabel '%s [%s]'\nset ylabel '%s [%s]'\n",
            same ? "set size ratio -1\n" : "", g->lo[a], g->hi[a], g->lo[b], g->hi[b], ends[0],
            unit_of(g, a), ends[1], unit_of(g, b));
    fprintf(file,
            "set multiplot layout %s\nset cbrange [0:*]\n"
            "set title 'solid fraction'.where\n"
            "plot $map using 1:2:3 with image\n"
            "set title 'speed [m/s]%s'.where\n"
            "plot $map using 1:2:4 with image, '' using 1:2:(int($9) %% every == 0 && int($10) %% "
            "every == 0 ? long * $7 : NaN):(long * $8) with vectors lc 'white'\n"
            "set title 'temperature [m^2/s^2]'.where\n"
            "plot $map using 1:2:5 with image\n"
            "set cbrange [*:*]\nset title 'pressure [Pa]'.where\n"
            "plot $map using 1:2:6 with image\n"
            "unset multiplot\n",
            wide > 2.0   ? "4, 1"
            : wide < 0.5 ? "1, 4"
                         : "2, 2",
            g->shape == BOX ? ", velocity" : "");
}

void table_script(FILE *file, const field_grid *g, const char *name)
{
    const int axes_of_many = (g->n[0] > 1) + (g->n[1] > 1) + (g->n[2] > 1);
    if (axes_of_many > 1)
        script_maps(file, g, name);
    else
        script_line(file, g, name);
}
