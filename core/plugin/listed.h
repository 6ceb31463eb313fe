/* SPDX-License-Identifier: Apache-2.0 */
/* A line of the list of all files of plugins. */
#ifndef CORE_LISTED_H
#define CORE_LISTED_H

#include <glib.h>
#include <stdint.h>

/** A plugin, or a file that was refused, in the list of `scree plugins`. */
typedef struct scree_listing {
    char *path;
    uint32_t kind;
    char *id, *version, *licence,
        *help;            /* NULL: the file was refused before they were known; kind is 0 then */
    char **material_keys; /* names of parameters of materials; ends in NULL */
    char *refused;        /* reason of the refusal, or NULL */
    gboolean left_out;    /* only this plugin is refused: a newer host may serve it */
    gboolean hung;        /* refused because it hung; no warning was printed yet */
    char *shadowed_by;    /* path of the file that is taken instead, or NULL */
} scree_listing;
void scree_listing_free(scree_listing *listing);

#endif
