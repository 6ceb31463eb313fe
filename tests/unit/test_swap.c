/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of all scopes over a swap: kept, dormant outside of the hash, restored; all or nothing. */
#include "change/swap.h"
#include "engine/contacts.h"
#include "engine/digest.h"
#include "engine/snapshot.h"
#include "sim_fixture.h"

/* ---- a law and a modifier that count, and move nothing ---- */

static int32_t no_force(void *instance, const scree_contact_batch *batch)
{
    (void)instance;
    for (uint32_t c = 0; c < batch->n; c++)
        for (int k = 0; k < 3; k++)
            batch->f[k][c] = 0.0;
    return SCREE_OK;
}

static int32_t count(void *instance, const scree_contact_batch *batch)
{
    for (uint32_t c = 0; c < batch->n; c++)
        for (int f = 0; f < 2; f++)
            batch->out[f][c] = (f == 0 && batch->fresh[c] ? 100.0 : batch->in[f][c]) + 1.0;
    return no_force(instance, batch);
}

static int32_t tally(void *instance, const scree_step *args)
{
    (void)instance;
    args->global_fields[0] += 1.0;
    for (uint32_t i = 0; i < args->bodies->n; i++)
        args->body_fields[0][i] = (double)args->bodies->id[i] + (double)args->step;
    return SCREE_OK;
}

#define FIELD(scope_, name_, initial_)                                                             \
    {                                                                                              \
        .size = sizeof(scree_field), .scope = SCREE_SCOPE_##scope_, .components = 1,               \
        .revision = 1, .name = name_, .unit = "-", .help = "counts", .initial = initial_           \
    }
static const scree_field of_contact = FIELD(CONTACT, "n", 0.0), of_pair = FIELD(PAIR, "n", 0.0),
                         of_body = FIELD(BODY, "n", 5.0), of_run = FIELD(GLOBAL, "n", 3.0);
static const scree_field *const law_fields[] = {&of_contact, &of_pair}, *const modifier_fields[] = {
                                                                            &of_body, &of_run};
static const scree_force_ops plain_ops = {.size = sizeof(scree_force_ops),
                                          .create = fixture_create,
                                          .destroy = fixture_destroy,
                                          .compute = no_force};
static const scree_force_ops counter_ops = {.size = sizeof(scree_force_ops),
                                            .create = fixture_create,
                                            .destroy = fixture_destroy,
                                            .compute = count};
static const scree_modifier_ops tally_ops = {.size = sizeof(scree_modifier_ops),
                                             .create = fixture_create,
                                             .destroy = fixture_destroy,
                                             .after_step = tally};
static const scree_plugin plain = {FIXTURE_PLUGIN(FORCE, "plain"), .ops = &plain_ops};
static const scree_plugin counter = {FIXTURE_PLUGIN(FORCE, "counter"), .ops = &counter_ops,
                                     .n_fields = 2, .fields = law_fields};
static const scree_plugin tallier = {FIXTURE_PLUGIN(MODIFIER, "tallier"), .ops = &tally_ops,
                                     .n_fields = 2, .fields = modifier_fields};

static scree_choice_of plain_choice = {.plugin = &plain}, counter_choice = {.plugin = &counter},
                       tally_choice = {.plugin = &tallier};
static scree_hook tally_hook = {.name = "t", .choice = &tally_choice}, no_hook = {.name = "t"};

/** The scene with that law, with or without the modifier. */
static scree_sim *begin(const scree_plugin *law, bool tallied)
{
    scree_scene *scene = fixture_scene(
        "scene = { dimension = 3; dt = 2.0e-5; region = { min = (0.0, 0.0, 0.0); max = (0.03, "
        "0.03, "
        "0.03); }; boundary = \"periodic\"; };\n" GLASS
        "generate = { balls = { shape = \"sphere\"; count = 30; radius = 0.004;\n"
        "  velocity_random = 5.0; }; };\nforce = ( { plugin = \"spring\"; kn = 1.0; } );");
    fixture_plug(scene->forces->pdata[0], law);
    if (tallied) {
        scree_hook *hook = g_new0(scree_hook, 1);
        *hook = tally_hook;
        hook->choice = g_memdup2(&tally_choice, sizeof tally_choice);
        hook->choice->memory = g_ptr_array_new();
        g_ptr_array_add(scene->modifiers, hook);
    }
    return fixture_begin(scene, &(scree_sim_options){0});
}

