// SPDX-License-Identifier: Apache-2.0
// Claims about the resolver `gjk`: distances and depths of 10 000 pairs of convex solids against all axes
// and features, or dense directions and a search. usage: gjk PLUGIN.so [PLUGIN.x86-64-v3.so]
#include "gjk_scene.h"

enum { PAIRS = 10000 };

typedef struct subject {
    fake_host fake;
    const scree_resolver_ops *ops;
    void *self;
} subject;

/* Two bodies and all that a call wants. */
typedef struct test_pair {
    solid solids[2];
    placed at[2];
    double q[4][2], scale[2], radius[2], d[3];
    uint32_t index[2];
    scree_shape_type type[N_TYPES];
    const scree_shape_type *types[N_TYPES];
    const scree_shape *shapes[2];
    scree_bodies bodies;
} test_pair;

typedef struct test_touches {
    scree_contacts out;
    uint32_t pair[MOST_TOUCHES];
    uint64_t feature[MOST_TOUCHES], continues[MOST_TOUCHES];
    double normal[3][MOST_TOUCHES], depth[MOST_TOUCHES], arm[3][MOST_TOUCHES];
} test_touches;

static test_pair pair;
static test_touches touches, again;

static void make_random(fake_host *f, solid *s, int type)
{
    double axes[3];
    for (int k = 0; k < 3; k++)
        axes[k] = fake_uniform(f, 0.3, 1.0);
    if (type == TYPE_BALL)
        make_ball(s);
    else if (type == TYPE_CAPSULE)
        make_capsule(s, fake_uniform(f, 0.1, 2.0), fake_uniform(f, 0.2, 1.0));
    else if (type == TYPE_HULL && fake_uniform(f, 0.0, 1.0) < 0.25)
        make_box(s, axes[0], axes[1], axes[2]);
    else if (type == TYPE_HULL)
        make_hull(f, s, 4 + (uint32_t)fake_uniform(f, 0.0, 13.0));
    else if (fake_uniform(f, 0.0, 1.0) < 0.3)
        make_super(s, axes[0], axes[1], axes[2], 2.0, 2.0);
    else
        make_super(s, axes[0], axes[1], axes[2], fake_uniform(f, 1.5, 8.0),
                   fake_uniform(f, 1.5, 8.0));
}

static void random_turn(fake_host *f, double q[4])
{
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        q[k] = fake_uniform(f, -1.0, 1.0);
        sum += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(sum);
}

static void set_pair(subject *s)
{
    test_pair *p = &pair;
    for (int t = 0; t < N_TYPES; t++) {
        p->type[t] = (scree_shape_type){.size = sizeof p->type[t],
                                        .code = (uint32_t)t,
                                        .flags = t == TYPE_BALL ? SCREE_CAP_ROUND : 0,
                                        .name = "a solid"};
        p->types[t] = &p->type[t];
    }
    for (uint32_t k = 0; k < 2; k++) {
        const spot at = k ? spot_of(p->d[0], p->d[1], p->d[2]) : spot_of(0, 0, 0);
        const double q[4] = {p->q[0][k], p->q[1][k], p->q[2][k], p->q[3][k]};
        place_solid(&p->at[k], &p->solids[k], q, p->scale[k], at);
        p->radius[k] = p->scale[k] * p->solids[k].radius;
        p->index[k] = k;
        p->shapes[k] = &p->solids[k].shape;
        if (s->ops->prepare(s->self, k, p->shapes[k]) != SCREE_OK) {
            printf("Bail out! prepare failed: %s\n", s->fake.text);
            exit(1);
        }
    }
    p->bodies = (scree_bodies){.size = sizeof p->bodies,
                               .dimension = 3,
                               .n = 2,
                               .n_shapes = 2,
                               .shape = p->index,
                               .scale = p->scale,
                               .radius = p->radius,
                               .shapes = p->shapes,
                               .types = p->types,
                               .n_types = N_TYPES};
    for (int k = 0; k < 4; k++)
        p->bodies.q[k] = p->q[k];
}

