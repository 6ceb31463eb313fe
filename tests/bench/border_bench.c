/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the cost of the border to a plugin: force/linear inlined into a host, and the same law
 * in its .so.
 *
 * usage: border_bench [PLUGIN FOLDER [REPETITIONS]]
 *
 * Both work on the same batches of contacts and take turns; the fastest of many short repetitions
 * counts, because other programs on the machine only ever add. It prints the round with the median
 * ratio: a clock that changes favours one side by chance. As a test it asks for few, and
 * whether both give the same bits. */
#include "border_law.h"
#include "contacts.h"

static const scree_force_ops *loaded; // the law beyond the border

static int32_t compute_loaded(void *instance, const scree_contact_batch *batches, uint32_t n)
{
    int32_t status = 0;
    for (uint32_t k = 0; k < n; k++)
        status += loaded->compute(instance, &batches[k]);
    return status;
}

/** The results of s for the contacts, after erasing its outputs; the caller frees. */
static bench_arrays *results_of(bench_side *s, bench_contacts *c)
{
    bench_arrays *copy = malloc(sizeof c->arrays);
    if (!copy)
        exit(1);
    for (uint32_t k = 0; k < BATCHES; k++) {
        memset(c->arrays[k].out, 0, sizeof c->arrays[k].out);
        memset(c->arrays[k].f, 0, sizeof c->arrays[k].f);
        memset(c->arrays[k].stored, 0, sizeof c->arrays[k].stored);
        memset(c->arrays[k].lost, 0, sizeof c->arrays[k].lost);
    }
    s->compute(s->instance, c->batch, BATCHES);
    return memcpy(copy, c->arrays, sizeof c->arrays);
}

/** 1 when both give the same bits, for contacts that push at all. */
static int agree(bench_side *p, bench_side *q, bench_contacts *c)
{
    bench_arrays *first = results_of(p, c), *second = results_of(q, c);
    double push = 0.0;
    for (uint32_t i = 0; i < CONTACTS; i++)
        push += fabs(first[i / BATCH].f[0][i % BATCH]);
    int same = push > 0.0 && memcmp(first, second, sizeof c->arrays) == 0;
    free(first);
    free(second);
    return same;
}

int main(int argc, char **argv)
{
    static bench_contacts contacts;
    static fake_host fake;
    const border_law *law = &BORDER_FIRST; // of the file without a suffix
    const char *suffix = "";
#ifdef BORDER_BOTH
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        law = &border_law_v3;
        suffix = ".x86-64-v3";
    }
#endif
    long repetitions = argc > 2 ? atol(argv[2]) : 2000;
    double ns[2];
    char path[4096];
    snprintf(path, sizeof path, "%s/force/linear%s.so", argc > 1 ? argv[1] : BORDER_PLUGINS,
             suffix);
    const scree_plugin *plugin = fake_load(path, SCREE_KIND_FORCE);
    loaded = plugin->ops;
    fake_init(&fake, 3);
    fake.host.scratch = bench_scratch;
    bench_make(&fake, &contacts, 1e-6, 2e-7);
    bench_side inlined = {"inlined", law->compute,
                          bench_instance(law->ops, &fake.host, law->config[0])};
    bench_side outside = {"plugin", compute_loaded,
                          bench_instance(loaded, &fake.host, law->config[0])};
    bench_side other = {"other", compute_loaded,
                        bench_instance(loaded, &fake.host, law->config[1])};
    tap_ok(agree(&inlined, &outside, &contacts), "inlined and in a plugin: the same bits");
    tap_ok(!agree(&inlined, &other, &contacts), "negative control: one rounding of friction shows");
    bench_turns(&inlined, &outside, &contacts, repetitions, ns);
    const char *comment = argc > 2 ? "# " : ""; // as a test, in TAP
    printf("%sBORDER inlined %.4f plugin %.4f ratio %.4f\n", comment, ns[0], ns[1], ns[1] / ns[0]);
    law->ops->destroy(inlined.instance);
    loaded->destroy(outside.instance);
    loaded->destroy(other.instance);
    return tap_end();
}
