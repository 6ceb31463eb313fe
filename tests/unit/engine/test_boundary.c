/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a step: boundaries of the region, and what modifiers edit, booked as work. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/bonds.h"
#include "engine/contacts.h"
#include "engine/digest.h"
#include "engine/energy.h"
#include "engine/step.h"
#include "plugin/struct_size.h"

#define FREE_FALL "scene = { dimension = 3; dt = 0.01; gravity = (0.0, 0.0, -10.0); };\n" GLASS
#define TWO                                                                                        \
    "bodies = { a = { radius = 0.1; position = (0.0, 0.0, 0.0); velocity = (1.0, 0.0, 0.0); };\n"  \
    "           b = { radius = 0.1; position = (5.0, 0.0, 0.0); }; };\n" LINEAR

static scree_sim *boxed(const char *boundary, double x, double v)
{
    g_autofree char *text = g_strdup_printf(
        "scene = { dimension = 3; dt = 0.01; region = { min = (0.0, 0.0, 0.0);\n"
        "  max = (1.0, 1.0, 1.0); }; boundary = (\"%s\", \"open\", \"open\"); };\n" GLASS
        "bodies = { a = { radius = 0.01; position = (%.17g, 0.5, 0.5);\n"
        "  velocity = (%.17g, 0.25, 0.0); }; };\n" LINEAR,
        boundary, x, v);
    return fixture_sim(text);
}

static double residual(const scree_sim *sim)
{
    scree_energy energy;
    scree_energy_now(sim, &energy);
    return energy.residual;
}

TEST("/boundary/reflect-mirrors-place-and-velocity")
{
    g_autoptr(scree_sim) sim = boxed("reflect", 0.995, 1.0); // reaches 1.005
    fixture_run(sim, 1);
    assert_near(sim->world->x[0][0], 0.995, 1e-15);
    g_assert_cmpfloat(sim->world->v[0][0], ==, -1.0);
    g_assert_cmpfloat(sim->world->v[1][0], ==, 0.25);
    assert_near(residual(sim), 0.0, 1e-15);
}

TEST("/boundary/stop-takes-the-energy-and-says-so")
{
    g_autoptr(scree_sim) sim = boxed("stop", 0.005, -1.0);
    double energy = scree_energy_body(sim, 0);
    fixture_run(sim, 1);
    g_assert_cmpfloat(sim->world->x[0][0], ==, 0.0);
    g_assert_cmpfloat(sim->world->v[0][0], ==, 0.0);
    g_assert_cmpfloat(sim->world->v[1][0], ==, 0.0);
    assert_near(scree_exact_sum_value(&sim->account.work), -energy, 1e-15);
    assert_near(residual(sim), 0.0, 1e-15);
}

TEST("/boundary/destroy-takes-the-body-with-its-energy")
{
    g_autoptr(scree_sim) sim = boxed("destroy", 0.995, 1.0);
    double energy = scree_energy_body(sim, 0);
    fixture_run(sim, 1);
    g_assert_cmpuint(sim->world->n, ==, 0);
    assert_near(scree_exact_sum_value(&sim->account.work), -energy, 1e-15);
    assert_near(residual(sim), 0.0, 1e-15);
    fixture_run(sim, 1); // an empty world goes on
}

TEST("/boundary/periodic-counts-the-cells")
{
    g_autoptr(scree_sim) sim = boxed("periodic", 0.995, 1.0);
    fixture_run(sim, 1);
    assert_near(sim->world->x[0][0], 0.005, 1e-15);
    g_assert_cmpint(sim->world->image[0][0], ==, 1);
    sim->world->v[0][0] = -1.0;
    fixture_run(sim, 1);
    assert_near(sim->world->x[0][0], 0.995, 1e-15);
    g_assert_cmpint(sim->world->image[0][0], ==, 0);
}

TEST("/boundary/more-than-a-cell-in-a-step-is-refused")
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_sim) sim = boxed("periodic", 0.5, 300.0); // three cells in a step
    g_assert_false(scree_sim_step(sim, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_RUN);
    g_assert_nonnull(strstr(error->message, "more than a periodic cell"));
}

/* A modifier of the test: does at step 1 what the test asks for. */
static void (*edits_of)(const scree_edits *edits);

static int32_t after_step(void *instance, const scree_step *args)
{
    if (args->step == 1)
        edits_of(args->edits);
    return SCREE_OK;
}

/* Its question in enter(), if a test has one. */
static void (*question_of)(const scree_query *query, const scree_bodies *bodies);
static const scree_query *query_now;

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    query_now = host->get_service(host->ctx, SCREE_SERVICE_QUERY);
    return plain_create(host, config, instance);
}

