/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins switched in mid-run: with copies of themselves the state is that of the run that never
 * switched; what fails leaves it so; what must show in it does.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../tap.h"
#include "change/swap.h"
#include "config/config.h"
#include "engine/contacts.h"
#include "engine/digest.h"
#include "engine/sim.h"
#include "engine/step.h"
#include "plugin/registry.h"
#include "scene/scene.h"

enum { MOST_OVERRIDES = 16, MOST_KINDS = 32 };

static const char *scene_name, *overrides[MOST_OVERRIDES + 1];
static uint64_t n_steps;
static scree_registry *registry; // of all runs
static GString *table;           // the row of this scene
static GPtrArray *kept;          // what lives as long as the test

static void *keep(void *memory)
{
    g_ptr_array_add(kept, memory);
    return memory;
}

static void result(bool ok, const char *name, const char *detail)
{
    claim(ok, "%s%s%s", name, *detail ? " # " : "", detail);
    g_string_append_printf(table, "%-40s %s\n", name, ok ? detail : "FAILED");
}

static scree_sim *start(const scree_sim_options *options)
{
    g_autoptr(GError) error = NULL;
    scree_scene *scene = scree_scene_load(scene_name, overrides, registry, &error);
    scree_sim *sim = scene ? scree_sim_new(scene, options, &error) : NULL;
    if (!sim)
        bail_out("%s", error->message);
    return sim;
}

static void run(scree_sim *sim, uint64_t steps)
{
    g_autoptr(GError) error = NULL;
    for (uint64_t n = 0; n < steps; n++) {
        sim->watched = n + 1 == steps;
        if (!scree_sim_step(sim, &error))
            bail_out("%s", error->message);
    }
}

/* ---- sets of copies ---------------------------------------------------------------------------
 */

/** The same parameters for another plugin, or for the same one. Lives as long as the test. */
static scree_choice_of *copy_choice(const scree_choice_of *choice, bool other)
{
    g_autoptr(GError) error = NULL;
    scree_choice_of *copy = keep(g_memdup2(choice, sizeof *choice));
    g_autofree char *id = g_strdup_printf("%s_copy", choice->plugin->id);
    if (other)
        copy->plugin = scree_registry_get(registry, choice->plugin->kind, id, &copy->file, &error);
    if (!copy->plugin)
        bail_out("%s", error->message);
    return copy;
}

static GPtrArray *copy_choices(const GPtrArray *choices, bool other)
{
    GPtrArray *copies = keep(g_ptr_array_new());
    for (guint k = 0; k < choices->len; k++)
        g_ptr_array_add(copies, copy_choice(choices->pdata[k], other));
    return copies;
}

static GPtrArray *copy_timed(const GPtrArray *chosen)
{
    GPtrArray *copies = keep(g_ptr_array_new());
    for (guint k = 0; k < chosen->len; k++) {
        scree_timed_choice *timed = keep(g_memdup2(chosen->pdata[k], sizeof *timed));
        timed->choice = copy_choice(timed->choice, false);
        g_ptr_array_add(copies, timed);
    }
    return copies;
}

enum { GCD = 1, RESOLVERS = 2, FORCE = 4, INTEGRATOR = 8, MODIFIERS = 16 };

static const scree_swap *swap(scree_sim *sim, const scree_plugin_set *set)
{
    g_autoptr(GError) error = NULL;
    scree_plugin_set *copy = keep(g_memdup2(set, sizeof *set));
    const scree_swap *done = scree_swap_run(sim, NULL, copy, NULL, "test", &error);
    if (!done)
        bail_out("%s", error->message);
    return done;
}

/** Swaps to the plugins of the start, under the names of the copies or (!other) their own. */
static const scree_swap *swap_kinds(scree_sim *sim, unsigned kinds, bool other)
{
    const scree_scene *scene = sim->scene;
    const scree_plugin_set set = {
        .gcd = kinds & GCD ? copy_choice(scene->gcd, false) : NULL,
        .resolvers = kinds & RESOLVERS ? copy_choices(scene->resolvers, other) : NULL,
        .forces = kinds & FORCE ? copy_choices(scene->forces, other) : NULL,
        .integrator = kinds & INTEGRATOR ? copy_choice(scene->integrator, other) : NULL,
        .modifiers = kinds & MODIFIERS ? copy_timed(scene->modifiers) : NULL};
    return swap(sim, &set);
}

static void must_be_done(const scree_swap *done)
{
    if (done->refused)
        bail_out("%s", done->refused);
}

/* ---- runs -------------------------------------------------------------------------------------
 */

