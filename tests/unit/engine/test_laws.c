/* SPDX-License-Identifier: Apache-2.0 */
/* Laws on one batch: their sum, the normal force of the laws before, the table of gaps. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/contacts.h"
#include "engine/lane.h"
#include "engine/step.h"

static uint64_t wrong_before, n_first, n_second; /* what the laws saw */

/** A spring of 1000 N/m; asks for the normal force so far, though nothing comes before it. */
static int32_t spring(void *instance, const scree_contact_batch *b)
{
    for (uint32_t c = 0; c < b->n; c++) {
        wrong_before += b->normal_force[c] != 0.0;
        n_first++;
        for (int k = 0; k < 3; k++)
            b->f[k][c] = -1000.0 * b->depth[c] * b->normal[k][c];
        b->stored[c] = 500.0 * b->depth[c] * b->depth[c];
    }
    return SCREE_OK;
}

/** Across the normal, as strong as it has been pressed so far; a couple along it. */
static int32_t brake(void *instance, const scree_contact_batch *b)
{
    for (uint32_t c = 0; c < b->n; c++) {
        n_second++;
        double pressed = b->normal_force[c], n[3] = {b->normal[0][c], b->normal[1][c], 0.0};
        wrong_before += fabs(pressed - 1000.0 * b->depth[c]) > 1e-12;
        b->f[0][c] = -n[1] * pressed;
        b->f[1][c] = n[0] * pressed;
        b->f[2][c] = 0.0;
        for (int k = 0; k < 3; k++)
            b->couple[k][c] = 0.25 * b->normal[k][c];
    }
    return SCREE_OK;
}

/** A constant push across, whatever came before. */
static int32_t push(void *instance, const scree_contact_batch *b)
{
    for (uint32_t c = 0; c < b->n; c++)
        for (int k = 0; k < 3; k++) {
            b->f[k][c] = 0.5 * (k + 1);
            b->couple[k][c] = 0.125 * b->normal[k][c];
        }
    return SCREE_OK;
}

#define FORCE_LAW(name, needs_, provides_)                                                         \
    static const scree_force_ops name##_ops = {OPS(force, plain_create, plain_destroy),            \
                                               .compute = name};                                   \
    static const scree_plugin name##_law = {PLUGIN(FORCE, #name, "of a test"), .ops = &name##_ops, \
                                            .needs = needs_, .provides = provides_}
FORCE_LAW(spring, SCREE_IN_NORMAL_FORCE, SCREE_OUT_STORED);
FORCE_LAW(brake, SCREE_IN_NORMAL_FORCE, SCREE_OUT_COUPLE);
FORCE_LAW(push, 0, SCREE_OUT_COUPLE);

static scree_sim *heap(const scree_plugin *first, const scree_plugin *second)
{
    g_autoptr(GString) text =
        g_string_new("scene = { dimension = 3; dt = 1.0e-6; };\n" GLASS "bodies = {\n");
    for (int k = 0; k < 27; k++)
        g_string_append_printf(text, "b%d = { radius = 0.0055; position = (%g, %g, %g); };\n", k,
                               0.01 * (k % 3), 0.01 * (k / 3 % 3) + 0.0001 * (k % 5),
                               0.01 * (k / 9));
    g_string_append(text, "};\nforce = ( { plugin = \"linear\"; kn = 1.0; }");
    g_string_append(text, second ? ", { plugin = \"linear\"; kn = 1.0; } );\n" : " );\n");
    scree_scene *scene = fixture_scene(text->str);
    fixture_plug(scene->forces->pdata[0], first);
    if (second)
        fixture_plug(scene->forces->pdata[1], second);
    return fixture_begin(scene, &(scree_sim_options){.batch = 8});
}