static int32_t enter(void *instance, const scree_entry *args)
{
    if (question_of)
        question_of(query_now, args->bodies);
    return SCREE_OK;
}

static const scree_modifier_ops ops = {OPS(modifier, create, plain_destroy),
                                       .after_step = after_step, .enter = enter};
SCREE_FIELD(mark, BODY, 2, 1, "-", 7.0, "start values are given by its name");
static const scree_field *const fields[] = {&field_mark};
static const scree_plugin editor = {PLUGIN(MODIFIER, "editor", "of a test"),
                                    .needs = SCREE_WANTS_LOADS, .n_fields = SCREE_COUNT(fields),
                                    .fields = fields, .ops = &ops};

static scree_sim *edited(const char *text, void (*edits)(const scree_edits *))
{
    static scree_choice_of *choice;
    scree_scene *scene = fixture_scene(text);
    scree_timed_choice *timed = g_new0(scree_timed_choice, 1);
    choice = g_new0(scree_choice_of, 1);
    choice->memory = g_ptr_array_new();
    fixture_plug(choice, &editor);
    *timed = (scree_timed_choice){.name = "editor", .choice = choice, .every_steps = 1};
    g_ptr_array_add(scene->modifiers, timed);
    edits_of = edits;
    scree_sim *sim = fixture_begin(scene, &(scree_sim_options){0});
    fixture_run(sim, 1);
    return sim;
}

static int32_t set(const scree_edits *e, uint64_t id, const double *x, const double *v)
{
    return e->set(
        e->ctx, &(scree_body_change){.size = sizeof(scree_body_change), .id = id, .x = x, .v = v});
}

static int32_t bond(const scree_edits *e, uint64_t id_a, uint64_t id_b)
{
    return e->bond(e->ctx, 1, &id_a, &id_b);
}

/** The service scree.query/1 of a run. */
static const scree_query *offered(const scree_sim *sim)
{
    return sim->runtime.query->give(sim->runtime.query, NULL);
}

/** 1: there is room for a ball where body `instead` goes. In these tests the edits' ctx is the sim. */
static int32_t is_free_instead(const scree_edits *e, const double x[3], double radius,
                               uint64_t instead)
{
    const scree_query *q = offered(e->ctx);
    const uint32_t shape = 0;
    uint32_t index = 0, n_free = 0;
    const scree_new_bodies ball = {.size = sizeof ball,
                                   .n = 1,
                                   .shape = &shape,
                                   .scale = &radius,
                                   .x = {&x[0], &x[1], &x[2]},
                                   .instead = &instead};
    const int32_t code = q->find_free(q->ctx, &ball, 1, &index, &n_free);
    return code < 0 ? code : (int32_t)n_free;
}

static int32_t is_free(const scree_edits *e, const double x[3], double radius)
{
    return is_free_instead(e, x, radius, SCREE_NO_BODY);
}

static int32_t release(const scree_edits *e, uint64_t id)
{
    const uint32_t motion = SCREE_MOTION_FREE;
    return e->set(e->ctx, &(scree_body_change){
                              .size = sizeof(scree_body_change), .id = id, .motion = &motion});
}

/** The bodies in a ball, as bits of their ids. */
static uint64_t found(const scree_edits *e, const double x[3], double radius)
{
    const scree_query *q = offered(e->ctx);
    const scree_zone ball = {.size = sizeof ball,
                             .type = SCREE_ZONE_BALL,
                             .lo = {x[0] - radius, x[1] - radius, x[2] - radius},
                             .hi = {x[0] + radius, x[1] + radius, x[2] + radius},
                             .a = {x[0], x[1], x[2]},
                             .radius = radius};
    const scree_zone *const zones[] = {&ball};
    scree_hits hits = {.size = sizeof hits};
    uint64_t bits = 0;
    g_assert_cmpint(q->find(q->ctx, 1, zones, &hits), ==, SCREE_OK);
    for (uint64_t k = hits.first[0]; k < hits.first[1]; k++)
        bits |= UINT64_C(1) << hits.id[k];
    return bits;
}

static void set_twice(const scree_edits *e)
{
    const double first[3] = {7.0, 0.0, 0.0}, then[3] = {0.0, 2.0, 0.0}, x[3] = {8.0, 8.0, 8.0};
    g_assert_cmpint(set(e, 2, NULL, first), ==, SCREE_OK);
    g_assert_cmpint(set(e, 1, x, NULL), ==, SCREE_OK);
    g_assert_cmpint(set(e, 2, NULL, then), ==, SCREE_OK);
    g_assert_cmpint(set(e, 99, x, NULL), ==, SCREE_E_CONFIG);
    g_assert_cmpint(e->remove(e->ctx, 99), ==, SCREE_E_CONFIG);
}

