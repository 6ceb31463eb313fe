/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints: the way there and back, and every kind of file that must not be taken. */
#include <glib/gstdio.h>
#include <hdf5.h>
#include <string.h>

#define OWN_MAIN
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/contacts.h"
#include "engine/digest.h"
#include "engine/energy.h"
#include "tools/restart/checkpoint_read.h"
#include "tools/restart/restart.h"
#include "tools/restart/scene_again.h"

enum { HEAD = SCREE_H5_HEAD };

static char *folder; // of all files of this program

static char *path_of(const char *name)
{
    return g_build_filename(folder, name, NULL);
}

/** The state of a pile with contacts. */
static char *write_pile(const char *name, scree_sim **out)
{
    g_autoptr(GError) error = NULL;
    scree_sim *sim = fixture_sim(PILE);
    sim->watched = true;
    fixture_run(sim, 700);
    char *path = path_of(name);
    scree_checkpoint_write(sim, NULL, path, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(sim->counters.contacts, >, 0);
    if (out)
        *out = sim;
    else
        scree_sim_free(sim);
    return path;
}

static scree_checkpoint *read_good(const char *path)
{
    g_autoptr(GError) error = NULL;
    scree_checkpoint *c = scree_checkpoint_read(path, &error);
    g_assert_no_error(error);
    return c;
}

static void assert_refused(const char *path, const char *word)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_checkpoint) c = scree_checkpoint_read(path, &error);
    g_assert_null(c);
    g_assert_nonnull(error);
    g_assert_true(g_str_has_prefix(error->message, path));
    if (!strstr(error->message, word))
        g_error("\"%s\" lacks \"%s\"", error->message, word);
}

static scree_sim *resume(const char *text, const scree_checkpoint *c, GPtrArray *notes,
                         GError **error)
{
    return scree_restart(fixture_scene(text), &(scree_sim_options){0}, c, false, notes, error);
}

/** The energy account is complete too. */
static void there_and_back(const char *text, int before, int after)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *path = path_of("there.h5");
    g_autoptr(scree_sim) sim = fixture_sim(text);
    sim->watched = true;
    fixture_run(sim, before);
    scree_checkpoint_write(sim, NULL, path, &error);
    g_assert_no_error(error);
    fixture_run(sim, after);
    g_autofree char *end = scree_state_sha256(sim);
    g_autoptr(scree_checkpoint) c = read_good(path);
    scree_sim *other = resume(text, c, notes, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(notes->len, ==, 0);
    other->watched = true;
    g_autofree char *there = scree_state_sha256(other);
    g_assert_cmpstr(there, ==, c->state_sha256);
    g_assert_cmpstr(there, !=, end);
    fixture_run(other, after);
    g_autofree char *again = scree_state_sha256(other);
    g_assert_cmpstr(again, ==, end);
    g_assert_cmpfloat(scree_exact_sum_value(&other->account.lost), ==,
                      scree_exact_sum_value(&sim->account.lost));
    g_assert_cmpfloat(scree_exact_sum_value(&other->account.work), ==,
                      scree_exact_sum_value(&sim->account.work));
    g_assert_cmpfloat(other->account.start, ==, sim->account.start);
    g_assert_cmpuint(other->counters.destroyed, ==, sim->counters.destroyed);
    g_assert_cmpuint(other->world->next_id, ==, sim->world->next_id);
    scree_sim_free(other);
}

TEST("/checkpoint/there-and-back")
{
    there_and_back(PILE, 700, 400);
    there_and_back(GAS "extent = { renew = \"moved\"; };\nrenumber = { every = 50; };\n", 230, 200);
}

static GBytes *load(const char *path)
{
    char *bytes;
    gsize n;
    g_assert_true(g_file_get_contents(path, &bytes, &n, NULL));
    return g_bytes_new_take(bytes, n);
}

static void store(const char *path, const void *bytes, gsize n)
{
    FILE *file = fopen(path, "wb"); // plainly: to sync hundreds of files takes long
    g_assert_cmpuint(fwrite(bytes, 1, n, file), ==, n);
    g_assert_cmpint(fclose(file), ==, 0);
}

