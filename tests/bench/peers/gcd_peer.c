/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of a GCD plugin on positions and radii, as the adapter of the peers' harness asks for them.
 */
#include "gcd_peer.h"

#include "../gcd_load.h"

enum { MOST_WORDS = 16, AT_ONCE = 4096 };

struct gcd_peer {
    scree_host host; // of one lane
    gcd loaded;
    world boxes;
    scree_pair_sink sink;
    scree_pair *room;
    uint64_t capacity, committed;
    gcd_peer_pairs to;
    void *ctx;
    int begun;
};

/* Committed pairs have been handed on, so the room is used again. */
static int32_t reserve(scree_pair_sink *sink, uint64_t n, scree_pair **out)
{
    gcd_peer *p = sink->ctx;
    if (!scree_grow(&p->room, &p->capacity, n, sizeof *p->room))
        return SCREE_E_MEMORY;
    *out = p->room;
    return SCREE_OK;
}

static int32_t commit(scree_pair_sink *sink, uint64_t n)
{
    gcd_peer *p = sink->ctx;
    p->to(p->ctx, n, &p->room[0].a);
    p->committed += n;
    return SCREE_OK;
}

static void give_up(const char *spec)
{
    fprintf(stderr, "%s: not a GCD plugin, or it failed\n", spec);
    exit(1);
}

gcd_peer *gcd_peer_open(const char *spec, uint32_t n, uint32_t dimension)
{
    gcd_peer *p = must(calloc(1, sizeof *p));
    p->host = fake_host;
    p->host.lanes = 1;
    char *text = must(strdup(spec)), *rest = NULL, *words[MOST_WORDS];
    const char *file = strtok_r(text, ",", &rest);
    int n_words = 0;
    while (n_words < MOST_WORDS && (words[n_words] = strtok_r(NULL, ",", &rest)))
        n_words++;
    if (!file || !load_gcd(&p->loaded, file, n_words, words) ||
        p->loaded.ops->create(&p->host, p->loaded.config, &p->loaded.instance) != SCREE_OK)
        give_up(spec);
    free(text);
    p->sink = (scree_pair_sink){sizeof p->sink, 0, p, reserve, commit};
    scree_grow(&p->room, &p->capacity, AT_ONCE, sizeof *p->room);
    resize_world(&p->boxes, n, dimension);
    for (uint32_t k = dimension; k < 3; k++) {
        memset(p->boxes.lo[k], 0, n * sizeof(double));
        memset(p->boxes.hi[k], 0, n * sizeof(double));
        memset(p->boxes.centre[k], 0, n * sizeof(double));
    }
    return p;
}

void gcd_peer_close(gcd_peer *p)
{
    p->loaded.ops->destroy(p->loaded.instance);
    free_world(&p->boxes);
    free(p->room);
    free(p);
}

static void fill(uint32_t n, const double *SCREE_RESTRICT x, const double *SCREE_RESTRICT r,
                 double *SCREE_RESTRICT lo, double *SCREE_RESTRICT hi)
{
    for (uint32_t i = 0; i < n; i++) {
        lo[i] = x[i] - r[i];
        hi[i] = x[i] + r[i];
    }
}

uint64_t gcd_peer_step(gcd_peer *p, const double *const x[3], const double *r, gcd_peer_pairs to,
                       void *ctx)
{
    world *w = &p->boxes;
    const scree_gcd_ops *ops = p->loaded.ops;
    uint64_t pivots = 0;
    for (uint32_t k = 0; k < w->dimension; k++) {
        fill(w->n, x[k], r, w->lo[k], w->hi[k]);
        w->view.centre[k] = x[k];
    }
    w->view.radius = r;
    p->to = to;
    p->ctx = ctx;
    p->committed = 0;
    if (!p->begun && ops->init(p->loaded.instance, &w->view, 0) != SCREE_OK)
        give_up(p->loaded.id);
    p->begun = 1;
    if (ops->step_init(p->loaded.instance, &w->view, NULL, 0, &pivots) != SCREE_OK ||
        ops->find_neighbors(p->loaded.instance, 0, pivots, &p->sink) != SCREE_OK)
        give_up(p->loaded.id);
    return p->committed;
}
