/* SPDX-License-Identifier: Apache-2.0 */
/* Forces of the caller. */
#include "lib/forces.h"

void scree_lib_forces_clear(sc_run *run)
{
    (void)run;
}