/* Solids of these types, apart, touching or deep in each other by the number of the pair. */
static void random_pair(subject *s, int type_a, int type_b, uint32_t number)
{
    fake_host *f = &s->fake;
    const int types[2] = {type_a, type_b};
    double n[4];
    for (int k = 0; k < 2; k++) {
        double q[4];
        make_random(f, &pair.solids[k], types[k]);
        pair.scale[k] = fake_uniform(f, 0.5, 1.5);
        random_turn(f, q);
        for (int i = 0; i < 4; i++)
            pair.q[i][k] = q[i];
    }
    random_turn(f, n);
    memset(pair.d, 0, sizeof pair.d);
    set_pair(s);
    const spot u = unit(spot_of(n[0], n[1], n[2]));
    const real all = depth_along(&pair.at[0], &pair.at[1], u);
    const double part = number % 3 == 0 ? fake_uniform(f, -0.3, 0.0)
                        : number % 3 == 1
                            ? fake_uniform(f, -1.0, 1.0) * pow(10.0, fake_uniform(f, -9.0, -2.0))
                            : fake_uniform(f, 0.0, 0.95);
    const spot d = plus(spot_of(0, 0, 0), all * (1 - (real)part), u);
    pair.d[0] = (double)d.x;
    pair.d[1] = (double)d.y;
    pair.d[2] = (double)d.z;
    set_pair(s);
}

static uint32_t touch(subject *s, const uint32_t order[2], const double d[3], double range,
                      double hint[3], test_touches *t)
{
    double none[3] = {0}, radius[2] = {pair.radius[order[0]], pair.radius[order[1]]};
    uint32_t done = 0;
    const scree_candidates in = {.size = sizeof in,
                                 .n = 1,
                                 .type_a = (uint32_t)pair.solids[order[0]].type,
                                 .type_b = (uint32_t)pair.solids[order[1]].type,
                                 .hint_bytes = s->ops->hint_bytes,
                                 .a = &order[0],
                                 .b = &order[1],
                                 .d = {&d[0], &d[1], &d[2]},
                                 .radius_a = &radius[0],
                                 .radius_b = &radius[1],
                                 .range = range,
                                 .bodies = &pair.bodies,
                                 .hints = hint ? hint : none};
    t->out = (scree_contacts){.size = sizeof t->out,
                              .capacity = MOST_TOUCHES,
                              .pair = t->pair,
                              .normal = {t->normal[0], t->normal[1], t->normal[2]},
                              .depth = t->depth,
                              .arm = {t->arm[0], t->arm[1], t->arm[2]},
                              .feature = t->feature,
                              .continues = t->continues};
    if (s->ops->resolve(s->self, &in, &t->out, &done) != SCREE_OK || done != 1) {
        printf("Bail out! resolve failed: %s\n", s->fake.text);
        exit(1);
    }
    return t->out.n;
}

static int same_touches(const test_touches *l, const test_touches *r)
{
    const size_t n = l->out.n * sizeof(double);
    int same = l->out.n == r->out.n && !memcmp(l->depth, r->depth, n) &&
               !memcmp(l->feature, r->feature, n);
    for (int k = 0; same && k < 3; k++)
        same = !memcmp(l->normal[k], r->normal[k], n) && !memcmp(l->arm[k], r->arm[k], n);
    return same;
}

/* Errors of one kind of pairs, of the size of the smaller body. */
typedef struct errors {
    uint32_t n, n_over, n_short, n_same, n_exchanged;
    double above, below, stated;
} errors;

static const uint32_t forth[2] = {0, 1}, back[2] = {1, 0};

static int hints_change_nothing(subject *s)
{
    double hint[3] = {0}, other[3];
    int same = 1;
    touch(s, forth, pair.d, 9.0, hint, &again);
    same &= same_touches(&touches, &again);
    touch(s, forth, pair.d, 9.0, hint, &again);
    same &= same_touches(&touches, &again);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            other[i] = fake_uniform(&s->fake, -1.0, 1.0) * (k == 2 ? 1e300 : 1.0);
        touch(s, forth, pair.d, 9.0, other, &again);
        same &= same_touches(&touches, &again);
    }
    return same;
}

/* The contact whose depth is nearest to the expected one. */
static uint32_t nearest_touch(double expected)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < touches.out.n; k++)
        if (fabs(touches.depth[k] - expected) < fabs(touches.depth[best] - expected))
            best = k;
    return best;
}

