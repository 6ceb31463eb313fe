// SPDX-License-Identifier: Apache-2.0
// LAMMPS data files as bodies: units, types, densities, boxes, and every mistake by its line.
#include <glib/gstdio.h>

#define OWN_MAIN
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/contacts.h"

static char *path;

#define TITLE "LAMMPS data file\n\n"
#define HEAD TITLE "3 atoms\n2 atom types\n0 2 xlo xhi\n0 3 ylo yhi\n-1 1 zlo zhi\n\n"
#define ATOMS                                                                                      \
    "Atoms # sphere\n\n7 2 0.2 7800 0.5 0.25 0.75 0 0 0\n1 1 0.1 2500 0.1 0.2 0.3\n"               \
    "2 1 0.125 2500.0001 1.5 2.5 -0.5 0 0 0 # a comment\n\n"
#define SPEEDS "Velocities\n\n2 1 2 3 4 5 6\n7 -1 -2 -3 -4 -5 -6\n1 0 0 0 0 0 1e-320\n"
#define LINEAR_AND_BONDED                                                                          \
    "force = ( { plugin = \"linear\"; kn = 1e4; restitution = 0.5; },\n"                           \
    "          { plugin = \"bonded\"; bond_modulus = 1e6; largest_gap = 0.01; } );\n"
#define TWO "types = [\"glass\", \"steel\"];"

static char *scene_of(const char *data, const char *keys, const char *frame)
{
    g_assert_true(g_file_set_contents(path, data, -1, NULL));
    return g_strdup_printf("scene = { %s };\nmaterials = { glass = { density = 2500.0; }; steel = "
                           "{ density = 7800.0; }; };\nbodies = { b = { file = \"%s\"; format = "
                           "\"lammps\"; %s }; };",
                           frame, path, keys);
}

static scree_scene *load(const char *data, const char *keys, const char *frame)
{
    g_autofree char *text = scene_of(data, keys, frame);
    return fixture_scene(text);
}

static void refuse(const char *data, const char *keys, const char *frame, const char *expected)
{
    g_autofree char *text = scene_of(data, keys, frame);
    fixture_refuse(text, expected);
}

static void check_body(const scree_scene *s, uint32_t i, uint64_t id, uint32_t material, double r,
                       double z, double vy, double wz)
{
    const scree_body *b = fixture_body(s, i);
    g_assert_cmpuint(b->id, ==, id);
    g_assert_cmpuint(b->material, ==, material);
    g_assert_cmpfloat(b->scale, ==, r);
    g_assert_cmpfloat(b->x[2], ==, z);
    g_assert_cmpfloat(b->v[1], ==, vy);
    g_assert_cmpfloat(b->w[2], ==, wz);
}

TEST("/lammps/sections-are-read-in-any-order")
{
    static const char *const orders[] = {HEAD ATOMS SPEEDS, HEAD SPEEDS ATOMS,
                                         HEAD "Masses\n\n1 1.0\n2 1.0\n\n" SPEEDS
                                              "\nPair Coeffs # hooke\n\n1 a b\n\n" ATOMS};
    for (size_t k = 0; k < G_N_ELEMENTS(orders); k++) {
        scree_scene *s = load(orders[k], TWO, "");
        g_assert_cmpuint(s->bodies->len, ==, 3);
        check_body(s, 0, 1, 0, 0.05, 0.3, 0.0, 1e-320);
        check_body(s, 1, 2, 0, 0.0625, -0.5, 2.0, 6.0);
        check_body(s, 2, 7, 1, 0.1, 0.75, -2.0, -6.0);
        scree_scene_free(s);
    }
    // The group's velocity serves where the file has none.
    scree_scene *s = load(HEAD ATOMS, TWO " velocity = (0, 4, 0);", "");
    check_body(s, 2, 7, 1, 0.1, 0.75, 4.0, 0.0);
    scree_scene_free(s);
    s = load(HEAD "Atom Type Labels\n\n1 glass\n2 steel\n\n"
                  "Atoms\n\n1 glass 0.1 2500 0 0 0\n2 2 0.1 7800 1 0 0\n3 steel 0.1 7800 1 1 0\n",
             "", "");
    check_body(s, 1, 2, 1, 0.05, 0.0, 0.0, 0.0);
    check_body(s, 2, 3, 1, 0.05, 0.0, 0.0, 0.0);
    scree_scene_free(s);
}

