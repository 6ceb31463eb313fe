// SPDX-License-Identifier: Apache-2.0
// Loads of the facets of observer `wall` in a state: forces, sliding, impacts, wear.
#include <inttypes.h>

#include "wall.h"

static int32_t no_memory(const wall_observer *self)
{
    return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for the facets");
}

static int is_wanted(const wall_observer *self, const scree_bodies *b, uint32_t i)
{
    const uint64_t n = self->config->groups.n;
    if (!(b->shapes[b->shape[i]]->flags & SCREE_CAP_WALL))
        return 0;
    for (uint64_t k = 0; k < n; k++)
        if (self->groups[k] == b->group[i])
            return 1;
    return n == 0;
}

/* Place of the wall with this id in walls, or where it belongs. */
static uint64_t find_place(const wall_observer *self, uint64_t id)
{
    uint64_t lo = 0, hi = self->memo.n_walls;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (self->walls[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Puts a new wall at its place; its facets follow the existing ones. 0: out of memory. */
static int add_wall(wall_observer *self, uint64_t at, uint64_t id, uint64_t n)
{
    wall_memo *m = &self->memo;
    if (!scree_grow(&self->walls, &self->wall_capacity, m->n_walls + 1, sizeof(worn_wall)) ||
        !scree_grow(&self->facets, &self->facet_capacity, m->n_facets + n + 1, sizeof(facet)))
        return 0;
    memmove(self->walls + at + 1, self->walls + at, (m->n_walls - at) * sizeof(worn_wall));
    memset(self->facets + m->n_facets, 0, n * sizeof(facet));
    self->walls[at] = (worn_wall){.id = id, .first = m->n_facets, .n = n};
    m->n_walls++;
    m->n_facets += n;
    return 1;
}

static void warn_once(wall_observer *self)
{
    if (self->memo.n_walls == 0 && !self->warned++)
        self->host->log(self->host->ctx, SCREE_LOG_WARNING,
                        "groups: expected walls of facets, got none: the tables have no rows");
}

static int32_t number_walls(wall_observer *self, const scree_bodies *b)
{
    const uint64_t n = self->memo.n_walls;
    if (!scree_grow(&self->wall_of, &self->wall_of_capacity, (uint64_t)b->n - b->n_free + 1,
                    sizeof(uint32_t)) ||
        !scree_grow(&self->body_of, &self->body_of_capacity, n + 1, sizeof(uint32_t)))
        return no_memory(self);
    for (uint64_t k = 0; k < n; k++)
        self->body_of[k] = SCREE_NONE;
    for (uint32_t i = b->n_free; i < b->n; i++) {
        const uint64_t at = is_wanted(self, b, i) ? find_place(self, b->id[i]) : n;
        self->wall_of[i - b->n_free] = at < n ? (uint32_t)at : SCREE_NONE;
        if (at < n)
            self->body_of[at] = i;
    }
    self->n_free = b->n_free;
    return SCREE_OK;
}

int32_t find_worn_walls(wall_observer *self, const scree_view *view)
{
    const scree_bodies *b = view->bodies;
    for (uint32_t i = b->n_free; i < b->n; i++) {
        if (!is_wanted(self, b, i))
            continue;
        const uint64_t at = find_place(self, b->id[i]), n = b->shapes[b->shape[i]]->mesh->n_facets;
        const int known = at < self->memo.n_walls && self->walls[at].id == b->id[i];
        if (known && self->walls[at].n != n)
            return scree_failf(self->host, SCREE_E_CONFIG,
                               "wall %llu has %llu facets now, and had %llu",
                               (unsigned long long)b->id[i], (unsigned long long)n,
                               (unsigned long long)self->walls[at].n);
        if (!known && !add_wall(self, at, b->id[i], n))
            return no_memory(self);
    }
    warn_once(self);
    return number_walls(self, b);
}

double place_facet(const wall_observer *self, const scree_bodies *b, uint32_t i, uint64_t c,
                   double centre[3], double normal[3])
{
    const scree_mesh *mesh = b->shapes[b->shape[i]]->mesh;
    const uint32_t *v = mesh->facet + 4 * c;
    double at[4][3], twice[3], length;
    uint32_t n = 0;
    for (; n < 4 && v[n] != SCREE_NONE; n++)
        place_point(b, i, mesh->vertex[0][v[n]], mesh->vertex[1][v[n]], mesh->vertex[2][v[n]],
                    at[n]);
    if (b->dimension == 2) { // the normal is the first edge turned right
        const double edge[3] = {at[1][0] - at[0][0], at[1][1] - at[0][1], 0.0};
        twice[0] = edge[1];
        twice[1] = -edge[0];
        twice[2] = 0.0;
    } else { // half the product of the diagonals, or of two edges
        double p[3], q[3];
        for (int k = 0; k < 3; k++) {
            p[k] = n == 4 ? at[2][k] - at[0][k] : at[1][k] - at[0][k];
            q[k] = n == 4 ? at[3][k] - at[1][k] : at[2][k] - at[0][k];
        }
        for (int k = 0; k < 3; k++)
            twice[k] = p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3];
    }
    length = length_of(twice);
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.0;
        for (uint32_t j = 0; j < n; j++)
            centre[k] += at[j][k] / n;
        normal[k] = length > 0.0 ? twice[k] / length : 0.0;
    }
    return b->dimension == 2 ? length * self->host->thickness : 0.5 * length;
}

/* ---- a contact ---- */

/* [m/s] Velocities of a's touching point and of a's centre, relative to b's touching point. */
static void relative_velocities(const scree_view *view, uint64_t c, double point[3],
                                double centre[3])
{
    const scree_bodies *b = view->bodies;
    const scree_contact_list *l = view->contacts;
    const uint32_t i = l->a[c], j = l->b[c];
    for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        const double surface = b->v[k][j] + b->w[p][j] * (l->arm[q][c] - l->branch[q][c]) -
                               b->w[q][j] * (l->arm[p][c] - l->branch[p][c]);
        centre[k] = b->v[k][i] - surface;
        point[k] = centre[k] + b->w[p][i] * l->arm[q][c] - b->w[q][i] * l->arm[p][c];
    }
}

