/* SPDX-License-Identifier: Apache-2.0 */
/* Routes: runs of the real engine that must give one state, or one to rounding. */
#include "tools/check/routes.h"

#include <math.h>
#include <string.h>

#include "base/folder.h"
#include "plugin/kinds.h"
#include "run/h5_module.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"
#include "tools/check/check_trip.h"
#include "tools/check/check_variants.h"
#include "tools/check/oldest.h"
#include "tools/check/route_effects.h"
#include "tools/check/route_files.h"
#include "tools/check/route_leg.h"
#include "tools/check/route_twins.h"

/** Number of bodies before the free ones, which have the next ids. */
static uint32_t count_floors(const scree_route_scene *from)
{
    return from->bare ? 0 : 1;
}

/* ---- cases ---- */

static void go_same(const scree_route_scene *from, const scree_check_variant *v,
                    const scree_route_outcome *a)
{
    // The scene, or the plugin, is one of the two at most; both serve many bodies.
    static const char *const others[] = {"gcd={plugin=\"bvh\";}", "gcd={plugin=\"grid\";}"};
    const scree_route routes[] = {
        {.name = "run again"},
        {.name = "in another process", .elsewhere = true},
        {.name = "on 4 lanes", .lanes = 4},
        {.name = "with another contact detection", .set = {others[0]}},
        {.name = "with a second other contact detection", .set = {others[1]}},
        {.name = "with hints erased", .erases_hints = true}};
    for (size_t k = 0; k < G_N_ELEMENTS(routes) && !from->check->failed; k++)
        scree_route_same_way(from, v, a, &routes[k]);
}

static void go_saved(const scree_route_scene *from, const scree_check_variant *v,
                     const scree_route_outcome *a)
{
    // Each part makes a run and a folder: settings other than the defaults are saved less often.
    const scree_route saved = {.name = v->settings || from->solids
                                           ? "saved and loaded after each 12th step"
                                           : "saved and loaded after each step",
                               .part = v->settings || from->solids ? 12 : 1};
    scree_route_same_way(from, v, a, &saved);
}

static bool compared; // two runs of a case that goes only with the defaults

static void go_numbers(const scree_route_scene *from, const scree_check_variant *v,
                       const scree_route_outcome *a)
{
    scree_route_near(
        from, v, a,
        &(scree_route){
            .name = from->churn
                        ? "with other numbers after each step, next to bodies that come and go"
                        : "with other numbers after each step",
            .set = {"renumber={every=1;}"}});
}

/** Whether a parameter is a length: an observer may look at a place, or divide the region. */
static bool has_place(const scree_plugin *plugin)
{
    bool found = false;
    for (uint32_t k = 0; k < plugin->n_params; k++)
        found = found || !g_strcmp0(plugin->params[k]->unit, "m");
    return found;
}

static void go_origin(const scree_route_scene *from, const scree_check_variant *v,
                      const scree_route_outcome *a)
{
    const char *region = v->dimension == 3
                             ? "scene.region={min=(0.25, 0.0, 0.0); max=(1.25, 1.0, 1.0);}"
                             : "scene.region={min=(0.25, 0.0); max=(1.25, 1.0);}";
    scree_route_near(from, v, a,
                     &(scree_route){.name = "with the region moved by a quarter",
                                    .set = {region},
                                    .lattice = true,
                                    .blind = has_place(from->check->plugin)});
}

/** Whether the host says of some values that they are new. */
static bool keeps_values(const scree_plugin *plugin)
{
    bool found = false;
    for (uint32_t f = 0; f < plugin->n_fields; f++)
        found = found || plugin->fields[f]->scope != SCREE_SCOPE_GLOBAL;
    return found;
}

/** New bodies move on as those of the start did. */
static void go_late(const scree_route_scene *from, const scree_check_variant *v,
                    const scree_route_outcome *a)
{
    const scree_route r = {.name = "with new bodies in place of all, after some steps",
                           .later = SCREE_ROUTE_LATE};
    g_auto(scree_route_outcome) b = {.hash = NULL};
    scree_route_scene late = *from;
    scree_route_outcome start = *a;
    const uint32_t floors = count_floors(from);
    late.late = true;
    start.n_old = floors + SCREE_ROUTE_FREE;
    if (!scree_route_other(&late, &r, v, &b))
        return;
    const double d = scree_route_distance_from(&start, &b, floors + 1, a->n_old - floors);
    if (!(d <= 1e-9))
        scree_route_fail(
            from, v, "%s: %u steps later they are up to %.3g m from where the first ones were then",
            r.name, a->steps, d);
}

