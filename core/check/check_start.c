/* SPDX-License-Identifier: Apache-2.0 */
/* Integrators that bring their own bodies (extension "scree.start/1"): `scree check` takes those
 * bodies, and asks of their motion what can be asked of one that is not known. */
#include "check/check_start.h"

#include <math.h>
#include <string.h>

#include "check/check_instance.h"
#include "check/check_report.h"
#include "check/check_variants.h"

static const double dt = 0.5;

const scree_start *scree_check_start_of(const scree_plugin *plugin)
{
    const scree_start *start = scree_call_extension(plugin, SCREE_EXTENSION_START);
    return start && SCREE_HAS(start, bodies) ? start : NULL;
}

static void no_force(scree_check_motion *m, uint32_t i, double *wrench)
{
    (void)m;
    (void)i;
    (void)wrench;
}

static bool is_fixed(const scree_start_bodies *list, uint32_t id)
{
    return list->motion && list->motion[id] == SCREE_MOTION_FIXED;
}

/** Whether the list is one of bodies; the check has failed otherwise. */
static bool is_possible(scree_check *check, const scree_start_bodies *list, uint32_t dimension)
{
    bool arrays = list->n && list->radius;
    for (uint32_t k = 0; k < dimension; k++)
        arrays = arrays && list->x[k];
    if (!arrays)
        scree_check_fail(check, "bodies(): %u bodies, and radii or places are missing", list->n);
    if (arrays)
        for (uint32_t i = 0; i < list->n; i++) {
            bool good = list->radius[i] > 0.0 && isfinite(list->radius[i]);
            for (uint32_t k = 0; k < dimension; k++)
                good = good && isfinite(list->x[k][i]) && (!list->v[k] || isfinite(list->v[k][i]));
            good = good &&
                   (!list->motion || list->motion[i] == SCREE_MOTION_FREE || is_fixed(list, i));
            if (good)
                continue;
            scree_check_fail(check, "bodies(): body %u has an impossible radius, place or motion",
                             i);
            return false;
        }
    return arrays;
}

/** Its bodies with the free ones first, in ascending order of ids or a descending one. */
static scree_check_motion *fill(scree_check *check, scree_instance *instance,
                                const scree_start_bodies *list, bool descending)
{
    uint32_t n_free = 0, at = 0;
    for (uint32_t id = 0; id < list->n; id++)
        n_free += !is_fixed(list, id);
    scree_check_motion *m = scree_check_motion_new(check, instance, list->n, n_free, dt, no_force);
    for (int fixed = 0; fixed < 2; fixed++)
        for (uint32_t k = 0; k < list->n; k++) {
            uint32_t id = descending ? list->n - 1 - k : k;
            if (is_fixed(list, id) != (fixed == 1))
                continue;
            m->id[at] = id;
            m->radius[at] = list->radius[id];
            for (uint32_t a = 0; a < m->motion.dimension; a++) {
                m->motion.x[a][at] = list->x[a][id];
                m->motion.v[a][at] = list->v[a] && !fixed ? list->v[a][id] : 0.0;
            }
            for (uint32_t f = 0; list->fields && f < m->n_fields; f++)
                if (list->fields[f])
                    m->fields[f][at] = list->fields[f][id];
            at++;
        }
    scree_check_motion_start(m);
    return m;
}

scree_check_motion *scree_check_started(scree_check *check, scree_instance *instance,
                                        bool descending)
{
    const scree_start *start = scree_check_start_of(instance->plugin);
    scree_start_bodies list = {.size = sizeof list, .dt = dt};
    scree_instance *maker = scree_check_instance_again(check, instance);
    scree_check_motion *m = NULL;
    if (maker && SCREE_CHECK_CALL(check, maker, "bodies", start->bodies(maker->self, &list)) &&
        is_possible(check, &list, instance->host.dimension))
        m = fill(check, instance, &list, descending);
    scree_check_instance_free(maker);
    return m;
}