static int exchange_is_same(subject *s)
{
    const double d[3] = {-pair.d[0], -pair.d[1], -pair.d[2]};
    double sum = 0.0;
    if (pair.solids[0].type != pair.solids[1].type)
        return 1;
    touch(s, back, d, 9.0, NULL, &again);
    for (uint32_t k = 0; k < touches.out.n && k < again.out.n; k++) {
        uint32_t l = 0;
        while (l + 1 < again.out.n &&
               (again.depth[l] != touches.depth[k] || again.normal[0][l] != -touches.normal[0][k]))
            l++;
        sum += fabs(again.depth[l] - touches.depth[k]) +
               fabs(again.normal[0][l] + touches.normal[0][k]);
    }
    return touches.out.n == again.out.n && sum == 0.0;
}

static void judge_pair(subject *s, errors *e)
{
    const double size = fmin(pair.radius[0], pair.radius[1]);
    const real expected = oracle_depth(&pair.at[0], &pair.at[1]);
    touch(s, forth, pair.d, 9.0, NULL, &touches);
    const uint32_t k = nearest_touch((double)expected);
    const spot n = spot_of(touches.normal[0][k], touches.normal[1][k], touches.normal[2][k]);
    const double above = (double)(touches.depth[k] - expected) / size;
    const double stated =
        (double)fabsl(depth_along(&pair.at[0], &pair.at[1], n) - touches.depth[k]) / size;
    if (getenv("GJK_VERBOSE") && (above > 1e-10 || stated > 1e-12))
        printf("# pair %u: above %.3g stated %.3g expected %.6Lg got %.6g of %u\n", e->n, above,
               stated, expected / size, touches.depth[k] / size, touches.out.n);
    e->n++;
    e->n_over += expected > 0;
    e->n_short += above > 1e-6;
    e->above = fmax(e->above, above);
    e->below = fmax(e->below, -above);
    e->stated = fmax(e->stated, stated);
    e->n_same += (uint32_t)hints_change_nothing(s);
    e->n_exchanged += (uint32_t)exchange_is_same(s);
}

static void test_random(subject *s)
{
    static const char *const names[] = {"ball", "capsule", "polytope", "superquadric"};
    static const int kinds[][2] = {
        {TYPE_HULL, TYPE_HULL},     {TYPE_HULL, TYPE_SUPER},      {TYPE_SUPER, TYPE_SUPER},
        {TYPE_BALL, TYPE_HULL},     {TYPE_BALL, TYPE_SUPER},      {TYPE_CAPSULE, TYPE_HULL},
        {TYPE_CAPSULE, TYPE_SUPER}, {TYPE_CAPSULE, TYPE_CAPSULE}, {TYPE_BALL, TYPE_CAPSULE}};
    errors all[9] = {0};
    const int only = getenv("GJK_ONLY") ? atoi(getenv("GJK_ONLY")) : -1;
    const uint32_t pairs = getenv("GJK_PAIRS") ? (uint32_t)atoi(getenv("GJK_PAIRS")) : PAIRS;
    for (uint32_t i = 0; i < pairs; i++) {
        const int kind = only >= 0 ? only : (int)(i % 9);
        random_pair(s, kinds[kind][0], kinds[kind][1], i / 9);
        judge_pair(s, &all[kind]);
    }
    for (int k = 0; k < 9; k++)
        printf("# %s - %s: %u pairs, %u overlap; above the least found elsewhere by %.2g at most, "
               "below by %.2g; "
               "off its own normal by %.2g; %u off by 1e-6; same bits %u, exchanged %u\n",
               names[kinds[k][0]], names[kinds[k][1]], all[k].n, all[k].n_over, all[k].above,
               all[k].below, all[k].stated, all[k].n_short, all[k].n_same, all[k].n_exchanged);
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        subject s = {0};
        fake_init(&s.fake, 3);
        const scree_plugin *plugin = fake_load(argv[k], SCREE_KIND_RESOLVER);
        s.ops = plugin->ops;
        if (s.ops->create(&s.fake.host, NULL, &s.self) != SCREE_OK)
            return 1;
        test_random(&s);
        s.ops->destroy(s.self);
        free(s.fake.scratch);
    }
    return tap_end();
}
