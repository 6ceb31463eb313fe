/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the cost per contact of two force laws: both take turns on the same batches.
 *
 * usage: law_bench REPETITIONS SHARE LAW [+ LAW]... -- SHARE LAW [+ LAW]...
 *        LAW: PLUGIN.so [NAME=VALUE]...    SHARE: percent of the contacts that slide; - : as they
 * come
 *
 * Parameters not named have their defaults. The friction of the first law of a side is set so that
 * SHARE of the contacts slide. The laws of a side are called in turn on each batch, as the host
 * does. With REPETITIONS 0 each side computes all contacts once, for callgrind:
 * `--toggle-collect=compute_*`. */
#include "contacts.h"

enum { LAWS = 4 }; // of a side

typedef struct law {
    const scree_plugin *plugin;
    const scree_force_ops *ops;
    void *instance;
    _Alignas(16) char config[1024];
    double values[64];
    double *friction;
} law;

typedef struct side {
    law laws[LAWS];
    int n;
} side;

static side sides[2];

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
        if (!text && p->flags & SCREE_PARAM_REQUIRED)
            die("missing: ", p->name);
        *value = text                              ? strtod(text, NULL)
                 : p->flags & SCREE_PARAM_OPTIONAL ? (double)NAN
                                                   : p->real_default;
        scree_reals reals = {1, value};
        int32_t word = p->type == SCREE_TYPE_CHOICE ? choice_of(p, text ? text : p->string_default)
                                                    : (int32_t)(text ? atol(text) : p->int_default);
        if (p->type == SCREE_TYPE_PER_PAIR || p->type == SCREE_TYPE_PER_MATERIAL)
            memcpy(l->config + p->offset, &reals, sizeof reals);
        else if (p->type == SCREE_TYPE_REAL)
            memcpy(l->config + p->offset, value, sizeof *value);
        else
            memcpy(l->config + p->offset, &word, sizeof word);
        if (strcmp(p->name, "friction") == 0)
            l->friction = value;
    }
}

static int32_t compute(const side *s, const scree_contact_batch *batches, uint32_t n)
{
    int32_t status = 0;
    for (uint32_t k = 0; k < n; k++)
        for (int l = 0; l < s->n; l++)
            status += s->laws[l].ops->compute(s->laws[l].instance, &batches[k]);
    return status;
}

static int32_t compute_first(void *instance, const scree_contact_batch *batches, uint32_t n)
{
    return compute(&sides[0], batches, n);
}

static int32_t compute_second(void *instance, const scree_contact_batch *batches, uint32_t n)
{
    return compute(&sides[1], batches, n);
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

/** Halves the interval of the friction at which `percent` of the contacts slide. */
static int set_friction(law *l, const scree_host *host, bench_contacts *c, double percent)
{
    double low = 1e-9, high = 1e6;
    if (!l->friction)
        die("no friction in ", l->plugin->id);
    for (int k = 0; k < 60; k++) {
        double middle = sqrt(low * high);
        *(count_sliding(l, host, c, middle) > percent / 100.0 * CONTACTS ? &low : &high) = middle;
    }
    return count_sliding(l, host, c, percent < 100.0 ? high : low);
}

/** Loads the laws of a side from its words; how many contacts slide. */
static int make_side(side *s, int n, char **words, const scree_host *host, bench_contacts *c)
{
    int slide = 0;
    for (int k = 1, end; k < n; k = end + 1) {
        for (end = k; end < n && strcmp(words[end], "+") != 0;)
            end++;
        if (end == k || s->n == LAWS)
            die("no law, or too many, after ", words[k - 1]);
        if (strstr(words[k], "x86-64-v3") && !__builtin_cpu_supports("avx2")) {
            printf("1..0 # SKIP this CPU lacks x86-64-v3\n");
            exit(0);
        }
        law *l = &s->laws[s->n++];
        l->plugin = fake_load(words[k], SCREE_KIND_FORCE);
        l->ops = l->plugin->ops;
        fill(l, end - k - 1, words + k + 1);
        if (k == 1 && strcmp(words[0], "-") != 0)
            slide = set_friction(l, host, c, strtod(words[0], NULL));
        l->instance = bench_instance(l->ops, host, l->config);
    }
    if (s->n == 0)
        die("a side without a law: ", words[0]);
    return slide;
}

int main(int argc, char **argv)
{
    static bench_contacts contacts;
    static fake_host fake;
    int cut = 1, slide[2];
    double ns[2] = {0.0, 0.0};
    while (cut < argc && strcmp(argv[cut], "--") != 0)
        cut++;
    if (cut < 4 || argc < cut + 3)
        die("usage: law_bench REPETITIONS SHARE LAW [+ LAW]... ", "-- SHARE LAW [+ LAW]...");
    fake_init(&fake, 3);
    fake.host.scratch = bench_scratch;
    bench_make(&fake, &contacts, 1e-6, 2e-7);
    for (int k = 0; k < 2; k++)
        slide[k] = make_side(&sides[k], k ? argc - cut - 1 : cut - 2, argv + (k ? cut + 1 : 2),
                             &fake.host, &contacts);
    bench_side turns[2] = {{"first", compute_first, NULL}, {"second", compute_second, NULL}};
    for (int k = 0; k < 2; k++)
        turns[k].compute(NULL, contacts.batch, BATCHES);
    if (atol(argv[1]) > 0)
        bench_turns(&turns[0], &turns[1], &contacts, atol(argv[1]), ns);
    for (int k = 0; k < 2; k++) {
        double percent = strtod(argv[k ? cut + 1 : 2], NULL);
        tap_ok(fabs(slide[k] - percent / 100.0 * CONTACTS) < CONTACTS / 128.0,
               "as many contacts slide as asked for");
    }
    printf("# LAWS %s %.3f %s %.3f ratio %.3f, %d and %d of %d slide\n",
           sides[0].laws[0].plugin->id, ns[0], sides[1].laws[sides[1].n - 1].plugin->id, ns[1],
           ns[1] / ns[0], slide[0], slide[1], CONTACTS);
    for (int k = 0; k < 2; k++)
        for (int l = 0; l < sides[k].n; l++)
            sides[k].laws[l].ops->destroy(sides[k].laws[l].instance);
    return tap_end();
}
