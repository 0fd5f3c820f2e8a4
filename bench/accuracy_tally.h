/* Verdicts summed up, in the words of the targets. */
#ifndef BENCH_ACCURACY_TALLY_H
#define BENCH_ACCURACY_TALLY_H

#include "accuracy_score.h"

struct accuracy_case {
	struct accuracy_machine machine;
	struct accuracy_verdict verdict;
};

/* Prints all of it; true: every target was met. `verbose`: a line for each machine. */
bool accuracy_report(const struct accuracy_case *cases, size_t count, enum accuracy_mode mode,
		     bool verbose);

#endif
