/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of optional parameters. */
#include "tools/check/check_optional.h"

bool scree_check_choose_optional(const scree_check *check, uint32_t k, uint32_t *mask)
{
    uint32_t n = 0;
    for (uint32_t p = 0; p < check->plugin->n_params; p++)
        n += (check->plugin->params[p]->flags & SCREE_PARAM_OPTIONAL) != 0;
    n = MIN(n, SCREE_CHECK_MOST_OPTIONAL);
    *mask = 0;
    if (k == 0)
        return true;
    if (k <= n)
        *mask = 1u << (k - 1);
    for (uint32_t i = 0, at = n + 1; i < n && !*mask; at += n - 1 - i++)
        if (k >= at && k < at + n - 1 - i)
            *mask = 1u << i | 1u << (i + 1 + k - at);
    if (!*mask && k == 1 + n + n * (n - 1) / 2)
        *mask = (1u << n) - 1;
    return *mask != 0;
}