TEST("/lammps/units-become-si")
{
#define ONE                                                                                        \
    "\n1 atoms\n1 atom types\nAtoms # sphere\n\n1 1 2 2.5 1 2 4\n\nVelocities\n\n1 1 3 5 7 9 11\n"
    scree_scene *s = load(TITLE ONE, "units = \"cgs\"; material = \"glass\";", "");
    check_body(s, 0, 1, 0, 0.01, 0.04, 0.03, 11.0);
    scree_scene_free(s);
    s = load("write_data, units = micro" ONE, "types = [\"glass\"];", "");
    check_body(s, 0, 1, 0, 1e-6, 4e-6, 3.0, 11e6);
    scree_scene_free(s);
    refuse("write_data, units = micro" ONE, "types = [\"glass\"]; units = \"cgs\";", "",
           "says units = micro itself");
    refuse("write_data, units = metal" ONE, "types = [\"glass\"];", "", "has units metal");
    refuse(TITLE ONE, "types = [\"glass\"];", "", ":8: a density of 2.5 kg/m^3; material 'glass'");
    s = load(TITLE ONE, "types = [\"steel\"]; density = \"material\";", "");
    check_body(s, 0, 1, 1, 1.0, 4.0, 3.0, 11.0);
    scree_scene_free(s);
}

TEST("/lammps/types-become-materials")
{
    refuse(HEAD ATOMS, "", "", "types = [..] is missing: the material of each of the 2 atom types");
    refuse(HEAD ATOMS, "types = [\"glass\"];", "", "1 materials, but");
    refuse(HEAD ATOMS, "types = [\"glass\", \"stel\"];", "",
           "no material \"stel\"; did you mean \"steel\"?");
    refuse(HEAD ATOMS, "types = [\"glass\", \"glass\"];", "", ":11: a density of 7800 kg/m^3");
    refuse(HEAD ATOMS, "types = [3, 4];", "",
           "types[1]: expected the name of a material in quotes, got 4");
    refuse(HEAD ATOMS, TWO " radius = 1.0;", "", "the file has diameters");
    refuse(HEAD ATOMS, TWO " columns = [\"x\"];", "", "columns");
}

TEST("/lammps/a-periodic-box-must-agree")
{
#define BOX(B, X) "region = { min = (0, 0, -1); max = (" X ", 3, 1); }; boundary = " B ";"
    scree_scene *s = load(HEAD ATOMS, TWO, BOX("\"periodic\"", "2"));
    scree_scene_free(s);
    refuse(HEAD ATOMS, TWO, BOX("\"periodic\"", "2.001"),
           "along x is 0 m to 2 m; scene.region, which is periodic, must agree (0 m to 2.001 m)");
    s = load(HEAD ATOMS, TWO, BOX("(\"open\", \"periodic\", \"stop\")", "2.5"));
    g_assert_cmpuint(s->config->notes->len, >=, 1);
    g_assert_nonnull(strstr(s->config->notes->pdata[0], " is x 0 m to 2 m; scene.region differs"));
    scree_scene_free(s);
}

#define BONDED                                                                                     \
    "LAMMPS data file\n\n3 atoms\n2 bonds\n1 atom types\n1 bond types\n\nBonds\n\n1 1 9 4\n2 1 5 " \
    "9\n\n"                                                                                        \
    "Bond Coeffs\n\n1 1.0\n\nAtoms # bpm/sphere\n\n9 1 1 0.2 2500 0.0 0.0 0.0\n"                   \
    "4 1 1 0.2 2500 0.2 0.0 0.0\n5 2 1 0.2 2500 0.0 0.2 0.0 0 0 0\n"

