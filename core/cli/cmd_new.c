/* SPDX-License-Identifier: Apache-2.0 */
/* `scree new`: writes a scene to start from, which runs as it is. */
#include "cli/cmd_new.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "plugin/describe.h"
#include "plugin/kinds.h"

/* The scene, in pieces: each is text, then a plugin with the keys that are set here and, as
 * comments from its descriptor, its other keys. */

typedef struct piece {
    const char *before, *after; /* "@" becomes the name of the scene */
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
         "    steps = 40000; # length of a run; instead: scree run --until \"0.5 s\"\n"
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

static char *make_scene(const char *name, GError **error)
{
    g_autoptr(scree_registry) registry = scree_cmd_registry_new();
    g_autoptr(GString) scene = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(pieces); i++)
        if (!append_piece(scene, &pieces[i], name, registry, error))
            return NULL;
    return g_string_free(g_steal_pointer(&scene), FALSE);
}

/* The file. */

/** Writes the text to a new file, whose name is made here. */
static bool write_beside(int fd, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        ssize_t n = write(fd, text, left);
        if (n < 0 && errno != EINTR)
            return false;
        text += n > 0 ? n : 0;
        left -= n > 0 ? (size_t)n : 0;
    }
    return fsync(fd) == 0;
}

/** Renames without replacing a file; a file system that cannot do so gets a second link. */
static bool rename_new(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    return link(from, to) == 0 && unlink(from) == 0;
}

/** Writes the whole file or none; an existing file stays as it is. */
static bool write_new(const char *path, const char *text, GError **error)
{
    g_autofree char *beside = g_strconcat(path, ".XXXXXX", NULL);
    mode_t mask = umask(0);
    umask(mask);
    int fd = g_file_test(path, G_FILE_TEST_EXISTS) ? (errno = EEXIST, -1) : g_mkstemp(beside);
    bool made = fd >= 0;
    bool ok = made && write_beside(fd, text) && fchmod(fd, 0666 & ~mask) == 0;
    int why = errno;
    if (made && close(fd) != 0 && ok) {
        ok = false;
        why = errno;
    }
    if (ok && !rename_new(beside, path)) {
        ok = false;
        why = errno;
    }
    if (ok)
        return true;
    if (made)
        unlink(beside);
    return scree_fail(error, why == EEXIST ? SCREE_EXIT_USAGE : SCREE_EXIT_RUN,
                      why == EEXIST ? "%s exists and stays as it is; choose another NAME%s"
                                    : "cannot write %s: %s",
                      path, why == EEXIST ? "" : g_strerror(why));
}

/** NAME as the scene and runs/NAME-1 have it; NULL when it is not allowed. */
static char *take_name(const char *given)
{
    g_autofree char *name = g_strdup(given);
    if (g_str_has_suffix(name, ".cfg"))
        name[strlen(name) - 4] = '\0';
    for (const char *c = name; *c; c++)
        if (!g_ascii_isalnum(*c) && !strchr("_-.", *c))
            return NULL;
    return *name && g_ascii_isalnum(*name) ? g_steal_pointer(&name) : NULL;
}

static int write_scene(const char *name, const char *folder)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *file = g_strconcat(name, ".cfg", NULL);
    g_autofree char *path = folder ? g_build_filename(folder, file, NULL) : g_strdup(file);
    g_autofree char *text = make_scene(name, &error);
    if (text && folder && g_mkdir_with_parents(folder, 0777) != 0)
        g_set_error(&error, SCREE_ERROR, SCREE_EXIT_RUN, "cannot make the folder %s: %s", folder,
                    g_strerror(errno));
    if (error || !write_new(path, text, &error))
        return scree_cmd_fail(error);
    g_autofree char *quoted =
        strpbrk(path, " '\"\\$`&|;<>()*?[]#~!{}\t\n") ? g_shell_quote(path) : g_strdup(path);
    printf("wrote %s; next:\n  %s validate %s\n  %s run %s\n", path, scree_cmd_program(), quoted,
           scree_cmd_program(), quoted);
    return SCREE_EXIT_OK;
}

static int refuse_kind(const char *word)
{
    if (scree_kind_from_name(word))
        return scree_cmd_usage(
            "new",
            "this version writes scenes only, not %s plugins: start from one in contrib/ "
            "of the sources, as contrib/README.md describes",
            word);
    return scree_cmd_usage("new", "expected scene NAME [DIR], got \"%s\"", word);
}

int scree_cmd_new(int argc, char **argv)
{
    const GOptionEntry entries[] = {G_OPTION_ENTRY_NULL};
    int status;
    if (!scree_cmd_parse(&argc, &argv, entries, "scene NAME [DIR]",
                         "Writes NAME.cfg, a scene with comments that runs as it is, into DIR or "
                         "the current folder.",
                         &status))
        return status;
    if (argc < 2)
        return scree_cmd_usage("new", "expected scene NAME [DIR], got nothing");
    if (!g_str_equal(argv[1], "scene"))
        return refuse_kind(argv[1]);
    if (argc < 3 || argc > 4)
        return scree_cmd_usage("new", "expected scene NAME [DIR], got %d words", argc - 1);
    g_autofree char *name = take_name(argv[2]);
    if (!name)
        return scree_cmd_usage(
            "new",
            "NAME: expected letters, digits, _ - and ., a letter or digit first, "
            "got \"%s\"; the folder is DIR",
            argv[2]);
    return write_scene(name, argc > 3 ? argv[3] : NULL);
}