/** With copies from a third of the steps on, and back after the next third. */
static char *there_and_back(unsigned kinds, const scree_sim_options *options)
{
    g_autoptr(scree_sim) sim = start(options);
    run(sim, n_steps / 3);
    must_be_done(swap_kinds(sim, kinds, true));
    run(sim, n_steps / 3);
    must_be_done(swap_kinds(sim, kinds, false));
    run(sim, n_steps - 2 * (n_steps / 3));
    char *hash = scree_state_sha256(sim);
    return hash;
}

static const char *const gcds[] = {
    "gcd = { plugin = \"pairing\"; };",
    "gcd = { plugin = \"grid\"; };",
    "gcd = { plugin = \"bounding_volume\"; };",
    "gcd = { plugin = \"grid\"; search = \"window\"; };",
    "gcd = { plugin = \"bounding_volume\"; volume = \"sphere\"; };",
};

static const scree_swap *swap_text(scree_sim *sim, const char *text)
{
    g_autoptr(GError) error = NULL;
    const scree_config *config = keep(scree_config_parse(text, "test", "."));
    const scree_swap *done = scree_swap_group(sim, NULL, config->root, NULL, "test", &error);
    if (!done)
        bail_out("%s", error->message);
    return done;
}

/** A resolver that finds the same contacts under other names: history follows the place. Under
 * those names the state is another one, with the old ones it is the previous one. */
static void check_names(const char *reference)
{
    g_autoptr(scree_sim) sim = start(&(scree_sim_options){.threads = 2});
    run(sim, n_steps / 3);
    const scree_swap *there = swap_text(sim, "resolvers = { plugin = \"sphere_shifted\"; };");
    must_be_done(there);
    uint64_t dropped = there->dropped, faceted = 0;
    run(sim, n_steps / 3);
    scree_contact_store *store = scree_contacts_export(sim);
    for (uint64_t i = 0; i < store->n; i++)
        faceted += store->key[i].feature >= 1000;
    scree_contact_store_free(store);
    there = swap_text(sim, "resolvers = { plugin = \"sphere\"; };");
    must_be_done(there);
    run(sim, n_steps - 2 * (n_steps / 3));
    g_autofree char *hash = scree_state_sha256(sim);
    g_autofree char *text =
        g_strdup_printf("%u contacts with facets, %.16s", (unsigned)faceted, hash);
    result(!strcmp(hash, reference) && !dropped && !there->dropped,
           "history-goes-to-the-nearest-contact", text);
}

/** From any to any other one, at random steps. */
static char *many_gcds(unsigned *n_swaps)
{
    enum { SEED = 20 };
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
    g_autoptr(scree_sim) sim = start(&(scree_sim_options){.threads = 2});
    uint64_t done = 0;
    printf("# seed %d\n", SEED);
    for (*n_swaps = 0; done < n_steps; ++*n_swaps) {
        uint64_t some = (uint64_t)g_rand_int_range(random, 1, (gint32)(n_steps / 5) + 2);
        some = MIN(some, n_steps - done);
        must_be_done(swap_text(sim, gcds[(guint)g_rand_int_range(random, 0, 5)]));
        run(sim, some);
        done += some;
    }
    char *hash = scree_state_sha256(sim);
    return hash;
}

static bool is_same_key(const scree_contact_key *a, const scree_contact_key *b)
{
    return a->id_a == b->id_a && a->id_b == b->id_b && a->shift == b->shift &&
           a->feature == b->feature;
}

/** Number of a key in a store, or that of its contacts. */
static uint64_t find_key(const scree_contact_store *in, const scree_contact_key *key)
{
    uint64_t i = 0;
    while (i < in->n && !is_same_key(&in->key[i], key))
        i++;
    return i;
}

/** Another law for a while: the springs are dropped at once, and all contacts begin again. */
static void check_dropped(bool rest)
{
    g_autoptr(scree_sim) sim = start(&(scree_sim_options){0});
    unsigned sprung = 0, stayed = 0, stale = 0;
    run(sim, n_steps);
    uint32_t n = sim->plugins.contact.n_fields;
    scree_contact_store *before = scree_contacts_export(sim);
    for (uint64_t i = 0; i < before->n; i++)
        sprung += before->field[i * n] != 0.0;
    const scree_swap *out = swap_text(sim, "force = { plugin = \"plain_spring\"; k = 1e4; };");
    must_be_done(out);
    g_autofree char *line =
        g_strdup_printf("force[0]/shear_spring: dropped, %u contacts", (unsigned)before->n);
    bool reported = out->fields->len == 1 && !strcmp(out->fields->pdata[0], line);
    bool freed = sim->plugins.contact.n_fields == 0;
    run(sim, 500);
    must_be_done(swap_kinds(sim, FORCE, false));
    scree_contact_store *after = scree_contacts_export(sim);
    for (uint64_t k = 0; k < after->n; k++) {
        stayed += find_key(before, &after->key[k]) < before->n;
        for (uint32_t f = 0; f < n; f++)
            stale += !scree_is_unset(after->field[k * n + f]);
    }
    g_autofree char *text = g_strdup_printf("%u contacts, %u with a spring, %u still there",
                                            (unsigned)before->n, sprung, stayed);
    result(reported && freed && !stale && (!rest || (sprung > 0 && stayed > 0)),
           "a-law-that-returns-finds-no-old-spring", text);
    scree_contact_store_free(before);
    scree_contact_store_free(after);
}