TEST("/boundary/edits-go-by-id-and-the-last-one-counts")
{
    g_autoptr(scree_sim) sim = edited(FREE_FALL TWO, set_twice);
    const scree_world *w = sim->world;
    g_assert_cmpfloat(w->v[0][1], ==, 0.0); // of one body the last call counts
    g_assert_cmpfloat(w->v[1][1], ==, 2.0);
    g_assert_cmpfloat(w->x[2][0], ==, 8.0);
    double fell = -0.1, m = w->mass[0];
    double lift = m * 10.0 * (8.0 - 0.5 * fell * 0.01), push = 0.5 * m * (4.0 - fell * fell);
    assert_near(scree_exact_sum_value(&sim->account.work), lift + push, 1e-9 * lift);
    assert_near(residual(sim), 0.0, 1e-9 * lift);
}

static void insert_two(const scree_edits *e)
{
    scree_one_body spec = {.scale = 0.1, .q = {1.0}, .x = {-5.0, 0.0, 2.0}, .v = {0.0, 3.0, 0.0}};
    uint64_t first = 0, second = 0;
    g_assert_cmpint(scree_insert_one(e, &spec, &first), ==, SCREE_OK);
    spec.x[0] = -9.0;
    g_assert_cmpint(scree_insert_one(e, &spec, &second), ==, SCREE_OK);
    g_assert_cmpuint(first, ==, 3);
    g_assert_cmpuint(second, ==, 4);
    spec.q[0] = 1.1;
    g_assert_cmpint(scree_insert_one(e, &spec, &first), ==, SCREE_E_CONFIG);
    spec.q[0] = 1.0;
    spec.scale = 0.0;
    g_assert_cmpint(scree_insert_one(e, &spec, &first), ==, SCREE_E_CONFIG);
    spec.scale = 1e-200; // no mass
    g_assert_cmpint(scree_insert_one(e, &spec, &first), ==, SCREE_E_CONFIG);
    spec.scale = 1e200;
    g_assert_cmpint(scree_insert_one(e, &spec, &first), ==, SCREE_E_CONFIG);
}

TEST("/boundary/insertion-is-booked-as-work")
{
    g_autoptr(scree_sim) sim = edited(FREE_FALL TWO, insert_two);
    const scree_world *w = sim->world;
    g_assert_cmpuint(w->n_free, ==, 4);
    g_assert_cmpuint(w->next_id, ==, 5);
    double m = w->mass[2];
    assert_near(m, 2500.0 * 4.0 / 3.0 * G_PI * 1e-3, 1e-12);
    assert_near(scree_exact_sum_value(&sim->account.work), 2.0 * (0.5 * m * 9.0 + m * 10.0 * 2.0),
                1e-9);
    assert_near(w->wrench[2 * SCREE_WRENCH + 2], -m * 10.0, 1e-12); // its weight
    assert_near(residual(sim), 0.0, 1e-9);
    fixture_run(sim, 1);
    assert_near(w->x[2][2], 2.0 - 0.5 * 10.0 * 1e-4, 1e-15); // falls from its first step on
}

/** Two bodies at once: all or none, with start values, with the ids or without. */
static void insert_marked(const scree_edits *e)
{
    const uint32_t kind[2] = {0, 0};
    const double x[2] = {-5.0, -9.0}, zero[2] = {0.0, 0.0}, mark[2][2] = {{1.0, 2.0}, {3.0, 4.0}};
    double scale[2] = {0.1, 0.0};
    const double *const values[2] = {mark[0], mark[1]};
    scree_start_field field = {
        .size = sizeof field, .components = 2, .name = "modifiers.editor/mark", .v = values};
    const scree_start_field *const given[] = {&field};
    const scree_new_bodies bodies = {.size = sizeof bodies,
                                     .n = 2,
                                     .shape = kind,
                                     .material = kind,
                                     .scale = scale,
                                     .x = {x, zero, zero},
                                     .fields = given,
                                     .n_fields = 1};
    uint64_t id[2] = {0, 0};
    g_assert_cmpint(e->insert(e->ctx, &bodies, id), ==, SCREE_E_CONFIG); // the second has no size
    scale[1] = 0.2;
    field.name = "none";
    g_assert_cmpint(e->insert(e->ctx, &bodies, id), ==, SCREE_E_CONFIG);
    field.name = "mark";
    field.components = 1;
    g_assert_cmpint(e->insert(e->ctx, &bodies, id), ==, SCREE_E_CONFIG);
    field.components = 2;
    g_assert_cmpint(e->insert(e->ctx, &bodies, NULL), ==, SCREE_OK);
    field.name = "modifiers.editor/mark";
    g_assert_cmpint(e->insert(e->ctx, &bodies, id), ==, SCREE_OK);
    g_assert_cmpuint(id[0], ==, 5);
    g_assert_cmpuint(id[1], ==, 6);
    g_assert_cmpint(e->insert(e->ctx, &(scree_new_bodies){.size = sizeof bodies}, NULL), ==,
                    SCREE_OK); // none
}

