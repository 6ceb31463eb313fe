// SPDX-License-Identifier: Apache-2.0
// The picture of observer `wall`: a gnuplot script with the facets of the last row, coloured by their loads.
/*
 * gnuplot has no triangles. A facet is a grid of 2 by 2 corners for `pm3d`; the last corner of a
 * triangle counts twice; in 2D it is a line.
 */
#include <inttypes.h>

#include "wall.h"

static void put_corner(FILE *file, const scree_bodies *b, uint32_t body, uint32_t vertex,
                       const double value[2])
{
    const double *const *v = b->shapes[b->shape[body]]->mesh->vertex;
    double at[3];
    place_point(b, body, v[0][vertex], v[1][vertex], v[2][vertex], at);
    fprintf(file, "%.7g %.7g %.7g %.7g %.7g\n", at[0], at[1], at[2], value[0], value[1]);
}

static void put_facet(FILE *file, const wall_observer *self, const scree_bodies *b, uint32_t body,
                      uint64_t c, const facet *f)
{
    const uint32_t *v = b->shapes[b->shape[body]]->mesh->facet + 4 * c;
    double centre[3], normal[3];
    const double area = place_facet(self, b, body, c, centre, normal);
    const double states = self->memo.states ? (double)self->memo.states : 1.0;
    const double value[2] = {f->normal / states / area, (f->finnie + f->archard) / area};
    put_corner(file, b, body, v[0], value);
    put_corner(file, b, body, v[1], value);
    if (b->dimension == 3) {
        putc('\n', file);
        put_corner(file, b, body, v[3] == SCREE_NONE ? v[2] : v[3], value);
        put_corner(file, b, body, v[2], value);
    }
    fputs("\n\n", file);
}

static void put_plots(FILE *file, uint32_t dimension, int worn)
{
    static const char *const titles[2] = {"pressure [Pa]", "depth of wear [m]"};
    fprintf(file, "set multiplot layout 1, %d\n", worn ? 2 : 1);
    for (int k = 0; k <= worn; k++) {
        fprintf(file, "set title '%s'\n", titles[k]);
        if (dimension == 3)
            fprintf(file, "splot $facets using 1:2:3:%d with pm3d\n", 4 + k);
        else
            fprintf(file, "plot $facets using 1:2:%d with lines lw 5 lc palette\n", 4 + k);
    }
    fputs("unset multiplot\n", file);
}

static void put_head(FILE *file, const scree_view *view, const char *name, int worn)
{
    fprintf(
        file,
        "# Draws the facets of the last row of %s.csv into %s.svg; in the folder of both: gnuplot "
        "%s.gp\n"
        "# x y z [m], pressure [Pa], depth of wear [m]; step %" PRIu64 "\n"
        "set terminal svg size %d, 560 background 'white'\n"
        "set output '%s.svg'\n"
        "set palette defined (0 '#440154', 1 '#31688e', 2 '#35b779', 3 '#fde725')\n"
        "set cbrange [0:*]\nset format cb '%%.3g'\n"
        "unset key\n%s$facets << EOD\n",
        name, name, name, view->step, worn ? 1100 : 640, name,
        view->bodies->dimension == 3
            ? "set pm3d depthorder corners2color c1 border lc 'black' lw 0.3\n"
              "set view equal xyz\nunset border\nunset xtics\nunset ytics\nunset ztics\n"
            : "set size ratio -1\n");
}

int32_t write_script(wall_observer *self, const scree_view *view)
{
    text_stream out = {.host = self->host, .output = self->output, .base = self->config->file};
    const char *slash = strrchr(out.base, '/');
    const int worn = self->config->archard > 0.0 || self->config->finnie > 0.0;
    int32_t status = self->memo.n_facets ? stream_open(&out, ".gp") : SCREE_OK;
    if (!out.file)
        return status;
    put_head(out.file, view, slash ? slash + 1 : out.base, worn);
    for (uint64_t k = 0; k < self->memo.n_walls; k++) {
        const worn_wall *w = &self->walls[k];
        for (uint64_t c = 0; c < w->n && self->body_of[k] != SCREE_NONE; c++)
            put_facet(out.file, self, view->bodies, self->body_of[k], c,
                      &self->facets[w->first + c]);
    }
    fputs("EOD\n", out.file);
    put_plots(out.file, view->bodies->dimension, worn);
    return stream_close(&out, ".gp");
}
