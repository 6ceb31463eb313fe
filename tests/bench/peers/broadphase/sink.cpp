// SPDX-License-Identifier: Apache-2.0
// Counts pairs in a function of its own file, so that no code can optimise the call away.
#include "bp.hpp"
extern "C" void sink_pair(Sink *s, uint32_t a, uint32_t b)
{
    s->cnt++;
    s->s1 += (uint64_t)a + b;
    s->s2 += (uint64_t)a * b;
}