/** A modifier that comes in sets its fields before it is asked for forces: springs that hold bodies
 * where they are store nothing then, without and with a new law in the same swap. */
static void check_entered(void)
{
    static const char hold[] = "modifiers = { hold = { plugin = \"anchors\"; }; };",
                      both[] = "modifiers = { hold = { plugin = \"anchors\"; }; };"
                               "force = { plugin = \"linear\"; kn = 1e4; restitution = 0.2;"
                               " friction = 0.5; };";
    for (int k = 0; k < 2; k++) {
        g_autoptr(scree_sim) sim = start(&(scree_sim_options){0});
        run(sim, n_steps / 10);
        const scree_swap *done = swap_text(sim, k ? both : hold);
        must_be_done(done);
        g_autofree char *text =
            g_strdup_printf("%g J, forces differ by %g N", done->work, done->difference);
        result(fabs(done->work) < 1e-9 && done->difference < 1e-3,
               k ? "anchors-come-in-without-energy-next-to-a-law"
                 : "anchors-come-in-without-energy",
               text);
    }
}

/* ---- what is refused --------------------------------------------------------------------------
 */

typedef struct failure {
    const char *name, *text, *why;
} failure;

static const failure failures[] = {
    {"an-unknown-plugin-is-refused", "gcd = { plugin = \"gird\"; };", "grid"},
    {"a-bad-parameter-is-refused", "force = { plugin = \"linear\"; kn = -1.0; };", "kn"},
    {"a-wrong-dimension-is-refused", "force = { plugin = \"only_3d\"; };", "does not serve"},
    {"a-plugin-that-refuses-is-refused",
     "force = { plugin = \"plain_spring\"; sin = \"refuses\"; };", "not today"},
    {"a-crash-in-create-is-survived",
     "force = { plugin = \"plain_spring\"; sin = \"crashes_early\"; };", "call create"},
    {"a-crash-in-the-first-call-is-survived",
     "force = { plugin = \"plain_spring\"; sin = \"crashes\"; };", "call compute"},
    {"an-exit-is-survived", "force = { plugin = \"plain_spring\"; sin = \"exits\"; };",
     "process ended"},
    {"a-hang-is-survived", "force = { plugin = \"plain_spring\"; sin = \"hangs\"; };",
     "did not end within 1 s: 0.0 s of CPU time, 1."},
    {"so-is-a-loop", "force = { plugin = \"plain_spring\"; sin = \"spins\"; };",
     "did not end within 1 s: 1."},
    {"a-gcd-that-misses-candidates-is-refused", "gcd = { plugin = \"forgetful\"; };", "misses"},
    {"nan-is-refused", "force = { plugin = \"plain_spring\"; sin = \"nan\"; };", "misbehaved"},
    {"a-field-that-may-not-start-again-is-refused", "force = { plugin = \"strict_past\"; };",
     "needs previous values"},
    {"one-bad-of-two-changes-nothing",
     "gcd = { plugin = \"pairing\"; }; force = { plugin = \"plain_spring\"; sin = \"crashes\"; };",
     "call compute"},
};

static void check_failures(const char *reference)
{
    g_autoptr(scree_sim) sim = start(&(scree_sim_options){0});
    const scree_instance *law = sim->plugins.contact.laws[0].instance, *gcd = sim->plugins.gcd;
    uint64_t done = n_steps / 2;
    g_setenv("SCREE_SWAP_LIMIT", "1", TRUE);
    run(sim, done);
    for (size_t k = 0; k < G_N_ELEMENTS(failures); k++) {
        const failure *f = &failures[k];
        const scree_swap *tried = swap_text(sim, f->text);
        bool said = tried->refused && strstr(tried->refused, f->why);
        if (!said)
            printf("# %s\n", tried->refused ? tried->refused : "it was done");
        result(said && law == sim->plugins.contact.laws[0].instance && gcd == sim->plugins.gcd,
               f->name, "");
        run(sim, 1);
        done++;
    }
    run(sim, n_steps - done);
    g_unsetenv("SCREE_SWAP_LIMIT");
    g_autofree char *hash = scree_state_sha256(sim);
    result(!strcmp(hash, reference), "refused-swaps-leave-the-state-alone", hash);
}

