/* SPDX-License-Identifier: Apache-2.0 */
/* The context of a run: its words for messages, its folder, its listener. */
#include "base/context.h"

static scree_context of_program;
_Thread_local scree_context *scree_context_now = &of_program;