TEST("/laws/two-give-the-sum-of-both")
{
    scree_sim *both = heap(&spring_law, &push_law), *one = heap(&spring_law, NULL);
    g_autoptr(scree_sim) other = heap(&push_law, NULL);
    g_assert_cmpuint(both->counters.contacts, >, 50);
    for (uint32_t i = 0; i < 27 * SCREE_WRENCH; i++)
        assert_near(both->world->wrench[i], one->world->wrench[i] + other->world->wrench[i], 1e-12);
    assert_near(scree_exact_sum_value(&both->account.stored),
                scree_exact_sum_value(&one->account.stored), 1e-12);
    g_assert_cmpfloat(scree_exact_sum_value(&both->account.stored), >, 0.0);
    scree_sim_free(both);
    scree_sim_free(one);
}

TEST("/laws/normal-force-is-that-of-the-laws-before")
{
    wrong_before = n_first = n_second = 0;
    g_autoptr(scree_sim) sim = heap(&spring_law, &brake_law);
    fixture_evaluate(sim);
    g_assert_cmpuint(n_first, >, 100);
    g_assert_cmpuint(n_second, ==, n_first);
    g_assert_cmpuint(wrong_before, ==, 0);
}

TEST("/laws/levers-and-the-push-are-those-of-single-contacts")
{
    enum { MANY = 41, ARRAYS = 14 };
    g_autoptr(scree_sim) sim = heap(&spring_law, NULL);
    const scree_kernels *kernel = sim->kernels;
    for (uint32_t n = 0; n < 2 * MANY; n++) {
        const bool wall = n % 2;
        double v[ARRAYS][MANY];
        for (int k = 0; k < ARRAYS * MANY; k++)
            v[k / MANY][k % MANY] = sin(1.0 + 7.0 * k + n);
        const double *const f[] = {v[0], v[1], v[2]}, *const normal[] = {v[3], v[4], v[5]};
        double *const on_a[] = {v[7], v[8], v[9]}, *const on_b[] = {v[10], v[11], v[12]};
        double was[ARRAYS][MANY];
        memcpy(was, v, sizeof v);
        kernel->add_levers(n / 2, wall, v[6], normal, f, on_a, on_b);
        kernel->find_push(n / 2, f, normal, v[13]);
        for (uint32_t c = 0; c < MANY; c++) {
            const bool in = c < n / 2;
            double by[3];
            scree_lever_couple(normal, v[6], f, c, by);
            for (int k = 0; k < 3; k++) {
                g_assert_cmpfloat(on_a[k][c], ==, in ? was[7 + k][c] + by[k] : was[7 + k][c]);
                g_assert_cmpfloat(on_b[k][c], ==,
                                  in && !wall ? was[10 + k][c] + by[k] : was[10 + k][c]);
            }
            const double sum =
                f[0][c] * normal[0][c] + f[1][c] * normal[1][c] + f[2][c] * normal[2][c];
            g_assert_cmpfloat(v[13][c], ==, in ? -sum : was[13][c]);
        }
    }
}

static uint64_t wrong_history, n_fresh, n_kept;

/** A spring that writes the ids of both bodies into its field, and expects them there afterwards. */
static int32_t sign(void *instance, const scree_contact_batch *b)
{
    for (uint32_t c = 0; c < b->n; c++) {
        const double mark = 1000.0 * b->bodies->id[b->a[c]] + b->bodies->id[b->b[c]];
        wrong_history += b->in[0][c] != (b->fresh[c] ? -1.0 : mark);
        n_fresh += b->fresh[c];
        n_kept += !b->fresh[c];
        b->out[0][c] = mark;
        for (int k = 0; k < 3; k++)
            b->f[k][c] = -1.0e5 * b->depth[c] * b->normal[k][c];
    }
    return SCREE_OK;
}

SCREE_FIELD(mark, CONTACT, 1, 0, "-", -1, "ids of both bodies");
static const scree_field *const sign_fields[] = {&field_mark};
static const scree_force_ops sign_ops = {OPS(force, plain_create, plain_destroy), .compute = sign};
static const scree_plugin sign_law = {PLUGIN(FORCE, "sign", "of a test"), .ops = &sign_ops,
                                      .fields = sign_fields, .n_fields = 1};