/** A body before them, and one after: the pairs count the bodies of their source only. */
TEST("/lammps/bonds-are-those-of-the-first-law-that-makes-bonds")
{
    g_assert_true(g_file_set_contents(path, BONDED, -1, NULL));
    g_autofree char *text = g_strdup_printf(
        "scene = { dimension = 3; dt = 1e-5; };\nmaterials = { glass = { density = 2500.0; }; };\n"
        "bodies = { a = { radius = 0.1; position = (9.0, 0.0, 0.0); }; };\n"
        "generate = { b = { plugin = \"lammps\"; file = \"%s\"; };\n"
        "             c = { plugin = \"lattice\"; radius = 0.1; count = 1;\n"
        "                   region = { min = (5, 5, 5); max = (6, 6, 6); }; }; "
        "};\n" LINEAR_AND_BONDED,
        path);
    g_autoptr(scree_sim) sim = fixture_begin(fixture_scene(text), &(scree_sim_options){0});
    scree_contact_store *store = scree_contacts_export(sim);
    uint64_t bonded = 0;
    for (uint64_t i = 0; i < store->n; i++)
        if (store->keep[i]) {
            g_assert_cmpuint(store->key[i].id_a, ==, bonded ? 5 : 4);
            g_assert_cmpuint(store->key[i].id_b, ==, 9);
            bonded++;
        }
    g_assert_cmpuint(bonded, ==, 2);
    scree_contact_store_free(store);
}

/** Each pair of the file belongs to the group, whose line a message names. */
TEST("/lammps/a-pair-is-bonded-once")
{
    g_auto(GStrv) parts = g_strsplit(BONDED, "2 1 5 9", 2);
    g_autofree char *data = g_strjoinv("2 1 4 9", parts);
    g_assert_true(g_file_set_contents(path, data, -1, NULL));
    g_autofree char *text = g_strdup_printf(
        "scene = { dimension = 3; dt = 1e-5; };\nmaterials = { glass = { density = 2500.0; }; };\n"
        "generate = { b = { plugin = \"lammps\"; file = \"%s\"; }; };\n" LINEAR_AND_BONDED,
        path);
    fixture_refuse(text, ":3: bodies 4 and 9 are bonded already, by line 3");
}

#define LEANING                                                                                    \
    "3 atoms\n2 atom types\n0 2 xlo xhi\n0 3 ylo yhi\n-1 1 zlo zhi\n0.5 -0.25 0.75 xy xz yz\n\n"
#define TILTED TITLE LEANING

TEST("/lammps/a-tilted-box-must-agree")
{
#define LEANS(B, X)                                                                                \
    "region = { min = (0, 0, -1); max = (2, 3, 1); tilt = (" X "); }; boundary = " B ";"
    scree_scene *s = load(TILTED ATOMS, TWO, LEANS("\"periodic\"", "0.5, -0.25, 0.75"));
    scree_scene_free(s);
    refuse(TILTED ATOMS, TWO, LEANS("\"periodic\"", "0.5, -0.25, 0.7"),
           "is tilted along z by (-0.25, 0.75) m; scene.region, which is periodic, must agree "
           "(-0.25, 0.7)");
    refuse(TILTED ATOMS, TWO, LEANS("\"periodic\"", "0.0, -0.25, 0.75"),
           "is tilted along y by (0.5, 0) m; scene.region, which is periodic, must agree (0, 0)");
    refuse(HEAD ATOMS, TWO, LEANS("\"periodic\"", "0.5, 0.0, 0.0"),
           "is tilted along y by (0, 0) m");
    s = load(TILTED ATOMS, TWO, LEANS("\"open\"", "0.0, 0.0, 0.0"));
    g_assert_nonnull(
        strstr(s->config->notes->pdata[0], "z -1 m to 1 m, tilted; scene.region differs"));
    scree_scene_free(s);
}

