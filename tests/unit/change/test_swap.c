/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of all scopes over a swap: kept, dropped, dormant within the hash, restored, fresh. */
#include <stdio.h>

#include "../../test.h"
#include "../sim_fixture.h"
#include "change/swap.h"
#include "engine/contacts.h"
#include "engine/digest.h"
#include "tools/restart/checkpoint_read.h"
#include "tools/restart/snapshot_restore.h"

/* ---- a law and a modifier that count, and move nothing ---- */

static int32_t no_force(void *instance, const scree_contact_batch *batch)
{
    for (uint32_t c = 0; c < batch->n; c++)
        for (int k = 0; k < 3; k++)
            batch->f[k][c] = 0.0;
    return SCREE_OK;
}

/** Fresh values start from 100; in[] holds `initial`, 0, then. */
static int32_t count(void *instance, const scree_contact_batch *batch)
{
    for (uint32_t c = 0; c < batch->n; c++) {
        batch->out[0][c] = batch->in[0][c] + (batch->fresh[c] ? 100.0 : 0.0) + 1.0;
        batch->out[1][c] = batch->in[1][c] + (batch->pair_fresh[c] ? 100.0 : 0.0) + 1.0;
    }
    return no_force(instance, batch);
}

static unsigned n_fresh, global_fresh; /* of the last call of tally() */
static bool inserts;                   /* tally() inserts a body in its next call */

static int32_t tally(void *instance, const scree_step *args)
{
    const scree_bodies *bodies = args->bodies;
    scree_one_body body = {.scale = 1e-3, .x = {0.01, 0.02, 0.01}, .q = {1.0}};
    uint64_t id;
    n_fresh = 0;
    global_fresh = bodies->global_fresh;
    args->global_fields[0] += 1.0;
    for (uint32_t i = 0; i < bodies->n; i++) {
        n_fresh += bodies->fresh && bodies->fresh[i];
        args->body_fields[0][i] = (double)bodies->id[i] + (double)args->step;
    }
    if (inserts)
        g_assert_cmpint(scree_insert_one(args->edits, &body, &id), ==, SCREE_OK);
    inserts = false;
    return SCREE_OK;
}

#define FIELD(scope_, return_, name_, initial_)                                                    \
    {                                                                                              \
        .size = sizeof(scree_field), .scope = SCREE_SCOPE_##scope_, .components = 1,               \
        .revision = 1, .on_return = SCREE_RETURN_##return_, .name = name_, .unit = "-",            \
        .help = "counts", .initial = initial_                                                      \
    }
static const scree_field of_contact = FIELD(CONTACT, RESTORE, "n", 0.0),
                         of_pair = FIELD(PAIR, RESTORE, "n", 0.0),
                         of_body = FIELD(BODY, RESTORE, "n", 5.0),
                         of_run = FIELD(GLOBAL, RESTORE, "n", 3.0),
                         contact_again = FIELD(CONTACT, RESTART, "n", 0.0),
                         pair_again = FIELD(PAIR, RESTART, "n", 0.0),
                         body_again = FIELD(BODY, RESTART, "n", 5.0),
                         run_again = FIELD(GLOBAL, RESTART, "n", 3.0);
static const scree_field *const law_fields[] = {&of_contact, &of_pair};
static const scree_field *const modifier_fields[] = {&of_body, &of_run};
static const scree_field *const law_again[] = {&contact_again, &pair_again};
static const scree_field *const modifier_again[] = {&body_again, &run_again};
static const scree_force_ops plain_ops = {OPS(force, plain_create, plain_destroy),
                                          .compute = no_force};
static const scree_force_ops counter_ops = {OPS(force, plain_create, plain_destroy),
                                            .compute = count};
static const scree_modifier_ops tally_ops = {OPS(modifier, plain_create, plain_destroy),
                                             .after_step = tally};
static const scree_plugin plain = {PLUGIN(FORCE, "plain", "of a test"), .ops = &plain_ops};
static const scree_plugin counter = {PLUGIN(FORCE, "counter", "of a test"), .ops = &counter_ops,
                                     .n_fields = 2, .fields = law_fields};
static const scree_plugin tallier = {PLUGIN(MODIFIER, "tallier", "of a test"), .ops = &tally_ops,
                                     .n_fields = 2, .fields = modifier_fields};
static const scree_plugin forgets = {PLUGIN(FORCE, "forgets", "of a test"), .ops = &counter_ops,
                                     .n_fields = 2, .fields = law_again};
static const scree_plugin tally_again = {PLUGIN(MODIFIER, "tally_again", "of a test"),
                                         .ops = &tally_ops, .n_fields = 2,
                                         .fields = modifier_again};