/* The part of v along the normal of contact c; `rest` becomes the tangential part. */
static double split(const scree_contact_list *l, uint64_t c, const double v[3], double rest[3])
{
    double along = 0.0;
    for (int k = 0; k < 3; k++)
        along += v[k] * l->normal[k][c];
    for (int k = 0; k < 3; k++)
        rest[k] = v[k] - along * l->normal[k][c];
    return along;
}

/* [m^3] Finnie 1960, Wear 3, 87, eq. (6) and (7), for one grain of mass m at v_n, v_t. */
static double finnie_volume(const wall_observer *self, double m, double vn, double vt)
{
    const double K = self->config->force_ratio;
    if (!(vn > 0.0))
        return 0.0;
    if (6.0 * vn <= K * vt)
        return self->finnie_factor * m * (2.0 * vn * vt - 6.0 / K * vn * vn);
    return self->finnie_factor * m * vt * vt * K / 6.0;
}

/* The velocity before the impact: without the half step of the contact's force in the velocity of
 * the whole step. */
static void add_impact(const wall_observer *self, const scree_view *view, uint64_t c,
                       const double centre[3], facet *to)
{
    const scree_contact_list *l = view->contacts;
    const double inv_mass = view->bodies->inv_mass[l->a[c]];
    double v[3], across[3], vn;
    if (!(inv_mass > 0.0))
        return;
    for (int k = 0; k < 3; k++)
        v[k] = centre[k] - 0.5 * view->dt * inv_mass * l->f[k][c];
    vn = split(l, c, v, across);
    to->impacts += 1.0;
    to->finnie += finnie_volume(self, 1.0 / inv_mass, vn, length_of(across));
}

static void add_contact(const wall_observer *self, const scree_view *view, uint64_t c, int hit,
                        int wears, facet *to)
{
    const scree_contact_list *l = view->contacts;
    const wall_config *g = self->config;
    double push[3], shear[3], point[3], centre[3], slide[3], pressing, power = 0.0;
    for (int k = 0; k < 3; k++)
        push[k] = -l->f[k][c];
    pressing = split(l, c, push, shear);
    relative_velocities(view, c, point, centre);
    split(l, c, point, slide);
    for (int k = 0; k < 3; k++) {
        to->force[k] += push[k];
        to->shear[k] += shear[k];
        power += shear[k] * slide[k];
    }
    to->normal += pressing;
    to->power += power;
    to->contacts += l->depth[c] >= 0.0;
    if (!wears)
        return;
    to->work += power * view->dt;
    if (g->archard > 0.0 && pressing > 0.0)
        to->archard += g->archard / g->hardness * pressing * length_of(slide) * view->dt;
    if (hit)
        add_impact(self, view, c, centre, to);
}

