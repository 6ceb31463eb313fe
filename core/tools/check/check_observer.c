/* SPDX-License-Identifier: Apache-2.0 */
/* Promises of all observers, whatever their files. */
#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "base/text.h"
#include "plugin/call.h"
#include "plugin/instance.h"
#include "plugin/scalars.h"
#include "plugin/struct_size.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_observer.h"
#include "tools/check/check_report.h"
#include "tools/check/check_variants.h"
#include "tools/check/check_world.h"
#include "tools/check/guard_pages.h"

enum { VIEWS = 2, CONTACTS = 12 };

/** Views of a world, and its contacts. */
typedef struct sight {
    scree_check_world *world;
    scree_view view;
    scree_energy energy;
    scree_contact_list contacts;
    scree_contact_law law;
    const scree_contact_law *laws[1];
    GPtrArray *arrays;
    bool strict;
    bool reads; // reads the scalars after each look
} sight;

static const scree_observer_ops *ops_of(const scree_instance *instance)
{
    return instance->ops;
}

static void *array(sight *s, uint64_t bytes)
{
    uint64_t size = MAX((bytes + 63) / 64 * 64, 64);
    void *memory = scree_check_guarded(size);
    memset(memory, 0, size);
    g_ptr_array_add(s->arrays, memory);
    return memory;
}

/** Finds a load that follows from the body's number. */
static int32_t find_load(const scree_view *view, uint32_t i, scree_load *out)
{
    const scree_bodies *b = view->bodies;
    const scree_host *host = view->ctx;
    const bool free = i < b->n_free;
    if (!view->due)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "load: only with `due` of the view");
    if (out->size < SCREE_SIZE_TO(scree_load, torque) || i >= b->n)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "load: the struct is too short, or no such body");
    scree_load load = {.size = MIN(out->size, sizeof load), .contacts = free ? 0 : 1 + i % 3};
    for (uint32_t k = 0; k < 3; k++) {
        load.force[k] = k < b->dimension ? 0.1 * sin(i + 2.0 * k) : 0.0;
        load.torque[k] = b->dimension == 3 || k == 2 ? 0.01 * cos(i - 1.0 * k) : 0.0;
    }
    load.stiffness = 1e3 * load.contacts;
    load.damping = 0.1 * load.contacts;
    memcpy(out, &load, load.size);
    return SCREE_OK;
}

static void make_contacts(sight *s)
{
    uint32_t n = MIN(CONTACTS, s->world->bodies.n / 2), dimension = s->world->dimension;
    uint32_t *a = array(s, n * 4), *b = array(s, n * 4);
    double *depth = array(s, n * 8), *v[4][3];
    scree_contact_list *list = &s->contacts;
    *list = (scree_contact_list){
        .size = sizeof *list, .n = n, .a = a, .b = b, .feature = array(s, n * 8), .depth = depth};
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 4; c++)
            v[c][k] = array(s, n * 8);
        list->image[k] = array(s, n * 4);
        list->normal[k] = v[0][k];
        list->arm[k] = v[1][k];
        list->f[k] = v[2][k];
        list->couple[k] = v[3][k];
    }
    for (int k = 0; k < 2; k++)
        list->part[k] = array(s, n * 4);
    for (int k = 0; k < 3; k++) {
        list->couple_b[k] = array(s, n * 8);
        list->branch[k] = v[1][k]; // the middle of an array as large as its area
    }
    list->stored = array(s, n * 8);
    list->lost = array(s, n * 8);
    list->lost_ended = 1e-6;
    for (uint32_t i = 0; i < n; i++) {
        a[i] = i;
        b[i] = i + n;
        depth[i] = 1e-4 * (1.0 + i % 3);
        v[0][i % dimension][i] = 1.0;
        for (uint32_t k = 0; k < dimension; k++) {
            v[1][k][i] = 0.02 * v[0][k][i];
            v[2][k][i] = -0.3 * v[0][k][i] + 0.05 * cos(i + k);
        }
    }
}