/** Stops the next child process of the test for longer than a trial may take by itself. */
static void *stop_child(void *stopped)
{
    g_autofree char *path = g_strdup_printf("/proc/self/task/%d/children", (int)getpid());
    int child = 0;
    for (int k = 0; k < 10000 && child == 0; k++, g_usleep(1000)) {
        g_autofree char *text = NULL;
        if (g_file_get_contents(path, &text, NULL, NULL))
            child = atoi(text);
    }
    g_usleep(100000);
    *(bool *)stopped = child > 0 && kill(child, SIGSTOP) == 0;
    g_usleep(2500000);
    if (child > 0)
        kill(child, SIGCONT);
    return NULL;
}

/** A machine that does not serve a trial says nothing about the plugin. */
static void check_stopped(void)
{
    bool stopped = false;
    g_autoptr(scree_sim) sim = start(&(scree_sim_options){0});
    run(sim, 2);
    g_setenv("SCREE_SWAP_LIMIT", "1", TRUE);
    GThread *thread = g_thread_new("stops", stop_child, &stopped);
    const scree_swap *tried =
        swap_text(sim, "force = { plugin = \"plain_spring\"; sin = \"busy\"; };");
    g_thread_join(thread);
    g_unsetenv("SCREE_SWAP_LIMIT");
    result(stopped && !tried->refused, "a-trial-that-was-stopped-for-longer-than-its-limit-is-done",
           tried->refused ? tried->refused : "");
}

/** A change that must change the state. */
static void check_control(const char *name, const char *text, const char *reference)
{
    g_autoptr(scree_sim) sim = start(&(scree_sim_options){0});
    run(sim, n_steps / 2);
    must_be_done(swap_text(sim, text));
    run(sim, n_steps - n_steps / 2);
    g_autofree char *hash = scree_state_sha256(sim);
    result(strcmp(hash, reference) != 0, name, "");
}

/* ---- next to every integrator -----------------------------------------------------------------
 */

/* Every flag of an integrator, its work in stage or in move, one stage or several. */
static const char *const integrators[] = {
    "velocity_verlet",
    "euler_plain",
    "euler_plain_moves",
    "euler_serial",
    "euler_serial_moves",
    "euler_displacement",
    "euler_displacement_moves",
    "euler_displacement_serial",
    "euler_displacement_serial_moves",
    "rkn4", // of tests/abi/probes
    "symplectic_euler",
    "forest_ruth",
    "gear",
};

/** A run with this integrator; a swap of all other kinds for copies in the middle changes no bit,
 * and is not refused. */
static char *run_with(const char *id, unsigned kinds)
{
    const scree_sim_options two = {.threads = 2, .blocks = 3};
    g_autofree char *text = g_strdup_printf("integrator={plugin=\"%s\";}", id);
    overrides[0] = text;
    g_autoptr(scree_sim) sim = start(&two);
    overrides[0] = NULL;
    run(sim, n_steps / 2);
    if (kinds)
        for (unsigned kind = 1; kind <= RESOLVERS + FORCE; kind *= 2)
            must_be_done(swap_kinds(sim, kind, true));
    run(sim, n_steps - n_steps / 2);
    char *hash = scree_state_sha256(sim);
    return hash;
}

/** From this integrator to each other one and back, with a step of each; more bodies on the way. */
static void check_changes(const char *id)
{
    g_autofree char *own = g_strdup_printf("integrator={plugin=\"%s\";}", id);
    const char *grows = "modifiers={grow={plugin=\"grows\";};}";
    overrides[0] = own;
    overrides[1] = grows;
    g_autoptr(scree_sim) sim = start(&(scree_sim_options){0});
    overrides[0] = overrides[1] = NULL;
    uint32_t n = sim->world->n;
    unsigned n_swaps = 0;
    run(sim, 5);
    for (size_t k = 0; k < G_N_ELEMENTS(integrators); k++) {
        g_autofree char *to = g_strdup_printf("integrator = { plugin = \"%s\"; };", integrators[k]);
        g_autofree char *back = g_strdup_printf("integrator = { plugin = \"%s\"; };", id);
        must_be_done(swap_text(sim, to));
        run(sim, 1);
        must_be_done(swap_text(sim, "force = { plugin = \"plain_spring\"; k = 1e4; };"));
        must_be_done(swap_text(sim, back));
        run(sim, 2);
        must_be_done(swap_kinds(sim, FORCE, false));
        n_swaps += 4;
    }
    g_autofree char *name = g_strdup_printf("%s-to-each-other-one-and-back", id);
    g_autofree char *text = g_strdup_printf("%u swaps, %u to %u bodies", n_swaps, n, sim->world->n);
    result(sim->world->n > n, name, text);
}

