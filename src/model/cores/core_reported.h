/* Classes of pairs against what the OS says of the CPUs. */
#pragma once

#include "fathom.h"

/* Of classes that are there, and result->cpus: fills `reported`; gives a class that latencies
 * cannot name the OS's name, where its pairs are just those that the OS calls so; and warns of what
 * contradicts ("topology-differs"), in place of such warnings before. Errors: FAILED. */
int core_reported_compare(struct fathom_result *result, struct fathom_error *error);