/** Sets loads: one law with a field acts. */
static void split_contacts(sight *s)
{
    scree_contact_list *list = &s->contacts;
    const double **fields = array(s, sizeof *fields);
    fields[0] = list->depth;
    s->law = (scree_contact_law){.size = sizeof s->law,
                                 .n_fields = 1,
                                 .id = "linear",
                                 .slot = "force[0]",
                                 .stored = list->stored,
                                 .lost = list->lost,
                                 .fields = fields};
    for (int k = 0; k < 3; k++) {
        s->law.f[k] = list->f[k];
        s->law.couple[k] = list->couple[k];
        s->law.couple_b[k] = list->couple_b[k];
    }
    s->laws[0] = &s->law;
    list->n_laws = 1;
    list->laws = s->laws;
}

static void fill_view(sight *s)
{
    const scree_check_world *w = s->world;
    const scree_bodies *b = &w->bodies;
    double kinetic = 0.0;
    g_ptr_array_set_size(s->arrays, 0);
    make_contacts(s);
    s->view = (scree_view){.size = sizeof s->view,
                           .step = w->step,
                           .time = w->time,
                           .dt = w->dt,
                           .bodies = b,
                           .n_contacts = s->contacts.n};
    for (uint32_t i = 0; i < b->n_free; i++)
        for (int k = 0; k < 3; k++) {
            kinetic += 0.5 / b->inv_mass[i] * b->v[k][i] * b->v[k][i];
            s->view.momentum[k] += b->v[k][i] / b->inv_mass[i];
        }
    s->energy = (scree_energy){.size = sizeof s->energy,
                               .kinetic = kinetic,
                               .gravity = 1.0,
                               .stored = 0.1,
                               .lost = 0.01 * (double)w->step,
                               .start = 1.0 + kinetic};
}

static void protect(const sight *s, bool read_only)
{
    scree_check_world_protect(s->world, read_only);
    for (guint k = 0; s->strict && k < s->arrays->len; k++)
        scree_check_protect(s->arrays->pdata[k], read_only);
}

static bool refuse(scree_check *check, const char *why)
{
    scree_check_fail(check, "%s", why);
    return false;
}

/** Reads the scalars of the current state twice; their bits must be equal. */
static bool read_twice(scree_check *check, scree_instance *instance, sight *s)
{
    g_autoptr(GError) error = NULL;
    const size_t n = instance->n_scalars;
    double *value = scree_scalars_room(instance);
    g_autofree double *first = g_new0(double, n + 1);
    bool good = true;
    for (int turn = 0; turn < 2 && good; turn++) {
        scree_scalars_clear(instance, value);
        good = SCREE_CHECK_CALL(check, instance, "read",
                                instance->scalars->read(instance->self, &s->view, value));
        if (good && !scree_scalars_check(instance, value, &error))
            good = refuse(check, error->message);
        if (good && turn && memcmp(first, value, n * sizeof *value))
            good = refuse(check, "read() gives other values when it is called again");
        memcpy(first, value, n * sizeof *value);
    }
    scree_scalars_free(value);
    return good;
}

/** Shows the current state; to an observer that sees every step first with `due` 0. */
static bool look(scree_check *check, scree_instance *instance, sight *s)
{
    const scree_observer_ops *ops = ops_of(instance);
    const scree_listed wants = scree_instance_lists(instance);
    bool good = true;
    fill_view(s);
    if (wants == SCREE_LISTED_BY_LAW)
        split_contacts(s);
    protect(s, true);
    s->view.contacts = wants > SCREE_LISTED_NONE ? &s->contacts : NULL;
    s->view.load = find_load;
    s->view.ctx = &instance->host;
    instance->runtime->summed.contacts = s->view.contacts;
    if (instance->demands.needs & SCREE_WANTS_EVERY_STEP) {
        scree_view bare = s->view;
        memset(bare.momentum, 0, sizeof bare.momentum);
        good = SCREE_CHECK_CALL(check, instance, "observe", ops->observe(instance->self, &bare));
        s->view.again = 1;
    }
    s->view.due = 1;
    s->view.energy = &s->energy;
    good = good &&
           SCREE_CHECK_CALL(check, instance, "observe", ops->observe(instance->self, &s->view));
    good = good && (!s->reads || read_twice(check, instance, s));
    instance->runtime->summed.contacts = NULL;
    protect(s, false);
    return good;
}

