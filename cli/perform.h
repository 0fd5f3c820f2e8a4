/* A plan, measured and its answer delivered: what all measuring commands share. */
#ifndef CLI_PERFORM_H
#define CLI_PERFORM_H

#include "environment.h"
#include "fathom.h"
#include "options.h"

/* With --dry-run the plan is the answer. *machine is set to NULL when it was taken over by the
 * result. Errors: also INTERRUPTED and QUALITY, after the answer was delivered. */
int perform(const struct fathom_plan *plan, struct fathom_machine **machine,
	    const struct options *options, const struct environment *environment,
	    struct fathom_error *error);

/* How text answers look, by the options and by where they go. */
struct fathom_style perform_style(const struct options *options,
				  const struct environment *environment);

#endif
