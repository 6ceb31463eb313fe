/* SPDX-License-Identifier: Apache-2.0 */
/* The program scree-check, which `scree check` runs. */
#include "cli/cmd_check.h"
#include "cli/program.h"

int main(int argc, char **argv)
{
    return scree_program(argc, argv, "check", scree_cmd_check);
}