/* ---- torques ---- */

int turns(const scree_bodies *b, uint32_t i)
{
    return b->w[0][i] != 0.0 || b->w[1][i] != 0.0 || b->w[2][i] != 0.0;
}

/* A rigid body turns about the axis where its velocity is along w: the power that it gives to grains,
 * less that along the axis, is its torque about this axis times |w|. */
static double drive_of(const scree_bodies *b, uint32_t j, const double push[3],
                       const double torque[3])
{
    double spin = 0.0, power = 0.0, lift = 0.0, rise = 0.0;
    for (int k = 0; k < 3; k++) {
        spin += b->w[k][j] * b->w[k][j];
        power -= push[k] * b->v[k][j] + torque[k] * b->w[k][j];
        lift += push[k] * b->w[k][j];
        rise += b->v[k][j] * b->w[k][j];
    }
    return spin > 0.0 ? (power + lift * rise / spin) / sqrt(spin) : 0.0;
}

void add_torque(const wall_observer *self, const scree_view *view, uint64_t c, wall_torque *to)
{
    const scree_contact_list *l = view->contacts;
    const scree_bodies *b = view->bodies;
    const uint32_t j = l->b[c];
    double push[3], arm[3], far[3], torque[3];
    for (int k = 0; k < 3; k++) {
        push[k] = -l->f[k][c];
        arm[k] = l->arm[k][c] - l->branch[k][c];
        far[k] = arm[k] + b->x[k][j] - self->point[k];
    }
    for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        torque[k] = l->couple_b[k][c] + arm[p] * push[q] - arm[q] * push[p];
        to->about[k] += l->couple_b[k][c] + far[p] * push[q] - far[q] * push[p];
    }
    to->drive += drive_of(b, j, push, torque);
}

/* ---- a state ---- */

static int compare_touches(const void *pa, const void *pb)
{
    const touch *a = pa, *b = pb;
    if (a->id_a != b->id_a)
        return a->id_a < b->id_a ? -1 : 1;
    if (a->id_b != b->id_b)
        return a->id_b < b->id_b ? -1 : 1;
    return a->feature < b->feature ? -1 : a->feature > b->feature;
}

/* Number of body i in walls; SCREE_NONE: it is not in the list. */
static uint32_t wall_at(const wall_observer *self, uint32_t i)
{
    return i < self->n_free ? SCREE_NONE : self->wall_of[i - self->n_free];
}

static void remember_touches(wall_observer *self, uint64_t n)
{
    touch *old = self->touches;
    const uint64_t capacity = self->touch_capacity;
    if (n > 1)
        qsort(self->fresh, n, sizeof(touch), compare_touches);
    self->touches = self->fresh;
    self->touch_capacity = self->fresh_capacity;
    self->fresh = old;
    self->fresh_capacity = capacity;
    self->memo.n_touches = n;
}

int32_t add_state(wall_observer *self, const scree_view *view)
{
    const scree_contact_list *l = view->contacts;
    const int wears = self->memo.last != UINT64_MAX; // contacts at the start are not impacts
    uint64_t n = 0;
    if (!scree_grow(&self->fresh, &self->fresh_capacity, l->n + 1, sizeof(touch)))
        return no_memory(self);
    for (uint64_t c = 0; c < l->n; c++) {
        const uint32_t at = wall_at(self, l->b[c]);
        if (at == SCREE_NONE || l->part[1][c] >= self->walls[at].n)
            continue;
        const touch key = {view->bodies->id[l->a[c]], view->bodies->id[l->b[c]], l->feature[c]};
        const int touches = l->depth[c] >= 0.0;
        const int known =
            touches && self->memo.n_touches &&
            bsearch(&key, self->touches, self->memo.n_touches, sizeof key, compare_touches) != NULL;
        add_contact(self, view, c, touches && !known, wears,
                    &self->facets[self->walls[at].first + l->part[1][c]]);
        wall_torque torque = {.drive = 0.0};
        add_torque(self, view, c, &torque);
        for (int k = 0; k < 3; k++)
            self->walls[at].about[k] += torque.about[k];
        self->walls[at].drive += torque.drive;
        if (touches)
            self->fresh[n++] = key;
    }
    for (uint64_t k = 0; k < self->memo.n_walls; k++)
        self->walls[k].turning +=
            self->body_of[k] != SCREE_NONE && turns(view->bodies, self->body_of[k]);
    remember_touches(self, n);
    self->memo.states++;
    self->memo.last = view->step;
    return SCREE_OK;
}