/** Checks that the ended contacts of a segment are those of pairs that have none now. */
static uint64_t check_ended(const scree_segment *s, const scree_table *before,
                            const scree_table *now)
{
    uint64_t ended = 0, at = 0;
    for (uint64_t k = 0; k < before->n; k++) {
        while (at < now->n && now->pair[at] < before->pair[k])
            at++;
        if (at < now->n && now->pair[at] == before->pair[k])
            continue;
        g_assert_cmpuint(ended, <, s->n_ended);
        g_assert_cmpuint(s->ended[ended++], ==, k);
    }
    g_assert_cmpuint(ended, ==, s->n_ended);
    return ended;
}

TEST("/laws/contacts-continue-their-own-and-those-that-end-are-listed")
{
    static const uint32_t batches[] = {8, 64, 1024};
    for (size_t b = 0; b < G_N_ELEMENTS(batches); b++) {
        scree_scene *scene = fixture_scene(GAS);
        fixture_plug(scene->forces->pdata[0], &sign_law);
        g_autoptr(scree_sim) sim = fixture_begin(scene, &(scree_sim_options){.batch = batches[b]});
        uint64_t n_ended = 0;
        wrong_history = n_fresh = n_kept = 0;
        for (int step = 0; step < 500; step++) {
            fixture_run(sim, 1);
            const scree_segment *s = &sim->plugins.contact.lists[0].segments[0];
            const uint32_t now = sim->contacts.committed;
            n_ended += check_ended(s, &s->table[1 - now], &s->table[now]);
        }
        g_assert_cmpuint(wrong_history, ==, 0);
        g_assert_cmpuint(n_fresh, >, 20);
        g_assert_cmpuint(n_kept, >, 1000);
        g_assert_cmpuint(n_ended, >, 20);
    }
}

/* Two materials: the first reaches 1 mm among itself, nothing else reaches. */
static int32_t range(void *instance, scree_range_query *query)
{
    query->gap = query->material_a == 0 && query->material_b == 0 ? 1.0e-3 : 0.0;
    return SCREE_OK;
}

static const scree_force_ops reach_ops = {OPS(force, plain_create, plain_destroy), .compute = push,
                                          .range = range};
static const scree_plugin reach_law = {PLUGIN(FORCE, "reach", "of a test"), .ops = &reach_ops,
                                       .provides = SCREE_OUT_COUPLE};

static scree_sim *pair_apart(double gap, const char *left, const char *right,
                             const scree_plugin *law)
{
    g_autofree char *text = g_strdup_printf(
        "scene = { dimension = 3; dt = 1.0e-6; };\n"
        "materials = { sticky = { density = 1.0; }; dry = { density = 1.0; }; };\n"
        "bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.0); material = \"%s\"; };\n"
        "           b = { radius = 0.01; position = (%.17g, 0.0, 0.0); material = \"%s\"; }; };\n"
        "force = ( { plugin = \"linear\"; kn = 1.0; } );\n",
        left, 0.02 + gap, right);
    scree_scene *scene = fixture_scene(text);
    fixture_plug(scene->forces->pdata[0], law);
    return fixture_begin(scene, &(scree_sim_options){0});
}

static uint64_t count_contacts(const scree_sim *sim)
{
    scree_contact_store *store = scree_contacts_export(sim);
    uint64_t n = store->n;
    scree_contact_store_free(store);
    return n;
}

static uint64_t contacts_at(double gap, const char *left, const char *right)
{
    g_autoptr(scree_sim) sim = pair_apart(gap, left, right, &reach_law);
    uint64_t n = count_contacts(sim);
    return n;
}