TEST("/boundary/bodies-are-inserted-all-or-none-with-start-values")
{
    g_autoptr(scree_sim) sim = edited(FREE_FALL TWO, insert_marked);
    const scree_world *w = sim->world;
    g_assert_cmpuint(w->n, ==, 6);
    g_assert_cmpuint(w->next_id, ==, 7);
    for (uint32_t i = 0; i < w->n; i++) {
        const uint64_t id = w->id[i];
        g_assert_cmpfloat(w->field[0][i], ==, id < 3 ? 7.0 : id % 2 ? 1.0 : 2.0);
        g_assert_cmpfloat(w->field[1][i], ==, id < 3 ? 7.0 : id % 2 ? 3.0 : 4.0);
        g_assert_cmpfloat(w->scale[i], ==, id > 2 && id % 2 == 0 ? 0.2 : 0.1);
    }
}

static void free_with_a_push(const scree_edits *e)
{
    const double v[3] = {0.0, 3.0, 0.0};
    uint32_t motion = SCREE_MOTION_FREE;
    scree_body_change change = {.size = sizeof change, .id = 1, .v = v};
    g_assert_cmpint(e->set(e->ctx, &change), ==, SCREE_E_CONFIG); // it is fixed
    change.motion = &motion;
    g_assert_cmpint(e->set(e->ctx, &change), ==, SCREE_OK);
    motion = SCREE_MOTION_FIXED;
    g_assert_cmpint(e->set(e->ctx, &change), ==, SCREE_E_CONFIG);
}

static void bond_badly(const scree_edits *e)
{
    g_assert_cmpint(bond(e, 1, 2), ==, SCREE_E_CONFIG); // no law makes bonds
}

TEST("/boundary/a-bond-without-a-law-is-refused")
{
    g_autoptr(scree_sim) sim = edited(FREE_FALL TWO, bond_badly);
    g_assert_cmpstr(((scree_instance *)sim->plugins.body.modifiers->pdata[0])->error, ==,
                    "bond: no force law of the scene makes bonds (scree.bonds/1)");
}

#define TWO_BONDED                                                                                 \
    "bodies = { a = { radius = 0.1; position = (0.0, 0.0, 0.0); };\n"                              \
    "           b = { radius = 0.1; position = (5.0, 0.0, 0.0); }; };\n"                           \
    "force = ( { plugin = \"bonded\"; bond_modulus = 1.0; largest_gap = 100.0; } );\n"

static void bond_some(const scree_edits *e)
{
    scree_one_body spec = {.scale = 0.1, .q = {1.0}, .x = {-5.0, 0.0, 2.0}};
    uint64_t id = 0;
    g_assert_cmpint(bond(e, 1, 1), ==, SCREE_E_CONFIG);
    g_assert_cmpint(bond(e, 1, 99), ==, SCREE_E_CONFIG);
    g_assert_cmpint(bond(e, 3, 1), ==, SCREE_E_CONFIG); // not there yet
    g_assert_cmpint(scree_insert_one(e, &spec, &id), ==, SCREE_OK);
    g_assert_cmpint(bond(e, id, 1), ==, SCREE_OK);
    g_assert_cmpint(bond(e, 2, 1), ==, SCREE_OK);
    g_assert_cmpint(bond(e, 1, 2), ==, SCREE_OK); // twice is once
}

TEST("/boundary/bonds-are-made-after-insertions-and-once")
{
    g_autoptr(scree_sim) sim = edited(FREE_FALL TWO_BONDED, bond_some);
    scree_contact_store *store = scree_contacts_export(sim);
    g_assert_cmpuint(store->n, ==, 2);
    for (uint64_t i = 0; i < store->n; i++)
        g_assert_cmpuint(store->keep[i], ==, 1);
    g_assert_cmpuint(store->key[0].id_b, ==, 2);
    g_assert_cmpuint(store->key[1].id_b, ==, 3);
    scree_contact_store_free(store);
    fixture_run(sim, 10);
    g_assert_cmpfloat(fabs(residual(sim)), <,
                      1e-6 * fabs(scree_exact_sum_value(&sim->account.work)));
}