TEST("/lammps/a-tilted-box-becomes-the-region")
{
    scree_scene *s = load("write_data, units = cgs\n\n" LEANING ATOMS,
                          "material = \"glass\"; density = \"material\";", "");
    g_assert_true(s->has_region);
    for (int k = 0; k < 3; k++)
        g_assert_cmpint(s->boundary[k], ==, SCREE_BOUNDARY_PERIODIC);
    g_assert_cmpfloat(s->region_max[1], ==, 3.0 * 0.01);
    g_assert_cmpfloat(s->tilt[0], ==, 0.5 * 0.01);
    g_assert_cmpfloat(s->tilt[1], ==, -0.25 * 0.01);
    g_assert_cmpfloat(s->tilt[2], ==, 0.75 * 0.01);
    scree_scene_free(s);
    s = load(HEAD ATOMS, TWO, "");
    g_assert_false(s->has_region);
    scree_scene_free(s);
}

TEST("/lammps/mistakes-are-refused-with-their-line")
{
    static const char *const cases[][2] = {
        {"", "no section Atoms"},
        {TITLE "1 atoms\n", "no section Atoms"},
        {TITLE "Atoms\n\n1 1 1 1 0 0 0\n", "the header does not say how many atoms"},
        {TITLE "4 atoms\n" ATOMS,
         "the header says 4 atoms, section Atoms has 3 lines (truncated?)"},
        {TITLE "2 atoms\n" ATOMS, "the header says 2 atoms, section Atoms has 3 lines"},
        {TITLE "99999999999999999999 atoms\n" ATOMS, ":3: atoms = '99999999999999999999'"},
        {TITLE "9000000000000000000 atoms\n" ATOMS, "says 9000000000000000000 atoms"},
        {TITLE "-3 atoms\n" ATOMS, ":3: atoms = '-3'"},
        {HEAD "Atoms # bond\n", ":9: atom_style bond is not read; sphere and bpm/sphere are"},
        {HEAD "Atoms # bpm/sphere\n\n7 2 0.2 7800 0.5 0.25 0.75\n",
         ":11: 7 columns; atom_style bpm/sphere has 8 (id molecule type"},
        {HEAD "Atoms # hybrid sphere bond\n", ":9: atom_style hybrid sphere bond"},
        {HEAD "Bonds\n\n1 1 1 2\n" ATOMS, "the header says 0 bonds, section Bonds has 1 lines"},
        {TITLE "2 bonds\n3 atoms\n2 atom types\n\nBonds\n\n1 1 1 2\n\n" ATOMS,
         "the header says 2 bonds, section Bonds has 1 lines (truncated?)"},
        {TITLE "1 bonds\n3 atoms\n2 atom types\n\nBonds\n\n1 1 1 9\n\n" ATOMS,
         ":9: a bond of atom 9, which is not"},
        {TITLE "1 bonds\n3 atoms\n2 atom types\n\nBonds\n\n1 1 2 2\n\n" ATOMS,
         ":9: atom 2 is bonded to itself"},
        {TITLE "1 bonds\n3 atoms\n2 atom types\n\nBonds\n\n1 1 2\n\n" ATOMS,
         ":9: 3 columns; a bond has 4"},
        {TITLE "2 bonds\n3 atoms\n2 atom types\n\nBonds\n\n1 1 1 2\n2 2 2 7\n\n" ATOMS,
         ":10: bond type 2, but line 9 has type 1: bonds of only one type are read"},
        {TITLE "1 bonds\n1 bond types\n3 atoms\n2 atom types\n\nBonds\n\n1 3 1 2\n\n" ATOMS,
         ":10: bond type 3: the header says 1 bond types"},
        {TITLE "1 bonds\n3 atoms\n2 atom types\n\nBonds\n\n1 1 1 2\n\n" ATOMS,
         "its source bonds 1 pairs of bodies, and no force law of the scene makes bonds"},
        {HEAD "Atons\n\n1 1 1 2\n" ATOMS, ":9: section 'Atons' is not read"},
        {TITLE "4 angles\n" ATOMS, ":3: 4 angles: only spheres are read"},
        {TITLE "4 ghosts\n" ATOMS, ":3: 'ghosts' is not a known line of a header"},
        {TITLE "0 0 nan xy xz yz\n" ATOMS, ":3: tilt = 'nan' is not a finite number"},
        {TITLE "1 0 0 avec\n" ATOMS, ":3: a general triclinic box (avec) is not read"},
        {TITLE "1 0 xlo xhi\n" ATOMS, ":3: the box has no width along x (1, 0)"},
        {TITLE "nan 0 xlo xhi\n" ATOMS, ":3: lo = 'nan' is not a finite number"},
        {HEAD "Atoms\n\n1 1 0.1 2500 0 0 nan\n", ":11: z = 'nan' is not a finite number"},
        {HEAD "Atoms\n\n1 1 0.0 2500 0 0 0\n", ":11: diameter: expected a number > 0, got 0"},
        {HEAD "Atoms\n\n1 1 -0.5 2500 0 0 0\n", ":11: diameter: expected a number > 0, got -0.5"},
        {HEAD "Atoms\n\n1 1 0.1 0 0 0 0\n", ":11: density: expected a number > 0, got 0"},
        {HEAD "Atoms\n\n1 3 0.1 2500 0 0 0\n", ":11: type = '3' is not a whole number from 1 to 2"},
        {HEAD "Atoms\n\n1.5 1 0.1 2500 0 0 0\n", ":11: id = '1.5'"},
        {HEAD "Atoms\n\n1 1 0.1 2500 0 0 0 0\n", ":11: 8 columns; atom_style sphere has 7"},
        {HEAD "Atoms\n\n1 1 0.1 2500 0 0 0 0 0 0.5\n", ":11: image count = '0.5'"},
        {HEAD ATOMS "Atoms\n", "a second section Atoms"},
        {HEAD ATOMS "Velocities\n\n1 0 0 0 0 0 0\n2 0 0 0 0 0 0\n",
         ":11: atom 7 has no line in Velocities"},
        {HEAD ATOMS SPEEDS "9 0 0 0 0 0 0\n", ":20: a velocity of atom 9, which is not in Atoms"},
        {HEAD ATOMS SPEEDS "1 0 0 0 0 0 0\n", ":20: atom 1 has a velocity already, on line 19"},
        {HEAD ATOMS "Velocities\n\n1 0 0 0\n", ":17: 4 columns; a velocity has 7"},
        {HEAD "Atoms\n\n1 1 0.1 2500 0 0 0\n2 1 0.1 2500 1 0 0\n1 1 0.1 2500 2 0 0\n",
         ":13: id 1 is taken already, at "},
    };
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++)
        refuse(cases[k][0], TWO, "", cases[k][1]);
    refuse(TITLE "1 atoms\n1 atom types\n0 2 xlo xhi\n0 3 ylo yhi\n0.5 0 0.25 xy xz yz\n"
                 "Atoms\n\n1 1 0.2 2500 0 0 0\n",
           "material = \"glass\";", "dimension = 2;", ":7: in 2D xz and yz are 0, got 0 and 0.25");
    g_remove(path);
    g_autofree char *text = g_strdup_printf(
        MATERIAL "bodies = { b = { file = \"%s\"; format = \"lammps\"; }; };", path);
    fixture_refuse(text, "No such file");
}

int main(int argc, char **argv)
{
    g_autofree char *folder = g_dir_make_tmp("scree-XXXXXX", NULL);
    path = g_build_filename(folder, "a.data", NULL);
    int status = test_run(argc, argv);
    g_remove(path);
    g_rmdir(folder);
    g_free(path);
    return status;
}
