/* SPDX-License-Identifier: Apache-2.0 */
/* Routes: runs of the real engine that must give one state, or one to rounding. */

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

static void go_same(const scree_route_scene *from, const scree_route_outcome *a)
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
        scree_route_same_way(from, a, &routes[k]);
}

static void go_saved(const scree_route_scene *from, const scree_route_outcome *a)
{
    // Each part makes a run and a folder: settings other than the defaults are saved less often.
    const scree_route saved = {.name = from->settings || from->solids
                                           ? "saved and loaded after each 12th step"
                                           : "saved and loaded after each step, later each 15th",
                               .part = from->settings || from->solids ? 12 : 1};
    scree_route_same_way(from, a, &saved);
}

/** A contact detection within an observer divides space by numbers that rounding decides. */
static bool has_nested(const scree_plugin *plugin)
{
    bool found = false;
    for (uint32_t k = 0; k < plugin->n_params; k++)
        found = found || plugin->params[k]->type == SCREE_TYPE_PLUGIN;
    return found;
}

static void go_numbers(const scree_route_scene *from, const scree_route_outcome *a)
{
    const scree_plugin *plugin = from->check->plugin; // NULL: a scene of the user's
    scree_route_near(
        from, a,
        &(scree_route){
            .name = from->churn
                        ? "with other numbers after each step, next to bodies that come and go"
                        : "with other numbers after each step",
            .set = {"renumber={every=1;}"},
            .no_arrays = plugin && has_nested(plugin)});
}

/** Whether a parameter is a length: an observer may look at a place, or divide the region. */
static bool has_place(const scree_plugin *plugin)
{
    bool found = false;
    for (uint32_t k = 0; k < plugin->n_params; k++)
        found = found || !g_strcmp0(plugin->params[k]->unit, "m");
    return found;
}

static void go_origin(const scree_route_scene *from, const scree_route_outcome *a)
{
    const char *region = from->dimension == 3
                             ? "scene.region={min=(0.25, 0.0, 0.0); max=(1.25, 1.0, 1.0);}"
                             : "scene.region={min=(0.25, 0.0); max=(1.25, 1.0);}";
    scree_route_near(from, a,
                     &(scree_route){.name = "with the region moved by a quarter",
                                    .set = {region},
                                    .lattice = true,
                                    .blind = has_place(from->check->plugin)});
}

/** New bodies move on as those of the start did. */
static void go_late(const scree_route_scene *from, const scree_route_outcome *a)
{
    const scree_route r = {.name = "with new bodies in place of all, after some steps",
                           .later = SCREE_ROUTE_LATE};
    g_auto(scree_route_outcome) b = {.hash = NULL};
    scree_route_scene late = *from;
    scree_route_outcome start = *a;
    const uint32_t floors = count_floors(from);
    late.late = true;
    start.n_old = floors + SCREE_ROUTE_FREE;
    if (!scree_route_other(&late, &r, &b))
        return;
    const double d = scree_route_distance_from(&start, &b, floors + 1, a->n_old - floors);
    if (!(d <= 1e-9))
        scree_route_fail(
            from, "%s: %u steps later they are up to %.3g m from where the first ones were then",
            r.name, a->steps, d);
}

/** Once: in the dimension that shows most, with the defaults. */
static void go_crowd(const scree_route_scene *from, const scree_route_outcome *a)
{
    const scree_route brief = {.name = "among 71 000 other bodies", .short_run = true};
    g_auto(scree_route_outcome) few = {.hash = NULL};
    g_auto(scree_route_outcome) many = {.hash = NULL};
    scree_route_scene rows = *from, crowd;
    rows.crowd = true;
    crowd = rows;
    crowd.crowded = true;
    if (from->dimension != scree_check_dimension(from->check) || from->solids || from->settings ||
        !scree_route_other(&rows, &brief, &few) || !scree_route_other(&crowd, &brief, &many))
        return;
    from->seen->twins = true;
    const double d =
        scree_route_distance_from(&few, &many, count_floors(from) + 1, SCREE_ROUTE_OLDER);
    if (!(d <= 1e-9))
        scree_route_fail(from,
                         "%s: bodies are up to %.3g m elsewhere after %u steps than without them",
                         brief.name, d, few.steps);
}

