/* SPDX-License-Identifier: Apache-2.0 */
/* Calls functions of a vtable that no claim is about. */
#ifndef CORE_CHECK_REST_H
#define CORE_CHECK_REST_H

#include "tools/check/check.h"

/** Calls the functions of the instance that no case is about: bytes, stiffness, ... */
void scree_check_rest(scree_check *check, scree_instance *instance);

/** The claims of an integrator with its config (scree.order/1); all 0: it makes none. */
scree_order scree_check_claims(scree_instance *instance);

#endif