static scree_choice_of plain_choice = {.plugin = &plain}, counter_choice = {.plugin = &counter},
                       tally_choice = {.plugin = &tallier}, forgets_choice = {.plugin = &forgets},
                       again_choice = {.plugin = &tally_again};
static scree_timed_choice tally_hook = {.name = "t", .choice = &tally_choice},
                          no_hook = {.name = "t"},
                          again_hook = {.name = "t", .choice = &again_choice};

/** The scene with that law, and with that modifier or (NULL) without. */
static scree_sim *begin(const scree_plugin *law, const scree_timed_choice *modifier)
{
    scree_scene *scene = fixture_scene(
        "scene = { dimension = 3; dt = 2.0e-5; region = { min = (0.0, 0.0, 0.0); max = (0.03, "
        "0.03, "
        "0.03); }; boundary = \"periodic\"; };\n" GLASS
        "generate = { balls = { shape = \"sphere\"; count = 30; radius = 0.004;\n"
        "  velocity_random = 5.0; }; };\nforce = ( { plugin = \"spring\"; kn = 1.0; } );");
    fixture_plug(scene->forces->pdata[0], law);
    if (modifier) {
        scree_timed_choice *timed = g_new0(scree_timed_choice, 1);
        *timed = *modifier;
        timed->choice = g_memdup2(modifier->choice, sizeof *modifier->choice);
        timed->choice->memory = g_ptr_array_new();
        g_ptr_array_add(scene->modifiers, timed);
    }
    return fixture_begin(scene, &(scree_sim_options){0});
}

static const scree_swap *swap(scree_sim *sim, scree_choice_of *law, scree_timed_choice *timed)
{
    g_autoptr(GError) error = NULL;
    scree_plugin_set *set = g_new0(scree_plugin_set, 1);
    set->forces = g_ptr_array_new();
    set->modifiers = g_ptr_array_new();
    g_ptr_array_add(set->forces, law);
    g_ptr_array_add(set->modifiers, timed);
    g_ptr_array_add(sim->swaps.adopted, set);
    const scree_swap *done = scree_swap_run(sim, NULL, set, NULL, "test", &error);
    g_assert_no_error(error);
    g_assert_cmpstr(done->refused, ==, NULL);
    return done;
}

/** A line that begins like that. */
static void assert_line(const scree_swap *done, const char *line)
{
    for (guint k = 0; k < done->fields->len; k++)
        if (g_str_has_prefix(done->fields->pdata[k], line))
            return;
    g_test_message("no line: %s", line);
    g_test_fail();
}

static bool has_key(const scree_contact_store *store, const scree_contact_key *key, uint64_t *at)
{
    for (*at = 0; *at < store->n; ++*at)
        if (!scree_contact_key_compare(&store->key[*at], key))
            return true;
    return false;
}

/** 50 steps of another law: which of these contacts were there all the time. */
static void follow(scree_sim *sim, const scree_contact_store *before, bool *lived)
{
    uint64_t at;
    for (int n = 0; n < 50; n++) {
        fixture_run(sim, 1);
        scree_contact_store *now = scree_contacts_export(sim);
        for (uint64_t i = 0; i < before->n; i++)
            lived[i] = lived[i] && has_key(now, &before->key[i], &at);
        scree_contact_store_free(now);
    }
}

/** How many of the earlier contacts are still there; others have begun. */
static unsigned count_living(const scree_sim *sim, const scree_contact_store *before,
                             const bool *lived)
{
    scree_contact_store *now = scree_contacts_export(sim);
    unsigned n = 0;
    uint64_t at;
    for (uint64_t i = 0; i < now->n; i++)
        n += has_key(before, &now->key[i], &at) && lived[at];
    g_assert_cmpuint(n, <, now->n);
    scree_contact_store_free(now);
    return n;
}

/** One step after the return: contacts that have lived count on, others begin at 100. */
static void check_counts(scree_sim *sim, const scree_contact_store *before, const bool *lived)
{
    unsigned old = 0, young = 0;
    uint64_t at;
    fixture_run(sim, 1);
    scree_contact_store *after = scree_contacts_export(sim);
    for (uint64_t i = 0; i < after->n; i++) {
        bool stays = has_key(before, &after->key[i], &at) && lived[at];
        g_assert_cmpfloat(after->field[i], ==, stays ? before->field[at] + 1.0 : 101.0);
        old += stays;
        young += !stays;
    }
    g_assert_cmpuint(old, >, 0);
    g_assert_cmpuint(young, >, 0);
    scree_contact_store_free(after);
}

