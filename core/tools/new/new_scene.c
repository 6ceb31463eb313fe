/* SPDX-License-Identifier: Apache-2.0 */
/* `scree new scene`: a scene whose comments come from the descriptors of its plugins. */
#include "tools/new/new_scene.h"

#include <string.h>

#include "base/paths.h"
#include "base/text.h"
#include "build_config.h"
#include "cli/cmd.h"
#include "plugin/registry.h"
#include "tools/describe/describe_text.h"

/* The scene in pieces. Each is text, then a plugin: its settings, and its other keys as comments
 * from its descriptor. */

typedef struct piece {
    const char *before, *after; /* "@" stands for the name of the scene */
    const char *id, *indent;
    scree_setting settings[6];
    uint32_t kind;
    bool may_lack; /* its plugin needs a library; without the plugin the piece is left out */
} piece;

static const piece pieces[] = {
    {.before =
         "# @: glass beads are poured into an open box of steel and come to rest.\n"
         "#\n"
         "# A line is `key = value;`, and # begins a comment. A length, a mass, a time may be a "
         "number\n"
         "# in SI units or a text with its unit: 0.005 is \"5 mm\". Look at the whole scene with\n"
         "# `scree validate @.cfg`, run it with `scree run @.cfg`; one value can be\n"
         "# changed without an editor: `scree run @.cfg --set generate.beads.count=500`.\n"
         "\n"
         "scene = {\n"
         "    title = \"@\"; # shown in tables\n"
         "    dimension = 3; # 2: discs in the x-y plane\n"
         "    dt = \"auto\"; # time step [s]; auto: dt_fraction of the critical step\n"
         "    dt_fraction = 0.3; # share of the critical step, at most 1; smaller: more exact, "
         "slower\n"
         "    steps = 40000; # length of a run; instead: scree run --for \"0.5 s\"\n"
         "    gravity = (0.0, 0.0, -9.81); # [m/s^2]\n"
         "    seed = 1; # of all random numbers; another seed gives another packing\n"
         "    # The box of the simulation [m], and what happens to a sphere that leaves it: open\n"
         "    # (nothing), stop, reflect, destroy (it is removed), periodic.\n"
         "    region = { min = (-0.1, -0.1, -0.02); max = (0.1, 0.1, 0.2); };\n"
         "    boundary = \"destroy\";\n"
         "};\n"
         "\n"
         "# The materials of bodies. density [kg/m^3] is required.\n"
         "materials = {\n"
         "    glass = { density = 2500.0; };\n"
         "    steel = { density = 7800.0; };\n"
         "};\n"
         "# A pair of materials may have another value than `force` below.\n"
         "material_pairs = ( { between = [\"glass\", \"steel\"]; friction = 0.2; } );\n"
         "\n"
         "# Walls: first a shape, then a body that has it. Other shapes: plane, mesh, sphere.\n"
         "shapes = {\n"
         "    box = { type = \"box\"; size = (\"60 mm\", \"60 mm\", \"100 mm\"); open = [\"top\"]; "
         "};\n"
         "};\n"
         "bodies = {\n"
         "    # position [m] is that of the centre: the floor is at z = 0. A wall that moves has\n"
         "    # motion = \"kinematic\"; and velocity [m/s].\n"
         "    box = { shape = \"box\"; material = \"steel\"; position = (0.0, 0.0, \"50 mm\"); };\n"
         "};\n"
         "\n"
         "# Spheres at random places without overlap.\n"
         "generate = {\n"
         "    beads = {\n"
         "        plugin = \"random\";\n"
         "        material = \"glass\";\n"
         "        count = 300;\n"
         "        # One size: radius = \"2.5 mm\"; or a distribution: uniform, normal, lognormal, "
         "table.\n"
         "        distribution = { type = \"uniform\"; of = \"diameter\"; min = \"4 mm\"; max = "
         "\"6 "
         "mm\"; };\n"
         "        # The box that they start in [m]; whole spheres are inside.\n"
         "        region = { min = (-0.03, -0.03, 0.0); max = (0.03, 0.03, 0.1); };\n"
         "        velocity = (0.0, 0.0, -0.5); # [m/s]\n"
         "        velocity_random = 0.1; # [m/s] deviation that is added to each component\n"
         "    };\n"
         "};\n"
         "\n"
         "# The force of a contact; the laws of this list are added. Glass is far stiffer, but a "
         "soft\n"
         "# kn allows a long time step; overlaps should stay below a percent of a diameter.\n"
         "# Other laws: scree plugins force\n"
         "force = (\n"
         "    {\n",
     .kind = SCREE_KIND_FORCE,
     .id = "linear",
     .indent = "        ",
     .settings = {{"kn", "\"20 kN/m\""}, {"friction", "0.4"}, {"restitution", "0.6"}},
     .after = "    }\n"
              ");\n"
              "\n"},
    {.before = "# The algorithms. Another contact detection changes the speed, never the result.\n"
               "# Others: scree plugins gcd\n"
               "gcd = {\n",
     .kind = SCREE_KIND_GCD,
     .id = "grid",
     .indent = "    ",
     .after = "};\n"},
    {.before = "resolvers = (\n"
               "    {\n",
     .kind = SCREE_KIND_RESOLVER,
     .id = "sphere",
     .indent = "        ",
     .after = "    }\n"
              ");\n"},
    {.before = "integrator = {\n",
     .kind = SCREE_KIND_INTEGRATOR,
     .id = "velocity_verlet",
     .indent = "    ",
     .after = "};\n"
              "\n"},
    {.before =
         "# Observers write into the folder of the run (runs/@-1, then -2, ...; runs/latest is\n"
         "# the newest). How often: every_time [s] of the simulation, or every_steps.\n"
         "# Others: scree plugins observer\n"
         "observers = {\n"
         "    energies = {\n"
         "        every_time = \"5 ms\";\n",
     .kind = SCREE_KIND_OBSERVER,
     .id = "csv",
     .indent = "        ",
     .settings = {{"what", "\"scalars\""}, {"file", "\"energies\""}},
     .after = "    };\n"},
    {.before = "    pictures = {\n"
               "        every_time = \"50 ms\";\n",
     .kind = SCREE_KIND_OBSERVER,
     .id = "image",
     .indent = "        ",
     .settings =
         {{"file", "\"picture\""}, {"colour", "\"speed\""}, {"width", "480"}, {"height", "480"}},
     .after = "    };\n",
     .may_lack = true},
    {.before = "    frames = { # to look at: scree report runs/latest\n"
               "        every_time = \"10 ms\";\n",
     .kind = SCREE_KIND_OBSERVER,
     .id = "frames",
     .indent = "        ",
     .after = "    };\n"},
    {.before = "    paraview = {\n"
               "        every_time = \"50 ms\";\n",
     .kind = SCREE_KIND_OBSERVER,
     .id = "vtk",
     .indent = "        ",
     .after = "    };\n"
              "};\n"},
};