static void go_neighbour(const scree_route_scene *from, const scree_route_outcome *a)
{
    scree_route_scene more = *from;
    more.neighbours = true;
    scree_route_near(&more, a, &(scree_route){.name = "between two that add and take away"});
}

/** Whether anything is another without the modifier. */
static void go_effect(const scree_route_scene *from, const scree_route_outcome *a)
{
    g_auto(scree_route_outcome) b = {.hash = NULL};
    scree_route_scene without = *from;
    without.absent = true;
    if (from->seen->motion ||
        !scree_route_other(&without, &(scree_route){.name = "without it"}, &b))
        return;
    from->seen->motion = scree_route_distance(a, &b) > 0.0 ||
                         scree_route_fields_differ(a, &b) > 0.0 ||
                         a->residual[a->steps] != b.residual[b.steps];
}

/** Runs with steps that are `finer` times shorter. False: the check has failed. */
static bool run_finer(const scree_route_scene *from, const scree_route_outcome *a, uint32_t finer,
                      scree_route_outcome *b)
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
    return scree_route_other(from, &r, b);
}

/** Whether a law reports one of these energies; other plugins do. */
static bool reports(const scree_plugin *plugin, uint64_t any)
{
    return plugin->kind != SCREE_KIND_FORCE || plugin->provides & any;
}

/** Places come to a limit as the step falls. */
static void go_step(const scree_route_scene *from, const scree_route_outcome *a)
{
    enum { FINER = 4, FINEST = 16 };
    g_auto(scree_route_outcome) b = {.hash = NULL};
    g_auto(scree_route_outcome) c = {.hash = NULL};
    if (!run_finer(from, a, FINER, &b) || !run_finer(from, a, FINEST, &c))
        return;
    const double first = scree_route_distance_of_old(a, &b),
                 second = scree_route_distance_of_old(&b, &c);
    const double events = 3e-4; // [m] contacts, which begin in other moments of a step
    if (!(second <= fmax(0.5 * first, events)))
        scree_route_fail(
            from,
            "bodies are up to %.3g m elsewhere with dt/%d than with dt, and %.3g m with dt/%d than "
            "with dt/%d; expected less: something acts once in a step, however long the step is",
            first, FINER, second, FINEST, FINER);
}

static void go_energy(const scree_route_scene *from, const scree_route_outcome *a)
{
    enum { FINER = 4, FINEST = 16 };
    g_auto(scree_route_outcome) b = {.hash = NULL};
    g_auto(scree_route_outcome) c = {.hash = NULL};
    if (!run_finer(from, a, FINER, &b) || !run_finer(from, a, FINEST, &c))
        return;
    const double first = scree_route_residual(a), second = scree_route_residual(&b);
    const double third = scree_route_residual(&c);
    // Events fall into other steps, so that the order is 1 only on average. A law loses in each
    // event what its own cases judge.
    const double floor = from->check->plugin->kind == SCREE_KIND_FORCE ? 2e-3 : 1e-7;
    const double most = fmax(first * pow(FINEST, -0.66), floor * a->turnover);
    if (!(third <= most))
        scree_route_fail(
            from,
            "the energy account misses up to %.3g J of %.3g J, with dt/%d %.3g J and with dt/%d "
            "%.3g J; expected %.3g J at most%s",
            first, a->turnover, FINER, second, FINEST, third, most,
            !reports(from->check->plugin, SCREE_OUT_STORED) ? " (the law reports no stored energy)"
            : !reports(from->check->plugin, SCREE_OUT_LOST) ? " (the law reports no lost energy)"
                                                            : "");
}

/** Whether the files of another run are the same. */
static bool has_same_files(const scree_route_scene *from, const scree_route_outcome *a,
                           const scree_route *r)
{
    g_auto(scree_route_outcome) b = {.hash = NULL};
    if (!scree_route_other(from, r, &b))
        return true;
    g_autofree char *difference = scree_route_files_compare(a->parts, b.parts);
    return !difference;
}