void clear_window(wall_observer *self)
{
    for (uint64_t k = 0; k < self->memo.n_facets; k++) {
        facet *f = &self->facets[k];
        memset(f->force, 0, sizeof f->force);
        memset(f->shear, 0, sizeof f->shear);
        f->normal = f->power = f->contacts = 0.0;
    }
    for (uint64_t k = 0; k < self->memo.n_walls; k++) {
        worn_wall *w = &self->walls[k];
        memset(w->about, 0, sizeof w->about);
        w->drive = w->turning = 0.0;
    }
    self->memo.states = 0;
}

void free_loads(wall_observer *self)
{
    free(self->walls);
    free(self->facets);
    free(self->touches);
    free(self->fresh);
    free(self->wall_of);
    free(self->body_of);
}

/* ---- state, for a restart ---- */

int32_t save_loads(void *instance, const scree_state_sink *to)
{
    const wall_observer *self = instance;
    const wall_memo *m = &self->memo;
    int32_t status = to->write(to->ctx, m, sizeof *m);
    if (status == SCREE_OK && m->n_walls)
        status = to->write(to->ctx, self->walls, m->n_walls * sizeof(worn_wall));
    if (status == SCREE_OK && m->n_facets)
        status = to->write(to->ctx, self->facets, m->n_facets * sizeof(facet));
    if (status == SCREE_OK && m->n_touches)
        status = to->write(to->ctx, self->touches, m->n_touches * sizeof(touch));
    return status;
}

/* Do the walls, by rising ids, have all the facets? */
static int is_whole(const wall_observer *self)
{
    const wall_memo *m = &self->memo;
    uint64_t sum = 0;
    for (uint64_t k = 0; k < m->n_walls; k++) {
        const worn_wall *w = &self->walls[k];
        if (w->n > m->n_facets || w->first > m->n_facets - w->n ||
            (k > 0 && w->id <= self->walls[k - 1].id))
            return 0;
        sum += w->n;
    }
    return sum == m->n_facets;
}

int32_t load_loads(void *instance, const void *bytes, uint64_t n)
{
    wall_observer *self = instance;
    const char *at = bytes;
    const uint64_t most = SCREE_MAX_STATE_BYTES;
    wall_memo m = {0};
    if (n >= sizeof m)
        memcpy(&m, at, sizeof m);
    if (n < sizeof m || m.n_walls > most || m.n_facets > most || m.n_touches > most ||
        n != sizeof m + m.n_walls * sizeof(worn_wall) + m.n_facets * sizeof(facet) +
                 m.n_touches * sizeof(touch))
        return scree_failf(self->host, SCREE_E_CONFIG,
                           "expected the state of facets, got %" PRIu64 " bytes that are not", n);
    if (!scree_grow(&self->walls, &self->wall_capacity, m.n_walls + 1, sizeof(worn_wall)) ||
        !scree_grow(&self->facets, &self->facet_capacity, m.n_facets + 1, sizeof(facet)) ||
        !scree_grow(&self->touches, &self->touch_capacity, m.n_touches + 1, sizeof(touch)))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for the state");
    at += sizeof m;
    memcpy(self->walls, at, m.n_walls * sizeof(worn_wall));
    at += m.n_walls * sizeof(worn_wall);
    memcpy(self->facets, at, m.n_facets * sizeof(facet));
    at += m.n_facets * sizeof(facet);
    memcpy(self->touches, at, m.n_touches * sizeof(touch));
    self->memo = m;
    if (is_whole(self))
        return SCREE_OK;
    self->memo = (wall_memo){.last = UINT64_MAX};
    return self->host->fail(self->host->ctx, SCREE_E_CONFIG,
                            "the state does not share its facets out among walls");
}