/** Every byte of the head, and 400 others, with one bit turned. */
TEST("/checkpoint/one-turned-bit-is-refused")
{
    enum { FLIPS = 400 };
    g_autofree char *path = write_pile("flip.h5", NULL);
    g_autoptr(GBytes) good = load(path);
    gsize n = g_bytes_get_size(good), count = 0;
    g_autofree char *bytes = g_memdup2(g_bytes_get_data(good, NULL), n);
    for (gsize k = 0; k < HEAD + FLIPS; k++) {
        gsize at = k < HEAD ? k : (gsize)g_test_rand_int_range(HEAD, (gint32)n);
        char bit = (char)(1 << g_test_rand_int_range(0, 8));
        bytes[at] ^= bit;
        store(path, bytes, n);
        assert_refused(path, k < HEAD ? "" : "damaged");
        bytes[at] ^= bit;
        count++;
    }
    store(path, bytes, n);
    scree_checkpoint_free(read_good(path));
    g_test_message("%" G_GSIZE_FORMAT " files of %" G_GSIZE_FORMAT
                   " bytes with one bit turned: all refused",
                   count, n);
}

TEST("/checkpoint/a-cut-file-is-refused")
{
    enum { CUTS = 300 };
    g_autofree char *path = write_pile("cut.h5", NULL);
    g_autoptr(GBytes) good = load(path);
    gsize n;
    const char *bytes = g_bytes_get_data(good, &n);
    for (int k = 0; k < CUTS; k++) {
        gsize length = k < 3 ? (gsize)k * HEAD / 2 : k == 3 ? n - 1 : n * (gsize)k / CUTS;
        store(path, bytes, length);
        assert_refused(path, "");
    }
    g_autofree char *longer = g_malloc0(n + 1);
    memcpy(longer, bytes, n);
    store(path, longer, n + 1);
    assert_refused(path, " bytes, got ");
    g_test_message("%d files cut short: all refused", CUTS);
}

/** Writes the head again, as a forger would. */
static void forge_head(const char *path)
{
    g_autoptr(GBytes) file = load(path);
    gsize n;
    g_autofree char *bytes = g_memdup2(g_bytes_get_data(file, &n), g_bytes_get_size(file));
    n = g_bytes_get_size(file);
    g_autofree char *sum =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)bytes + HEAD, n - HEAD);
    memset(bytes, 0, HEAD);
    g_snprintf(bytes, HEAD, "scree checkpoint %d\nbytes %020" G_GUINT64_FORMAT "\nsha256 %s\n",
               SCREE_CHECKPOINT_VERSION, (uint64_t)n, sum);
    store(path, bytes, n);
}

static void forge_x(hid_t file)
{
    double x[64];
    hid_t set = H5Dopen2(file, "bodies/x", H5P_DEFAULT);
    g_assert_cmpint(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x), >=, 0);
    x[0] += 1e-9;
    g_assert_cmpint(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x), >=, 0);
    H5Dclose(set);
}

/** A value that replaces one of the file, and the message. */
typedef struct forgery {
    const char *group, *name;
    bool real;
    double value;
    const char *word;
} forgery;

static void forge_number(hid_t file, const forgery *f)
{
    hid_t group = H5Gopen2(file, f->group, H5P_DEFAULT), at = H5Aopen(group, f->name, H5P_DEFAULT);
    uint64_t whole = (uint64_t)f->value;
    g_assert_cmpint(at, >=, 0);
    g_assert_cmpint(f->real ? H5Awrite(at, H5T_NATIVE_DOUBLE, &f->value)
                            : H5Awrite(at, H5T_NATIVE_UINT64, &whole),
                    >=, 0);
    H5Aclose(at);
    H5Gclose(group);
}

TEST("/checkpoint/what-was-changed-through-hdf5-is-refused")
{
    static const forgery all[] = {
        {"/", "version", false, 3, "version 2 or less, got 3"},
        {"bodies", "n", false, 31, "expected 31 x 1"},
        {"bodies", "n", false, 4e9, "at most"},
        {"bodies", "n_free", false, 33, "at most"},
        {"bodies", "n_free", false, 29, "expected"},
        {"bodies", "next_id", false, 3, "expected ids below next_id 3"},
        {"contacts", "n", false, 1, "expected 1 x"},
        {"contacts", "n", false, 1e18, "at most"},
        {"fields", "n", false, 9, "is missing"},
        {"fields/0", "scope", false, 7, "at most"},
        {"fields/0", "components", false, 100, "expected"},
        {"plugins", "n", false, 1000, "is missing"},
        {"run", "dt", true, 0.0, "expected a time step above 0 s, got 0"},
        {"run", "step", false, 701, "its state has SHA-256"},
        {"run", "t0", true, 1e-30, "its state has SHA-256"},
    };
    g_autofree char *path = write_pile("forged.h5", NULL);
    g_autoptr(GBytes) good = load(path);
    for (size_t k = 0; k <= G_N_ELEMENTS(all); k++) {
        store(path, g_bytes_get_data(good, NULL), g_bytes_get_size(good));
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        if (k == G_N_ELEMENTS(all))
            forge_x(file);
        else
            forge_number(file, &all[k]);
        H5Fclose(file);
        assert_refused(path, ""); // by the head
        forge_head(path);
        assert_refused(path, k == G_N_ELEMENTS(all) ? "its state has SHA-256" : all[k].word);
    }
}