static bool finish(scree_check *check, scree_instance *instance, sight *s)
{
    const scree_observer_ops *ops = ops_of(instance);
    scree_view bare = s->view;
    bare.due = 0;
    bare.energy = NULL;
    bare.contacts = NULL;
    memset(bare.momentum, 0, sizeof bare.momentum);
    return SCREE_CHECK_CALL(check, instance, "finish", ops->finish(instance->self, &bare));
}

/** Prepares views. False: nothing can be seen. */
static bool open_eyes(sight *s, scree_check *check, scree_instance *instance, uint32_t seed)
{
    *s = (sight){.world = scree_check_world_new(check, instance, seed),
                 .reads = instance->scalars,
                 .arrays = g_ptr_array_new_with_free_func(scree_check_guarded_free)};
    return s->world != NULL;
}

static void close_eyes(sight *s)
{
    g_ptr_array_unref(s->arrays);
    scree_check_world_free(s->world);
}

/* Files. */

/** Calls `take` with the path of each file and folder below, in order. */
static void walk(const char *folder, void (*take)(void *user, const char *path, bool is_folder),
                 void *user)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    const char *name;
    if (dir)
        while ((name = g_dir_read_name(dir)))
            g_ptr_array_add(names, g_strdup(name));
    g_ptr_array_sort(names, scree_compare_texts);
    for (guint k = 0; k < names->len; k++) {
        g_autofree char *path = g_build_filename(folder, names->pdata[k], NULL);
        bool is_folder = g_file_test(path, G_FILE_TEST_IS_DIR);
        if (is_folder)
            walk(path, take, user);
        take(user, path, is_folder);
    }
}

static void add_file(void *user, const char *path, bool is_folder)
{
    g_autofree char *bytes = NULL;
    gsize length = 0;
    g_checksum_update(user, (const guchar *)strchr(path, G_DIR_SEPARATOR), -1); // without the
                                                                                // folder itself
    if (!is_folder && g_file_get_contents(path, &bytes, &length, NULL))
        g_checksum_update(user, (const guchar *)bytes, (gssize)length);
}

static void remove_file(void *user, const char *path, bool is_folder)
{
    (void)user;
    if (is_folder)
        g_rmdir(path);
    else
        g_unlink(path);
}

/** Makes another instance, whose files go to `folder`. */
static scree_instance *make_in(scree_check *check, scree_instance *instance, const char *folder,
                               char **usual)
{
    g_mkdir_with_parents(folder, 0777);
    *usual = instance->runtime->output_dir;
    instance->runtime->output_dir = g_strdup(folder);
    return scree_check_instance_again(check, instance);
}

static void destroy_in(scree_instance *instance, scree_instance *first, char *usual)
{
    scree_check_instance_free(instance);
    g_free(first->runtime->output_dir);
    first->runtime->output_dir = usual;
}

/** Makes a short run; it calls `each` after each view, and after finish(). */
static bool run_short(scree_check *check, scree_instance *instance, uint32_t seed, bool strict,
                      void (*each)(void *user), void *user)
{
    sight s;
    bool good = open_eyes(&s, check, instance, seed);
    s.strict = strict;
    if (good)
        s.world->strict = strict;
    for (int n = 0; n < VIEWS && good; n++) {
        good = look(check, instance, &s);
        if (each && good)
            each(user);
        if (n + 1 < VIEWS)
            good = good && scree_check_world_advance(s.world);
    }
    good = good && finish(check, instance, &s);
    if (each && good)
        each(user);
    close_eyes(&s);
    return good;
}

/* Cases. */

/** Files that a watched run may have. */
typedef struct watcher {
    const scree_runtime *runtime;
    // the first file that is open, is elsewhere, or is not from the host's service
    char *part, *stray, *own;
} watcher;

static void note(char **first, const char *path)
{
    if (!*first)
        *first = g_strdup(path);
}

