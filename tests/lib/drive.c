/* SPDX-License-Identifier: Apache-2.0 */
/* A program that runs a scene with libscree as `scree run` does.
 * usage: drive SCENE FOLDER THREADS STEPS_PER_CALL [PATH=VALUE ...]; FOLDER "-": none. Prints the summary on standard output. */
#include <stdio.h>
#include <stdlib.h>

#include "libscree.h"

static void say(void *user, int32_t level, const char *text)
{
    fprintf(stderr, "%s%d %s\n", (const char *)user, level, text);
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    sc_options options = {.size = sizeof options,
                          .threads = (uint32_t)atoi(argv[3]),
                          .set = (const char *const *)argv + 5,
                          .folder = argv[2][0] == '-' ? NULL : argv[2],
                          .flags = SC_TRY_SWAPS,
                          .say = say,
                          .user = (void *)"say "};
    const sc_until until = {.size = sizeof until, .steps = strtoull(argv[4], NULL, 10)};
    sc_run *run;
    int32_t ended = SC_ENDED_LIMIT, code = sc_open(argv[1], &options, &run);
    while (!code && ended == SC_ENDED_LIMIT)
        code = sc_advance(run, &until, &ended);
    char *json = NULL;
    if (!code)
        code = sc_finish(run, &json);
    if (code)
        fprintf(stderr, "%s\n", sc_error(run));
    else
        fputs(json, stdout);
    sc_free(json);
    sc_close(run);
    return code;
}
