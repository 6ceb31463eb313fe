// SPDX-License-Identifier: Apache-2.0
/*
 * dfr3d: solids at the corners of cells, by the winding numbers of a closed mesh.
 *
 * Idea     Each line of the grid is followed through the facets. A facet that it meets changes the
 *          winding number by one; inside, the number is not 0. The lines count as moved by an
 *          infinitesimal amount along the axes: a line that meets an edge or a vertex belongs to
 *          one of the facets around it, and a corner in a facet is behind it or before it as its
 *          neighbours see it. A mesh that is not closed leaves corners inside on the border of the
 *          grid, and is refused there.
 */
#include "dfr3d.h"

/** Where a line of the grid meets a facet. */
typedef struct meeting {
    uint32_t line; // i + j (n + 1), ordinates along the next two axes
    int32_t step;  // step of the winding number: +1 out, -1 in
    double u;      // [cells] along the line
} meeting;

typedef struct mesh_field {
    meeting *meeting[3]; // [first[axis][lines]]
    uint32_t *first[3];  // [lines + 1]
    uint64_t n[3], room[3];
    cubes_grid grid;
    int no_memory;
} mesh_field;

/* The sign of (b - a) × (p - a) with p moved by (e, e²); exchanging a and b only changes the
 * sign. */
static int side_of(const double *a, const double *b, const double *p)
{
    const int turned = a[0] > b[0] || (a[0] == b[0] && a[1] > b[1]);
    const double *s = turned ? b : a, *t = turned ? a : b;
    const double x = t[0] - s[0], y = t[1] - s[1];
    double d = x * (p[1] - s[1]) - y * (p[0] - s[0]);
    d = d != 0.0 ? d : y != 0.0 ? -y : x;
    return (d > 0.0) - (d < 0.0) == 0 ? 0 : (d > 0.0) != turned ? 1 : -1;
}

/* Intersects a triangle, in cells and with axes (axis, axis + 1, axis + 2), with the lines along
 * the first axis. */
static void meet_triangle(mesh_field *m, int axis, double t[3][3])
{
    const uint32_t n[2] = {m->grid.n[(axis + 1) % 3], m->grid.n[(axis + 2) % 3]};
    int64_t lo[2], hi[2];
    for (int k = 0; k < 2; k++) {
        double least = t[0][k + 1], most = least;
        for (int i = 1; i < 3; i++) {
            least = scree_min(least, t[i][k + 1]);
            most = scree_max(most, t[i][k + 1]);
        }
        lo[k] = (int64_t)clamp(floor(least), 0.0, n[k]);
        hi[k] = (int64_t)clamp(ceil(most), 0.0, n[k]);
    }
    for (int64_t j = lo[1]; j <= hi[1]; j++)
        for (int64_t i = lo[0]; i <= hi[0]; i++) {
            const double p[2] = {(double)i, (double)j};
            const int a = side_of(t[0] + 1, t[1] + 1, p), b = side_of(t[1] + 1, t[2] + 1, p);
            const int c = side_of(t[2] + 1, t[0] + 1, p);
            if (a == 0 || a != b || b != c)
                continue;
            double u[3], v[3], normal[3];
            sub(t[1], t[0], u);
            sub(t[2], t[0], v);
            cross(u, v, normal);
            const double at =
                t[0][0] - (normal[1] * (p[0] - t[0][1]) + normal[2] * (p[1] - t[0][2])) / normal[0];
            if (!scree_grow(&m->meeting[axis], &m->room[axis], m->n[axis] + 1, sizeof(meeting))) {
                m->no_memory = 1;
                return;
            }
            m->meeting[axis][m->n[axis]++] =
                (meeting){(uint32_t)(i + j * (n[0] + 1)), a, at == at ? at : t[0][0]};
        }
}

static int compare(const void *x, const void *y)
{
    const meeting *a = x, *b = y;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return a->u != b->u ? (a->u > b->u) - (a->u < b->u) : (a->step > b->step) - (a->step < b->step);
}

static int sort_lines(mesh_field *m, int axis)
{
    const uint64_t lines =
        (uint64_t)(m->grid.n[(axis + 1) % 3] + 1) * (m->grid.n[(axis + 2) % 3] + 1);
    m->first[axis] = calloc(lines + 1, sizeof *m->first[axis]);
    if (!m->first[axis])
        return 0;
    if (m->n[axis] > 0)
        qsort(m->meeting[axis], m->n[axis], sizeof(meeting), compare);
    for (uint64_t i = 0; i < m->n[axis]; i++)
        m->first[axis][m->meeting[axis][i].line + 1]++;
    for (uint64_t i = 0; i < lines; i++)
        m->first[axis][i + 1] += m->first[axis][i];
    return 1;
}