/** Once: in the dimension that shows most, with the defaults. */
static void go_crowd(const scree_route_scene *from, const scree_check_variant *v,
                     const scree_route_outcome *a)
{
    const scree_route brief = {.name = "among 71 000 other bodies", .short_run = true};
    g_auto(scree_route_outcome) few = {.hash = NULL};
    g_auto(scree_route_outcome) many = {.hash = NULL};
    scree_route_scene rows = *from, crowd;
    rows.crowd = true;
    crowd = rows;
    crowd.crowded = true;
    if (v->dimension != scree_check_dimension(from->check) || from->solids || v->settings ||
        !scree_route_other(&rows, &brief, v, &few) || !scree_route_other(&crowd, &brief, v, &many))
        return;
    compared = true;
    const double d =
        scree_route_distance_from(&few, &many, count_floors(from) + 1, SCREE_ROUTE_OLDER);
    if (!(d <= 1e-9))
        scree_route_fail(from, v,
                         "%s: bodies are up to %.3g m elsewhere after %u steps than without them",
                         brief.name, d, few.steps);
}

static void go_neighbour(const scree_route_scene *from, const scree_check_variant *v,
                         const scree_route_outcome *a)
{
    scree_route_scene more = *from;
    more.neighbours = true;
    scree_route_near(&more, v, a, &(scree_route){.name = "between two that add and take away"});
}

/** Whether anything is another without the modifier. */
static void go_effect(const scree_route_scene *from, const scree_check_variant *v,
                      const scree_route_outcome *a)
{
    g_auto(scree_route_outcome) b = {.hash = NULL};
    scree_route_scene without = *from;
    without.absent = true;
    if (from->seen->motion ||
        !scree_route_other(&without, &(scree_route){.name = "without it"}, v, &b))
        return;
    from->seen->motion = scree_route_distance(a, &b) > 0.0 ||
                         scree_route_fields_differ(a, &b) > 0.0 ||
                         a->residual[a->steps] != b.residual[b.steps];
}

/** Runs with steps that are `finer` times shorter. False: the check has failed. */
static bool run_finer(const scree_route_scene *from, const scree_check_variant *v,
                      const scree_route_outcome *a, uint32_t finer, scree_route_outcome *b)
{
    char dt[G_ASCII_DTOSTR_BUF_SIZE];
    const scree_plugin *plugin = from->check->plugin;
    g_ascii_dtostr(dt, sizeof dt, a->dt / finer);
    g_autofree char *name = g_strdup_printf("with dt/%u", finer);
    g_autofree char *step = g_strdup_printf("scene.dt=%s", dt);
    // the moments of edits stay
    g_autofree char *interval =
        scree_kind_has_intervals(plugin)
            ? g_strdup_printf("%s.every_steps=%u", scree_route_scene_path(plugin), finer)
            : NULL;
    const scree_route r = {.name = name, .set = {step, interval}, .finer = finer};
    return scree_route_other(from, &r, v, b);
}

/** Whether a law reports one of these energies; other plugins do. */
static bool reports(const scree_plugin *plugin, uint64_t any)
{
    return plugin->kind != SCREE_KIND_FORCE || plugin->provides & any;
}

/** Places come to a limit as the step falls. */
static void go_step(const scree_route_scene *from, const scree_check_variant *v,
                    const scree_route_outcome *a)
{
    enum { FINER = 4, FINEST = 16 };
    g_auto(scree_route_outcome) b = {.hash = NULL};
    g_auto(scree_route_outcome) c = {.hash = NULL};
    if (!run_finer(from, v, a, FINER, &b) || !run_finer(from, v, a, FINEST, &c))
        return;
    const double first = scree_route_distance_of_old(a, &b),
                 second = scree_route_distance_of_old(&b, &c);
    const double events = 3e-4; // [m] contacts, which begin in other moments of a step
    if (!(second <= fmax(0.5 * first, events)))
        scree_route_fail(
            from, v,
            "bodies are up to %.3g m elsewhere with dt/%d than with dt, and %.3g m with dt/%d than "
            "with dt/%d; expected less: something acts once in a step, however long the step is",
            first, FINER, second, FINEST, FINER);
}

static void go_energy(const scree_route_scene *from, const scree_check_variant *v,
                      const scree_route_outcome *a)
{
    enum { FINER = 4, FINEST = 16 };
    g_auto(scree_route_outcome) b = {.hash = NULL};
    g_auto(scree_route_outcome) c = {.hash = NULL};
    if (!run_finer(from, v, a, FINER, &b) || !run_finer(from, v, a, FINEST, &c))
        return;
    const double first = scree_route_residual(a), second = scree_route_residual(&b);
    const double third = scree_route_residual(&c);
    // Events fall into other steps, so that the order is 1 only on average. A law loses in each
    // event what its own cases judge.
    const double floor = from->check->plugin->kind == SCREE_KIND_FORCE ? 2e-3 : 1e-7;
    const double most = fmax(first * pow(FINEST, -0.66), floor * a->turnover);
    if (!(third <= most))
        scree_route_fail(
            from, v,
            "the energy account misses up to %.3g J of %.3g J, with dt/%d %.3g J and with dt/%d "
            "%.3g J; expected %.3g J at most%s",
            first, a->turnover, FINER, second, FINEST, third, most,
            !reports(from->check->plugin, SCREE_OUT_STORED) ? " (the law reports no stored energy)"
            : !reports(from->check->plugin, SCREE_OUT_LOST) ? " (the law reports no lost energy)"
                                                            : "");
}