static void check_integrators(void)
{
    for (size_t k = 0; k < G_N_ELEMENTS(integrators); k++) {
        g_autofree char *name = g_strdup_printf("swaps-with-%s-leave-the-state", integrators[k]);
        g_autofree char *straight = run_with(integrators[k], 0);
        g_autofree char *swapped = run_with(integrators[k], GCD | RESOLVERS | FORCE);
        result(!strcmp(straight, swapped), name, straight);
        check_changes(integrators[k]);
    }
}

/* ---------------------------------------------------------------------------------------------- */

static void compare(const char *name, char *hash, const char *reference)
{
    g_autofree char *detail = g_strndup(hash, 16);
    result(!strcmp(hash, reference), name, detail);
    g_free(hash);
}

static void check_copies(const char *reference, bool modified)
{
    const scree_sim_options one = {0}, two = {.threads = 2, .blocks = 5};
    compare("the-law-as-its-copy", there_and_back(FORCE, &one), reference);
    compare("the-resolver-as-its-copy", there_and_back(RESOLVERS, &one), reference);
    compare("the-integrator-as-its-copy", there_and_back(INTEGRATOR, &one), reference);
    if (modified)
        compare("modifiers-with-themselves", there_and_back(MODIFIERS, &one), reference);
    compare("all-at-once-on-two-threads",
            there_and_back(GCD | RESOLVERS | FORCE | INTEGRATOR | (modified ? MODIFIERS : 0), &two),
            reference);
}

/** Switches that the state does not show, and one that it does. */
static void check_sameness(const char *reference, bool modified)
{
    unsigned n_swaps;
    check_copies(reference, modified);
    g_autofree char *hash = many_gcds(&n_swaps);
    g_autofree char *many = g_strdup_printf("%u swaps, %.16s", n_swaps, hash);
    result(!strcmp(hash, reference) && n_swaps > 4, "any-gcd-to-any-other", many);
    check_names(reference);
    check_control("another-law-is-seen", "force = { plugin = \"plain_spring\"; };", reference);
}

int main(int argc, char **argv)
{
    bool failing = argc > 4 && !strcmp(argv[4], "failures");
    bool integrating = argc > 4 && !strcmp(argv[4], "integrators");
    int first = 4 + (failing || integrating);
    if (argc < 4 || argc - first > MOST_OVERRIDES) {
        fprintf(stderr,
                "usage: swap FOLDER SCENE STEPS [failures | integrators] [PATH=VALUE]...\n");
        return 2;
    }
    scene_name = argv[2];
    n_steps = g_ascii_strtoull(argv[3], NULL, 10);
    for (int k = first; k < argc; k++)
        overrides[k - first] = argv[k];
    registry = scree_registry_new((const char *const[]){argv[1], NULL}, NULL);
    table = g_string_new(NULL);
    kept = g_ptr_array_new();
    scree_sim *sim = start(&(scree_sim_options){0});
    bool modified = sim->plugins.body.modifiers->len > 0;
    const char *law = sim->plugins.contact.laws[0].instance->plugin->id;
    run(sim, n_steps);
    g_autofree char *reference = scree_state_sha256(sim), *text = g_strndup(reference, 16);
    uint64_t contacts = sim->counters.contacts;
    scree_sim_free(sim);
    result(contacts > 0, "contacts-at-the-end", text);
    if (integrating)
        check_integrators();
    else if (!failing)
        check_sameness(reference, modified);
    bool lasting = strstr(scene_name, "rest.cfg") != NULL; // no contact of it ends
    if (failing || (!strcmp(law, "linear") && !lasting && !integrating))
        check_dropped(failing);
    if (failing) {
        check_entered();
        check_failures(reference);
        check_stopped();
    }
    printf("# %s\n", scene_name);
    g_auto(GStrv) rows = g_strsplit(table->str, "\n", -1);
    for (char **row = rows; *row && **row; row++)
        printf("# %s\n", *row);
    g_string_free(table, TRUE);
    scree_registry_free(registry);
    return tap_end();
}