/** Each of the two ids of the last contact becomes one that no body has: the message names it. */
TEST("/checkpoint/a-contact-of-no-body-is-refused")
{
    for (int k = 0; k < 2; k++) {
        uint64_t key[4 * 256]; // id_a, id_b, shift, feature
        g_autofree char *path = write_pile("keys.h5", NULL);
        g_autofree char *word = NULL;
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        hid_t set = H5Dopen2(file, "contacts/key", H5P_DEFAULT), space = H5Dget_space(set);
        const uint64_t n = (uint64_t)H5Sget_simple_extent_npoints(space) / 4;
        g_assert_cmpuint(n, >, 0);
        g_assert_cmpuint(n, <=, 256);
        g_assert_cmpint(H5Dread(set, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, key), >=, 0);
        key[4 * (n - 1) + (uint64_t)k] = UINT64_MAX;
        g_assert_cmpint(H5Dwrite(set, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, key), >=,
                        0);
        H5Sclose(space);
        H5Dclose(set);
        H5Fclose(file);
        forge_head(path);
        word =
            g_strdup_printf("/contacts/key: expected ids of bodies, got %" PRIu64 " and %" PRIu64,
                            key[4 * (n - 1)], key[4 * (n - 1) + 1]);
        assert_refused(path, word);
    }
}

/** An object of the file: a group or dataset, or an attribute of one. */
typedef struct h5_thing {
    char *object, *attribute;
} h5_thing;

static void clear_thing(void *data)
{
    g_free(((h5_thing *)data)->object);
    g_free(((h5_thing *)data)->attribute);
}

static herr_t list_attribute(hid_t at, const char *name, const H5A_info_t *info, void *user)
{
    GArray *all = user;
    h5_thing thing = {g_strdup(g_array_index(all, h5_thing, all->len - 1).object), g_strdup(name)};
    g_array_append_val(all, thing);
    return 0;
}

static herr_t list_object(hid_t root, const char *name, const H5O_info_t *info, void *user)
{
    h5_thing thing = {g_strdup(name), NULL};
    g_array_append_val((GArray *)user, thing);
    hid_t object = H5Oopen(root, name, H5P_DEFAULT);
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, list_attribute, user);
    H5Oclose(object);
    return 0;
}

/** How a dataset can claim bytes that are not in its file. */
typedef enum hollow_kind { CHUNKS, PLAIN, ELSEWHERE, HOLLOW_KINDS } hollow_kind;

/** A dataset of as many rows as it takes, none of them stored, instead of another one. */
static void make_hollow(hid_t file, const char *name, hsize_t rows, hollow_kind kind)
{
    const hsize_t extent[2] = {rows, 1}, chunk[2] = {32768, 1};
    hid_t how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, extent, NULL);
    if (kind == CHUNKS)
        H5Pset_chunk(how, 2, chunk);
    if (kind == ELSEWHERE)
        H5Pset_external(how, "/dev/zero", 0, rows * sizeof(uint64_t));
    H5Ldelete(file, name, H5P_DEFAULT);
    hid_t set = H5Dcreate2(file, name, H5T_STD_U64LE, space, H5P_DEFAULT, how, H5P_DEFAULT);
    g_assert_cmpint(set, >=, 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(how);
}

/** Each object and attribute of a signed file is taken out in turn. */
TEST("/checkpoint/whatever-is-missing-is-named")
{
    g_autofree char *path = write_pile("missing.h5", NULL);
    g_autoptr(GBytes) good = load(path);
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(h5_thing));
    g_array_set_clear_func(all, clear_thing);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, list_object, all, H5O_INFO_BASIC);
    H5Fclose(file);
    g_assert_cmpuint(all->len, >, 100);
    for (guint k = 0; k < all->len; k++) {
        const h5_thing *one = &g_array_index(all, h5_thing, k);
        if (!one->attribute && !strcmp(one->object, "."))
            continue;
        store(path, g_bytes_get_data(good, NULL), g_bytes_get_size(good));
        file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        if (one->attribute)
            H5Adelete_by_name(file, one->object, one->attribute, H5P_DEFAULT);
        else
            H5Ldelete(file, one->object, H5P_DEFAULT);
        H5Fclose(file);
        forge_head(path);
        assert_refused(path, "is missing");
    }
    g_test_message("%u things taken out one by one", all->len - 1);
}

