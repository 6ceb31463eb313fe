/* SPDX-License-Identifier: Apache-2.0 */
/* What a force law costs per contact beside another one: both take turns on the same batches.
 *
 * usage: law_bench REPETITIONS PLUGIN.so [NAME=VALUE]... -- PLUGIN.so [NAME=VALUE]...
 *
 * Parameters not named have their defaults. Friction is set so that one contact in 32 slides: that
 * is done one by one, and must not weigh more on one side. */
#include "contacts.h"

typedef struct law {
    const scree_plugin *plugin;
    const scree_force_ops *ops;
    _Alignas(16) char config[1024];
    double values[64];
    double *friction;
} law;

static law laws[2];

static void die(const char *what, const char *name)
{
    printf("Bail out! law_bench: %s%s\n", what, name);
    exit(2);
}

static const char *given(int n, char **words, const char *name)
{
    size_t length = strlen(name);
    for (int k = 0; k < n; k++)
        if (strncmp(words[k], name, length) == 0 && words[k][length] == '=')
            return words[k] + length + 1;
    return NULL;
}

static int32_t choice_of(const scree_param *p, const char *name)
{
    for (uint32_t k = 0; k < p->n_choices; k++)
        if (strcmp(p->choices[k]->name, name) == 0)
            return p->choices[k]->value;
    die("no such choice: ", name);
    return 0;
}

static void fill(law *l, int n, char **words)
{
    for (uint32_t k = 0; k < l->plugin->n_params; k++) {
        const scree_param *p = l->plugin->params[k];
        const char *text = given(n, words, p->name);
        double *value = &l->values[k];
        if (!text && p->flags & SCREE_REQUIRED)
            die("missing: ", p->name);
        *value = text                        ? strtod(text, NULL)
                 : p->flags & SCREE_OPTIONAL ? (double)NAN
                                             : p->real_default;
        scree_reals reals = {1, value};
        int32_t word = p->type == SCREE_CHOICE ? choice_of(p, text ? text : p->string_default)
                                               : (int32_t)(text ? atol(text) : p->int_default);
        if (p->type == SCREE_PER_PAIR || p->type == SCREE_PER_MATERIAL)
            memcpy(l->config + p->offset, &reals, sizeof reals);
        else if (p->type == SCREE_REAL)
            memcpy(l->config + p->offset, value, sizeof *value);
        else
            memcpy(l->config + p->offset, &word, sizeof word);
        if (strcmp(p->name, "friction") == 0)
            l->friction = value;
    }
}

static int32_t compute_first(void *instance, const scree_contact_batch *batches, uint32_t n)
{
    int32_t status = 0;
    for (uint32_t k = 0; k < n; k++)
        status += laws[0].ops->compute(instance, &batches[k]);
    return status;
}

static int32_t compute_second(void *instance, const scree_contact_batch *batches, uint32_t n)
{
    int32_t status = 0;
    for (uint32_t k = 0; k < n; k++)
        status += laws[1].ops->compute(instance, &batches[k]);
    return status;
}

/** Contacts that slide at this friction: their new spring is not what it is without a limit. */
static int count_sliding(law *l, const scree_host *host, bench_contacts *c, double friction)
{
    static double spring[CONTACTS];
    int n = 0;
    for (int limited = 0; limited < 2; limited++) {
        *l->friction = limited ? friction : 1e12;
        void *instance = bench_instance(l->ops, host, l->config);
        for (uint32_t k = 0; k < BATCHES; k++)
            l->ops->compute(instance, &c->batch[k]);
        l->ops->destroy(instance);
        for (uint32_t i = 0; i < CONTACTS; i++) {
            double now = c->arrays[i / BATCH].out[0][i % BATCH];
            n += limited && now != spring[i];
            spring[i] = now;
        }
    }
    return n;
}

/** Halves the interval of the friction at which CONTACTS / 32 slide. */
static int set_friction(law *l, const scree_host *host, bench_contacts *c)
{
    double low = 1e-6, high = 1e6;
    for (int k = 0; k < 60; k++) {
        double middle = sqrt(low * high);
        *(count_sliding(l, host, c, middle) > CONTACTS / 32 ? &low : &high) = middle;
    }
    return count_sliding(l, host, c, high);
}

int main(int argc, char **argv)
{
    static bench_contacts contacts;
    static fake_host fake;
    int cut = 1, slide[2];
    while (cut < argc && strcmp(argv[cut], "--") != 0)
        cut++;
    if (argc < 5 || cut < 3 || cut + 1 >= argc)
        die("usage: law_bench REPETITIONS PLUGIN.so [NAME=VALUE]... -- PLUGIN.so ",
            "[NAME=VALUE]...");
    fake_init(&fake, 3);
    fake.host.scratch = bench_scratch;
    bench_make(&fake, &contacts, 1e-6, 2e-7);
    bench_side side[2] = {{"first", compute_first, NULL}, {"second", compute_second, NULL}};
    for (int k = 0; k < 2; k++) {
        char **words = argv + (k ? cut + 1 : 2);
        if (strstr(words[0], "x86-64-v3") && !__builtin_cpu_supports("avx2")) {
            printf("1..0 # SKIP this CPU lacks x86-64-v3\n");
            return 0;
        }
        laws[k].plugin = fake_load(words[0], SCREE_KIND_FORCE);
        laws[k].ops = laws[k].plugin->ops;
        fill(&laws[k], k ? argc - cut - 2 : cut - 3, words + 1);
        if (!laws[k].friction)
            die("no friction in ", words[0]);
        slide[k] = set_friction(&laws[k], &fake.host, &contacts);
        side[k].instance = bench_instance(laws[k].ops, &fake.host, laws[k].config);
    }
    double ns[2];
    bench_turns(&side[0], &side[1], &contacts, atol(argv[1]), ns);
    tap_ok(abs(slide[0] - slide[1]) < CONTACTS / 256 && slide[0] > CONTACTS / 64,
           "on both sides one contact in 32 slides");
    printf("# LAWS %s %.3f %s %.3f ratio %.3f, %d and %d of %d slide\n", laws[0].plugin->id, ns[0],
           laws[1].plugin->id, ns[1], ns[1] / ns[0], slide[0], slide[1], CONTACTS);
    for (int k = 0; k < 2; k++)
        laws[k].ops->destroy(side[k].instance);
    return tap_end();
}
