/* SPDX-License-Identifier: Apache-2.0 */
/* A line of the list of all files of plugins. */
#include "plugin/listed.h"

void scree_listing_free(scree_listing *listing)
{
    char *texts[] = {listing->path, listing->id,      listing->version,    listing->licence,
                     listing->help, listing->refused, listing->shadowed_by};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_strfreev(listing->material_keys);
    g_free(listing);
}
