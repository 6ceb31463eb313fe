// SPDX-License-Identifier: Apache-2.0
// A text file of an observer: written through a FILE, kept under its name when it is whole.
#ifndef OBSERVER_STREAM_H
#define OBSERVER_STREAM_H

#include <math.h>
#include <unistd.h>

#include "scree/sdk.h"

typedef struct text_stream {
    const scree_host *host;
    const scree_output *output;
    const char *base; // name without its suffix; borrowed
    FILE *file;       // NULL: not open
    int32_t fd;
    int32_t broken; // a write failed: bytes after `whole` are not kept
    off_t whole;    // bytes that must stay, set by the observer after a flush; 0: none
} text_stream;

/** The number for a table: a missing value is "nan" without a sign, because the sign of its bits
 * differs between machines. */
static inline double stream_real(double real)
{
    return isnan(real) ? (double)NAN : real;
}

/** Opens base + suffix. */
int32_t stream_open(text_stream *s, const char *suffix);
/** Closes and renames the file; after a failed write it is cut to `whole`, or removed. */
int32_t stream_close(text_stream *s, const char *suffix);
/** At the end of a row: flushes, so that a full disk is reported when it happens and a run can be
 * watched; all bytes until here must stay. */
int32_t stream_keep(text_stream *s, const char *suffix);
/** Reports errno for base + suffix. */
int32_t stream_fail(text_stream *s, const char *suffix);

#endif
