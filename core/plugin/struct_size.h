/* SPDX-License-Identifier: Apache-2.0 */
/* How much of a struct of the ABI a plugin must have. */
#ifndef CORE_STRUCT_SIZE_H
#define CORE_STRUCT_SIZE_H

#include <stddef.h>

/** Bytes of a struct up to and with `last`. With the last member of the first minor it is the
 * frozen minimum of the struct: it never grows, whatever is appended. */
#define SCREE_SIZE_TO(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

#endif
