/* SPDX-License-Identifier: Apache-2.0 */
/* Calls in which a plugin may ask scree.query/1. */
#include "engine/asked.h"

void scree_asked_open(const scree_sim *sim)
{
    if (sim->asked)
        scree_query_service_open(sim->asked->service, sim->plugins.contact.resolvers);
}

bool scree_asked_close(const scree_sim *sim, GError **error)
{
    return !sim->asked || !scree_query_service_close(sim->asked->service, error);
}

void scree_asked_forget(const scree_sim *sim)
{
    if (sim->asked)
        scree_query_service_forget(sim->asked->service);
}