/** Counts that the file itself bears out, but no bytes behind them. */
TEST("/checkpoint/a-count-without-bytes-asks-for-no-memory")
{
    for (hollow_kind kind = CHUNKS; kind < HOLLOW_KINDS; kind++) {
        g_autofree char *path = write_pile("hollow.h5", NULL);
        const forgery count = {"bodies", "n", false, 2e9, ""};
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        make_hollow(file, "bodies/id", 2000000000, kind);
        forge_number(file, &count);
        H5Fclose(file);
        forge_head(path);
        assert_refused(path, "the dataset id is not stored as it was written");
    }
}

static void refuse_scene(const scree_checkpoint *c, const char *text, const char *word, int status)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_assert_null(resume(text, c, notes, &error));
    g_assert_error(error, SCREE_ERROR, status);
    if (!strstr(error->message, word))
        g_error("\"%s\" lacks \"%s\"", error->message, word);
}

static char *replace(const char *text, const char *a, const char *b)
{
    g_auto(GStrv) parts = g_strsplit(text, a, 2);
    g_assert_nonnull(parts[1]);
    return g_strjoinv(b, parts);
}

TEST("/checkpoint/another-scene-is-refused-by-name")
{
    static const char *const all[][3] = {
        {"count = 30", "count = 29", "group discs starts with 30 bodies, with 29"},
        {"max = 0.007", "max = 0.0071", "the bodies of group discs are others"},
        {"(0.02, 0.0)", "(0.021, 0.0)", "shape trough is another one"},
        {"glass = {", "steel = {", "material 0 is glass in the checkpoint, steel in the scene"},
        {"thickness = 0.01", "thickness = 0.02", "scene.thickness"},
        {"position = (0.0, -0.001)", "position = (0.0, -0.002)", "group trough are others"},
        {"floor = { shape", "ground = { shape", "group floor with 1 bodies is missing"},
    };
    g_autofree char *path = write_pile("scenes.h5", NULL);
    g_autoptr(scree_checkpoint) c = read_good(path);
    for (size_t k = 0; k < G_N_ELEMENTS(all); k++) {
        g_autofree char *text = replace(PILE, all[k][0], all[k][1]);
        refuse_scene(c, text, all[k][2], SCREE_EXIT_USAGE);
    }
}

/** Time and number of the step go on with another time step; gravity and laws are the new ones. */
TEST("/checkpoint/dt-and-gravity-may-differ")
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    scree_sim *old;
    scree_energy before, now;
    g_autofree char *path = write_pile("differs.h5", &old);
    scree_energy_now(old, &before);
    scree_sim_free(old);
    g_autoptr(scree_checkpoint) c = read_good(path);
    g_autofree char *slower = replace(PILE, "dt = 1.0e-5", "dt = 5.0e-6");
    g_autofree char *lighter = replace(slower, "-2000.0", "-1000.0");
    g_autoptr(scree_sim) sim = resume(lighter, c, notes, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(sim->step, ==, 700);
    g_assert_cmpfloat(fabs(scree_sim_time(sim) - 7e-3), <, 1e-15);
    g_assert_cmpuint(notes->len, ==, 1);
    g_assert_nonnull(strstr(notes->pdata[0], "dt: 1e-05 s, now 5e-06 s"));
    scree_energy_now(sim, &now); // what gravity was turned down by is work, no residual
    g_assert_cmpfloat(fabs(now.gravity - 0.5 * before.gravity), <, 1e-12 * before.gravity);
    g_assert_cmpfloat(fabs(now.residual - before.residual), <, 1e-12 * before.gravity);
    fixture_run(sim, 10);
    g_assert_cmpfloat(fabs(scree_sim_time(sim) - 7.05e-3), <, 1e-15);
}