/** Restored fields live on within the hash; what has begun meanwhile is fresh. */
TEST("/swap/restored-fields-live-on-in-the-hash")
{
    scree_sim *sim = begin(&counter, &tally_hook), *other = begin(&plain, NULL);
    sim->watched = other->watched = true;
    fixture_run(sim, 50);
    scree_contact_store *before = scree_contacts_export(sim);
    g_assert_cmpuint(before->n, >, 0);
    g_assert_cmpuint(before->n_pairs, >, 0);
    g_autofree bool *lived = g_malloc(before->n);
    memset(lived, 1, before->n);
    const scree_swap *there = swap(sim, &plain_choice, &no_hook);
    assert_line(there, "force[0]/n: dormant until its plugin returns, ");
    assert_line(there, "modifiers.t/n: dormant until its plugin returns, 30 bodies");
    follow(sim, before, lived);
    fixture_run(other, 100);
    g_autofree char *with = scree_state_sha256(sim), *without = scree_state_sha256(other);
    g_assert_cmpstr(with, !=, without);
    sim->world->field[0][3] += 1.0; // a dormant value
    g_autofree char *changed = scree_state_sha256(sim);
    g_assert_cmpstr(with, !=, changed);
    sim->world->field[0][3] -= 1.0;
    const unsigned n_old = count_living(sim, before, lived);
    const scree_swap *back = swap(sim, &counter_choice, &tally_hook);
    g_autofree char *restored = g_strdup_printf("force[0]/n: restored, %u contact", n_old);
    assert_line(back, restored);
    assert_line(back, "modifiers.t/n: restored, 30 bodies");
    g_assert_cmpfloat(sim->plugins.body.global_field[0], ==, 3.0 + 50.0);
    for (uint32_t i = 0; i < sim->world->n; i++)
        g_assert_cmpfloat(sim->world->field[0][i], ==, (double)sim->world->id[i] + 50.0);
    n_fresh = 1000;
    check_counts(sim, before, lived);
    g_assert_cmpuint(n_fresh + global_fresh, ==, 0);
    scree_contact_store_free(before);
    scree_sim_free(sim);
    scree_sim_free(other);
}

/** Others are dropped at once: the state is that of a run without them, and every value is fresh
 * after the return. */
TEST("/swap/other-fields-are-dropped-at-once")
{
    scree_sim *sim = begin(&forgets, &again_hook), *other = begin(&plain, NULL);
    sim->watched = other->watched = true;
    fixture_run(sim, 50);
    const scree_swap *there = swap(sim, &plain_choice, &no_hook);
    assert_line(there, "force[0]/n: dropped, ");
    assert_line(there, "modifiers.t/n: dropped, 30 bodies");
    g_assert_cmpuint(sim->plugins.contact.n_fields + sim->plugins.contact.n_pair_fields +
                         sim->plugins.body.n_fields + sim->plugins.body.n_global_fields,
                     ==, 0);
    fixture_run(sim, 50);
    fixture_run(other, 100);
    g_autofree char *with = scree_state_sha256(sim), *without = scree_state_sha256(other);
    g_assert_cmpstr(with, ==, without);
    assert_line(swap(sim, &forgets_choice, &again_hook), "force[0]/n: starts from 0");
    g_assert_cmpfloat(sim->plugins.body.global_field[0], ==, 3.0);
    fixture_run(sim, 1);
    g_assert_cmpuint(n_fresh, ==, sim->world->n);
    g_assert_cmpuint(global_fresh, ==, 1);
    scree_contact_store *store = scree_contacts_export(sim);
    g_assert_cmpuint(store->n, >, 0);
    for (uint64_t i = 0; i < store->n; i++)
        g_assert_cmpfloat(store->field[i], ==, 101.0);
    g_assert_cmpuint(store->n_pairs, >, 0);
    for (uint64_t i = 0; i < store->n_pairs; i++) // pairs without contact have no law to set them
        g_assert_true(store->pair_field[i] == 101.0 || scree_is_unset(store->pair_field[i]) ||
                      store->pair_field[i] == 0.0);
    scree_contact_store_free(store);
    scree_sim_free(sim);
    scree_sim_free(other);
}

/** The first id without values, in a checkpoint of this state. */
static uint64_t kept_fresh_from(const scree_sim *sim)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("scree-swap-XXXXXX", &error);
    g_assert_no_error(error);
    g_autofree char *path = g_build_filename(folder, "state.h5", NULL);
    scree_checkpoint_write(sim, NULL, path, &error);
    g_assert_no_error(error);
    g_autoptr(scree_checkpoint) c = scree_checkpoint_read(path, &error);
    g_assert_no_error(error);
    g_assert_cmpint(remove(path), ==, 0);
    g_assert_cmpint(remove(folder), ==, 0);
    return ((const scree_column *)c->columns[SCREE_SCOPE_BODY]->pdata[0])->fresh_from;
}