TEST("/laws/a-gap-beyond-the-range-of-the-materials-is-not-a-contact")
{
    g_assert_cmpuint(contacts_at(0.9e-3, "sticky", "sticky"), ==, 1);
    g_assert_cmpuint(contacts_at(1.1e-3, "sticky", "sticky"), ==, 0);
    g_assert_cmpuint(contacts_at(0.1e-3, "sticky", "dry"), ==, 0);
    g_assert_cmpuint(contacts_at(0.1e-3, "dry", "dry"), ==, 0);
    g_assert_cmpuint(contacts_at(-0.1e-3, "dry", "sticky"), ==, 1);
}

/* A tenth of the harmonic mean of the radii, at a wall of the radius; nothing beyond 1 m. */
static int32_t range_by_size(void *instance, scree_range_query *query)
{
    double ra = query->radius_a, rb = query->radius_b;
    query->gap = rb > 0.0 ? 0.2 * ra * rb / (ra + rb) : 0.1 * ra;
    query->gap = ra > 1.0 || rb > 1.0 ? (double)NAN : query->gap;
    return SCREE_OK;
}

static const scree_force_ops sized_ops = {OPS(force, plain_create, plain_destroy), .compute = push,
                                          .range = range_by_size};
static const scree_plugin sized_law = {PLUGIN(FORCE, "sized", "of a test"), .ops = &sized_ops,
                                       .provides = SCREE_OUT_COUPLE};

TEST("/laws/the-range-is-that-of-the-largest-and-smallest-bodies")
{
    scree_sim *sim = pair_apart(0.9e-3, "sticky", "dry", &sized_law);
    g_assert_cmpuint(count_contacts(sim), ==, 1);
    assert_near(sim->plugins.contact.range, 1.0e-3, 1e-18);
    assert_near(sim->plugins.contact.gap[1], 1.0e-3, 1e-18);
    scree_sim_free(sim);
    sim = pair_apart(1.1e-3, "sticky", "dry", &sized_law);
    g_assert_cmpuint(count_contacts(sim), ==, 0);
    scree_sim_free(sim);
}

/* A ball on a facet, on a plane and on another ball, each with a law that notes the radii. */
static double seen_least, seen_most, asked_least; /* [m] of b */
static uint32_t n_flat;

static int32_t note_radii(void *instance, const scree_contact_batch *b)
{
    for (uint32_t c = 0; c < b->n; c++) {
        const scree_bodies *w = b->bodies;
        const uint32_t flags = w->shapes[w->shape[b->b[c]]]->flags;
        n_flat += (flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE)) && b->radius[1][c] == 0.0;
        seen_least = fmin(seen_least, b->radius[1][c]);
        seen_most = fmax(seen_most, b->radius[1][c]);
        g_assert_cmpfloat(b->radius[0][c], ==, 0.01);
    }
    return push(instance, b);
}

static int32_t range_of_flat(void *instance, scree_range_query *query)
{
    g_assert_cmpuint(query->size, ==, sizeof *query);
    g_assert_cmpfloat(query->radius_a, ==, 0.01);
    asked_least = fmin(asked_least, query->radius_b);
    return SCREE_OK;
}

static const scree_force_ops radii_ops = {OPS(force, plain_create, plain_destroy),
                                          .compute = note_radii, .range = range_of_flat};
static const scree_plugin radii_law = {PLUGIN(FORCE, "radii", "of a test"), .ops = &radii_ops,
                                       .needs = SCREE_IN_RADII, .provides = SCREE_OUT_COUPLE};