static void bond_in_vain(const scree_edits *e)
{
    const uint64_t a[2] = {1, 1}, good[2] = {2, 99}, itself[2] = {2, 1};
    g_assert_cmpint(e->bond(e->ctx, 2, a, good), ==, SCREE_E_CONFIG);
    g_assert_cmpint(e->bond(e->ctx, 2, a, itself), ==, SCREE_E_CONFIG);
    g_assert_cmpint(e->bond(e->ctx, 1, NULL, good), ==, SCREE_E_CONFIG);
    g_assert_cmpint(e->bond(e->ctx, 1, a, NULL), ==, SCREE_E_CONFIG);
    g_assert_cmpint(e->bond(e->ctx, 0, NULL, NULL), ==, SCREE_OK);
}

TEST("/boundary/a-pair-that-cannot-be-bonded-leaves-out-the-others-of-its-call")
{
    g_autoptr(scree_sim) sim = edited(FREE_FALL TWO_BONDED, bond_in_vain);
    g_assert_cmpuint(scree_bonds_count(sim), ==, 0);
    g_assert_cmpstr(((scree_instance *)sim->plugins.body.modifiers->pdata[0])->error, ==,
                    "bond: there is no body 99");
}

#define ZONE(kind) .size = sizeof(scree_zone), .type = SCREE_ZONE_##kind
#define UNIT .lo = {0.0, 0.0, 0.0}, .hi = {1.0, 1.0, 1.0}
#define MIDDLE .a = {0.5, 0.5, 0.5}

static void find_badly(const scree_edits *e)
{
    static const struct {
        scree_zone zone;
        const char *why;
    } cases[] = {
        {{.size = 8}, "expected a struct of size"},
        {{ZONE(ALL), UNIT}, "zone of type 0; expected SCREE_ZONE_BOX, _BALL or _CYLINDER"},
        {{.size = sizeof(scree_zone), .type = 4, UNIT}, "zone of type 4;"},
        {{ZONE(BOX), .hi = {1.0, -1.0, 1.0}}, "box from 0 to -1 m along y; expected finite"},
        {{ZONE(BOX), .hi = {1.0, 1.0, HUGE_VAL}}, "box from 0 to inf m along z; expected finite"},
        {{ZONE(BOX), .hi = {1000.5, 1.0, 1.0}}, "a zone of 1000.5 m along x"},
        {{ZONE(BOX), .lo = {1e6, 0.0, 0.0}, .hi = {1e6 + 1.0, 1.0, 1.0}},
         "fewer than 1e+06 from 0"},
        {{ZONE(BALL), UNIT, MIDDLE, .radius = -0.1}, "ball of radius -0.1 m; expected 0 or more"},
        {{ZONE(BALL), UNIT, .a = {0.5, HUGE_VAL, 0.5}}, "centre inf m along y"},
        {{ZONE(BALL), UNIT, MIDDLE, .radius = 0.6}, "expected lo and hi that hold it"},
        {{ZONE(CYLINDER), UNIT, MIDDLE, .b = {0.5, 0.5, 0.5}, .radius = 0.1}, "of length 0 m"},
        {{ZONE(CYLINDER), UNIT, MIDDLE, .b = {0.5, 0.5, 0.8}, .radius = 0.1, .inner = 0.2},
         "hole of radius 0.2 m in 0.1 m"},
    };
    const scree_zone good = {ZONE(BOX), UNIT};
    const scree_sim *sim = e->ctx;
    scree_instance *modifier = sim->plugins.body.modifiers->pdata[0];
    const scree_query *q = offered(sim);
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        const scree_zone *const zones[] = {&good, &cases[k].zone};
        scree_hits hits = {.size = sizeof hits};
        g_clear_pointer(&modifier->error, g_free);
        g_assert_cmpint(q->find(q->ctx, 2, zones, &hits), ==, SCREE_E_CONFIG);
        g_assert_null(hits.first);
        g_assert_nonnull(strstr(modifier->error, "zone 1: "));
        g_assert_nonnull(strstr(modifier->error, cases[k].why));
    }
    const scree_zone wide = {ZONE(BOX), .hi = {1000.0, 1.0, 1.0}}, *const zones[] = {&wide};
    scree_hits hits = {.size = sizeof hits};
    g_assert_cmpint(q->find(q->ctx, 1, zones, &hits), ==, SCREE_OK);
    g_assert_cmpuint(hits.first[1], ==, 1); // once, though 1000 images are in it
}

TEST("/boundary/zones-that-cannot-be-are-refused-with-their-number")
{
    scree_sim_free(
        edited("scene = { dimension = 3; dt = 0.01; region = { min = (0.0, 0.0, 0.0);\n"
               "  max = (1.0, 1.0, 1.0); }; boundary = \"periodic\"; };\n" GLASS
               "bodies = { a = { radius = 0.1; position = (0.5, 0.5, 0.5); }; };\n" LINEAR,
               find_badly));
}

