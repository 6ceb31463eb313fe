// SPDX-License-Identifier: Apache-2.0
// The way from a file's coordinates to the shape's: unit, scale, rotate, move, as they are written.
#include "mesh.h"

/** Sine and cosine, exact for whole quarters of a turn, so that walls stay on the grid. */
static void sine_cosine(double angle, double *s, double *c)
{
    static const double exact[4] = {0.0, 1.0, 0.0, -1.0};
    const double pi = 3.1415926535897932384626433832795;
    double quarters = angle / (0.5 * pi);
    if (fabs(quarters) < 1e6 &&
        fabs(quarters - nearbyint(quarters)) < 1e-14 * (1 + fabs(quarters))) {
        int64_t turn = (int64_t)nearbyint(quarters) & 3;
        *s = exact[turn];
        *c = exact[(turn + 1) & 3];
    } else {
        *s = sin(angle);
        *c = cos(angle);
    }
}

/** Rodrigues' formula; `axis` is a unit vector through the origin. */
static void rotate_by(mesh_soup *m, const double axis[3], double angle)
{
    double s, c;
    sine_cosine(angle, &s, &c);
    for (uint64_t i = 0; i < m->n_vertices; i++) {
        double *x = m->xyz + 3 * i, along = 0.0, side[3], out[3];
        for (int k = 0; k < 3; k++)
            along += axis[k] * x[k];
        for (int k = 0; k < 3; k++)
            side[k] = axis[(k + 1) % 3] * x[(k + 2) % 3] - axis[(k + 2) % 3] * x[(k + 1) % 3];
        for (int k = 0; k < 3; k++)
            out[k] = c * x[k] + s * side[k] + (1.0 - c) * along * axis[k];
        memcpy(x, out, sizeof out);
    }
}

void mesh_apply_placing(mesh_soup *m, const scree_placing *steps)
{
    for (uint64_t s = 0; s < steps->n; s++) {
        const scree_place_step *step = steps->v[s];
        if (step->type == SCREE_PLACE_ROTATE)
            rotate_by(m, step->v, step->angle);
        else if (step->type == SCREE_PLACE_SCALE)
            for (uint64_t i = 0; i < 3 * m->n_vertices; i++)
                m->xyz[i] *= step->v[i % 3];
        else
            for (uint64_t i = 0; i < 3 * m->n_vertices; i++)
                m->xyz[i] += step->v[i % 3];
    }
}
