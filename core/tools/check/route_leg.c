/* SPDX-License-Identifier: Apache-2.0 */
/* A case that runs routes: it goes with each variant of the plugin, and compares other runs with the
 * first one. */
#include "tools/check/route_leg.h"

#include <math.h>
#include <string.h>

#include "base/folder.h"
#include "tools/check/check_report.h"
#include "tools/check/check_trip.h"
#include "tools/check/check_variants.h"
#include "tools/check/route_files.h"
#include "tools/check/route_plugins.h"

/** Runs the reference. */
static bool try_reference(const scree_route_scene *from, void *user, GError **error)
{
    static const scree_route reference = {.name = "reference"};
    const bool good = scree_route_travel(from, &reference, user, error);
    if (!good)
        scree_route_outcome_clear(user);
    return good;
}

bool scree_route_fail(const scree_route_scene *from, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    if (from->check->scene)
        scree_check_fail(from->check, "%s", text);
    else
        scree_check_fail(from->check, "%uD, %s: %s", from->dimension, from->name, text);
    return false;
}

/** A leg under way. */
typedef struct travel {
    const scree_route_leg *leg;
    scree_route_seen seen;
    GString *refusal; // why the plugin did not run at last
} travel;

static bool try_leg(scree_check *check, const scree_check_variant *v, void *user)
{
    travel *t = user;
    const scree_route_leg *l = t->leg;
    g_autoptr(GError) error = NULL;
    g_auto(scree_route_outcome) a = {.hash = NULL};
    scree_route_scene from = {.check = check,
                              .dimension = v->dimension,
                              .settings = v->settings,
                              .name = v->name,
                              .elastic = l->elastic,
                              .apart = l->apart,
                              .unwatched = l->unwatched,
                              .seen = &t->seen,
                              .lattice = l->lattice};
    from.churn = l->churn && !scree_route_scene_own(&from); // that takes no others
    if (v->settings && check->plugin && check->plugin->kind == SCREE_KIND_SHAPE)
        return true; // its own cases try those: a run needs only its views
    if (l->free && scree_route_scene_own(&from)) {
        g_string_assign(t->refusal, "the bodies move as the integrator says");
        return false;
    }
    if (scree_route_scene_try(&from, try_reference, &a, &error)) {
        l->go(&from, &a);
        return true;
    }
    if (scree_route_scene_is_refusal(error) && !check->scene)
        g_string_assign(t->refusal, error->message);
    else
        scree_route_fail(&from, "%s", error->message);
    return check->failed;
}

void scree_route_go(scree_check *check, const void *row)
{
    travel t = {.leg = row};
    if (t.leg->made_up && check->scene) {
        scree_check_skip(check, "it needs the scene of the check");
        return;
    }
    t.refusal = g_string_new(NULL);
    scree_say_set(scree_check_trip_hear);
    scree_folder_spare_syncs();
    if (check->scene)
        try_leg(check, &(scree_check_variant){.name = check->scene}, &t);
    else
        scree_route_plugins_give(check);
    if (!check->scene && !scree_check_settings_each(check, false, try_leg, &t))
        scree_check_skip(check, "it refuses the scenes of the check: %s", t.refusal->str);
    if (t.leg->end && !check->failed && !check->skipped)
        t.leg->end(check, &t.seen);
    g_string_free(t.refusal, TRUE);
    scree_say_set(NULL);
}

bool scree_route_other(const scree_route_scene *from, const scree_route *r, scree_route_outcome *o)
{
    g_autoptr(GError) error = NULL;
    if (r->elsewhere)
        return scree_route_travel_in_child(from, r, o);
    if (scree_route_travel(from, r, o, &error))
        return true;
    const bool refused =
        scree_route_scene_is_refusal(error) || strstr(error->message, "(bad config, -1)");
    return !(r->may_refuse && refused) && scree_route_fail(from, "%s: %s", r->name, error->message);
}

void scree_route_same_way(const scree_route_scene *from, const scree_route_outcome *a,
                          const scree_route *r)
{
    g_auto(scree_route_outcome) b = {.hash = NULL};
    if (!scree_route_other(from, r, &b))
        return;
    g_autofree char *other = b.parts ? scree_route_files_compare(a->parts, b.parts) : NULL;
    if (strcmp(a->hash, b.hash))
        scree_route_fail(from, "%s: another state after %u steps", r->name, a->steps);
    else if (other)
        scree_route_fail(from, "%s: %s", r->name, other);
}

void scree_route_judge_near(const scree_route_scene *from, const scree_route_outcome *a,
                            const scree_route_outcome *b, const scree_route *r)
{
    const char *name = r->name;
    // Integrators keep derivatives: the rounding of places over dt^3. Wrong derivatives move bodies.
    const bool keeps = from->check->plugin && from->check->plugin->kind == SCREE_KIND_INTEGRATOR;
    const double d = scree_route_distance(a, b);
    const double f = keeps || r->units || r->mixed ? 0.0 : scree_route_fields_differ(a, b);
    const double e = fabs(a->residual[a->steps] - b->residual[b->steps]);
    if (!(d <= 1e-9))
        scree_route_fail(from, "%s: bodies are up to %.3g m elsewhere after %u steps", name, d,
                         a->steps);
    else if (!(f <= 1e-6)) // a field may hold what a contact of rounded depth has given
        scree_route_fail(from, "%s: a body field differs by %.3g of its size after %u steps", name,
                         f, a->steps);
    else if (!(e <= 1e-9 * (a->turnover + 1.0)))
        scree_route_fail(from, "%s: the energy account differs by %.3g J after %u steps", name, e,
                         a->steps);
    g_autofree char *scalar =
        r->blind && !r->units ? NULL : scree_route_scalars_differ(a, b, r->mixed);
    if (scalar)
        scree_route_fail(from, "%s: %s", name, scalar);
    g_autofree char *other = r->blind
                                 ? NULL
                                 : scree_route_files_differ(a->parts->pdata[0], b->parts->pdata[0],
                                                            r->lattice, r->mixed);
    if (other)
        scree_route_fail(from, "%s: %s", name, other);
}

void scree_route_near(const scree_route_scene *from, const scree_route_outcome *a,
                      const scree_route *r)
{
    g_auto(scree_route_outcome) b = {.hash = NULL};
    if (scree_route_other(from, r, &b))
        scree_route_judge_near(from, a, &b, r);
}
