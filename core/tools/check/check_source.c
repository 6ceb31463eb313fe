/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: the promises of a source (source.h), in a small scene: its bodies are possible, the
 * same ones each time, and a refusal ends the call. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "scree/cell_sdk.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"
#include "tools/check/check_source_call.h"

enum { FEW = 3 };

/** Whether bodies [k, k + FEW) of a and [l, l + FEW) of b are the same, apart from their ids. */
static bool same_few(const scree_check_source *a, guint k, const scree_check_source *b, guint l)
{
    for (guint i = 0; i < FEW; i++) {
        scree_body one = g_array_index(a->bodies, scree_body, k + i);
        scree_body other = g_array_index(b->bodies, scree_body, l + i);
        one.id = other.id = SCREE_ID_NONE;
        one.start = other.start = 0;
        if (memcmp(&one, &other, sizeof one))
            return false;
    }
    return true;
}

static bool same_bodies(const scree_check_source *a, const scree_check_source *b)
{
    return a->bodies->len == b->bodies->len &&
           !memcmp(a->bodies->data, b->bodies->data, a->bodies->len * sizeof(scree_body));
}

/** Number of the first body that differs. */
static guint first_other(const scree_check_source *a, const scree_check_source *b)
{
    guint i = 0;
    const guint n = MIN(a->bodies->len, b->bodies->len);
    while (i < n && !memcmp(&g_array_index(a->bodies, scree_body, i),
                            &g_array_index(b->bodies, scree_body, i), sizeof(scree_body)))
        i++;
    return i;
}

/* bodies */

/** Whether bodies are those of a file, or of the integrator's. */
static bool reads_file(const scree_plugin *plugin)
{
    if (plugin->flags & SCREE_CAP_BY_INTEGRATOR)
        return true;
    for (uint32_t k = 0; k < plugin->n_params; k++)
        if (plugin->params[k]->flags & SCREE_PARAM_FILE)
            return true;
    return false;
}

/** Fails when two balls overlap by more than rounding, where the cell repeats, too. */
static void judge_room(const scree_check_source *s)
{
    for (guint i = 0; i < s->bodies->len; i++)
        for (guint j = 0; j < i && !s->check->failed; j++) {
            const scree_body *a = &g_array_index(s->bodies, scree_body, i);
            const scree_body *b = &g_array_index(s->bodies, scree_body, j);
            const scree_shape *one = s->view.shapes[a->shape], *other = s->view.shapes[b->shape];
            double d[3];
            int32_t images[3];
            for (int k = 0; k < 3; k++)
                d[k] = a->x[k] - b->x[k];
            scree_nearest(&s->cell, d, images);
            const double reach = a->scale * one->radius + b->scale * other->radius;
            const double gap = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - reach;
            if (one->flags & other->flags & SCREE_CAP_ROUND && gap < -1e-9 * reach)
                scree_check_fail(s->check, "%s: make: balls %u and %u overlap by %g m", s->setting,
                                 j, i, -gap);
        }
}

static void try_bodies(scree_check *check, scree_instance *instance, const char *setting)
{
    const uint64_t most[] = {UINT64_MAX, FEW, 0};
    for (size_t k = 0; k < G_N_ELEMENTS(most) && !check->failed; k++) {
        g_autoptr(scree_check_source) s = scree_check_source_new(check, instance, setting);
        if (scree_check_source_make(s, 0, most[k]) && !reads_file(check->plugin))
            judge_room(s);
    }
}

/* repeat */

static void try_repeat(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_source) one = scree_check_source_new(check, instance, setting);
    g_autoptr(scree_check_source) again = scree_check_source_new(check, instance, setting);
    scree_instance *other = scree_check_instance_again(check, instance);
    g_autoptr(scree_check_source) another =
        other ? scree_check_source_new(check, other, setting) : NULL;
    if (another && scree_check_source_make(one, 0, UINT64_MAX) &&
        scree_check_source_make(again, 0, UINT64_MAX) &&
        scree_check_source_make(another, 0, UINT64_MAX)) {
        const scree_check_source *found = same_bodies(one, again) ? another : again;
        if (!same_bodies(one, found))
            scree_check_fail(check,
                             "%s: make() once more%s: %u bodies, then %u; number %u is another",
                             setting, found == another ? ", of a second instance" : "",
                             one->bodies->len, found->bodies->len, first_other(one, found));
    }
    scree_check_instance_free(other);
}

