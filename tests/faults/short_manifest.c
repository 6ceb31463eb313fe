/* SPDX-License-Identifier: Apache-2.0 */
/* A manifest that ends before its digest. */
#define FAULT_MANIFEST_SIZE offsetof(scree_manifest, digest)
#include "fault.h"
