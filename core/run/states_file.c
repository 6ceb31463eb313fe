/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads the state of plugins in a checkpoint. */
#include "run/states_file.h"

#include <inttypes.h>
#include <string.h>

#include "plugin/kinds.h"

enum { MOST_STATES = 100000 };

void scree_saved_states_transfer(scree_h5 *h5, GPtrArray **states)
{
    const bool writing = h5->writing;
    uint64_t n = writing && *states ? (*states)->len : 0;
    if (writing ? !n : !h5->io->has(h5, "states"))
        return; // there are none, or an older program wrote the file
    h5->io->group(h5, "states");
    h5->io->count(h5, "n", &n, MOST_STATES);
    if (!writing)
        *states = scree_saved_states_new();
    for (uint64_t i = 0; i < n && !h5->error; i++) {
        g_autofree char *number = g_strdup_printf("%" PRIu64, i);
        scree_saved_state *one = writing ? (*states)->pdata[i] : scree_saved_states_add(*states);
        h5->io->group(h5, number);
        h5->io->text(h5, "slot", &one->slot);
        h5->io->text(h5, "kind", &one->kind);
        h5->io->text(h5, "id", &one->id);
        h5->io->text(h5, "version", &one->version);
        h5->io->count(h5, "n", &one->n, SCREE_MAX_STATE_BYTES);
        h5->io->array(h5, "bytes", SCREE_H5_U8, one->n, 1, &one->bytes);
        h5->io->leave(h5);
    }
    h5->io->leave(h5);
}

GPtrArray *scree_saved_states_part(const GPtrArray *states, bool observers)
{
    const char *observer = scree_kind_name(SCREE_KIND_OBSERVER);
    GPtrArray *part = scree_saved_states_new();
    const guint n = states ? states->len : 0;
    for (guint i = 0; i < n; i++) {
        const scree_saved_state *from = states->pdata[i];
        if (!strcmp(from->kind, observer) != observers)
            continue;
        scree_saved_state *to = scree_saved_states_add(part);
        *to = (scree_saved_state){.slot = g_strdup(from->slot),
                                  .kind = g_strdup(from->kind),
                                  .id = g_strdup(from->id),
                                  .version = g_strdup(from->version),
                                  .n = from->n,
                                  .bytes = g_memdup2(from->bytes, from->n)};
    }
    return part;
}
