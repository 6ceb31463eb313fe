/* SPDX-License-Identifier: Apache-2.0 */
/* A force law without a host, with two materials: each pair of equal ones gets the forces that a
 * scene of that material only would give, the mixed pair the same in both orders; CPU levels agree.
 */
#include "force_contacts.h"

enum { MATERIALS = 2, MOST = 32 };

/** Value of a parameter for a material, by its unit. */
static double size_of(const scree_param *p, double share)
{
    static const struct {
        const char *unit;
        double value;
    } sizes[] = {{"Pa", 6e8},  {"J/m^2", 0.2}, {"N/m", 0.07},
                 {"J", 1e-16}, {"m^3", 1e-13}, {"rad", 0.4}};
    if (p->flags & SCREE_PARAM_OPTIONAL)
        return (double)NAN;
    if (p->unit)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
            if (strcmp(p->unit, sizes[k].unit) == 0)
                return share * sizes[k].value;
    return 0.3 * share;
}

/** An instance whose materials have these shares of the sizes above. */
static void *make_law(const scree_plugin *plugin, const scree_host *host, const double *share)
{
    static _Alignas(16) char config[1024]; // valid until the next law is made
    static double values[MOST][MATERIALS * MATERIALS];
    uint32_t n = host->n_materials;
    void *law = NULL;
    memset(config, 0, sizeof config);
    for (uint32_t k = 0; k < plugin->n_params && k < MOST; k++) {
        const scree_param *p = plugin->params[k];
        int per_pair = p->type == SCREE_TYPE_PER_PAIR;
        scree_reals reals = {per_pair ? (uint64_t)n * n : n, values[k]};
        for (uint32_t m = 0; m < reals.n; m++)
            values[k][m] =
                per_pair ? size_of(p, sqrt(share[m / n] * share[m % n])) : size_of(p, share[m]);
        if (per_pair || p->type == SCREE_TYPE_PER_MATERIAL)
            memcpy(config + p->offset, &reals, sizeof reals);
        else if (p->type == SCREE_TYPE_REAL)
            memcpy(config + p->offset, &p->real_default, sizeof p->real_default);
    }
    if (((const scree_force_ops *)plugin->ops)->create(host, config, &law) != SCREE_OK)
        bail_out("create failed");
    return law;
}

static void evaluate(const scree_plugin *plugin, fake_host *fake, uint32_t n, const double *share,
                     contacts *c)
{
    fake->host.n_materials = n;
    void *law = make_law(plugin, &fake->host, share);
    compute(plugin, law, c, 0, N, since);
    ((const scree_force_ops *)plugin->ops)->destroy(law);
}

/** Contacts of `pair` in c that differ from those in other. */
static int count_others(const contacts *c, const contacts *other, uint32_t pair)
{
    int n = 0;
    for (uint32_t i = 0; i < N; i++) {
        int same = c->stored[i] == other->stored[i] && c->lost[i] == other->lost[i] &&
                   c->heat[i] == other->heat[i];
        for (int k = 0; k < 3; k++)
            same &= c->f[k][i] == other->f[k][i];
        n += i % 4 == pair && !same;
    }
    return n;
}

static void test_pairs(const scree_plugin *plugin, fake_host *fake, contacts *c, contacts *other)
{
    const double share[MATERIALS] = {1.0, 0.4};
    fill(fake, c, MATERIALS);
    if (plugin->n_fields && plugin->fields[0]->components == 1)
        for (uint32_t i = 0; i < N; i++) {
            c->in[0][i] = fabs(c->in[0][i]);
            c->in[1][i] = 1e-8 * fabs(c->in[1][i]);
        } // gap, volume
    *other = *c;
    evaluate(plugin, fake, MATERIALS, share, c);
    for (uint32_t m = 0; m < MATERIALS; m++) {
        memset(other->materials, 0, sizeof other->materials);
        evaluate(plugin, fake, 1, &share[m], other);
        tap_ok(count_others(c, other, 3 * m) == 0, m ? "the second material has its own forces"
                                                     : "the first material has its own forces");
        tap_ok(count_others(c, other, 3 - 3 * m) > N / 8,
               "negative control: the other one differs");
    }
    for (uint32_t i = 0; i < N; i++)
        other->materials[i] = i % 4 == 1 ? 2 : i % 4 == 2 ? 1 : i % 4;
    evaluate(plugin, fake, MATERIALS, share, other);
    tap_ok(count_others(c, other, 1) + count_others(c, other, 2) == 0,
           "the mixed pair has the same forces in both orders");
}

static void test_plugin(const scree_plugin *plugin, fake_host *fake, int is_first)
{
    static contacts first[1], c[1], other[1];
    test_pairs(plugin, fake, c, other);
    if (is_first)
        *first = *c;
    tap_ok(same_results(first, c),
           is_first ? "the first level is the reference" : "all CPU levels give the same bits");
}

int main(int argc, char **argv)
{
    return fake_levels(argc, argv, test_plugin);
}