static void mesh_row(void *ctx, const cubes_grid *g, uint32_t j, uint32_t k, uint8_t *inside)
{
    const mesh_field *m = ctx;
    const uint32_t line = j + k * (g->n[1] + 1);
    uint32_t at = m->first[0][line];
    int winding = 0;
    for (uint32_t i = 0; i <= g->n[0]; i++) {
        for (; at < m->first[0][line + 1] && m->meeting[0][at].u <= (double)i; at++)
            winding -= m->meeting[0][at].step;
        inside[i] = winding != 0;
    }
}

/* The first crossing from the end that is inside; one beyond the edge counts only if rounding moved
 * it there. */
static double mesh_crossing(void *ctx, const cubes_grid *g, const uint32_t at[3], int axis,
                            int inside)
{
    const mesh_field *m = ctx;
    const uint32_t line = at[(axis + 1) % 3] + at[(axis + 2) % 3] * (g->n[(axis + 1) % 3] + 1);
    double best = 0.5, least = HUGE_VAL;
    for (uint32_t i = m->first[axis][line]; i < m->first[axis][line + 1]; i++) {
        const double t = m->meeting[axis][i].u - at[axis];
        const double beyond = scree_max(scree_max(-t, t - 1.0), 0.0);
        const double rank = beyond > 0.0 ? 2.0 + beyond : inside ? t : 1.0 - t;
        if (rank < least) {
            least = rank;
            best = t;
        }
    }
    return clamp(best, 0.0, 1.0);
}

static void add_facet(mesh_field *m, const scree_mesh *view, const uint32_t corner[3])
{
    double u[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            u[i][k] = (view->vertex[k][corner[i]] - m->grid.origin[k]) / m->grid.cell[k];
    for (int axis = 0; axis < 3; axis++) {
        double t[3][3];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                t[i][k] = u[i][(axis + k) % 3];
        meet_triangle(m, axis, t);
    }
}

int dfr_field_mesh(cubes_field *field, const scree_mesh *view, const cubes_grid *grid)
{
    mesh_field *m = calloc(1, sizeof *m);
    *field = (cubes_field){.ctx = m, .row = mesh_row, .crossing = mesh_crossing};
    if (!m)
        return 0;
    m->grid = *grid;
    for (uint32_t f = 0; f < view->n_facets; f++) {
        const uint32_t *v = view->facet + 4ull * f;
        const uint32_t second[3] = {v[0], v[2], v[3]};
        add_facet(m, view, v);
        if (v[3] != SCREE_NONE)
            add_facet(m, view, second);
    }
    for (int axis = 0; axis < 3; axis++)
        if (m->no_memory || !sort_lines(m, axis)) {
            dfr_field_free(field);
            return 0;
        }
    return 1;
}

void dfr_field_free(cubes_field *field)
{
    mesh_field *m = field->ctx;
    if (!m)
        return;
    for (int k = 0; k < 3; k++) {
        free(m->meeting[k]);
        free(m->first[k]);
    }
    free(m);
    field->ctx = NULL;
}

/* Solid angle of a triangle from x, over 4 pi: Van Oosterom and Strackee 1983. */
static double solid_angle(const double p[3], const double q[3], const double r[3])
{
    double n[3];
    const double a = sqrt(dot(p, p)), b = sqrt(dot(q, q)), c = sqrt(dot(r, r));
    cross(q, r, n);
    return atan2(dot(p, n), a * b * c + dot(p, q) * c + dot(q, r) * a + dot(r, p) * b) /
           (2.0 * 3.14159265358979323846);
}

double dfr_winding(const scree_mesh *mesh, const double x[3])
{
    double sum = 0.0;
    for (uint32_t f = 0; f < mesh->n_facets; f++) {
        const uint32_t *v = mesh->facet + 4ull * f;
        double p[4][3] = {{0}};
        for (int i = 0; i < 4 && v[i] != SCREE_NONE; i++)
            for (int k = 0; k < 3; k++)
                p[i][k] = mesh->vertex[k][v[i]] - x[k];
        sum += solid_angle(p[0], p[1], p[2]);
        if (v[3] != SCREE_NONE)
            sum += solid_angle(p[0], p[2], p[3]);
    }
    return sum;
}
