/* SPDX-License-Identifier: Apache-2.0 */
/* The structs of the ABI have the sizes and offsets of the table, as C sees them. */
#include <stdio.h>

#include "scree/scree.h"

static unsigned count, failed;

static void check_number(const char *what, size_t is, size_t pinned)
{
    count++;
    failed += is != pinned;
    printf("%s %u - %s is %zu\n", is == pinned ? "ok" : "not ok", count, what, pinned);
    if (is != pinned)
        printf("# it is %zu\n", is);
}

#define SIZE(type, bytes) check_number("size of " #type, sizeof(type), bytes);
#define MEMBER(type, name, at) check_number("offset of " #type "." #name, offsetof(type, name), at);

int main(void)
{
#include "layout.inc"
    printf("1..%u\n", count);
    return failed ? 1 : 0;
}