static uint64_t seen[4], n_seen; // bodies in a box, in each call of enter()

static void find_on_entry(const scree_query *q, const scree_bodies *bodies)
{
    const scree_zone zone = {ZONE(BOX), .lo = {-9.0, -9.0, -9.0}, .hi = {9.0, 9.0, 9.0}};
    const scree_zone *const zones[] = {&zone};
    scree_hits hits = {.size = sizeof hits};
    g_assert_cmpint(q->find(q->ctx, 1, zones, &hits), ==, SCREE_OK);
    for (uint64_t k = 0; k < hits.first[1]; k++)
        g_assert_cmpuint(hits.id[k], ==, k + 1);
    seen[n_seen++] = hits.first[1];
}

static void insert_one(const scree_edits *e)
{
    const scree_one_body spec = {.scale = 0.1, .q = {1.0}, .x = {-5.0, 0.0, 2.0}};
    uint64_t id;
    g_assert_cmpint(scree_insert_one(e, &spec, &id), ==, SCREE_OK);
}

TEST("/boundary/a-modifier-finds-bodies-when-they-enter")
{
    question_of = find_on_entry;
    g_autoptr(scree_sim) sim = edited(FREE_FALL TWO, insert_one);
    fixture_run(sim, 1);
    question_of = NULL;
    g_assert_cmpuint(n_seen, ==, 2);
    g_assert_cmpuint(seen[0], ==, 2);
    g_assert_cmpuint(seen[1], ==, 3);
}

static void remove_and_set(const scree_edits *e)
{
    const double v[3] = {100.0, 0.0, 0.0};
    g_assert_cmpint(e->remove(e->ctx, 1), ==, SCREE_OK);
    g_assert_cmpint(set(e, 1, NULL, v), ==, SCREE_OK); // too late
}

TEST("/boundary/removal-is-booked-as-work")
{
    g_autoptr(scree_sim) sim = edited(FREE_FALL TWO, remove_and_set);
    const scree_world *w = sim->world;
    double m = 2500.0 * 4.0 / 3.0 * G_PI * 1e-3, fell = 0.1;
    g_assert_cmpuint(w->n, ==, 1);
    g_assert_cmpuint(w->id[0], ==, 2);
    assert_near(scree_exact_sum_value(&sim->account.work),
                -(0.5 * m * (1.0 + fell * fell) - m * 10.0 * 0.5 * fell * 0.01), 1e-12);
    assert_near(residual(sim), 0.0, 1e-12);
}

#define STANDING                                                                                   \
    "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };\n"                     \
    "bodies = { a = { radius = 0.1; position = (0.0, 0.0, 3.0); motion = \"fixed\"; };\n"          \
    "           b = { radius = 0.1; position = (5.0, 0.0, 3.0); motion = \"kinematic\";\n"         \
    "                 velocity = (0.0, 2.0, 0.0); spin = (4.0, 0.0, 0.0); };\n"                    \
    "           c = { radius = 0.1; position = (9.0, 0.0, 3.0); };\n"                              \
    "           floor = { shape = \"floor\"; }; };\n" LINEAR

static void release_all(const scree_edits *e)
{
    const double v[3] = {0.0, 3.0, 0.0};
    g_assert_cmpint(release(e, 2), ==, SCREE_OK);
    g_assert_cmpint(release(e, 1), ==, SCREE_OK);
    g_assert_cmpint(release(e, 1), ==, SCREE_OK); // once more, by another
    g_assert_cmpint(release(e, 3), ==, SCREE_OK); // it is free
    g_assert_cmpint(set(e, 2, NULL, v), ==, SCREE_OK);
    g_assert_cmpint(release(e, 4), ==, SCREE_E_CONFIG); // a plane
    g_assert_cmpint(release(e, 99), ==, SCREE_E_CONFIG);
}

TEST("/boundary/release-is-booked-as-work")
{
    g_autoptr(scree_sim) sim = edited(FREE_FALL STANDING, release_all);
    const scree_world *w = sim->world;
    double m = 2500.0 * 4.0 / 3.0 * G_PI * 1e-3, spin = 0.5 * 0.4 * m * 0.01 * 16.0;
    g_assert_cmpuint(w->n_free, ==, 3);
    g_assert_cmpuint(w->n_planes, ==, 1);
    g_assert_cmpuint(sim->view.n_free, ==, 3);
    assert_near(scree_exact_sum_value(&sim->account.work),
                2.0 * m * 10.0 * 3.0 + 0.5 * m * 9.0 + spin, 1e-9);
    assert_near(residual(sim), 0.0, 1e-9);
    fixture_run(sim, 1);
    for (uint32_t i = 0; i < 3; i++)
        assert_near(w->x[2][i], 3.0 - (w->id[i] == 3 ? 4.0 : 1.0) * 0.5 * 10.0 * 1e-4, 1e-14);
    assert_near(residual(sim), 0.0, 1e-9);
}

