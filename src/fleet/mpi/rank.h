/* A rank but the first: measures when it is told to, sends what came of it, and stays until all is
 * gathered. */
#pragma once

#include "fleet/mpi/job.h"

/* The host and, behind a zero, what of all ranks takes turns with it. */
void rank_hello(const struct job *job, struct text *hello);
void rank_run(const struct job *job);
