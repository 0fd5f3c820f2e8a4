/* The commands: a row and a file each. */
#pragma once

#include "fathom.h"
#include "options.h"

struct command {
	const char *name;
	const char *summary;   /* for the list, one line */
	const char *arguments; /* as the help shows them: several where they end in "...", else as
				* many as it has words; NULL: none */
	const char *(*choice)(int number); /* what an argument may be, then NULL; NULL: a file */
	const char *about;    /* paragraphs of the help, before and after the options; */
	const char *notes;    /* NULL: nothing */
	const char *examples; /* lines; NULL: none */
	const struct option_row *const *options; /* tables; the last is followed by NULL */
	const char *answer;                /* what its format must hold: "result", "comparison" or
					    * "machine" */
	enum fathom_experiment experiment; /* whose defaults its options start from */
	double budget_s;                   /* 0: the experiment's own */
	bool keeps;     /* what was measured until a signal to end is its answer */
	bool several;   /* files may be written beside the answer */
	bool unbounded; /* it takes any number of arguments, where others take
			   OPTIONS_MOST_ARGUMENTS */
	/* What the options mean together; NULL: no more than each alone. Errors: USAGE. */
	int (*complete)(struct options *options, struct fathom_error *error);
	/* Errors: every status; INTERRUPTED and QUALITY after the answer was delivered. */
	int (*run)(const struct options *options, struct fathom_error *error);
};

/* The first is what `fathom` alone does; the last is followed by NULL. */
extern const struct command *const command_list[];
/* NULL: none of that name. */
const struct command *command_find(const char *name);

extern const struct command survey_command, latency_command, patterns_command, parallelism_command,
	bandwidth_command, pages_command, cores_command, loaded_command, distribution_command,
	frequency_command, predict_command, fit_command, explain_command, compare_command,
	check_command, fleet_command, report_command, info_command, run_command;

/* For the row of a command that plans by its options, measures and writes what came of it. */
#define COMMAND_MEASURES .answer = "result", .keeps = true, .several = true, .run = perform_request
/* For the row of a command: its tables. */
#define COMMAND_OPTIONS(...) ((const struct option_row *const[]){__VA_ARGS__, NULL})
