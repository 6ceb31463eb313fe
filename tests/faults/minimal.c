/* SPDX-License-Identifier: Apache-2.0 */
/* The good one: nothing altered. */

#include "fault.h"