TEST("/boundary/a-fixed-body-becomes-free-with-the-velocity-of-the-change")
{
    g_autoptr(scree_sim) sim = edited(FREE_FALL STANDING, free_with_a_push);
    const double m = 2500.0 * 4.0 / 3.0 * G_PI * 1e-3;
    g_assert_cmpuint(sim->world->n_free, ==, 2);
    assert_near(scree_exact_sum_value(&sim->account.work), m * 10.0 * 3.0 + 0.5 * m * 9.0, 1e-9);
    assert_near(residual(sim), 0.0, 1e-9);
}

static void release_and_remove(const scree_edits *e)
{
    g_assert_cmpint(release(e, 1), ==, SCREE_OK);
    g_assert_cmpint(release(e, 2), ==, SCREE_OK);
    g_assert_cmpint(e->remove(e->ctx, 2), ==, SCREE_OK);
    g_assert_cmpint(e->remove(e->ctx, 4), ==, SCREE_OK);
}

TEST("/boundary/what-is-removed-is-not-released")
{
    g_autoptr(scree_sim) sim = edited(FREE_FALL STANDING, release_and_remove);
    g_assert_cmpuint(sim->world->n, ==, 2);
    g_assert_cmpuint(sim->world->n_free, ==, 2);
    assert_near(scree_exact_sum_value(&sim->account.work),
                2500.0 * 4.0 / 3.0 * G_PI * 1e-3 * 10.0 * 3.0,
                1e-9); // of only a
    assert_near(residual(sim), 0.0, 1e-9);
}

/** Obstacles: bodies, the plane, inserted bodies, places of edits. */
static void ask_for_places(const scree_edits *e)
{
    const double there[3] = {3.0, 0.0, 2.0}, wrong[3] = {11.0, (double)NAN, 4.0};
    const double at_a[3] = {0.0, 0.25, 3.0}, low[3] = {1.0, 0.0, 0.05};
    scree_one_body spec = {.scale = 0.2, .q = {1.0}, .x = {7.0, 0.0, 2.0}};
    uint64_t id = 0;
    assert_near(scree_body_mass(&((const scree_sim *)e->ctx)->view, 0, 0, 0.2),
                2500.0 * 4.0 / 3.0 * G_PI * 8e-3, 1e-12);
    g_assert_cmpint(is_free(e, wrong, 0.1), ==, SCREE_E_CONFIG);
    g_assert_cmpint(is_free(e, there, 0.0), ==, SCREE_E_CONFIG);
    g_assert_cmpint(is_free(e, there, HUGE_VAL), ==, SCREE_E_CONFIG);
    g_assert_cmpint(is_free(e, at_a, 0.149), ==, 1);
    g_assert_cmpint(is_free(e, at_a, 0.151), ==, 0);
    g_assert_cmpint(is_free_instead(e, at_a, 0.151, 1), ==, 1);
    g_assert_cmpint(is_free_instead(e, at_a, 0.151, 2), ==, 0);
    g_assert_cmpint(is_free(e, low, 0.049), ==, 1);
    g_assert_cmpint(is_free(e, low, 0.051), ==, 0);
    g_assert_cmpint(is_free(e, spec.x, 0.1), ==, 1);
    g_assert_cmpint(scree_insert_one(e, &spec, &id), ==, SCREE_OK);
    g_assert_cmpint(is_free(e, spec.x, 0.1), ==, 0);
    g_assert_cmpint(is_free(e, there, 0.1), ==, 1);
    g_assert_cmpint(set(e, 3, there, NULL), ==, SCREE_OK);
    g_assert_cmpint(e->remove(e->ctx, 1), ==, SCREE_OK);
    g_assert_cmpint(is_free(e, there, 0.1), ==, 0);
    g_assert_cmpint(is_free_instead(e, there, 0.1, 3), ==, 1); // where it comes from and goes to
    g_assert_cmpint(is_free(e, spec.x, 0.1), ==, 0);
    g_assert_cmpint(is_free(e, at_a, 0.151), ==, 0); // until the step is over
    g_assert_cmpuint(found(e, there, 0.01), ==, 1u << 3);
    g_assert_cmpuint(found(e, spec.x, 0.01), ==, UINT64_C(1) << id);
    g_assert_cmpuint(found(e, at_a, 0.151) & ~(UINT64_C(1) << 3), !=, 0);
}

TEST("/boundary/a-place-is-free-of-all-that-is-and-will-be")
{
    g_autoptr(scree_sim) sim = edited(FREE_FALL STANDING, ask_for_places);
    g_assert_cmpuint(sim->world->n, ==, 4);
}

