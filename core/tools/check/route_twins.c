/* SPDX-License-Identifier: Apache-2.0 */
/* Routes in the same scene written in another way: as another lattice, along other axes, in a
 * mirror, in other units. */
#include "tools/check/route_twins.h"

#include <string.h>

#include "tools/check/check_report.h"
#include "tools/check/check_values.h"
#include "tools/check/route_leg.h"

/** A plugin may refuse a tilted cell, which skips the case. */
void scree_route_twins_lattice(const scree_route_scene *from, const scree_route_outcome *a)
{
    const scree_route r = {.name = "with the same lattice written as tilted",
                           .set = {"scene.region.tilt=(1.0, 0.0, 0.0)"},
                           .lattice = true};
    g_autoptr(GError) error = NULL;
    g_auto(scree_route_outcome) b = {.hash = NULL};
    if (scree_route_travel(from, &r, &b, &error))
        scree_route_judge_near(from, a, &b, &r);
    else if (scree_route_scene_is_refusal(error))
        scree_check_skip(from->check, "it refuses a tilted cell: %s", error->message);
    else
        scree_route_fail(from, "%s: %s", r.name, error->message);
}

/** Places, energies and numbers in tables are those along the renamed axes. */
static void go_renamed(const scree_route_scene *from, const scree_route_outcome *a,
                       scree_route_axes axes, const char *name)
{
    const scree_route r = {.name = name, .mixed = true};
    g_auto(scree_route_outcome) b = {.hash = NULL};
    scree_route_scene other = *from;
    other.axes = axes;
    if (!scree_route_other(&other, &r, &b))
        return;
    for (uint32_t i = 0; i < b.n; i++)
        for (int k = 0; k < 2; k++) // twice on is once back
            if (k == 0 || axes == SCREE_ROUTE_AXES_NEXT)
                scree_route_axes_turn(axes, b.x + 3 * (size_t)i);
    scree_route_judge_near(from, a, &b, &r);
}

void scree_route_twins_axes(const scree_route_scene *from, const scree_route_outcome *a)
{
    if (from->dimension != 3)
        return;
    from->seen->twins = true;
    go_renamed(from, a, SCREE_ROUTE_AXES_NEXT, "with axes renamed, x to y, y to z and z to x");
}

/** A solid would be another one. */
void scree_route_twins_mirror(const scree_route_scene *from, const scree_route_outcome *a)
{
    if (from->solids)
        return;
    from->seen->twins = true;
    go_renamed(from, a, SCREE_ROUTE_AXES_EXCHANGED, "in a mirror, x and y exchanged");
}

/** Compares places as seen from the other place, moving along: work and energies are others. */
static void go_elsewhere(const scree_route_scene *from, const scree_route_outcome *a, bool moving,
                         const char *name)
{
    const scree_route r = {.name = name};
    g_auto(scree_route_outcome) b = {.hash = NULL};
    scree_route_scene other = *from;
    other.shifted = true;
    other.moving = moving;
    if (!scree_route_other(&other, &r, &b))
        return;
    const double time = moving ? b.dt * b.steps : 0.0;
    for (uint32_t i = 0; i < 3 * b.n; i++)
        if (i % 3 < from->dimension)
            b.x[i] -= scree_route_shift[i % 3] + scree_route_drift[i % 3] * time;
    const double d = scree_route_distance(a, &b);
    if (!(d <= 1e-9))
        scree_route_fail(from,
                         "%s: seen from there bodies are up to %.3g m elsewhere after %u steps",
                         name, d, a->steps);
}

void scree_route_twins_elsewhere(const scree_route_scene *from, const scree_route_outcome *a)
{
    go_elsewhere(from, a, false, "with everything elsewhere");
}

void scree_route_twins_moving(const scree_route_scene *from, const scree_route_outcome *a)
{
    go_elsewhere(from, a, true, "with everything elsewhere, moving at one speed");
}

/** Whether a parameter may say where something is: a zone, a length, or what a file says. */
static bool may_be_place(const scree_check *check, const scree_param *p)
{
    const bool given =
        (p->flags & SCREE_PARAM_REQUIRED) || scree_check_has_setting(check->settings, p);
    return p->type == SCREE_TYPE_ZONE || !g_strcmp0(p->unit, "m") ||
           (p->flags & SCREE_PARAM_FILE && given);
}

const char *scree_route_twins_lack_elsewhere(const scree_check *check)
{
    if (!check->isotropic)
        return "it may have places of its own; --isotropic says that it has none";
    for (uint32_t k = 0; k < check->plugin->n_params; k++)
        if (may_be_place(check, check->plugin->params[k]))
            return "a parameter may be a place, which the check cannot move";
    return NULL;
}

/** Longer, heavier and shorter; then the other way. */
void scree_route_twins_units(const scree_route_scene *from, const scree_route_outcome *a)
{
    // A number of digits, or of cells, may suit no other sizes.
    const bool watches = from->check->plugin->kind == SCREE_KIND_OBSERVER;
    static const scree_route_units units[] = {{10, 28, -6}, {-10, -4, 6}};
    const char *const names[] = {"in units of 2^-10 m, 2^-28 kg and 2^6 s",
                                 "in units of 2^10 m, 2^4 kg and 2^-6 s"};
    for (size_t k = 0; k < G_N_ELEMENTS(units) && !from->check->failed; k++)
        scree_route_near(
            from, a,
            &(scree_route){
                .name = names[k], .units = &units[k], .blind = true, .may_refuse = watches});
}