/** A body that is inserted is fresh once, in the next call that can set its fields. */
TEST("/swap/an-inserted-body-is-fresh-once")
{
    g_autoptr(scree_sim) sim = begin(&plain, &again_hook);
    sim->watched = true;
    fixture_run(sim, 1);
    g_assert_cmpuint(n_fresh, ==, 30);
    g_assert_cmpuint(global_fresh, ==, 1);
    fixture_run(sim, 1);
    g_assert_cmpuint(n_fresh + global_fresh, ==, 0);
    inserts = true;
    fixture_run(sim, 1);
    g_assert_cmpuint(n_fresh + sim->world->n, ==, 31);
    g_assert_cmpuint(kept_fresh_from(sim), ==, sim->world->next_id - 1);
    scree_snapshot *snapshot = scree_snapshot_quick(NULL, sim);
    scree_snapshot_sort(snapshot);
    for (int n = 0; n < 2; n++) { // a snapshot knows it
        fixture_run(sim, 1);
        g_assert_cmpuint(n_fresh, ==, 1);
        g_assert_cmpuint(global_fresh, ==, 0);
        fixture_run(sim, 1);
        g_assert_cmpuint(n_fresh, ==, 0);
        g_assert_cmpuint(kept_fresh_from(sim), ==, sim->world->next_id);
        scree_snapshot_restore(sim, snapshot);
    }
    scree_snapshot_free(snapshot);
}

/** At once, each value is what it was; one step later the count goes on. */
TEST("/swap/there-and-back-at-once-is-nothing")
{
    scree_sim *sim = begin(&counter, &tally_hook), *other = begin(&counter, &tally_hook);
    sim->watched = other->watched = true;
    fixture_run(sim, 50);
    fixture_run(other, 50);
    swap(sim, &plain_choice, &no_hook);
    swap(sim, &counter_choice, &tally_hook);
    g_autofree char *with = scree_state_sha256(sim), *without = scree_state_sha256(other);
    g_assert_cmpstr(with, ==, without);
    fixture_run(sim, 20);
    fixture_run(other, 20);
    g_autofree char *later = scree_state_sha256(sim), *still = scree_state_sha256(other);
    g_assert_cmpstr(later, ==, still);
    scree_sim_free(sim);
    scree_sim_free(other);
}

/** A law without history sees all contacts as fresh, once. */
TEST("/swap/a-law-without-history-sees-fresh-contacts-once")
{
    g_autoptr(scree_sim) sim = begin(&plain, NULL);
    sim->watched = true;
    fixture_run(sim, 50);
    const scree_swap *done = swap(sim, &counter_choice, &tally_hook);
    assert_line(done, "force[0]/n: starts from 0");
    assert_line(done, "modifiers.t/n: starts from 3");
    g_assert_true(sim->plugins.contact.laws[0].newcomer);
    fixture_run(sim, 1);
    g_assert_false(sim->plugins.contact.laws[0].newcomer);
    scree_contact_store *store = scree_contacts_export(sim);
    g_assert_cmpuint(store->n, >, 0);
    for (uint64_t i = 0; i < store->n; i++)
        g_assert_cmpfloat(store->field[i], ==, 101.0);
    fixture_run(sim, 1);
    scree_contact_store *next = scree_contacts_export(sim);
    unsigned older = 0;
    for (uint64_t i = 0; i < next->n; i++)
        older += next->field[i] == 102.0;
    g_assert_cmpuint(older, >, 0);
    g_assert_cmpfloat(sim->world->field[0][0], ==, (double)(sim->world->id[0] + sim->step));
    scree_contact_store_free(store);
    scree_contact_store_free(next);
}

/** Dormant values go with a snapshot. */
TEST("/swap/dormant-fields-go-with-a-snapshot")
{
    g_autoptr(scree_sim) sim = begin(&counter, &tally_hook);
    sim->watched = true;
    fixture_run(sim, 50);
    swap(sim, &plain_choice, &no_hook);
    scree_snapshot *snapshot = scree_snapshot_quick(NULL, sim);
    scree_snapshot_sort(snapshot);
    fixture_run(sim, 30);
    g_autofree char *first = NULL, *second = NULL;
    swap(sim, &counter_choice, &tally_hook);
    first = scree_state_sha256(sim);
    swap(sim, &plain_choice, &no_hook);
    scree_snapshot_restore(sim, snapshot);
    fixture_run(sim, 30);
    swap(sim, &counter_choice, &tally_hook);
    second = scree_state_sha256(sim);
    g_assert_cmpstr(first, ==, second);
    scree_snapshot_free(snapshot);
}