/** Whether the files of another run are the same. */
static bool has_same_files(const scree_route_scene *from, const scree_check_variant *v,
                           const scree_route_outcome *a, const scree_route *r)
{
    g_auto(scree_route_outcome) b = {.hash = NULL};
    if (!scree_route_other(from, r, v, &b))
        return true;
    g_autofree char *difference = scree_route_files_compare(a->parts, b.parts);
    return !difference;
}

/** Files that grow with the run, with another motion of all bodies. */
static void go_seen(const scree_route_scene *from, const scree_check_variant *v,
                    const scree_route_outcome *a)
{
    const scree_route fewer = {.name = "with fewer steps", .short_run = true};
    const scree_route other = {.name = "with another weight",
                               .set = {v->dimension == 3 ? "scene.gravity=(500.0, -900.0, 500.0)"
                                                         : "scene.gravity=(500.0, -900.0)"}};
    scree_route_seen *seen = from->seen;
    if (seen->motion || has_same_files(from, v, a, &fewer))
        return;
    seen->time = true;
    seen->motion = !has_same_files(from, v, a, &other);
}

/** With one of its settings at least: others may look at what is not in the scene. */
static void run_seen(scree_check *check)
{
    scree_route_seen seen = {false, false};
    scree_route_go(check, (scree_route_leg){.go = go_seen, .made_up = true, .seen = &seen});
    const bool judged = check->failed || check->skipped;
    if (!judged && !seen.time)
        scree_check_skip(check, "it writes nothing about the scene of the check");
    else if (!judged && !seen.motion)
        scree_check_fail(check, "its files are the same when all bodies move in another way");
}

static void run_same(scree_check *check)
{
    scree_route_go(check, (scree_route_leg){.go = go_same});
}

/** The plugin runs in a host of this ABI's first version as in this one. */
static void go_oldest(const scree_route_scene *from, const scree_check_variant *v,
                      const scree_route_outcome *a)
{
    scree_check as_oldest = *from->check;
    scree_route_scene other = *from;
    other.check = &as_oldest;
    scree_oldest_use(&as_oldest);
    scree_route_same_way(
        &other, v, a,
        &(scree_route){.name = "with the structs of the oldest host", .may_refuse = true});
    scree_oldest_end(from->check);
    from->check->failed = as_oldest.failed;
}

static void run_oldest(scree_check *check)
{
    scree_route_go(check, (scree_route_leg){.go = go_oldest});
}

static void run_saved(scree_check *check)
{
    g_autoptr(GError) error = NULL;
    if (!scree_h5_load(&error))
        scree_check_skip(check, "%s", error->message);
    else
        scree_route_go(check, (scree_route_leg){.go = go_saved, .unwatched = true});
}

static void run_numbers(scree_check *check)
{
    // An integrator that brings its bodies takes no others.
    const bool own = scree_route_scene_own(&(scree_route_scene){.check = check});
    scree_route_go(check, (scree_route_leg){.go = go_numbers, .churn = !own});
}

static void run_origin(scree_check *check)
{
    if (scree_route_scene_zoned(check->plugin))
        scree_check_skip(check, "it has a region of its own, which does not repeat");
    else
        scree_route_go(check, (scree_route_leg){.go = go_origin, .made_up = true, .free = true});
}

static void run_late(scree_check *check)
{
    if (!keeps_values(check->plugin))
        scree_check_skip(check, "it has no fields of bodies or contacts");
    else if (scree_route_scene_zoned(check->plugin))
        scree_check_skip(check, "it has a region of its own");
    else
        scree_route_go(
            check, (scree_route_leg){.go = go_late, .made_up = true, .free = true, .apart = true});
}

/** Skips a case that goes only with the defaults, if they were refused. */
static void need_defaults(scree_check *check)
{
    if (!compared && !check->failed && !check->skipped)
        scree_check_skip(check, "it refuses the scene of the check with its defaults");
}

static void run_crowd(scree_check *check)
{
    if (scree_route_scene_zoned(check->plugin))
        scree_check_skip(check, "it has a region of its own");
    else
        scree_route_go(check, (scree_route_leg){.go = go_crowd, .made_up = true, .free = true});
    need_defaults(check);
}

