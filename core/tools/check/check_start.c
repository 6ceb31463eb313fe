/* SPDX-License-Identifier: Apache-2.0 */
/* Integrators that bring their own bodies by a source in the same file: `scree check` makes those
 * bodies, and tests what holds for any motion. */
#include "tools/check/check_start.h"

#include <math.h>
#include <string.h>

#include "plugin/loader.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"
#include "tools/check/check_source_call.h"
#include "tools/check/check_variants.h"

static const double dt = 0.5;

bool scree_check_leads(const scree_check *check)
{
    return scree_file_own_source(check->file) != NULL;
}

static void no_force(scree_check_motion *m, uint32_t i, double *wrench)
{
    (void)m;
    (void)i;
    (void)wrench;
}

/** First component of the integrator's body field that start values name ("NAME" or "SLOT/NAME");
 * -1: it has none with that name and size. */
static int64_t find_field(const scree_plugin *plugin, const scree_start_column *column)
{
    const char *slash = strchr(column->name, '/'), *name = slash ? slash + 1 : column->name;
    int64_t at = 0;
    for (uint32_t f = 0; f < plugin->n_fields; f++) {
        const scree_field *field = plugin->fields[f];
        if (field->scope != SCREE_SCOPE_BODY)
            continue;
        if (!strcmp(field->name, name) && field->components == column->components)
            return at;
        at += field->components;
    }
    return -1;
}

/** Sets the start values of one field of body i. */
static void take_column(scree_check_motion *m, uint32_t i, const scree_start_column *column,
                        uint32_t row)
{
    const double *v = scree_start_column_row(column, row);
    const int64_t first = find_field(m->instance->plugin, column);
    if (first < 0)
        scree_check_fail(m->check,
                         "its source gives start values of %s, %u component%s: it has no such body "
                         "field",
                         column->name, column->components, column->components == 1 ? "" : "s");
    if (first < 0 || !v)
        return;
    for (uint32_t k = 0; k < column->components; k++)
        m->fields[first + k][i] = v[k];
}

static void take_body(scree_check_motion *m, uint32_t i, const scree_check_source *from, guint k)
{
    const scree_body *body = &g_array_index(from->bodies, scree_body, k);
    const scree_shape *shape = from->scene->shapes->pdata[body->shape];
    m->id[i] = body->id == SCREE_ID_NONE ? k : body->id;
    m->radius[i] = body->scale * shape->radius;
    for (int a = 0; a < 3; a++) {
        m->motion.x[a][i] = body->x[a];
        m->motion.v[a][i] = body->v[a];
        m->motion.w[a][i] = body->w[a];
    }
    for (int a = 0; a < 4; a++)
        m->motion.q[a][i] = body->q[a];
    const GPtrArray *columns = from->starts.columns;
    const guint n_columns = columns ? columns->len : 0;
    for (guint c = 0; c < n_columns; c++)
        take_column(m, i, columns->pdata[c], body->start);
}

/** Sorts bodies: free ones first, then in the order of their addition, or the opposite. */
static scree_check_motion *fill(scree_check *check, scree_instance *instance,
                                const scree_check_source *from, bool descending)
{
    const guint n = from->bodies->len;
    uint32_t n_free = 0, at = 0;
    for (guint k = 0; k < n; k++)
        n_free += g_array_index(from->bodies, scree_body, k).motion == SCREE_MOTION_FREE;
    scree_check_motion *m = scree_check_motion_new(check, instance, n, n_free, dt, no_force);
    for (int held = 0; held < 2; held++)
        for (guint k = 0; k < n; k++) {
            const guint body = descending ? n - 1 - k : k;
            const uint32_t motion = g_array_index(from->bodies, scree_body, body).motion;
            if ((motion != SCREE_MOTION_FREE) == (held == 1))
                take_body(m, at++, from, body);
        }
    scree_check_motion_start(m);
    return m;
}

/** Bodies that the source makes for `integrator`, to be moved by `instance`; NULL: `maker` has
 * failed. */
static scree_check_motion *make_bodies(scree_check *maker, scree_check *check,
                                       scree_instance *instance, scree_instance *integrator,
                                       bool descending)
{
    scree_check_motion *m = NULL;
    scree_instance *source =
        scree_check_instance(maker, instance->host.dimension, 1, SCREE_CHECK_DEFAULTS, NULL);
    scree_check_source *s = source ? scree_check_source_new(maker, source, "its source") : NULL;
    if (s) {
        s->integrator = integrator;
        s->dt = dt;
        if (scree_check_source_make(s, 0, UINT64_MAX) && !s->bodies->len)
            scree_check_fail(maker, "its source: make: it adds no bodies");
        m = maker->failed ? NULL : fill(check, instance, s, descending);
    }
    scree_check_instance_free(integrator); // before the source, which may use its host
    scree_check_source_free(s);
    scree_check_instance_free(source);
    return m;
}

scree_check_motion *scree_check_started(scree_check *check, scree_instance *instance,
                                        bool descending)
{
    scree_check maker = *check;
    maker.plugin = scree_file_own_source(check->file);
    g_autoptr(GPtrArray) settings = scree_check_own_settings(check->given, maker.plugin);
    g_autoptr(GString) text = g_string_new(NULL);
    maker.settings = (const char *const *)settings->pdata;
    maker.text = text;
    maker.asked = NULL;
    maker.failed = maker.refused = maker.at_ends = false;
    scree_instance *integrator = scree_check_instance_again(check, instance);
    if (!integrator)
        return NULL;
    scree_check_motion *m = make_bodies(&maker, check, instance, integrator, descending);
    if (maker.failed && !check->failed) {
        scree_check_fail(check, "%s", text->str);
        check->refused = maker.refused;
    }
    return m;
}

/** Compares place, velocity and fields of body i with body j of another, bit by bit. */
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

/** Compares all bodies; b has the descending order, a the ascending one. */
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
        compare(one, other, false, setting, "made again");
}

void scree_check_start_list(scree_check *check)
{
    if (!scree_check_leads(check))
        scree_check_skip(check, "it brings no bodies: its file has no source with "
                                "SCREE_CAP_BY_INTEGRATOR");
    else
        scree_check_variants(check, try_list);
}

/** Tests that bodies have moved, as far as velocity × dt, and that fixed ones have not. */
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
    if (!scree_check_leads(check))
        scree_check_skip(check, "it brings no bodies: its file has no source with "
                                "SCREE_CAP_BY_INTEGRATOR");
    else
        scree_check_variants(check, try_motion);
}
