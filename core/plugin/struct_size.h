/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of structs of the ABI. */
#ifndef CORE_STRUCT_SIZE_H
#define CORE_STRUCT_SIZE_H

#include <stddef.h>

/** Bytes of a struct up to the end of `last`. With the last member of the first minor this is the
 * frozen minimum: later members do not change it. */
#define SCREE_SIZE_TO(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

#endif