/** Another seed of the scene may give other bodies, which are valid as well. */
static void try_seed(scree_check *check, scree_instance *instance, const char *setting)
{
    const uint64_t seed = instance->runtime->seed;
    instance->runtime->seed = seed + 1;
    try_repeat(check, instance, setting);
    instance->runtime->seed = seed;
}

/* first */

/** A call that goes on may not begin again, where the bodies of one call for all differ from each other. */
static void judge_beginning(scree_check_source *whole, const scree_check_source *parts)
{
    if (parts->bodies->len < 2 * FEW || !same_few(parts, 0, parts, FEW) ||
        !scree_check_source_make(whole, 0, UINT64_MAX) || whole->bodies->len < 2 * FEW ||
        same_few(whole, 0, whole, FEW))
        return;
    scree_check_fail(whole->check,
                     "%s: make() with first = %d adds the bodies 0 to %d again; in a call for all "
                     "they differ from those that follow",
                     whole->setting, FEW, FEW - 1);
}

/** Two calls for a few bodies each, as by a modifier that owns a source. */
static void try_first(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_source) one = scree_check_source_new(check, instance, setting);
    g_autoptr(scree_check_source) two = scree_check_source_new(check, instance, setting);
    g_autoptr(scree_check_source) whole = scree_check_source_new(check, instance, setting);
    scree_check_source *const both[] = {one, two};
    for (size_t k = 0; k < G_N_ELEMENTS(both); k++) {
        if (!scree_check_source_make(both[k], 0, FEW))
            return;
        both[k]->going_on = true;
        if (!scree_check_source_make(both[k], both[k]->bodies->len, FEW))
            return;
    }
    if (!same_bodies(one, two))
        scree_check_fail(check, "%s: make() that goes on after %d bodies: number %u is another",
                         setting, FEW, first_other(one, two));
    else
        judge_beginning(whole, one);
}

/* refusals */

/** Refuses the first call of add(), then the second. */
static void try_refused(scree_check *check, scree_instance *instance, const char *setting)
{
    for (int32_t calls = 0; calls < 2 && !check->failed; calls++) {
        g_autoptr(scree_check_source) s = scree_check_source_new(check, instance, setting);
        s->refuse_after = calls;
        scree_check_source_make(s, 0, UINT64_MAX);
    }
}

static void try_alone(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_source) s = scree_check_source_new(check, instance, setting);
    s->may_refuse = true;
    instance->runtime->withheld = "";
    scree_check_source_make(s, 0, UINT64_MAX);
    instance->runtime->withheld = NULL;
}

/* the exercise */

static void *exercise_begin(scree_check *check, scree_instance *instance)
{
    return scree_check_source_new(check, instance, "in turn");
}

static void exercise_turn(void *user, uint32_t turn, GChecksum *bits)
{
    scree_check_source *s = user;
    (void)turn;
    scree_check_source_clear(s);
    if (scree_check_source_make(s, 0, UINT64_MAX))
        g_checksum_update(bits, (const guchar *)s->bodies->data,
                          (gssize)(s->bodies->len * sizeof(scree_body)));
}

static void exercise_end(void *user)
{
    scree_check_source_free(user);
}

static const scree_check_exercise exercise = {exercise_begin, exercise_turn, exercise_end};
static const scree_check_case cases[] = {
    {"bodies", "each body is a possible one, and there are no more than wanted",
     .each = try_bodies},
    {"repeat", "the same scene gets the same bodies", .each = try_repeat},
    {"seed", "with another seed of the scene too", .each = try_seed},
    {"first", "a call that goes on adds bodies, the same ones each time", .each = try_first},
    {"refused", "after a refused body or a reported mistake make() returns an error",
     .each = try_refused},
    {"alone", "without any service it works, or refuses with a text", .each = try_alone},
    {0}};
const scree_check_suite scree_check_sources = {SCREE_KIND_SOURCE, &exercise, cases};
