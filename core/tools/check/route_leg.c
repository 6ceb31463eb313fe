/* SPDX-License-Identifier: Apache-2.0 */
/* A case that runs routes: it goes with each variant of the plugin, and compares other runs with
 * the first one. */
#include "tools/check/route_leg.h"

#include <math.h>
#include <string.h>

#include "tools/check/check_report.h"
#include "tools/check/check_trip.h"
#include "tools/check/route_files.h"

/** A leg under way. */
typedef struct travel {
    const scree_route_leg *leg;
    scree_route_seen seen;
} travel;

/** Runs the reference, then what the leg compares with it. */
static bool go(const scree_route_scene *usual, void *user, GError **error)
{
    static const scree_route reference = {.name = "reference"};
    travel *t = user;
    const scree_route_leg *l = t->leg;
    const scree_plugin *plugin = usual->check->plugin;
    const bool own = plugin && scree_route_scene_own(usual);
    g_auto(scree_route_outcome) a = {.hash = NULL};
    scree_route_scene from = *usual;
    from.elastic = l->elastic;
    from.apart = l->apart;
    from.unwatched = l->unwatched;
    from.lattice = l->lattice;
    from.churn = l->churn && !own; // that takes no others
    from.seen = &t->seen;
    if (from.settings && plugin->kind == SCREE_KIND_SHAPE)
        return true; // its own cases try those: a run needs only its views
    if (l->free && own)
        return scree_fail(error, SCREE_EXIT_USAGE, "the bodies move as the integrator says");
    if (!scree_route_travel(&from, &reference, &a, error))
        return false;
    l->go(&from, &a);
    return true;
}

void scree_route_go(scree_check *check, const void *row)
{
    travel t = {.leg = row};
    if (t.leg->made_up && check->scene) {
        scree_check_skip(check, "it needs the scene of the check");
        return;
    }
    scree_check_trip_each(check, go, &t);
    if (t.leg->end && !check->failed && !check->skipped)
        t.leg->end(check, &t.seen);
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
    g_autofree char *other =
        r->blind ? NULL
                 : scree_route_files_differ(a->parts->pdata[0], b->parts->pdata[0], r->lattice,
                                            r->mixed, !r->lattice && !r->no_arrays);
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
