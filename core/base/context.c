/* SPDX-License-Identifier: Apache-2.0 */
/* The context of a run: its words for messages, its folder, its listener. */
#include "base/context.h"

static scree_context of_program;
_Thread_local scree_context *scree_context_now = &of_program;

void scree_context_clear(scree_context *c)
{
    g_free(c->start);
    g_free(c->held);
    g_free(c->locked);
    g_free(c->fault);
    if (c->blamed)
        g_array_unref(c->blamed);
    *c = (scree_context){.say = NULL};
}