/** Files that grow with the run, with another motion of all bodies. */
static void go_seen(const scree_route_scene *from, const scree_route_outcome *a)
{
    const scree_route fewer = {.name = "with fewer steps", .short_run = true};
    const scree_route other = {.name = "with another weight",
                               .set = {from->dimension == 3 ? "scene.gravity=(500.0, -900.0, 500.0)"
                                                            : "scene.gravity=(500.0, -900.0)"}};
    scree_route_seen *seen = from->seen;
    if (seen->motion || has_same_files(from, a, &fewer))
        return;
    seen->time = true;
    seen->motion = !has_same_files(from, a, &other);
}

/** With one of its settings at least: others may look at what is not in the scene. */
static void end_seen(scree_check *check, const scree_route_seen *seen)
{
    if (!seen->time)
        scree_check_skip(check, "it writes nothing about the scene of the check");
    else if (!seen->motion)
        scree_check_fail(check, "its files are the same when all bodies move in another way");
}

static void end_effect(scree_check *check, const scree_route_seen *seen)
{
    if (!seen->motion)
        scree_check_fail(check,
                         "with none of its settings it changes places, fields or the energy");
}

static void end_crowd(scree_check *check, const scree_route_seen *seen)
{
    if (!seen->twins)
        scree_check_skip(check, "it refuses the scene of the check with its defaults");
}

/** The plugin runs in a host of this ABI's first version as in this one. */
static void go_oldest(const scree_route_scene *from, const scree_route_outcome *a)
{
    scree_check as_oldest = *from->check;
    scree_route_scene other = *from;
    other.check = &as_oldest;
    scree_oldest_use(&as_oldest);
    scree_route_same_way(
        &other, a,
        &(scree_route){.name = "with the structs of the oldest host", .may_refuse = true});
    scree_oldest_end(from->check);
    from->check->failed = as_oldest.failed;
}

static const char *lacks_files(const scree_check *check)
{
    static char why[256];
    g_autoptr(GError) error = NULL;
    (void)check;
    if (!scree_h5_load(&error))
        g_strlcpy(why, error->message, sizeof why);
    return *why ? why : NULL;
}

static const char *lacks_open_space(const scree_check *check)
{
    return scree_route_scene_zoned(check->plugin) ? "it has a region of its own" : NULL;
}

/** The host says of values of bodies and contacts that they are new. */
static const char *lacks_values(const scree_check *check)
{
    const scree_plugin *plugin = check->plugin;
    for (uint32_t f = 0; f < plugin->n_fields; f++)
        if (plugin->fields[f]->scope != SCREE_SCOPE_GLOBAL)
            return lacks_open_space(check);
    return "it has no fields of bodies or contacts";
}

static const char *lacks_energy(const scree_check *check)
{
    return reports(check->plugin, SCREE_OUT_STORED | SCREE_OUT_LOST)
               ? NULL
               : "the law reports neither stored nor lost energy";
}

/* A shape is only measured and seen: its own cases do that. A source has made its bodies when a run
 * begins. */
#define OF(kind) (1u << SCREE_KIND_##kind)
#define MOVERS (OF(FORCE) | OF(INTEGRATOR) | OF(MODIFIER))
#define SEARCHERS (OF(GCD) | OF(RESOLVER) | OF(OBSERVER))
#define LEG(...)                                                                                   \
    .by = scree_route_go, .row = &(const scree_route_leg)                                          \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define MADE_UP(...) LEG(__VA_ARGS__, .made_up = true)
#define FREE(...) MADE_UP(__VA_ARGS__, .free = true)