/** Place, velocity and fields of body i against body j of another, to the last bit. */
static bool same(const scree_check_motion *a, uint32_t i, const scree_check_motion *b, uint32_t j)
{
    bool good = a->id[i] == b->id[j] && a->radius[i] == b->radius[j];
    for (int k = 0; k < 3; k++)
        good = good && !memcmp(&a->motion.x[k][i], &b->motion.x[k][j], sizeof(double)) &&
               !memcmp(&a->motion.v[k][i], &b->motion.v[k][j], sizeof(double));
    for (uint32_t f = 0; f < a->n_fields; f++)
        good = good && !memcmp(&a->fields[f][i], &b->fields[f][j], sizeof(double));
    return good;
}

/** All bodies, b in the descending order when a is in the ascending one. */
static void compare(const scree_check_motion *a, const scree_check_motion *b, bool turned,
                    const char *setting, const char *what)
{
    uint32_t n = a->motion.n, n_free = a->motion.n_free;
    if (b->motion.n != n || b->motion.n_free != n_free) {
        scree_check_fail(a->check, "%s: %s: %u bodies, %u of them free, else %u and %u", setting,
                         what, b->motion.n, b->motion.n_free, n, n_free);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = !turned ? i : i < n_free ? n_free - 1 - i : n_free + (n - 1 - i);
        if (same(a, i, b, j))
            continue;
        scree_check_fail(a->check, "%s: %s: body %" G_GUINT64_FORMAT " is another", setting, what,
                         a->id[i]);
        return;
    }
}

static void try_list(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_motion) one = scree_check_started(check, instance, false);
    g_autoptr(scree_check_motion) other = one ? scree_check_started(check, instance, false) : NULL;
    if (other)
        compare(one, other, false, setting, "listed again");
}

void scree_check_start_list(scree_check *check)
{
    if (!scree_check_start_of(check->plugin))
        scree_check_skip(check, "it brings no bodies (extension " SCREE_EXTENSION_START ")");
    else
        scree_check_variants(check, try_list);
}

/** That bodies moved, that velocity × dt says how far, that fixed ones did not. */
static void judge_ways(const scree_check_motion *m, const scree_check_motion *before,
                       const char *setting)
{
    double largest = 1.0;
    for (uint32_t i = 0; i < m->motion.n; i++)
        for (int k = 0; k < 3; k++)
            largest = fmax(largest, fabs(m->motion.x[k][i]));
    if (m->off > 1e-12 * largest)
        scree_check_fail(m->check, "%s: velocity × dt is off from how far a body came by %.2g m",
                         setting, m->off);
    for (uint32_t i = m->motion.n_free; i < m->motion.n; i++)
        if (!same(m, i, before, i))
            scree_check_fail(m->check, "%s: the fixed body %" G_GUINT64_FORMAT " moved", setting,
                             m->id[i]);
    for (uint32_t i = 0; m->motion.dimension == 2 && i < m->motion.n; i++)
        if (m->motion.x[2][i] != 0.0 || m->motion.v[2][i] != 0.0)
            scree_check_fail(m->check, "%s: in 2D a body left the plane", setting);
}

static void try_motion(scree_check *check, scree_instance *instance, const char *setting)
{
    enum { EARLY = 2, LATE = 2 };
    g_autoptr(scree_check_motion) before = scree_check_started(check, instance, false);
    g_autoptr(scree_check_motion) m = before ? scree_check_started(check, instance, false) : NULL;
    g_autoptr(scree_check_motion) turned = m ? scree_check_started(check, instance, true) : NULL;
    if (!turned || !scree_check_motion_run(m, EARLY + LATE) ||
        !scree_check_motion_run(turned, EARLY))
        return;
    judge_ways(m, before, setting);
    scree_instance *another = scree_check_instance_again(check, instance);
    turned->instance = another ? another : instance;
    if (another && scree_check_motion_run(turned, LATE))
        compare(m, turned, true, setting,
                "numbered the other way round, and moved by a new instance from the middle on");
    scree_check_instance_free(another);
}

void scree_check_start_motion(scree_check *check)
{
    if (!scree_check_start_of(check->plugin))
        scree_check_skip(check, "it brings no bodies (extension " SCREE_EXTENSION_START ")");
    else
        scree_check_variants(check, try_motion);
}
