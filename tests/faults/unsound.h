/* SPDX-License-Identifier: Apache-2.0 */
/* One descriptor per sin: a file of this folder lists its sins as SINS(SIN), by name and id. Its create() is
 * given the sin of the descriptor, and keeps it in the instance. */
#ifndef FAULTS_UNSOUND_H
#define FAULTS_UNSOUND_H

#include "scree/sdk.h"

#define UNSOUND_NAME(NAME, ID) NAME,
#define UNSOUND_CREATE(NAME, ID)                                                                   \
    static int32_t create_##NAME(const scree_host *host, const void *given, void **instance)       \
    {                                                                                              \
        return create(NAME, host, given, instance);                                                \
    }
#define UNSOUND_LISTED(NAME, ID) &unsound[NAME],

#endif
