/* SPDX-License-Identifier: Apache-2.0 */
/* state_sha256: every kind of state is in it, and nothing else. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/digest.h"
#include "engine/edits.h"

/** A law with fields of contacts and pairs, that keeps its contacts. */
static int32_t glue(void *instance, const scree_contact_batch *b)
{
    for (uint32_t c = 0; c < b->n; c++) {
        for (int k = 0; k < 3; k++)
            b->f[k][c] = -10.0 * b->depth[c] * b->normal[k][c];
        b->out[0][c] = b->in[0][c] + 1.0;
        b->out[1][c] = b->in[1][c] + 2.0;
        b->keep[c] = 1;
    }
    return SCREE_OK;
}

#define FIELD(scope_, name_)                                                                       \
    static const scree_field name_ = {.size = sizeof(scree_field),                                 \
                                      .scope = SCREE_SCOPE_##scope_,                               \
                                      .components = 1,                                             \
                                      .revision = 1,                                               \
                                      .name = #name_,                                              \
                                      .unit = "-",                                                 \
                                      .help = "of a test",                                         \
                                      .initial = 0.5}
FIELD(CONTACT, of_contact);
FIELD(PAIR, of_pair);
FIELD(GLOBAL, of_run);
static const scree_field *const fields[] = {&of_contact, &of_pair}, *const run_fields[] = {&of_run};
static const scree_force_ops ops = {OPS(force, plain_create, plain_destroy), .compute = glue};
static const scree_plugin glue_law = {PLUGIN(FORCE, "glue", "of a test"), .ops = &ops,
                                      .n_fields = 2, .fields = fields, .provides = SCREE_OUT_KEEP};

static int32_t no_forces(void *instance, const scree_forces *args)
{
    return SCREE_OK;
}

static const scree_modifier_ops counter_ops = {OPS(modifier, plain_create, plain_destroy),
                                               .forces = no_forces};
static const scree_plugin counter = {PLUGIN(MODIFIER, "counter", "of a test"), .ops = &counter_ops,
                                     .n_fields = 1, .fields = run_fields};

/** A modifier with a global field, in a scene that names none. */
static void add_counter(scree_scene *scene)
{
    scree_timed_choice *timed = g_new0(scree_timed_choice, 1);
    timed->name = "counter";
    timed->choice = g_new0(scree_choice_of, 1);
    timed->choice->memory = g_ptr_array_new();
    fixture_plug(timed->choice, &counter);
    g_ptr_array_add(scene->modifiers, timed);
}

static const char pair_of_balls[] =
    "scene = { dimension = 3; dt = 1.0e-4; region = { min = (0.0, 0.0, 0.0);\n"
    "  max = (0.1, 0.1, 0.1); }; boundary = \"periodic\"; };\n" GLASS
    "bodies = { a = { radius = 0.01; position = (0.02, 0.05, 0.05); };\n"
    "           b = { radius = 0.01; position = (0.0399, 0.05, 0.05); }; };\n"
    "force = ( { plugin = \"linear\"; kn = 1.0; } );\n";

/** Flips the lowest bit of the byte: the hash changes, and comes back with it. */
static void assert_in(scree_sim *sim, void *byte, bool in)
{
    g_autofree char *before = scree_state_sha256(sim);
    *(uint8_t *)byte ^= 1;
    g_autofree char *changed = scree_state_sha256(sim);
    *(uint8_t *)byte ^= 1;
    g_autofree char *after = scree_state_sha256(sim);
    g_assert_cmpstr(before, ==, after);
    g_assert_cmpint(strcmp(before, changed) != 0, ==, in);
}

TEST("/digest/a-bit-of-any-state-changes-it")
{
    scree_scene *scene = fixture_scene(pair_of_balls);
    fixture_plug(scene->forces->pdata[0], &glue_law);
    add_counter(scene);
    g_autoptr(scree_sim) sim = fixture_begin(scene, &(scree_sim_options){0});
    scree_world *w = sim->world;
    scree_segment *s = &sim->plugins.contact.lists[0].segments[0];
    scree_table *t = &s->table[sim->contacts.committed];
    g_assert_cmpuint(t->n, ==, 1);
    g_assert_true(s->alive[sim->contacts.committed][0]);
    for (int k = 0; k < 3; k++) {
        void *const state[] = {w->x[k] + 1,     w->v[k] + 1,   w->w[k] + 1,      w->image[k] + 1,
                               w->q[k + 1] + 1, w->wrench + k, w->wrench + 4 + k};
        for (size_t c = 0; c < G_N_ELEMENTS(state); c++)
            assert_in(sim, state[c], true);
    }
    void *const state[] = {w->q[0],
                           w->scale,
                           w->id + 1,
                           w->motion + 1,
                           &sim->step,
                           &sim->t0,
                           &sim->dt,
                           sim->plugins.body.global_field,
                           t->field[0],
                           t->keep,
                           s->pair_field[sim->contacts.committed][0]};
    for (size_t c = 0; c < G_N_ELEMENTS(state); c++)
        assert_in(sim, state[c], true);
}

TEST("/digest/what-is-derived-is-not-in-it")
{
    g_autoptr(scree_sim) sim = fixture_sim(pair_of_balls);
    scree_world *w = sim->world;
    scree_segment *s = &sim->plugins.contact.lists[0].segments[0];
    void *const other[] = {w->ball,
                           w->twist,
                           sim->boxes.lo[0],
                           sim->boxes.ref,
                           &sim->search.raw.n,
                           s->table[1 - sim->contacts.committed].field[0],
                           &sim->counters.gcd_calls};
    for (size_t c = 0; c < G_N_ELEMENTS(other); c++)
        assert_in(sim, other[c], false);
}

TEST("/digest/storage-order-is-not-in-it")
{
    g_autoptr(scree_sim) sim = fixture_sim(PILE "renumber = { every = 0; };\n");
    fixture_run(sim, 900);
    uint64_t first = sim->world->id[0];
    g_autofree char *before = scree_state_sha256(sim);
    scree_renumber(sim);
    g_autofree char *after = scree_state_sha256(sim);
    g_assert_cmpuint(sim->world->id[0], !=, first);
    g_assert_cmpstr(before, ==, after);
}

TEST("/digest/blocks-and-candidates-are-not-in-it")
{
    static const char *const extents[] = {"", "extent = { eps_e = 1.0; };\n",
                                          "extent = { renew = \"moved\"; };\n"};
    g_autofree char *reference = NULL;
    for (uint32_t blocks = 1; blocks <= 5; blocks += 2)
        for (size_t k = 0; k < G_N_ELEMENTS(extents); k++) {
            g_autofree char *text = g_strconcat(PILE, extents[k], NULL);
            scree_sim *sim =
                fixture_begin(fixture_scene(text), &(scree_sim_options){.blocks = blocks});
            fixture_run(sim, 900);
            g_autofree char *hash = scree_state_sha256(sim);
            scree_sim_free(sim);
            if (!reference)
                reference = g_strdup(hash);
            g_assert_cmpstr(hash, ==, reference);
        }
}
