/* SPDX-License-Identifier: Apache-2.0 */
/* Built with other headers. */
#define FAULT_DIGEST "0123456789abcdef"
#include "fault.h"
