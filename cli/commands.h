/* The commands: one line of the table and one file each. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include <argp.h>
#include <stddef.h>

#include "environment.h"
#include "fathom.h"
#include "options.h"

struct command {
	const char *name;
	const char *summary; /* for the list, one line */
	const struct argp *argp;
	enum fathom_experiment experiment; /* whose defaults its options start from */
	bool shows_machine;                /* its answer is the machine, not a result */
	bool keeps; /* what was measured until a signal to end is its answer */
	/* Errors: every status; INTERRUPTED and QUALITY after the answer was delivered. */
	int (*run)(const struct options *options, const struct environment *environment,
		   struct fathom_error *error);
};

/* The first is what `fathom` alone does. */
const struct command *command_list(size_t *count);
/* NULL: none of that name. */
const struct command *command_find(const char *name);

extern const struct argp survey_argp;
int survey_run(const struct options *options, const struct environment *environment,
	       struct fathom_error *error);
extern const struct argp latency_argp;
extern const struct argp patterns_argp;
int patterns_run(const struct options *options, const struct environment *environment,
		 struct fathom_error *error);
extern const struct argp parallelism_argp;
int parallelism_run(const struct options *options, const struct environment *environment,
		    struct fathom_error *error);
extern const struct argp bandwidth_argp;
extern const struct argp pages_argp;
int pages_run(const struct options *options, const struct environment *environment,
	      struct fathom_error *error);
extern const struct argp frequency_argp;
int frequency_run(const struct options *options, const struct environment *environment,
		  struct fathom_error *error);
extern const struct argp run_argp;
int run_run(const struct options *options, const struct environment *environment,
	    struct fathom_error *error);
extern const struct argp fit_argp;
int fit_run(const struct options *options, const struct environment *environment,
	    struct fathom_error *error);
extern const struct argp compare_argp;
int compare_run(const struct options *options, const struct environment *environment,
		struct fathom_error *error);
extern const struct argp check_argp;
int check_run(const struct options *options, const struct environment *environment,
	      struct fathom_error *error);
extern const struct argp report_argp;
int report_run(const struct options *options, const struct environment *environment,
	       struct fathom_error *error);
extern const struct argp info_argp;
int info_run(const struct options *options, const struct environment *environment,
	     struct fathom_error *error);

#endif