const scree_check_case scree_check_routes[] = {
    {"run-same",
     "a run gives one state: again, in another process, on 4 lanes, with another contact "
     "detection, without hints",
     LEG(.go = go_same), .of_scenes = true, .kinds = MOVERS | SEARCHERS | OF(SOURCE) | OF(SHAPE)},
    {"run-oldest", "a host whose structs are as long as this ABI's first ones gives the same state",
     LEG(.go = go_oldest), .kinds = MOVERS | SEARCHERS | OF(SOURCE)},
    {"run-saved", "a run that is saved, loaded and goes on gives the same state and files",
     LEG(.go = go_saved, .unwatched = true), .lacks = lacks_files, .of_scenes = true,
     .kinds = MOVERS | SEARCHERS | OF(SOURCE) | OF(SHAPE)},
    {"run-numbers", "a run whose bodies get other numbers has them at the same places",
     LEG(.go = go_numbers, .churn = true), .of_scenes = true, .kinds = MOVERS | SEARCHERS},
    {"run-origin", "a run whose periodic region begins elsewhere has them at the same places",
     FREE(.go = go_origin), .lacks = lacks_open_space, .kinds = MOVERS | SEARCHERS},
    {"run-lattice", "a run whose lattice is written in another way has them at the same places",
     FREE(.go = scree_route_twins_lattice, .lattice = true), .kinds = MOVERS | SEARCHERS},
    {"run-axes", "a run whose axes have other names has them at the same places",
     FREE(.go = scree_route_twins_axes, .end = scree_route_twins_end_axes),
     .lacks = scree_route_twins_lack_axes, .kinds = MOVERS | SEARCHERS | OF(SHAPE)},
    {"run-mirror", "a run in a mirror has them at the mirrored places",
     FREE(.go = scree_route_twins_mirror, .end = scree_route_twins_end_mirror),
     .lacks = scree_route_twins_lack_mirror, .kinds = OF(FORCE) | OF(RESOLVER) | OF(INTEGRATOR)},
    {"run-units", "a run in other units has them at the same places",
     FREE(.go = scree_route_twins_units), .kinds = MOVERS | SEARCHERS},
    {"run-moving", "where everything is elsewhere and moves at one speed, a run is the same",
     FREE(.go = scree_route_twins_moving),
     .kinds = OF(FORCE) | OF(RESOLVER) | OF(INTEGRATOR) | OF(GCD)},
    {"run-elsewhere", "where everything is elsewhere, a run is the same",
     FREE(.go = scree_route_twins_elsewhere), .lacks = scree_route_twins_lack_elsewhere,
     .kinds = OF(MODIFIER)},
    {"run-moments", "a moment given as a step is that given as a time",
     FREE(.go = scree_route_twins_moments), .lacks = scree_route_twins_lack_moments,
     .kinds = MOVERS | OF(OBSERVER)},
    {"run-each", "each number among its parameters changes a run", .run = scree_route_effects,
     .kinds = OF(FORCE) | OF(MODIFIER)},
    {"run-late", "bodies that come later move as those of the start did",
     FREE(.go = go_late, .apart = true), .lacks = lacks_values,
     .kinds = OF(FORCE) | OF(INTEGRATOR)},
    {"run-crowd", "many other bodies, older and younger ones, change nothing",
     FREE(.go = go_crowd, .end = end_crowd), .lacks = lacks_open_space,
     .kinds = MOVERS | OF(RESOLVER)},
    {"run-effect", "without it a run is another one", MADE_UP(.go = go_effect, .end = end_effect),
     .kinds = OF(MODIFIER)},
    {"run-neighbour", "what others have added before stays", MADE_UP(.go = go_neighbour),
     .kinds = OF(MODIFIER)},
    {"run-step", "with a shorter time step bodies come to nearly the same places",
     FREE(.go = go_step, .elastic = true), .lacks = lacks_open_space,
     .kinds = OF(INTEGRATOR) | OF(MODIFIER)},
    {"run-seen", "files of a run show how its bodies move", MADE_UP(.go = go_seen, .end = end_seen),
     .kinds = OF(OBSERVER)},
    {"run-energy", "what the energy account misses falls with the time step",
     FREE(.go = go_energy, .elastic = true), .lacks = lacks_energy, .kinds = MOVERS},
    {0}};
