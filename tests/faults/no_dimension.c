/* SPDX-License-Identifier: Apache-2.0 */
/* Serves neither 2D nor 3D. */
#define FAULT_DIMENSIONS 0
#include "fault.h"