TEST("/laws/the-radius-of-planes-and-facets-is-0")
{
    scree_scene *scene = fixture_scene(
        "scene = { dimension = 3; dt = 1.0e-9; };\n" GLASS
        "shapes = { plane = { type = \"plane\"; normal = (0.0, 0.0, 1.0); };\n"
        "  facet = { type = \"mesh\"; facets = ((0, 1, 2));\n"
        "    vertices = ((-0.1, -0.1, 0.0), (0.1, -0.1, 0.0), (0.0, 0.1, 0.0)); }; };\n"
        "bodies = { plane = { shape = \"plane\"; };\n"
        "  facet = { shape = \"facet\"; position = (0.5, 0.0, 0.0); };\n"
        "  a = { radius = 0.01; position = (0.0, 0.0, 0.0099); };\n"
        "  b = { radius = 0.01; position = (0.5, 0.0, 0.0099); };\n"
        "  c = { radius = 0.01; position = (0.5, 0.0, 0.0298); }; };\n"
        "force = ( { plugin = \"linear\"; kn = 1.0; } );\n");
    seen_least = asked_least = HUGE_VAL;
    seen_most = 0.0;
    n_flat = 0;
    fixture_plug(scene->forces->pdata[0], &radii_law);
    g_autoptr(scree_sim) sim = fixture_begin(scene, &(scree_sim_options){0});
    g_assert_cmpuint(count_contacts(sim), ==, 4);
    g_assert_cmpuint(n_flat, ==, 3); // plane under a and b, facet under b
    g_assert_true(seen_least == 0.0 && seen_most == 0.01 && asked_least == 0.0);
}

/* A modifier that puts a ball of radius `inserted` at x = 1 m in step 1, and takes it in step 3. */
static double inserted;

static int32_t feed(void *instance, const scree_step *args)
{
    const scree_edits *edits = args->edits;
    uint64_t id;
    scree_one_body spec = {.scale = inserted, .q = {1.0}, .x = {1.0}};
    return args->step == 1   ? scree_insert_one(edits, &spec, &id)
           : args->step == 3 ? edits->remove(edits->ctx, 3)
                             : SCREE_OK;
}

static const scree_modifier_ops feed_ops = {OPS(modifier, plain_create, plain_destroy),
                                            .after_step = feed};
static const scree_plugin feeder = {PLUGIN(MODIFIER, "feeder", "of a test"), .ops = &feed_ops};

static scree_sim *fed(double radius)
{
    scree_scene *scene =
        fixture_scene("scene = { dimension = 3; dt = 1.0e-9; };\n" GLASS
                      "bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.0); };\n"
                      "           b = { radius = 0.01; position = (0.0215, 0.0, 0.0); }; };\n"
                      "force = ( { plugin = \"linear\"; kn = 1.0; } );\n");
    scree_choice_of *choice = g_new0(scree_choice_of, 1);
    scree_timed_choice *timed = g_new0(scree_timed_choice, 1);
    choice->memory = g_ptr_array_new();
    inserted = radius;
    fixture_plug(choice, &feeder);
    *timed = (scree_timed_choice){.name = "feeder", .choice = choice, .every_steps = 1};
    g_ptr_array_add(scene->modifiers, timed);
    fixture_plug(scene->forces->pdata[0], &sized_law);
    return fixture_begin(scene, &(scree_sim_options){0});
}

TEST("/laws/the-range-follows-bodies-that-come-and-go")
{
    g_autoptr(scree_sim) sim = fed(0.1);
    fixture_run(sim, 1);
    g_assert_cmpuint(count_contacts(sim), ==, 0); // 1.5 mm apart, of 1 mm
    fixture_run(sim, 1);                          // the material reaches 10 mm from now on
    assert_near(sim->plugins.contact.range, 0.01, 1e-17);
    g_assert_cmpuint(count_contacts(sim), ==, 1);
    fixture_run(sim, 1); // the large one goes
    fixture_run(sim, 1);
    assert_near(sim->plugins.contact.range, 1.0e-3, 1e-18);
    g_assert_cmpuint(count_contacts(sim), ==, 0);
}

TEST("/laws/a-range-that-is-not-a-number-is-blamed-by-its-radii")
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_sim) sim = fed(2.0);
    fixture_run(sim, 1);
    g_assert_false(scree_sim_step(sim, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN);
    g_assert_nonnull(strstr(error->message, "radii 0.01 and 2 m"));
}
