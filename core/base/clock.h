/* SPDX-License-Identifier: Apache-2.0 */
/* The clock by which the host measures its own time. */
#ifndef CORE_CLOCK_H
#define CORE_CLOCK_H

/** [s] since some fixed moment; never decreases. */
double scree_now(void);

#endif
