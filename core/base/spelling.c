/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the known name that is nearest to an unknown word, for messages. */
#include "base/spelling.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST_WORD = 64 };

/** Number of edits (insert, delete, change, swap neighbours) from a to b, ignoring case. */
static unsigned count_edits(const char *a, const char *b)
{
    unsigned rows[3][LONGEST_WORD + 1] = {{0}};
    const size_t n = strlen(a), m = strlen(b);
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            const bool same = g_ascii_tolower(a[i - 1]) == g_ascii_tolower(b[j - 1]);
            row[j] = MIN(MIN(above[j], row[j - 1]) + 1, above[j - 1] + (same ? 0 : 1));
            if (i > 1 && j > 1 && g_ascii_tolower(a[i - 1]) == g_ascii_tolower(b[j - 2]) &&
                g_ascii_tolower(a[i - 2]) == g_ascii_tolower(b[j - 1]))
                row[j] = MIN(row[j], above2[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

const char *scree_nearest_word(const char *word, const char *const *names)
{
    const size_t length = strlen(word);
    const char *nearest = NULL;
    unsigned fewest = (unsigned)MAX(1, length / 3) + 1; /* with more edits it is another word */
    if (length <= LONGEST_WORD)
        for (; names && *names; names++) {
            if (strlen(*names) > LONGEST_WORD)
                continue;
            const unsigned edits = count_edits(word, *names);
            if (edits < fewest) {
                fewest = edits;
                nearest = *names;
            }
        }
    return nearest;
}

char *scree_did_you_mean(const char *word, const char *const *names)
{
    const char *nearest = scree_nearest_word(word, names);
    return nearest ? g_strdup_printf("; did you mean \"%s\"?", nearest) : g_strdup("");
}
