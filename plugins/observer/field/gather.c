// SPDX-License-Identifier: Apache-2.0
// A sample of observer `field`: balls of the bodies that count, paths of their contacts.
/*
 * Paths: for two bodies that count, from centre to centre; for a contact with a body that does not
 * count (a wall, a fixed ball, another group), from the centre of the body that counts to the
 * contact point (Weinhart et al. 2012). The force is that on the body at the start of the path.
 *
 * The couple is that at the middle p of the path, on the body at its start: couple + (contact point
 * - p) x f. For two bodies it is half the difference of the torques about their centres.
 */
#include <math.h>

#include "../groups.h"
#include "field.h"
#include "numeric.h"

static void mark(field_scene *s)
{
    const scree_bodies *b = s->view->bodies;
    uint32_t last = SCREE_NONE;
    int wanted = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        if (i < b->n_free && b->group[i] != last) {
            last = b->group[i];
            wanted = is_of_groups(&s->config->groups, s->names, last);
        }
        s->counted[i] = i < b->n_free && wanted;
    }
}

static int add_ball(field_scene *s, uint32_t body, const double x[3], double radius, double weight)
{
    if (!scree_grow(&s->balls, &s->ball_capacity, s->n_balls + 1, sizeof *s->balls))
        return 0;
    field_ball *ball = &s->balls[s->n_balls++];
    *ball = (field_ball){.x = {x[0], x[1], x[2]}, .radius = radius, .weight = weight, .body = body};
    return 1;
}

/* The balls of a clump share its volume in proportion to their own volumes. */
static int add_clump(field_scene *s, uint32_t i, const scree_balls *balls)
{
    const scree_bodies *b = s->view->bodies;
    double all = 0.0;
    for (uint32_t k = 0; k < balls->n; k++)
        all += balls->radius[k] * balls->radius[k] * (b->dimension == 2 ? 1.0 : balls->radius[k]);
    for (uint32_t k = 0; k < balls->n; k++) {
        const double r = balls->radius[k], v = r * r * (b->dimension == 2 ? 1.0 : r);
        const double own[3] = {balls->centre[0][k], balls->centre[1][k], balls->centre[2][k]};
        double at[3];
        scree_to_world(b, i, own, at);
        for (int a = 0; a < 3; a++)
            at[a] = b->x[a][i] + b->scale[i] * at[a];
        if (!add_ball(s, i, at, b->scale[i] * r, v / all))
            return 0;
    }
    return 1;
}

/* Radius of the ball, in 2D of the disc, that is as large as the body. */
static double equal_radius(const scree_bodies *b, uint32_t i)
{
    const scree_shape *shape = b->shapes[b->shape[i]];
    double t, r;
    if (shape->flags & SCREE_CAP_ROUND)
        return b->radius[i];
    if (shape->flat)
        return b->scale[i] * sqrt(shape->volume / FIELD_PI);
    t = shape->volume * 0.75 / FIELD_PI;
    r = scree_inverse_cbrt(t);
    return b->scale[i] * t * r * r;
}

static int gather_balls(field_scene *s)
{
    const scree_bodies *b = s->view->bodies;
    s->n_balls = 0;
    for (uint32_t i = 0; i < b->n_free; i++) {
        const scree_shape *shape = b->shapes[b->shape[i]];
        const double x[3] = {b->x[0][i], b->x[1][i], b->x[2][i]};
        if (!s->counted[i])
            continue;
        if (s->config->kind == CELLS && shape->flags & SCREE_CAP_BALLS && shape->balls) {
            if (!add_clump(s, i, shape->balls))
                return 0;
        } else if (!add_ball(s, i, x, equal_radius(b, i), 1.0))
            return 0;
    }
    return 1;
}

/* The velocity from which deviations are summed: that of the whole mass. */
static void find_shift(field_scene *s)
{
    const scree_bodies *b = s->view->bodies;
    double mass = 0.0, sum[3] = {0.0, 0.0, 0.0};
    memset(s->shift, 0, sizeof s->shift);
    if (s->grid->shape != BOX)
        return;
    for (uint32_t i = 0; i < b->n_free; i++) {
        if (!s->counted[i])
            continue;
        mass += 1.0 / b->inv_mass[i];
        for (int k = 0; k < 3; k++)
            sum[k] += b->v[k][i] / b->inv_mass[i];
    }
    for (int k = 0; k < 3; k++)
        s->shift[k] = mass > 0.0 ? sum[k] / mass : 0.0;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Contact c, seen from its body `a` or, with turned 1, `b`. */
static void make_path(const field_scene *s, uint64_t c, int turned, field_path *p)
{
    const scree_contact_list *list = s->view->contacts;
    const scree_bodies *b = s->view->bodies;
    const uint32_t i = turned ? list->b[c] : list->a[c];
    const double sign = turned ? -1.0 : 1.0;
    double arm[3], lever[3], torque[3];
    for (int k = 0; k < 3; k++) {
        const double d = list->branch[k][c];
        arm[k] = turned ? list->arm[k][c] - d : list->arm[k][c];
        p->from[k] = b->x[k][i];
        p->branch[k] = p->boundary ? arm[k] : d;
        p->force[k] = sign * list->f[k][c];
        p->normal[k] = list->normal[k][c];
        lever[k] = arm[k] - 0.5 * p->branch[k];
    }
    cross(lever, p->force, torque);
    for (int k = 0; k < 3; k++) {
        const double on_a = list->couple[k][c], on_b = list->couple_b[k][c];
        p->couple[k] = torque[k] + (p->boundary ? (turned ? on_b : on_a) : 0.5 * (on_a - on_b));
    }
    p->touches = list->depth[c] >= 0.0;
    p->length = sqrt(p->branch[0] * p->branch[0] + p->branch[1] * p->branch[1] +
                     p->branch[2] * p->branch[2]);
    for (int k = 0; k < 3; k++)
        p->unit[k] = p->length > 0.0 ? p->branch[k] / p->length : 0.0;
}

static int gather_paths(field_scene *s)
{
    const scree_contact_list *list = s->view->contacts;
    s->n_paths = 0;
    if (!scree_grow(&s->paths, &s->path_capacity, list->n + 1, sizeof *s->paths))
        return 0;
    for (uint64_t c = 0; c < list->n; c++) {
        const int a = s->counted[list->a[c]], b = s->counted[list->b[c]];
        field_path *path = &s->paths[s->n_paths];
        if (!a && !b)
            continue;
        path->boundary = !(a && b);
        make_path(s, c, !a, path);
        s->n_paths++;
    }
    return 1;
}

int32_t gather(field_scene *s)
{
    const scree_host *host = s->host;
    if (!scree_grow(&s->counted, &s->counted_capacity, (uint64_t)s->view->bodies->n + 1, 1))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the bodies of a sample");
    mark(s);
    find_shift(s);
    if (!gather_balls(s) || !gather_paths(s))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for a sample");
    return SCREE_OK;
}