/** A law and a contact detection have no direction; others may have one. */
const char *scree_route_twins_lack_mirror(const scree_check *check)
{
    const uint32_t kind = check->plugin->kind;
    return check->isotropic || kind == SCREE_KIND_FORCE || kind == SCREE_KIND_GCD
               ? NULL
               : "it may have a direction of its own; --isotropic says that it has none";
}

const char *scree_route_twins_lack_axes(const scree_check *check)
{
    const char *lack = scree_route_twins_lack_mirror(check);
    return lack || scree_route_axes_can(check->plugin)
               ? lack
               : "it is for the plane, or draws bodies at random";
}

void scree_route_twins_end_axes(scree_check *check, const scree_route_seen *seen)
{
    if (!seen->twins)
        scree_check_skip(check, "it runs only in the plane, with these settings");
}

void scree_route_twins_end_mirror(scree_check *check, const scree_route_seen *seen)
{
    if (!seen->twins)
        scree_check_skip(check, "it takes only solids");
}

/* ---- moments ---- */

enum { MOMENTS = 3, APART = 18 }; // steps between moments

/** Settings of the same moments. */
typedef struct moments {
    char *as_step[MOMENTS], *as_time[MOMENTS];
    uint32_t n;
    bool given; // one of them has a value, which stays
} moments;

/** The parameter NAME_time of a parameter NAME_step; NULL: none. */
static const scree_param *find_time(const scree_plugin *plugin, const scree_param *step)
{
    g_autofree char *name = NULL;
    if (step->type != SCREE_TYPE_INT || !g_str_has_suffix(step->name, "_step"))
        return NULL;
    name = g_strdup_printf("%.*stime", (int)strlen(step->name) - 4, step->name);
    for (uint32_t k = 0; k < plugin->n_params; k++)
        if (!strcmp(plugin->params[k]->name, name) && !g_strcmp0(plugin->params[k]->unit, "s"))
            return plugin->params[k];
    return NULL;
}

static void clear_moments(moments *m)
{
    for (uint32_t k = 0; k < m->n; k++) {
        g_free(m->as_step[k]);
        g_free(m->as_time[k]);
    }
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(moments, clear_moments)

static bool has(const scree_check *check, const char *const *settings, const scree_param *p)
{
    return scree_check_has_setting(check->settings, p) || scree_check_has_setting(settings, p);
}

/** Leaves out optional parameters that say when: some modifiers want one moment, whichever. */
static uint32_t without_moments(const scree_plugin *plugin, uint32_t optional)
{
    uint32_t bit = 1;
    for (uint32_t k = 0; k < plugin->n_params; k++) {
        if (!(plugin->params[k]->flags & SCREE_PARAM_OPTIONAL))
            continue;
        for (uint32_t i = 0; i < plugin->n_params; i++)
            if (find_time(plugin, plugin->params[i]) == plugin->params[k])
                optional &= ~bit;
        bit <<= 1;
    }
    return optional;
}

static moments list_moments(const scree_check *check, const char *const *settings, double dt)
{
    moments m = {.n = 0};
    const char *path = scree_route_scene_path(check->plugin);
    for (uint32_t k = 0; k < check->plugin->n_params && m.n < MOMENTS; k++) {
        const scree_param *step = check->plugin->params[k], *time = find_time(check->plugin, step);
        if (!time)
            continue;
        const uint32_t at = APART * (m.n + 1);
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        g_ascii_formatd(number, sizeof number, "%.17e", at * dt);
        m.given = m.given || has(check, settings, step) || has(check, settings, time);
        m.as_step[m.n] = g_strdup_printf("%s.%s=%u", path, step->name, at);
        m.as_time[m.n++] = g_strdup_printf("%s.%s=%s", path, time->name, number);
    }
    return m;
}

void scree_route_twins_moments(const scree_route_scene *from, const scree_route_outcome *a)
{
    g_auto(moments) m = list_moments(from->check, from->settings, a->dt);
    g_auto(scree_route_outcome) b = {.hash = NULL};
    scree_route_scene timed = *from;
    timed.optional = without_moments(from->check->plugin, from->optional);
    if (m.given)
        return;
    const scree_route steps = {.name = "with moments as steps",
                               .set = {m.as_step[0], m.as_step[1], m.as_step[2]}};
    const scree_route times = {.name = "with moments as times",
                               .set = {m.as_time[0], m.as_time[1], m.as_time[2]}};
    if (scree_route_other(&timed, &steps, &b))
        scree_route_same_way(&timed, &b, &times);
}

const char *scree_route_twins_lack_moments(const scree_check *check)
{
    g_auto(moments) m = list_moments(check, NULL, 0.0);
    return !m.n      ? "it has no parameters NAME_step and NAME_time"
           : m.given ? "its moments are given"
                     : NULL;
}