static void run_effect(scree_check *check)
{
    scree_route_seen seen = {false, false};
    scree_route_go(check, (scree_route_leg){.go = go_effect, .made_up = true, .seen = &seen});
    if (!check->failed && !check->skipped && !seen.motion)
        scree_check_fail(check,
                         "with none of its settings it changes places, fields or the energy");
}

static void run_neighbour(scree_check *check)
{
    scree_route_go(check, (scree_route_leg){.go = go_neighbour, .made_up = true});
}

static void run_step(scree_check *check)
{
    if (scree_route_scene_zoned(check->plugin))
        scree_check_skip(check, "it has a region of its own, where bodies are in other moments");
    else
        scree_route_go(check, (scree_route_leg){
                                  .go = go_step, .made_up = true, .elastic = true, .free = true});
}

static void run_energy(scree_check *check)
{
    if (!reports(check->plugin, SCREE_OUT_STORED | SCREE_OUT_LOST))
        scree_check_skip(check, "the law reports neither stored nor lost energy");
    else
        scree_route_go(check, (scree_route_leg){
                                  .go = go_energy, .made_up = true, .elastic = true, .free = true});
}

/* A shape is only measured and seen: its own cases do that. A source has made its bodies when a run
 * begins. */
#define OF(kind) (1u << SCREE_KIND_##kind)
#define MOVERS (OF(FORCE) | OF(INTEGRATOR) | OF(MODIFIER))
#define SEARCHERS (OF(GCD) | OF(RESOLVER) | OF(OBSERVER))

const scree_check_case scree_check_routes[] = {
    {"run-same",
     "a run gives one state: again, in another process, on 4 lanes, with another contact "
     "detection, without hints",
     .run = run_same, .of_scenes = true, .kinds = MOVERS | SEARCHERS | OF(SOURCE) | OF(SHAPE)},
    {"run-oldest", "a host whose structs are as long as this ABI's first ones gives the same state",
     .run = run_oldest, .kinds = MOVERS | SEARCHERS | OF(SOURCE)},
    {"run-saved", "a run that is saved, loaded and goes on gives the same state and files",
     .run = run_saved, .of_scenes = true, .kinds = MOVERS | SEARCHERS | OF(SOURCE) | OF(SHAPE)},
    {"run-numbers", "a run whose bodies get other numbers has them at the same places",
     .run = run_numbers, .of_scenes = true, .kinds = MOVERS | SEARCHERS},
    {"run-origin", "a run whose periodic region begins elsewhere has them at the same places",
     .run = run_origin, .kinds = MOVERS | SEARCHERS},
    {"run-lattice", "a run whose lattice is written in another way has them at the same places",
     .run = scree_route_twins_lattice, .kinds = MOVERS | SEARCHERS},
    {"run-axes", "a run whose axes have other names has them at the same places",
     .run = scree_route_twins_axes, .kinds = MOVERS | SEARCHERS},
    {"run-mirror", "a run in a mirror has them at the mirrored places",
     .run = scree_route_twins_mirror, .kinds = OF(FORCE) | OF(RESOLVER) | OF(INTEGRATOR)},
    {"run-units", "a run in other units has them at the same places",
     .run = scree_route_twins_units, .kinds = MOVERS | SEARCHERS},
    {"run-moving", "where everything moves at one speed, a run is the same",
     .run = scree_route_twins_moving, .kinds = OF(FORCE) | OF(RESOLVER) | OF(INTEGRATOR) | OF(GCD)},
    {"run-moments", "a moment given as a step is that given as a time",
     .run = scree_route_twins_moments, .kinds = MOVERS | OF(OBSERVER)},
    {"run-each", "each number among its parameters changes a run", .run = scree_route_effects,
     .kinds = OF(FORCE) | OF(MODIFIER)},
    {"run-late", "bodies that come later move as those of the start did", .run = run_late,
     .kinds = OF(FORCE) | OF(INTEGRATOR)},
    {"run-crowd", "many other bodies, older and younger ones, change nothing", .run = run_crowd,
     .kinds = MOVERS | OF(RESOLVER)},
    {"run-effect", "without it a run is another one", .run = run_effect, .kinds = OF(MODIFIER)},
    {"run-neighbour", "what others have added before stays", .run = run_neighbour,
     .kinds = OF(MODIFIER)},
    {"run-step", "with a shorter time step bodies come to nearly the same places", .run = run_step,
     .kinds = OF(INTEGRATOR) | OF(MODIFIER)},
    {"run-seen", "files of a run show how its bodies move", .run = run_seen, .kinds = OF(OBSERVER)},
    {"run-energy", "what the energy account misses falls with the time step", .run = run_energy,
     .kinds = MOVERS},
    {0}};