static void append_text(GString *scene, const char *text, const char *name)
{
    g_auto(GStrv) parts = g_strsplit(text, "@", -1);
    g_autofree char *whole = g_strjoinv(name, parts);
    g_string_append(scene, whole);
}

static bool append_piece(GString *scene, const piece *p, const char *name, scree_registry *registry,
                         GError **error)
{
    g_autoptr(GError) inner = NULL;
    const scree_file *file = NULL;
    const scree_plugin *plugin = scree_registry_get(registry, p->kind, p->id, &file, &inner);
    if (!plugin && p->may_lack && inner->code == SCREE_EXIT_USAGE)
        return true; // the piece is left out
    g_autofree char *settings =
        plugin ? scree_describe_settings(plugin, p->settings, p->indent, &inner) : NULL;
    if (!settings) {
        g_propagate_error(error, g_steal_pointer(&inner));
        return false;
    }
    append_text(scene, p->before, name);
    g_string_append(scene, settings);
    append_text(scene, p->after, name);
    return true;
}

/** "drum, hopper, ..": names of the scenes in a folder. New string. */
static char *list_scenes(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    if (!dir)
        return g_strdup("");
    for (const char *file; (file = g_dir_read_name(dir));)
        if (g_str_has_suffix(file, ".cfg"))
            g_ptr_array_add(names, g_strndup(file, strlen(file) - strlen(".cfg")));
    g_ptr_array_sort(names, scree_compare_texts);
    g_ptr_array_add(names, NULL);
    return g_strjoinv(", ", (char **)names->pdata);
}

char *scree_new_scene_like(const char *like, const char *name, GError **error)
{
    g_autofree char *folder = scree_paths_own(SCREE_SOURCE_DIR "/contrib/scenes", SCREE_START_DIR);
    g_autofree char *all = list_scenes(folder);
    g_autofree char *file = g_strconcat(like, ".cfg", NULL);
    g_autofree char *path = g_build_filename(folder, file, NULL), *text = NULL;
    g_autoptr(GString) scene = g_string_new(NULL);
    if (!*all) {
        scree_fail(error, SCREE_EXIT_RUN, "the scenes of this installation are missing: %s",
                   folder);
        return NULL;
    }
    if (strchr(like, G_DIR_SEPARATOR) || !g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        scree_fail(error, SCREE_EXIT_USAGE, "--like: expected one of %s, got \"%s\"", all, like);
        return NULL;
    }
    if (!g_file_get_contents(path, &text, NULL, error))
        return NULL;
    append_text(scene, text, name);
    return g_string_free(g_steal_pointer(&scene), FALSE);
}

char *scree_new_scene(const char *name, GError **error)
{
    g_autoptr(scree_registry) registry = scree_cmd_registry_new();
    g_autoptr(GString) scene = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(pieces); i++)
        if (!append_piece(scene, &pieces[i], name, registry, error))
            return NULL;
    return g_string_free(g_steal_pointer(&scene), FALSE);
}
