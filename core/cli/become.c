/* SPDX-License-Identifier: Apache-2.0 */
/* This process becomes another program. */
#include "cli/become.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/shortage.h"

int scree_become(const char *path, char **words)
{
    execv(path, words);
    const int number = errno;
    scree_plain_streams();
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        fprintf(stderr, "scree: expected a program at %s, got none\n", path);
        return SCREE_EXIT_RUN;
    }
    scree_check_shortage(path);
    const bool no_interpreter = number == ENOENT && access(path, X_OK) == 0;
    fprintf(stderr, "scree: cannot run %s: %s\n", path,
            no_interpreter ? "the program that its first line names is missing"
                           : g_strerror(number));
    return SCREE_EXIT_RUN;
}
