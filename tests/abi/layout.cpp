// SPDX-License-Identifier: Apache-2.0
// The structs of the ABI have the sizes and offsets of the table, as C++ sees them: it compiles.
#include <cstdio>
#include <type_traits>

#include "scree/scree.h"

#define SIZE(type, bytes)                                                                          \
    static_assert(sizeof(type) == (bytes) && std::is_standard_layout<type>::value, #type);
#define MEMBER(type, name, at) static_assert(offsetof(type, name) == (at), #type "." #name);
#include "layout.inc"

int main()
{
    std::puts("1..1\nok 1 - the layout in C++ is that of the table");
    return 0;
}