static const scree_swap *swap(scree_sim *sim, scree_choice_of *law, scree_hook *hook)
{
    g_autoptr(GError) error = NULL;
    scree_plugin_set_read *set = g_new0(scree_plugin_set_read, 1);
    set->forces = g_ptr_array_new();
    set->modifiers = g_ptr_array_new();
    g_ptr_array_add(set->forces, law);
    g_ptr_array_add(set->modifiers, hook);
    g_ptr_array_add(sim->swaps.adopted, set);
    const scree_swap *done = scree_swap_run(sim, NULL, set, "test", &error);
    g_assert_no_error(error);
    g_assert_cmpstr(done->refused, ==, NULL);
    return done;
}

static void assert_told(const scree_swap *done, const char *line)
{
    for (guint k = 0; k < done->fields->len; k++)
        if (!strcmp(done->fields->pdata[k], line))
            return;
    g_test_message("no line: %s", line);
    g_test_fail();
}

static void test_dormant(void)
{
    scree_sim *sim = begin(&counter, true), *other = begin(&plain, false);
    sim->watched = other->watched = true;
    fixture_run(sim, 50);
    scree_contact_store *before = scree_contacts_export(sim);
    g_assert_cmpuint(before->n, >, 0);
    g_assert_cmpuint(before->n_pairs, >, 0);
    const scree_swap *there = swap(sim, &plain_choice, &no_hook);
    assert_told(there, "force[0]/n: dormant until its plugin returns");
    assert_told(there, "modifiers.t/n: dormant until its plugin returns");
    fixture_run(sim, 50);
    fixture_run(other, 100);
    g_autofree char *with = scree_state_sha256(sim), *without = scree_state_sha256(other);
    g_assert_cmpstr(with, ==, without);
    const scree_swap *back = swap(sim, &counter_choice, &tally_hook);
    assert_told(back, "force[0]/n: restored");
    assert_told(back, "modifiers.t/n: restored");
    g_autofree char *restored = scree_state_sha256(sim);
    g_assert_cmpstr(restored, !=, without);
    g_assert_cmpfloat(sim->plugins.body.global_field[0], ==, 3.0 + 50.0);
    for (uint32_t i = 0; i < sim->world->n; i++)
        g_assert_cmpfloat(sim->world->field[0][i], ==, (double)sim->world->id[i] + 50.0);
    scree_contact_store_free(before);
    scree_sim_free(sim);
    scree_sim_free(other);
}

/** At once, each value is what it was; one step later the count goes on. */
static void test_values(void)
{
    scree_sim *sim = begin(&counter, true), *other = begin(&counter, true);
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
static void test_fresh(void)
{
    scree_sim *sim = begin(&plain, false);
    sim->watched = true;
    fixture_run(sim, 50);
    const scree_swap *done = swap(sim, &counter_choice, &tally_hook);
    assert_told(done, "force[0]/n: starts from 0");
    assert_told(done, "modifiers.t/n: starts from 3");
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
    scree_sim_free(sim);
}

/** Dormant values go with a snapshot. */
static void test_snapshot(void)
{
    scree_sim *sim = begin(&counter, true);
    sim->watched = true;
    fixture_run(sim, 50);
    swap(sim, &plain_choice, &no_hook);
    scree_snapshot *snapshot = scree_snapshot_take(sim);
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
    scree_sim_free(sim);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/swap/dormant-fields-live-on-outside-the-hash", test_dormant);
    g_test_add_func("/swap/there-and-back-at-once-is-nothing", test_values);
    g_test_add_func("/swap/a-law-without-a-past-sees-fresh-contacts-once", test_fresh);
    g_test_add_func("/swap/dormant-fields-go-with-a-snapshot", test_snapshot);
    return g_test_run();
}
