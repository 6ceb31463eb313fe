/* SPDX-License-Identifier: Apache-2.0 */
/* A call of a resolver, with more room if a pair has too many contacts. */
#include "engine/resolve.h"

#include "engine/batch_fill.h"
#include "engine/laws.h"
#include "plugin/call.h"

static bool resolve_once(const scree_list *list, const scree_candidates *in, scree_contacts *out,
                         uint32_t *done, scree_lane *lane)
{
    scree_call call =
        scree_call_begin_many(list->resolver, SCREE_CALL_LANE, "resolve", in->n, "pairs");
    int32_t code = list->ops->resolve(list->resolver->self, in, out, done);
    return scree_call_end(&call, code, SCREE_OK, scree_lane_error(lane)) >= 0;
}

void scree_resolve_grow(const scree_evaluation *e, uint32_t n, scree_lane *lane)
{
    scree_lane_grow(e->sim, lane, n);
    scree_laws_prepare_lane(e, lane);
}

bool scree_resolve(const scree_evaluation *e, const scree_list *list, const scree_candidates *in,
                   uint32_t at, scree_contacts *out, uint32_t *done, scree_lane *lane)
{
    enum { SPARE = 64 }; // all of the room is large, and would be preset for few contacts
    const uint32_t room = scree_lane_room(lane) - at;
    scree_contacts_fill(list, lane, at, MIN(room, in->n + SPARE + lane->most), out);
    if (!resolve_once(list, in, out, done, lane))
        return false;
    const uint32_t wanted = out->n;
    if (*done || !in->n || wanted <= out->capacity || lane->gathered_at_once)
        return true;
    g_autofree char *text = NULL;
    if (wanted > SCREE_MAX_PAIR_CONTACTS) {
        text = g_strdup_printf("%u contacts of one pair; allowed: at most %u", wanted,
                               SCREE_MAX_PAIR_CONTACTS);
        return scree_lane_misbehaved(lane, list->resolver, "resolve", text);
    }
    scree_resolve_grow(e, at + wanted, lane);
    lane->most = MAX(lane->most, wanted);
    scree_contacts_fill(list, lane, at, scree_lane_room(lane) - at, out);
    if (!resolve_once(list, in, out, done, lane))
        return false;
    if (*done || out->n <= out->capacity)
        return true;
    text = g_strdup_printf("its first pair had %u contacts; asked again with room for %u, it has "
                           "%u",
                           wanted, out->capacity, out->n);
    return scree_lane_misbehaved(lane, list->resolver, "resolve", text);
}