static void note_file(void *user, const char *path, bool is_folder)
{
    static const char run[] = "./inner/run/";
    watcher *w = user;
    const char *name = path + strlen(run);
    if (is_folder)
        return;
    if (!g_str_has_prefix(path, run))
        note(&w->stray, path);
    else if (g_str_has_suffix(path, ".part"))
        note(&w->part, path);
    else if (!w->runtime->writers || !g_hash_table_contains(w->runtime->writers, name))
        note(&w->own, name);
}

static void note_files(void *user)
{
    watcher *w = user;
    g_clear_pointer(&w->part, g_free); // files at the end count
    walk(".", note_file, w);
}

/** Makes a run in ./inner/run, and looks at its files after each call. */
static bool watch_run(scree_check *check, scree_instance *instance, watcher *w)
{
    char *usual;
    *w = (watcher){.runtime = instance->runtime};
    walk(".", remove_file, NULL);
    scree_instance *another = make_in(check, instance, "inner/run", &usual);
    bool good = another && run_short(check, another, 1, false, note_files, w);
    destroy_in(another, instance, usual);
    return good;
}

static void forget(watcher *w)
{
    g_free(w->part);
    g_free(w->stray);
    g_free(w->own);
}

static void try_folder(scree_check *check, scree_instance *instance, const char *setting)
{
    watcher w;
    if (watch_run(check, instance, &w) && w.stray)
        scree_check_fail(check, "%s: it wrote %s, outside of the folder of the run", setting,
                         w.stray);
    forget(&w);
}

static void try_whole(scree_check *check, scree_instance *instance, const char *setting)
{
    watcher w;
    if (watch_run(check, instance, &w) && w.own)
        scree_check_fail(check,
                         "%s: %s did not come from the service " SCREE_SERVICE_OUTPUT
                         ", which gives a file its name when it is whole",
                         setting, w.own);
    forget(&w);
}

static void try_finish(scree_check *check, scree_instance *instance, const char *setting)
{
    watcher w;
    if (watch_run(check, instance, &w) && w.part)
        scree_check_fail(check, "%s: finish() left %s open: it never gets its name", setting,
                         w.part);
    forget(&w);
}

/** Ends a run before it began: finish() at once; and gives another one up. */
static void try_short(scree_check *check, scree_instance *instance, const char *setting)
{
    sight s;
    (void)setting;
    scree_instance *another = scree_check_instance_again(check, instance);
    if (another && open_eyes(&s, check, another, 0)) {
        fill_view(&s);
        s.view.load = find_load;
        s.view.ctx = &another->host;
        finish(check, another, &s);
        close_eyes(&s);
    }
    scree_check_instance_free(another);
    another = check->failed ? NULL : scree_check_instance_again(check, instance);
    if (another && open_eyes(&s, check, another, 0)) { // destroy() comes without finish()
        look(check, another, &s);
        close_eyes(&s);
    }
    scree_check_instance_free(another);
}

/** All bodies have gone. */
static void try_empty(scree_check *check, scree_instance *instance, const char *setting)
{
    sight s;
    (void)setting;
    if (!open_eyes(&s, check, instance, 0))
        return;
    if (look(check, instance, &s)) {
        for (guint i = 0; i < s.world->list->len; i++)
            g_array_append_val(s.world->dead, g_array_index(s.world->list, scree_check_body, i).id);
        if (scree_check_world_advance(s.world) && look(check, instance, &s))
            finish(check, instance, &s);
    }
    close_eyes(&s);
}

/** Asks for the scalars once more, and compares them with the first answers. */
static bool ask_again(scree_check *check, scree_instance *instance)
{
    g_autoptr(GError) error = NULL;
    bool same = true;
    for (uint32_t k = 0; same && k <= instance->n_scalars; k++) {
        const scree_scalar *now = scree_scalars_ask_one(instance, k, &error);
        const scree_scalar *kept = k < instance->n_scalars ? &instance->kept_scalars[k] : NULL;
        if (error)
            return refuse(check, error->message);
        same = kept && now ? now->flags == kept->flags && !g_strcmp0(now->name, kept->name) &&
                                 !g_strcmp0(now->unit, kept->unit)
                           : !kept && !now;
        if (!same)
            scree_call_blame(instance, "scalar", SCREE_EXIT_PLUGIN, &error,
                             "scalar number %u: expected \"%s\" as at first, got \"%.*s\"%s", k,
                             kept ? kept->name : "none", SCREE_MAX_SCALAR_NAME,
                             now && now->name ? now->name : "none",
                             kept && now ? ", or other flags or another unit" : "");
    }
    return same || refuse(check, error->message);
}

