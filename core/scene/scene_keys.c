// SPDX-License-Identifier: Apache-2.0
// All keys of a scene that the host reads: a row each, in tables by group.
#include "scene/scene_keys.h"

#include <math.h>
#include <string.h>

#include "config/config_read.h"
#include "scene/scene_settings.h"

enum {
    MUST = SCREE_PARAM_REQUIRED,
    MAY = SCREE_PARAM_OPTIONAL,
    LIVE = SCREE_PARAM_LIVE,
    ABOVE = SCREE_PARAM_MIN_OPEN, // greater than the minimum
    FILES = SCREE_PARAM_FILE,
};
#define UNSET SCREE_KEY_UNSET
#define NONE ((double)NAN)

/* Rows, in the order of the macros of plugins (sdk.h): a member of a struct, named like the key;
 * flags; members by type; help. */
#define KEY_ROW(type_, struct_, member, name_, flags_, help_, ...)                                 \
    {                                                                                              \
        .size = sizeof(scree_param), .type = type_, .offset = offsetof(struct_, member),           \
        .name = name_, .flags = flags_, .help = help_, __VA_ARGS__                                 \
    }
#define KEY_BOOL(s, key, def, help)                                                                \
    KEY_ROW(SCREE_TYPE_BOOL, s, key, #key, 0, help, .int_default = (def))
#define KEY_INT_OF(type, s, key, flags, def, min, max, help)                                       \
    KEY_ROW(type, s, key, #key, flags, help, .int_default = (def), .int_min = (min),               \
            .int_max = (max))
#define KEY_INT(...) KEY_INT_OF(SCREE_TYPE_INT, __VA_ARGS__)
#define KEY_COUNT(...) KEY_INT_OF(SCREE_KEY_COUNT, __VA_ARGS__)
#define KEY_REAL_AS(name, s, key, unit_, flags, def, min, max, help)                               \
    KEY_ROW(SCREE_TYPE_REAL, s, key, name, flags, help, .unit = unit_, .real_default = (def),      \
            .real_min = (min), .real_max = (max))
#define KEY_REAL(s, key, ...) KEY_REAL_AS(#key, s, key, __VA_ARGS__)
#define KEY_REALS(s, key, unit_, flags, min, max, help)                                            \
    KEY_ROW(SCREE_TYPE_REAL_ARRAY, s, key, #key, flags, help, .unit = unit_, .real_min = (min),    \
            .real_max = (max))
#define KEY_VECTOR_IN(type, n, most, s, key, unit_, flags, help)                                   \
    KEY_ROW(type, s, key, #key, flags, help, .unit = unit_, .length = n, .real_min = -(most),      \
            .real_max = (most))
#define KEY_VECTOR_OF(type, n, ...) KEY_VECTOR_IN(type, n, HUGE_VAL, __VA_ARGS__)
#define BRIEFEST 1e-30 /* [s] interval, of which a run has a number */
#define WIDEST 1e100   /* [m] place of a region: its volume is finite */
#define LARGEST 1e150  /* largest value of a state: its square is finite */
#define STRONGEST 1e12 /* that of a neutron star */
#define KEY_VECTOR(...) KEY_VECTOR_OF(SCREE_KEY_VECTOR, 0, __VA_ARGS__)
#define KEY_STATE(...) KEY_VECTOR_IN(SCREE_KEY_VECTOR, 0, LARGEST, __VA_ARGS__)
#define KEY_VECTOR3(...) KEY_VECTOR_OF(SCREE_KEY_VECTOR, 3, __VA_ARGS__)
#define KEY_SPIN(...) KEY_VECTOR_IN(SCREE_KEY_SPIN, 0, LARGEST, __VA_ARGS__)
#define KEY_CHOICE_OF(type, s, key, flags, def, words, help)                                       \
    KEY_ROW(type, s, key, #key, flags, help, .string_default = (def), .choices = (words),          \
            .n_choices = G_N_ELEMENTS(words))
#define KEY_CHOICE(...) KEY_CHOICE_OF(SCREE_TYPE_CHOICE, __VA_ARGS__)
#define KEY_AXES(...) KEY_CHOICE_OF(SCREE_KEY_AXES, __VA_ARGS__)
#define KEY_TEXT(s, key, flags, def, help)                                                         \
    KEY_ROW(SCREE_TYPE_STRING, s, key, #key, flags, help, .string_default = (def))
#define KEY_TEXTS(s, key, flags, help)                                                             \
    KEY_ROW(SCREE_TYPE_STRING_ARRAY, s, key, #key, flags, help, .length = 0)
#define KEY_NODE(type, s, key, flags, what, help)                                                  \
    KEY_ROW(SCREE_KEY_##type, s, key, #key, flags, help, .string_default = (what))
#define WORD(value, name, help)                                                                    \
    &(const scree_choice)                                                                          \
    {                                                                                              \
        sizeof(scree_choice), value, name, help                                                    \
    }
#define KEY_TABLE(number, name, s, rows, help)                                                     \
    [SCREE_KEYS_##number] = {name, help, sizeof(s), rows, G_N_ELEMENTS(rows)}

/* ---- the top level ---- */

#define TOP(type, key, what, help) KEY_NODE(type, scree_top_keys, key, 0, what, help)
static const scree_param top_rows[] = {
    TOP(NODE, base, "file",
        "starts from another scene: groups merge, other values replace; NAME = \"off\" drops a "
        "group"),
    TOP(GROUP, scene, "group", "dimension, time, region"),
    TOP(NODE, materials, "groups by name", "at least one"),
    TOP(LIST, material_pairs, "list of groups", "values for two materials that meet"),
    TOP(NODE, shapes, "groups by name", "shared by bodies"),
    TOP(NODE, bodies, "groups by name", "one by one"),
    TOP(NODE, generate, "plugins by name",
        "sources of bodies: by number, by solid fraction, of a file"),
    TOP(NODE, gcd, "plugin", "contact detection; auto unless given"),
    TOP(NODE, resolvers, "list of plugins, or one",
        "contact resolution; unless given, chosen by shapes, laws and what is installed"),
    TOP(NODE, force, "list of plugins, or one",
        "laws, summed per contact in this order; a note says that there is none"),
    TOP(NODE, integrator, "plugin", "velocity_verlet unless given"),
    TOP(NODE, domain, "plugin", "ranks, the processes of the run; one unless given"),
    TOP(NODE, observers, "plugins by name", "files of a run, with an interval"),
    TOP(NODE, modifiers, "plugins by name",
        "forces besides those of contacts, and changes of bodies, with an interval"),
    TOP(GROUP, query, "group", "the plugin that answers questions about space"),
    TOP(GROUP, extent, "group", "tolerance of boxes"),
    TOP(GROUP, renumber, "group", "order of storage"),
    TOP(GROUP, guard, "group", "copies of the state, pairs checked by brute force"),
    TOP(GROUP, checkpoint, "group", "saves the state"),
    TOP(NODE, stop, "list of groups, or one", "conditions that end a run before its last step"),
    TOP(LIST, schedule, "list of groups",
        "plugins, gravity, dt, boundaries, walls that change during a run"),
    KEY_TEXTS(
        scree_top_keys, plugin_path, MAY | FILES,
        "folders that are searched first; their files are code that runs, also in `validate`"),
};

/* ---- scene ---- */

static const scree_param scene_rows[] = {
    KEY_TEXT(scree_scene, title, MAY, NULL, "shown in tables; the name of the file unless given"),
    KEY_COUNT(scree_scene, dimension, 0, 3, 2, 3, "2: the x-y plane, rotation about z"),
    KEY_REAL(scree_scene, dt_fraction, NULL, ABOVE, 0.3, 0.0, 1.0,
             "dt = \"auto\" is this share of the smallest critical step"),
    KEY_REAL(scree_scene, dt_limit, NULL, ABOVE, 2.0, 0.0, HUGE_VAL,
             "largest dt that is run, as a multiple of the critical step"),
    KEY_INT(scree_scene, steps, 0, 0, 0, INT64_MAX,
            "steps of a run; 0: --steps, --for or --until is needed"),
    KEY_REAL(scree_scene, thickness, "m", ABOVE, 1.0, 0.0, HUGE_VAL,
             "2D: of discs; mass = density x area x thickness"),
    KEY_INT(scree_scene, seed, 0, 1, 0, INT64_MAX, "of all random numbers"),
};

static const scree_choice *const boundaries[] = {
    WORD(SCREE_BOUNDARY_OPEN, "open", "nothing happens there"),
    WORD(SCREE_BOUNDARY_STOP, "stop", "puts the body on the boundary, at rest"),
    WORD(SCREE_BOUNDARY_REFLECT, "reflect", "mirrors position and velocity"),
    WORD(SCREE_BOUNDARY_DESTROY, "destroy", "removes the body"),
    WORD(SCREE_BOUNDARY_PERIODIC, "periodic", "wraps it"),
};
static const scree_param live_rows[] = {
    KEY_REAL(scree_settings, dt, "s", ABOVE | LIVE | SCREE_KEY_AUTO, NONE, 0.0, 1e12,
             "time step; \"auto\": `dt_fraction` of the smallest critical step"),
    KEY_VECTOR_IN(SCREE_KEY_VECTOR, 0, STRONGEST, scree_settings, gravity, "m/s^2", LIVE,
                  "acceleration of free bodies"),
    KEY_NODE(GROUP, scree_settings, region, LIVE, "{ min, max, tilt }",
             "the space of `boundary` and `generate`"),
    KEY_AXES(scree_settings, boundary, LIVE, "open", boundaries,
             "what becomes of a free body whose centre leaves the region; all but open "
             "need a region"),
};

static const scree_param region_rows[] = {
    KEY_VECTOR_IN(SCREE_KEY_VECTOR, 0, WIDEST, scree_region_keys, min, "m", MUST, "lower corner"),
    KEY_VECTOR_IN(SCREE_KEY_VECTOR, 0, WIDEST, scree_region_keys, max, "m", MUST, "upper corner"),
    KEY_VECTOR3(
        scree_region_keys, tilt, "m", 0,
        "xy, xz, yz: the next cell along y is xy farther along x, the next one along z is xz "
        "farther along x and yz farther along y; both axes of a number are periodic"),
};

static const scree_choice *const zone_types[] = {
    WORD(SCREE_ZONE_BOX, "box", "`min`, `max`"),
    WORD(SCREE_ZONE_BALL, "sphere", "in 2D a disc"),
    WORD(SCREE_ZONE_CYLINDER, "cylinder", "3D"),
};
static const scree_param zone_rows[] = {
    KEY_CHOICE(scree_zone_keys, type, 0, "box", zone_types, "its form"),
};
static const scree_param ball_rows[] = {
    KEY_VECTOR(scree_zone_keys, centre, "m", MUST, "of the ball"),
    KEY_REAL(scree_zone_keys, radius, "m", MUST | ABOVE, NONE, 0.0, HUGE_VAL, "of the ball"),
};
static const scree_param cylinder_rows[] = {
    KEY_VECTOR(scree_zone_keys, from, "m", MUST, "one end of its axis"),
    KEY_VECTOR(scree_zone_keys, to, "m", MUST, "the other end of its axis"),
    KEY_REAL(scree_zone_keys, radius, "m", MUST | ABOVE, NONE, 0.0, HUGE_VAL, "of the cylinder"),
    KEY_REAL(scree_zone_keys, inner, "m", 0, 0.0, 0.0, HUGE_VAL,
             "radius of the hole along its axis; 0: none"),
};

/* ---- materials ---- */

static const scree_param material_rows[] = {
    KEY_REAL(scree_material_keys, density, "kg/m^3", MUST | ABOVE, NONE, 0.0, HUGE_VAL,
             "mass per volume"),
    KEY_REAL(scree_material_keys, young_modulus, "Pa", MAY | ABOVE, 0.0, 0.0, 1e30,
             "for the Rayleigh step, and laws that need it"),
    KEY_REAL(scree_material_keys, poisson_ratio, NULL, MAY | ABOVE, 0.0, -1.0, 0.5,
             "for the Rayleigh step, and laws that need it"),
};

/* ---- bodies ---- */

static const scree_choice *const motions[] = {
    WORD(SCREE_MOTION_FREE, "free", "moves by forces; not of walls and planes"),
    WORD(SCREE_MOTION_KINEMATIC, "kinematic", "keeps velocity and spin; modifier/move moves it"),
    WORD(SCREE_MOTION_FIXED, "fixed", "does not move"),
};
static const scree_param body_rows[] = {
    KEY_TEXT(scree_body_keys, shape, MAY, NULL, "name of a shape; sphere, in 2D disc unless given"),
    KEY_TEXT(scree_body_keys, material, MAY, NULL,
             "name of a material; the only one unless there are several"),
    KEY_REAL(scree_body_keys, radius, "m", MAY | ABOVE, 0.0, 0.0, HUGE_VAL,
             "of a ball or disc, else of the sphere (2D: disc) of equal volume (area); not of "
             "walls, nor of a round shape that has its size"),
    KEY_REAL(scree_body_keys, diameter, "m", MAY | ABOVE, 0.0, 0.0, HUGE_VAL, "instead of radius"),
    KEY_REAL(scree_body_keys, scale, NULL, MAY | ABOVE, 0.0, 0.0, HUGE_VAL,
             "multiplies the lengths of a shape that has its size"),
    KEY_CHOICE(scree_body_keys, motion, MAY, NULL, motions,
               "free unless given; facets and planes: fixed"),
    KEY_STATE(scree_body_keys, velocity, "m/s", 0, "not of fixed bodies"),
    KEY_SPIN(scree_body_keys, spin, "rad/s", 0, "not of fixed bodies"),
};

#define FIELDS(s)                                                                                  \
    KEY_NODE(NODE, s, fields, MAY, "group, or list of groups",                                     \
             "start values of body fields by name; they hold for all bodies of the group")
static const scree_param one_rows[] = {
    KEY_STATE(scree_one_keys, position, "m", MAY,
              "centre; required, but of facets and planes, which have 0"),
    KEY_NODE(NODE, scree_one_keys, orientation, MAY,
             "(w, x, y, z), or { axis, angle }, in 2D an angle", "normalised"),
    KEY_INT(scree_one_keys, id, UNSET, -1, 0, INT64_MAX,
            "persistent number; above all given ones unless given"),
    FIELDS(scree_one_keys),
};

static const scree_param generate_rows[] = {FIELDS(scree_generate_keys)};

static const scree_param turn_rows[] = {
    KEY_VECTOR3(scree_turn_keys, axis, NULL, MUST,
                "direction of the axis; not in 2D, where it is z"),
    KEY_REAL(scree_turn_keys, angle, "rad", MUST, NONE, -HUGE_VAL, HUGE_VAL,
             "by which it is turned about the axis"),
};

static const scree_param start_rows[] = {
    KEY_TEXT(scree_start_keys, field, MUST, NULL, "NAME or SLOT/NAME of a body field"),
    KEY_NODE(NODE, scree_start_keys, value, MUST, "real, or list of reals",
             "in the unit of the field, one per component"),
};

/* ---- generated bodies ---- */

static const scree_param made_rows[] = {
    KEY_NODE(GROUP, scree_made_keys, distribution, MAY, "group", "sizes, instead of one size"),
    KEY_NODE(NODE, scree_made_keys, orientation, MAY, "\"fixed\", \"random\", or as of bodies",
             "fixed (unless given): the axes of the shape are those of the world; random: uniform "
             "over all rotations, in 2D over all angles, by scene.seed"),
    KEY_ROW(SCREE_KEY_NODE, scree_made_keys, velocity_random, "velocity_random", MAY,
            "added to the velocity, per component: standard deviation", .unit = "m/s",
            .string_default = "real >= 0, or group"),
};

static const scree_choice *const spreads[] = {
    WORD(0, "gaussian", "the amplitude is the standard deviation"),
    WORD(1, "uniform", "the amplitude is half the width"),
};
static const scree_param spread_rows[] = {
    KEY_CHOICE(scree_spread_keys, type, 0, "gaussian", spreads, "how it is spread"),
    KEY_REAL(scree_spread_keys, amplitude, "m/s", MUST, 0.0, 0.0, HUGE_VAL,
             "deviation, or half the width"),
};

/* ---- distribution ---- */

static const scree_choice *const size_types[] = {
    WORD(SCREE_SIZES_UNIFORM, "uniform", "evenly between two sizes"),
    WORD(SCREE_SIZES_NORMAL, "normal", "cut at both ends"),
    WORD(SCREE_SIZES_LOGNORMAL, "lognormal", "cut at both ends"),
    WORD(SCREE_SIZES_TABLE, "table", "a curve"),
    WORD(SCREE_SIZES_DISCRETE, "discrete", "only these sizes"),
};
static const scree_choice *const size_ofs[] = {
    WORD(SCREE_SIZES_RADIUS, "radius", "radii"),
    WORD(SCREE_SIZES_DIAMETER, "diameter", "diameters"),
};
static const scree_choice *const size_bys[] = {
    WORD(SCREE_SIZES_BY_NUMBER, "number", "of bodies"),
    WORD(SCREE_SIZES_BY_VOLUME, "volume", "divided by r^3 (discs: r^2)"),
    WORD(SCREE_SIZES_BY_MASS, "mass", "the same"),
};
static const scree_param size_rows[] = {
    KEY_CHOICE(scree_size_keys, type, MUST, NULL, size_types, "which distribution"),
    KEY_CHOICE(scree_size_keys, of, 0, "radius", size_ofs,
               "meaning of the sizes, of min and max too"),
    KEY_CHOICE(scree_size_keys, by, 0, "number", size_bys,
               "meaning of the shares; bodies are drawn by number"),
};
#define SIZE(key, unit, flags, help)                                                               \
    KEY_REAL(scree_size_keys, key, unit, (flags) | ABOVE, NONE, 0.0, HUGE_VAL, help)
static const scree_param uniform_rows[] = {
    SIZE(min, "m", MUST, "smallest size"),
    SIZE(max, "m", MUST, "largest size"),
};
static const scree_param normal_rows[] = {
    SIZE(mean, "m", MUST, "mean size"),
    SIZE(deviation, "m", MUST, "standard deviation"),
    SIZE(min, "m", MAY, "cut; 3 deviations below the mean unless given"),
    SIZE(max, "m", MAY, "cut; 3 deviations above the mean unless given"),
};
static const scree_param lognormal_rows[] = {
    SIZE(median, "m", MUST, "size that half of them are below"),
    SIZE(sigma, NULL, MUST, "deviation of the logarithm"),
    SIZE(min, "m", MAY, "cut; 3 deviations below the median unless given"),
    SIZE(max, "m", MAY, "cut; 3 deviations above the median unless given"),
};
#define VALUES KEY_REALS(scree_size_keys, values, "m", MAY, 0.0, HUGE_VAL, "sizes")
#define SIZE_FILE                                                                                  \
    KEY_TEXT(scree_size_keys, file, MAY | FILES, NULL,                                             \
             "table with the columns radius, diameter or size (as `of` says), and weight or "      \
             "cumulative (only of a curve)")
#define SIZE_COLUMNS                                                                               \
    KEY_TEXTS(scree_size_keys, columns, MAY, "names for the columns of `file`, with units")
static const scree_param curve_rows[] = {
    VALUES,
    KEY_REALS(scree_size_keys, cumulative, NULL, MAY, 0.0, HUGE_VAL,
              "share below each size, 0 at the first, to 1 or 100"),
    KEY_REALS(scree_size_keys, weights, NULL, MAY, 0.0, HUGE_VAL,
              "share between the previous size and this one, 0 at the first"),
    SIZE_FILE,
    SIZE_COLUMNS,
    SIZE(min, "m", MAY, "cut; the first size unless given"),
    SIZE(max, "m", MAY, "cut; the last size unless given"),
    KEY_BOOL(scree_size_keys, normalise, 0, "the last value of cumulative counts as 100 %"),
};
static const scree_param discrete_rows[] = {
    VALUES,
    KEY_REALS(scree_size_keys, weights, NULL, MAY, 0.0, HUGE_VAL, "share of each size"),
    SIZE_FILE,
    SIZE_COLUMNS,
};

/* ---- keys of plugins that the host reads ---- */

static const scree_param placing_rows[] = {
    KEY_TEXT(scree_placing_keys, unit, 0, "m", "unit of the coordinates"),
    KEY_REALS(scree_placing_keys, scale, NULL, MAY | ABOVE, 0.0, HUGE_VAL,
              "factor, or one per axis"),
    KEY_NODE(NODE, scree_placing_keys, rotate, MAY, "{ axis, angle }, or list of them",
             "about an axis through the origin"),
    KEY_VECTOR3(scree_placing_keys, move, "m", MAY, "displacement"),
};

#define INTERVALS(s)                                                                               \
    KEY_INT(s, every_steps, UNSET, 0, 1, INT64_MAX, "interval"),                                   \
        KEY_REAL(s, every_time, "s", UNSET, 0.0, BRIEFEST, HUGE_VAL, "simulated"),                 \
        KEY_REAL(s, every_wall, "s", UNSET | ABOVE, 0.0, 0.0, HUGE_VAL, "real time")
static const scree_param timed_rows[] = {
    INTERVALS(scree_timed_choice),
    KEY_BOOL(scree_timed_choice, optional, 0,
             "an observer whose plugin is not installed is left out, with a note"),
};

static const scree_param law_rows[] = {
    KEY_NODE(NODE, scree_law_keys, between, MAY, "pair of types of shapes, or list of pairs",
             "pairs that the law acts on; all unless given"),
    KEY_NODE(NODE, scree_law_keys, bonds, MAY, "group, or list of groups",
             "of a law that makes bonds: which bodies are bonded"),
};
static const scree_param bond_rows[] = {
    KEY_TEXT(scree_bond_keys, list, MAY | FILES, NULL, "table of ids a, b"),
    KEY_REAL(scree_bond_keys, gap, "m", UNSET, 0.0, -HUGE_VAL, HUGE_VAL,
             "pairs that are not farther apart than this at the start"),
    KEY_BOOL(scree_bond_keys, touch, 0, "contacts as they begin"),
};
static const scree_param touch_rows[] = {
    KEY_REAL(scree_bond_keys, from, "s", 0, 0.0, 0.0, HUGE_VAL, "not before"),
    KEY_REAL(scree_bond_keys, until, "s", UNSET, HUGE_VAL, 0.0, HUGE_VAL, "not after"),
};
static const scree_param bonded_rows[] = {
    KEY_NODE(NODE, scree_bond_keys, groups, MAY, "one or two names",
             "groups of both bodies, or of one and the other"),
    KEY_NODE(NODE, scree_bond_keys, materials, MAY, "one or two names",
             "materials of both bodies, or of one and the other"),
};

/* ---- settings of the host ---- */

static const scree_param query_rows[] = {
    KEY_NODE(NODE, scree_query_keys, gcd, MAY, "plugin", "hgrid unless given"),
};

static const scree_choice *const renewals[] = {
    WORD(SCREE_RENEW_ALL, "all", "all"),
    WORD(SCREE_RENEW_MOVED, "moved", "those of bodies that have left theirs"),
    WORD(SCREE_RENEW_AUTO, "auto", "what takes less time, as measured in the run"),
};
static const scree_param extent_rows[] = {
    KEY_REAL(scree_extent_keys, eps_v, NULL, 0, 40.0, 0.0, HUGE_VAL,
             "steps of its own velocity by which a box is grown"),
    KEY_REAL(scree_extent_keys, eps_e, NULL, 0, 0.05, 0.0, HUGE_VAL,
             "share of its size by which a box is grown (0 for fixed bodies)"),
    KEY_REAL(scree_extent_keys, eps_c, "m", 0, 0.0, 0.0, HUGE_VAL,
             "length by which a box is grown"),
    KEY_CHOICE(scree_extent_keys, renew, 0, "auto", renewals,
               "boxes that are renewed when a body has left its own"),
};

static const scree_param renumber_rows[] = {
    KEY_INT(scree_renumber_keys, every, 0, 1000, 0, INT64_MAX,
            "steps between sortings of storage by place; 0: never. May change the last bits"),
};

static const scree_param guard_rows[] = {
    KEY_INT(scree_guard_keys, every, 0, 100, 0, INT64_MAX,
            "steps between copies of the state that are kept in memory, to repeat the call of "
            "a plugin that misbehaves; 0: none"),
    KEY_INT(scree_guard_keys, memory, 0, 256, 0, INT32_MAX,
            "[MiB] limit of such a copy, about 400 bytes per sphere of a bed; no copy is kept "
            "of a larger state, and a note says so. 0: none"),
    KEY_COUNT(scree_guard_keys, sample, 0, 0, 0, INT32_MAX,
              "at each contact detection, boxes that are compared with all others: a pair "
              "that the GCD misses is an error. 0: none"),
};

static const scree_param checkpoint_rows[] = {
    INTERVALS(scree_save_times),
    KEY_INT(scree_save_times, keep, 0, 2, 1, 1000000, "number of files that stay, the newest ones"),
    KEY_BOOL(scree_save_times, at_stop, 1, "Ctrl-C, SIGTERM, SIGHUP and SIGPIPE save the state"),
    KEY_BOOL(scree_save_times, at_end, 1, "a run that writes a folder saves its last state"),
};

/* ---- stop, schedule ---- */

static const scree_param when_rows[] = {
    KEY_TEXT(scree_when_keys, when, MUST, NULL,
             "terms joined by `and`, these by `or`: a quantity, OBSERVER.COLUMN, or "
             "mean(QUANTITY, TIME), then <, <=, > or >=, and a number"),
    KEY_INT(scree_when_keys, every, 0, 100, 1, INT64_MAX, "steps between checks"),
};
static const scree_param stop_rows[] = {
    KEY_REAL_AS("for", scree_when_keys, hold, "s", UNSET | ABOVE, 0.0, 0.0, HUGE_VAL,
                "it must hold at all checks of so long"),
    KEY_REAL(scree_when_keys, after, "s", UNSET | ABOVE, 0.0, 0.0, HUGE_VAL,
             "it is not looked at before this moment"),
};

static const scree_choice *const refusals[] = {
    WORD(SCREE_REFUSED_STOP, "stop", "ends the run after the step, with exit status 1"),
    WORD(SCREE_REFUSED_GO_ON, "go_on", "the run goes on with the previous plugins"),
};
static const scree_param entry_rows[] = {
    KEY_INT(scree_entry_keys, at_step, UNSET, 0, 0, INT64_MAX, "after that step"),
    KEY_REAL(scree_entry_keys, at_time, "s", UNSET, 0.0, 0.0, HUGE_VAL,
             "at the first step that reaches it"),
    KEY_NODE(NODE, scree_entry_keys, when, MAY, "string",
             "after the first check at which this condition holds; `every` as there"),
    KEY_NODE(GROUP, scree_entry_keys, set, MUST, "group", "plugins and settings to change"),
    KEY_CHOICE(scree_entry_keys, if_refused, 0, "stop", refusals,
               "what follows if the change is refused when the entry acts"),
    KEY_BOOL(scree_entry_keys, by_hand, 0,
             "it was made by hand in a run: it acts before the other entries, also after the last "
             "step"),
};

#define SET(type, key, what, help) KEY_NODE(type, scree_set_keys, key, MAY, what, help)
static const scree_param set_rows[] = {
    SET(NODE, gcd, "plugin", "takes the place of the current one"),
    SET(NODE, integrator, "plugin", "takes the place of the current one"),
    SET(NODE, force, "list of plugins, or one", "all of them"),
    SET(NODE, resolvers, "list of plugins, or one", "all of them"),
    SET(GROUP, modifiers, "plugins by name", "\"off\": removed; new names are added"),
    SET(GROUP, observers, "plugins by name", "\"off\": removed; new names are added"),
    SET(GROUP, scene, "group",
        "its live keys. An axis neither becomes periodic nor ceases to be, and a periodic cell "
        "keeps its lengths and its tilt"),
    SET(GROUP, bodies, "groups by name",
        "groups that the scene has; \"off\": all bodies of the group are taken out"),
};

static const scree_param change_rows[] = {
    KEY_STATE(scree_body_keys, velocity, "m/s", 0, "of each body of the group that is not fixed"),
    KEY_SPIN(scree_body_keys, spin, "rad/s", 0, "of each body of the group that is not fixed"),
};

const scree_key_table scree_scene_tables[SCREE_KEYS_END] = {
    KEY_TABLE(TOP, "top", scree_top_keys, top_rows, "the top level of a scene"),
    KEY_TABLE(SCENE, "scene", scree_scene, scene_rows, "dimension, time, region"),
    KEY_TABLE(LIVE, "scene", scree_settings, live_rows,
              "what may change in a run, by `set` of `schedule`"),
    KEY_TABLE(REGION, "region", scree_region_keys, region_rows, "a box"),
    [SCREE_KEYS_BOX] = {NULL, NULL, sizeof(scree_region_keys), region_rows, 2},
    KEY_TABLE(MATERIAL, "materials", scree_material_keys, material_rows, "each material"),
    KEY_TABLE(ONE, "bodies", scree_one_keys, one_rows, "each body, besides the keys of `body`"),
    KEY_TABLE(GENERATE, "generate", scree_generate_keys, generate_rows,
              "each group, and the keys of its source"),
    KEY_TABLE(BODY, "body", scree_body_keys, body_rows, "bodies, and recipes of bodies"),
    KEY_TABLE(MADE, "recipe", scree_made_keys, made_rows, "bodies that are made by number"),
    KEY_TABLE(TURN, "orientation", scree_turn_keys, turn_rows,
              "`orientation` as a group, and `rotate` of a shape"),
    [SCREE_KEYS_TURN_2D] = {NULL, NULL, sizeof(scree_turn_keys), &turn_rows[1], 1},
    KEY_TABLE(SPREAD, "velocity_random", scree_spread_keys, spread_rows, "as a group"),
    KEY_TABLE(START, "fields", scree_start_keys, start_rows, "an element of the list `fields`"),
    KEY_TABLE(SIZES, "distribution", scree_size_keys, size_rows, "every distribution"),
    KEY_TABLE(UNIFORM, "uniform", scree_size_keys, uniform_rows, "a distribution of this type"),
    KEY_TABLE(NORMAL, "normal", scree_size_keys, normal_rows, "a distribution of this type"),
    KEY_TABLE(LOGNORMAL, "lognormal", scree_size_keys, lognormal_rows,
              "a distribution of this type"),
    KEY_TABLE(CURVE, "table", scree_size_keys, curve_rows, "a distribution of this type"),
    KEY_TABLE(DISCRETE, "discrete", scree_size_keys, discrete_rows, "a distribution of this type"),
    KEY_TABLE(PLACING, "placing", scree_placing_keys, placing_rows,
              "coordinates of a file; the last three act in the order in which they are written"),
    KEY_TABLE(TIMED, "interval", scree_timed_choice, timed_rows, "each observer and modifier"),
    KEY_TABLE(LAW, "force", scree_law_keys, law_rows, "each force law"),
    KEY_TABLE(BONDS, "bonds", scree_bond_keys, bond_rows, "a group of `bonds`, one of these"),
    KEY_TABLE(TOUCH, "bonds", scree_bond_keys, touch_rows, "with touch"),
    KEY_TABLE(BONDED, "bonds", scree_bond_keys, bonded_rows, "with gap and touch"),
    KEY_TABLE(ZONE, "zone", scree_zone_keys, zone_rows, "a part of space"),
    KEY_TABLE(BALL, "sphere", scree_zone_keys, ball_rows, "a zone of this type"),
    KEY_TABLE(CYLINDER, "cylinder", scree_zone_keys, cylinder_rows, "a zone of this type"),
    KEY_TABLE(QUERY, "query", scree_query_keys, query_rows,
              "the plugin that answers questions about space"),
    KEY_TABLE(EXTENT, "extent", scree_extent_keys, extent_rows, "tolerance of boxes"),
    KEY_TABLE(RENUMBER, "renumber", scree_renumber_keys, renumber_rows, "order of storage"),
    KEY_TABLE(GUARD, "guard", scree_guard_keys, guard_rows, "copies of the state, pairs checked"),
    KEY_TABLE(CHECKPOINT, "checkpoint", scree_save_times, checkpoint_rows, "saves the state"),
    KEY_TABLE(WHEN, "when", scree_when_keys, when_rows, "a condition, in `stop` and `schedule`"),
    KEY_TABLE(STOP, "stop", scree_when_keys, stop_rows,
              "ends a run; one of these is required, and a condition"),
    KEY_TABLE(ENTRY, "schedule", scree_entry_keys, entry_rows, "each entry, which acts once"),
    KEY_TABLE(SET, "set", scree_set_keys, set_rows, "of an entry: what changes"),
    KEY_TABLE(CHANGE, "set.bodies", scree_body_keys, change_rows,
              "each group that is set in motion"),
};

/* ---- reading ---- */

void scree_build_keys(scree_build *b, scree_node *group, int table, void *to)
{
    scree_scene *s = b->scene;
    if (!s->memory)
        s->memory = g_ptr_array_new_with_free_func(g_free);
    const scree_keys keys = {.config = b->config,
                             .group = group,
                             .to = to,
                             .memory = s->memory,
                             .dimension = s->dimension};
    scree_keys_read(&keys, &scree_scene_tables[table]);
}

void scree_build_group(scree_build *b, scree_node *group, int table, void *to)
{
    scree_build_keys(b, group, table, to);
    scree_config_report_unknown(b->config, group);
}

static const scree_param *find_row(const scree_key_table *table, const char *key)
{
    for (uint32_t k = 0; k < table->n; k++)
        if (!strcmp(table->rows[k].name, key))
            return &table->rows[k];
    return NULL;
}

const char *scree_keys_word(int table, const char *key, int32_t value)
{
    const scree_param *row = find_row(&scree_scene_tables[table], key);
    for (uint32_t i = 0; i < row->n_choices; i++)
        if (row->choices[i]->value == value)
            return row->choices[i]->name;
    return NULL;
}

/* ---- keys in a wrong group ---- */

/** Where the keys of a table are: "the group `scene`", "each group of `bodies`". New string. */
static char *place_of(int table)
{
    const scree_key_table *t = &scree_scene_tables[table];
    const scree_param *top = find_row(&scree_scene_tables[SCREE_KEYS_TOP], t->name);
    if (table == SCREE_KEYS_TOP)
        return g_strdup("the top level");
    if (!top)
        return g_strdup_printf("`%s` (%s)", t->name, t->help);
    return g_strdup_printf("%s `%s`",
                           top->type == SCREE_KEY_GROUP              ? "the group"
                           : strstr(top->string_default, " by name") ? "each group of"
                                                                     : "each element of",
                           t->name);
}

char *scree_keys_homes(const char *key, const char *group, unsigned *n)
{
    g_autoptr(GString) all = g_string_new(NULL);
    *n = 0;
    for (int t = 0; t < SCREE_KEYS_SET; t++) { // what `set` has, others have
        const scree_key_table *table = &scree_scene_tables[t];
        if (!table->name || !find_row(table, key) || !g_strcmp0(table->name, group))
            continue;
        g_autofree char *place = place_of(t);
        if (!strstr(all->str, place))
            g_string_append_printf(all, "%s%s", (*n)++ ? " or " : "; it belongs to ", place);
    }
    return g_strdup(all->str);
}