/** Structs of a plugin without their size, or that end before their first minor did. */
static void hand_over_short(const scree_edits *e)
{
    const double v[3] = {0.0};
    uint64_t id = 0;
    const scree_new_bodies spec = {.size = offsetof(scree_new_bodies, line), .n = 1};
    scree_body_change change = {.id = 1, .v = v};
    const scree_query *q = offered(e->ctx);
    const scree_zone zone = {.type = SCREE_ZONE_BALL};
    const scree_zone *const zones[] = {&zone};
    scree_new_bodies trials = {.n = 1};
    scree_hits hits = {.size = sizeof hits}, short_hits = {.size = 8};
    uint32_t n_free;
    scree_load load = {.size = 8};
    g_assert_cmpint(e->insert(e->ctx, &spec, &id), ==, SCREE_E_CONFIG);
    g_assert_cmpint(e->set(e->ctx, &change), ==, SCREE_E_CONFIG);
    g_assert_cmpint(q->find_free(q->ctx, &trials, 0, NULL, &n_free), ==, SCREE_E_CONFIG);
    trials.size = sizeof trials; // without arrays
    g_assert_cmpint(q->find_free(q->ctx, &trials, 0, NULL, &n_free), ==, SCREE_E_CONFIG);
    g_assert_cmpint(q->hold(q->ctx, &trials), ==, SCREE_E_CONFIG);
    g_assert_cmpint(q->find(q->ctx, 1, zones, &hits), ==, SCREE_E_CONFIG);
    g_assert_cmpint(q->find(q->ctx, 0, NULL, &short_hits), ==, SCREE_E_CONFIG);
    g_assert_cmpint(e->load(e->ctx, 3, &load), ==, SCREE_E_CONFIG);
    change.size = sizeof change + 64; // of a later minor
    g_assert_cmpint(e->set(e->ctx, &change), ==, SCREE_OK);
}

TEST("/boundary/structs-without-their-size-are-refused")
{
    g_autoptr(scree_sim) sim = edited(FREE_FALL TWO, hand_over_short);
    g_assert_cmpstr(((scree_instance *)sim->plugins.body.modifiers->pdata[0])->error, ==,
                    "insert: expected a struct of size 200 or more, got 192");
}

static void read_load(const scree_edits *e)
{
    struct {
        scree_load load;
        double beyond[2];
    } out = {.load = {.size = sizeof out}, .beyond = {1.25, 2.5}};
    g_assert_cmpint(e->load(e->ctx, 4, &out.load), ==, SCREE_OK);
    g_assert_cmpuint(out.load.size, ==, sizeof out.load); // what the host has written
    g_assert_cmpfloat(out.beyond[0] + out.beyond[1], ==, 3.75);
}

TEST("/boundary/a-load-of-a-later-minor-is-filled-as-far-as-known")
{
    scree_sim_free(edited(FREE_FALL STANDING, read_load));
}

/** Returns the hash of many balls that cross three kinds of borders. */
static char *crossed(const scree_sim_options *options, double *lost)
{
    g_autoptr(scree_sim) sim = fixture_begin(
        fixture_scene("scene = { dimension = 3; dt = 1.0e-4; region = { min = (0.0, 0.0, 0.0);\n"
                      "  max = (1.0, 1.0, 1.0); }; boundary = (\"periodic\", \"reflect\", "
                      "\"stop\"); };\n" GLASS
                      "generate = { balls = { shape = \"sphere\"; count = 9000; radius = 0.008;\n"
                      "  velocity_random = 20.0; }; };\n" LINEAR),
        options);
    fixture_run(sim, 40);
    uint32_t wrapped = 0, stopped = 0;
    for (uint32_t i = 0; i < sim->world->n_free; i++) {
        wrapped += sim->world->image[0][i] != 0;
        stopped += sim->world->x[2][i] == 0.0 || sim->world->x[2][i] == 1.0;
    }
    g_assert_cmpuint(wrapped, >, 50);
    g_assert_cmpuint(stopped, >, 50);
    *lost = scree_exact_sum_value(&sim->account.lost);
    return scree_state_sha256(sim);
}

TEST("/boundary/lanes-find-the-borders-images-and-energies-of-one")
{
    double lost[2];
    g_autofree char *one = crossed(&(scree_sim_options){0}, &lost[0]);
    g_autofree char *more =
        crossed(&(scree_sim_options){.threads = 3, .all_lanes = true}, &lost[1]);
    g_assert_cmpstr(one, ==, more);
    g_assert_cmpfloat(lost[0], ==, lost[1]);
    g_assert_cmpfloat(lost[0], !=, 0.0);
}
