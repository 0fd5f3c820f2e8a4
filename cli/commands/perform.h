/* A plan measured, a result delivered: what the commands share. */
#pragma once

#include "deliver.h"
#include "fathom.h"
#include "options.h"
#include "progress.h"

#define PERFORM_OWN_FILES  2 /* of a survey: its page and its data */
#define PERFORM_MOST_FILES (PERFORM_OWN_FILES + OPTIONS_MOST_FILES)

/* What is to be measured: a plan, or a survey. */
struct perform_work {
	const struct fathom_plan *plan;
	const struct fathom_survey *survey;
	/* Beside the answer the result goes to these, in these formats. */
	const char *files[PERFORM_MOST_FILES], *formats[PERFORM_MOST_FILES];
	size_t file_count;
};

/* With --dry-run what is planned is the answer. *machine is set to NULL when it was taken over by
 * the result. Errors: also INTERRUPTED and QUALITY, after the answer was delivered. */
int perform(const struct perform_work *work, struct fathom_machine **machine,
	    const struct options *options, struct fathom_error *error);

/* The measurement alone, with its progress. As perform for *machine. Errors: as fathom_measure. */
int perform_measure(const struct perform_work *work, struct fathom_machine **machine,
		    const struct options *options, struct fathom_result **result,
		    struct fathom_error *error);
/* Shows progress, and stops when the user interrupts. The progress was started. */
struct fathom_observer perform_observer(struct progress *progress);
/* What has just ended, or still runs, would disturb a measurement: it is waited for, no longer than
 * that will take, unless the options say otherwise. */
void perform_wait(struct fathom_machine *machine, double budget_s, const struct options *options,
		  struct progress *progress);
/* What is planned as the answer. */
int perform_dry_run(const struct perform_work *work, struct deliver *deliver,
		    const struct options *options, struct fathom_error *error);

/* That of --machine, else the one that is described `otherwise`, else this one. Errors: as
 * fathom_machine_find; USAGE for what --machine says. */
int perform_find_machine(const struct options *options, const char *otherwise,
			 struct fathom_machine **machine, struct fathom_error *error);

/* The request of the options planned, and that performed. Errors: those of perform, and every one
 * of fathom_plan_make. */
int perform_request(const struct options *options, struct fathom_error *error);

/* The result explained where that is asked for, written and delivered; its warnings on the error
 * output where the answer is not for people. */
int perform_answer(struct fathom_result *result, struct deliver *deliver,
		   const struct options *options, struct fathom_error *error);

/* The command line, a result's own copy, given back by fathom_result_free. NULL: out of memory. */
char **perform_arguments(const struct options *options);

/* How text answers look, by the options and by where they go. */
struct fathom_style perform_style(const struct options *options);
