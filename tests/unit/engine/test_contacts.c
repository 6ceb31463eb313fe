/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts apart from storage: out by key, back into any storage order. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/contacts.h"
#include "engine/edits.h"

static void assert_same(const scree_sim *sim, const scree_contact_store *a,
                        const scree_contact_store *b)
{
    size_t fields = a->n * sim->plugins.contact.n_fields * sizeof(double);
    g_assert_cmpuint(a->n, ==, b->n);
    g_assert_cmpmem(a->key, a->n * sizeof *a->key, b->key, b->n * sizeof *b->key);
    g_assert_cmpmem(a->field, fields, b->field, fields);
    g_assert_cmpmem(a->stored, a->n * sizeof(double), b->stored, b->n * sizeof(double));
}

static void round_trip(const char *text, int n)
{
    g_autoptr(scree_sim) sim = fixture_sim(text);
    fixture_run(sim, n);
    scree_contact_store *before = scree_contacts_export(sim);
    g_assert_cmpuint(before->n, >, 0);
    scree_contacts_import(sim, before);
    scree_contact_store *after = scree_contacts_export(sim);
    assert_same(sim, before, after);
    scree_contact_store_free(after);
    g_autofree uint64_t *order = g_memdup2(sim->world->id, sim->world->n * sizeof(uint64_t));
    const uint64_t numbering = sim->view.numbering;
    scree_renumber(sim); // and into another order
    g_assert_cmpuint(sim->view.numbering, !=, numbering);
    g_assert_true(memcmp(order, sim->world->id, sim->world->n_free * sizeof(uint64_t)) != 0);
    after = scree_contacts_export(sim);
    assert_same(sim, before, after);
    scree_contact_store_free(after);
    scree_contact_store_free(before);
}

TEST("/contacts/come-back-after-renumbering")
{
    round_trip(PILE "renumber = { every = 0; };\n", 1000);
}

TEST("/contacts/come-back-across-boundaries")
{
    round_trip(GAS "renumber = { every = 0; };\n", 300);
}

TEST("/contacts/come-in-the-order-of-their-keys")
{
    g_autoptr(scree_sim) sim =
        fixture_begin(fixture_scene(PILE), &(scree_sim_options){.blocks = 3});
    fixture_run(sim, 1000);
    scree_contact_store *store = scree_contacts_export(sim);
    g_assert_cmpuint(store->n, >, 20);
    for (uint64_t c = 1; c < store->n; c++) {
        const scree_contact_key *last = &store->key[c - 1], *now = &store->key[c];
        g_assert_true(last->id_a < now->id_a ||
                      (last->id_a == now->id_a &&
                       (last->id_b < now->id_b ||
                        (last->id_b == now->id_b && last->feature < now->feature))));
    }
    scree_contact_store *again = scree_contacts_collect(sim);
    g_assert_cmpuint(again->n, ==, store->n);
    g_assert_true(memcmp(again->key, store->key, store->n * sizeof *store->key) != 0);
    scree_contact_store_sort(again, sim->plugins.contact.n_fields,
                             sim->plugins.contact.n_pair_fields);
    assert_same(sim, store, again);
    scree_contact_store_free(again);
    scree_contact_store_free(store);
}

TEST("/contacts/of-missing-bodies-are-dropped")
{
    g_autoptr(scree_sim) sim = fixture_sim(PILE);
    fixture_run(sim, 1000);
    scree_contact_store *store = scree_contacts_export(sim);
    uint64_t n = store->n;
    store->key[n / 2].id_a = 4711;
    scree_contacts_import(sim, store);
    scree_contact_store *after = scree_contacts_export(sim);
    g_assert_cmpuint(after->n, ==, n - 1);
    scree_contact_store_free(store);
    scree_contact_store_free(after);
}

/* Two balls drift together through the face: first a wraps, then b. */
TEST("/contacts/a-key-survives-a-wrap")
{
    scree_sim *sim =
        fixture_sim("scene = { dimension = 3; dt = 1.0e-4; region = { min = (0.0, 0.0, 0.0);\n"
                    "  max = (0.1, 0.1, 0.1); }; boundary = \"periodic\"; };\n" GLASS
                    "bodies = { a = { radius = 0.01; position = (0.0205, 0.05, 0.05);\n"
                    "             velocity = (-1.0, 0.0, 0.0); };\n"
                    "           b = { radius = 0.01; position = (0.0404, 0.05, 0.05);\n"
                    "             velocity = (-1.0, 0.0, 0.0); }; };\n"
                    "force = ( { plugin = \"linear\"; kn = 1.0e-6; restitution = 1.0; } );\n");
    scree_contact_store *first = scree_contacts_export(sim);
    g_assert_cmpuint(first->n, ==, 1);
    g_assert_cmpuint(first->key[0].shift, ==, SCREE_SHIFT_ZERO);
    for (int n = 0; n < 100; n++) {
        fixture_run(sim, 10);
        scree_contact_store *now = scree_contacts_export(sim);
        g_assert_cmpuint(now->n, ==, 1);
        g_assert_cmpmem(now->key, sizeof *now->key, first->key, sizeof *now->key);
        scree_contact_store_free(now);
    }
    g_assert_cmpint(sim->world->image[0][0], <, 0);
    scree_contact_store_free(first);
    scree_sim_free(sim);
}