/** The bits of a run's files, in a folder that is then removed. New string. */
static char *digest_run(scree_check *check, scree_instance *instance, bool reads)
{
    g_autoptr(GChecksum) bits = g_checksum_new(G_CHECKSUM_SHA256);
    char *usual;
    sight s;
    scree_instance *another = make_in(check, instance, "scalars", &usual);
    bool good = another && open_eyes(&s, check, another, 1);
    s.reads = reads;
    for (int n = 0; n < VIEWS && good; n++)
        good = look(check, another, &s) && (n + 1 == VIEWS || scree_check_world_advance(s.world));
    good = good && (!reads || ask_again(check, another));
    if (good)
        finish(check, another, &s);
    if (another)
        close_eyes(&s);
    destroy_in(another, instance, usual);
    walk("scalars", add_file, bits);
    walk("scalars", remove_file, NULL);
    g_rmdir("scalars");
    return g_strdup(g_checksum_get_string(bits));
}

static void try_scalars(scree_check *check, scree_instance *instance, const char *setting)
{
    if (!instance->scalars)
        return;
    g_autofree char *without = digest_run(check, instance, false);
    g_autofree char *with = check->failed ? NULL : digest_run(check, instance, true);
    if (with && !check->failed && strcmp(with, without))
        scree_check_fail(check, "%s: its files are others when its scalars are read", setting);
}

static void run_scalars(scree_check *check)
{
    if (scree_call_extension(check->plugin, SCREE_EXTENSION_SCALARS))
        scree_check_variants(check, try_scalars);
    else
        scree_check_skip(check, "it gives none (extension " SCREE_EXTENSION_SCALARS ")");
}

/* the exercise */

typedef struct work {
    scree_check *check;
    scree_instance *instance;
    char *folder;
} work;

static void *exercise_begin(scree_check *check, scree_instance *instance)
{
    static uint32_t n; // number of folders so far
    work *w = g_new(work, 1);
    *w = (work){check, instance, g_strdup_printf("work-%u", n++)};
    return w;
}

/** Makes a whole run with its own instance; the bits are those of its files. */
static void exercise_turn(void *user, uint32_t turn, GChecksum *bits)
{
    work *w = user;
    char *usual;
    scree_instance *another = make_in(w->check, w->instance, w->folder, &usual);
    if (another)
        run_short(w->check, another, turn, true, NULL, NULL);
    destroy_in(another, w->instance, usual);
    walk(w->folder, add_file, bits);
    walk(w->folder, remove_file, NULL);
}

static void exercise_end(void *user)
{
    work *w = user;
    g_rmdir(w->folder);
    g_free(w->folder);
    g_free(w);
}

bool scree_check_observer_use(scree_check *check, scree_instance *instance)
{
    sight s;
    bool good = open_eyes(&s, check, instance, 0);
    for (int n = 0; n < VIEWS && good; n++)
        good = look(check, instance, &s) && scree_check_world_advance(s.world);
    if (s.world)
        close_eyes(&s);
    return good;
}

static const scree_check_exercise exercise = {exercise_begin, exercise_turn, exercise_end};
static const scree_check_case cases[] = {
    {"folder", "it writes only below the folder of the run", .each = try_folder},
    {"whole", "a file gets its name when it is whole", .each = try_whole},
    {"finish", "finish() closes all files", .each = try_finish},
    {"short", "a run may end before anything was observed, or without finish()", .each = try_short},
    {"empty", "there may be no bodies left", .each = try_empty},
    {"scalars", "scalars have values of the state, and nothing depends on their reading",
     .run = run_scalars},
    {0}};
const scree_check_suite scree_check_observer = {SCREE_KIND_OBSERVER, &exercise, cases};