/** A law without the spring: it sleeps, and the log says so. A law in another slot: it starts. */
TEST("/checkpoint/another-law-takes-what-is-its-own")
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *path = write_pile("law.h5", NULL);
    g_autoptr(scree_checkpoint) c = read_good(path);
    g_autofree char *text = replace(PILE, "force = ( {",
                                    "force = ( { plugin = \"linear\"; kn = "
                                    "1.0; }, {");
    g_autoptr(scree_sim) sim = resume(text, c, notes, &error);
    g_assert_no_error(error);
    g_autofree char *all = g_strjoinv("\n", (char *[]){notes->pdata[0], notes->pdata[1], NULL});
    g_assert_nonnull(strstr(all, "force[0]/shear_spring: kept"));
    g_assert_nonnull(strstr(all, "force[1]/shear_spring: starts from 0"));
    uint64_t n, n_pairs;
    scree_contacts_count(sim, &n, &n_pairs);
    g_assert_cmpuint(n, ==, c->snapshot->contacts->n);
    fixture_run(sim, 10);
}

TEST("/checkpoint/a-changed-plugin-is-refused")
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *path = write_pile("plugin.h5", NULL);
    g_autoptr(scree_checkpoint) c = read_good(path);
    scree_saved_plugin *first = &g_array_index(c->plugins, scree_saved_plugin, 0);
    g_free(first->sha256);
    first->sha256 = g_strdup("0123abcd");
    refuse_scene(c, PILE, "gcd/auto: expected the file with SHA-256 0123abcd", SCREE_EXIT_PLUGIN);
    scree_sim *sim =
        scree_restart(fixture_scene(PILE), &(scree_sim_options){0}, c, true, notes, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(notes->len, ==, 1);
    scree_sim_free(sim);
}

/** A bad file is skipped; without a good one there is an error. */
TEST("/checkpoint/the-newest-good-one-of-a-folder")
{
    g_autoptr(GError) error = NULL;
    g_autofree char *runs = path_of("run"), *older = NULL, *newer = NULL;
    g_assert_cmpint(g_mkdir(runs, 0700), ==, 0);
    g_assert_null(scree_checkpoint_find(runs, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    g_clear_error(&error);
    older = scree_checkpoint_path(runs, 99);
    newer = scree_checkpoint_path(runs, 700);
    g_autofree char *path = write_pile("newest.h5", NULL);
    g_autoptr(GBytes) file = load(path);
    store(older, g_bytes_get_data(file, NULL), g_bytes_get_size(file));
    store(newer, g_bytes_get_data(file, NULL), g_bytes_get_size(file));
    g_autoptr(scree_checkpoint) found = scree_checkpoint_find(runs, &error);
    g_assert_cmpstr(found->path, ==, newer);
    store(newer, g_bytes_get_data(file, NULL), g_bytes_get_size(file) / 2);
    g_autoptr(scree_checkpoint) other = scree_checkpoint_find(runs, &error);
    g_assert_cmpstr(other->path, ==, older);
    store(older, "", 0);
    g_assert_null(scree_checkpoint_find(runs, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    g_unlink(older);
    g_unlink(newer);
    g_rmdir(runs);
}

/** The texts of the scene and its overrides come back as they were, and make the same scene. */
TEST("/checkpoint/the-scene-is-kept-as-text")
{
    g_autoptr(GError) error = NULL;
    scree_sim *sim;
    g_autofree char *path = write_pile("text.h5", &sim);
    g_autoptr(scree_checkpoint) c = read_good(path);
    g_assert_cmpuint(c->scene->texts->len, ==, 1);
    g_assert_cmpstr(c->scene->texts->pdata[0], ==, PILE);
    scree_scene *scene = scree_stored_scene_load(c->scene, (const char *[]){"scene.dt=2e-5", NULL},
                                                 fixture_registry(), &error);
    g_assert_no_error(error);
    g_autoptr(GPtrArray) differences = scree_config_differences(sim->scene->config, scene->config);
    g_assert_cmpuint(differences->len, ==, 1);
    g_assert_cmpstr(differences->pdata[0], ==, "scene.dt: 1e-05, now 2e-05");
    scree_scene_free(scene);
    scree_sim_free(sim);
}

static void remove_files(void)
{
    GDir *dir = g_dir_open(folder, 0, NULL);
    for (const char *name; (name = g_dir_read_name(dir));) {
        g_autofree char *path = path_of(name);
        g_unlink(path);
    }
    g_dir_close(dir);
    g_rmdir(folder);
    g_free(folder);
}

int main(int argc, char **argv)
{
    folder = g_dir_make_tmp("scree-checkpoint-XXXXXX", NULL);
    int status = test_run(argc, argv);
    remove_files();
    return status;
}
