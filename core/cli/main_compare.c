/* SPDX-License-Identifier: Apache-2.0 */
/* The program scree-compare, which `scree compare` runs. */
#include "cli/cmd_compare.h"
#include "cli/program.h"

int main(int argc, char **argv)
{
    return scree_program(argc, argv, "compare", scree_cmd_compare);
}
