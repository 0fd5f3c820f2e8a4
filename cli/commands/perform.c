#include "perform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/point.h"
#include "deliver.h"
#include "messages.h"
#include "node/alone.h"
#include "node/deadline.h"
#include "progress.h"

#define LOOK_S      0.1 /* ten ticks of the kernel */
#define MOST_WAIT_S 10.0

struct fathom_style perform_style(const struct options *options)
{
	bool terminal = !options->output && isatty(STDOUT_FILENO);
	struct fathom_style style = {
		.utf8 = options->environment->utf8,
		.every_point = options->every_point,
		.explain = options->explain,
		.trace = options->trace,
		.y = options->y,
		.color = options->color == OPTIONS_COLOR_ALWAYS ||
			 (options->color == OPTIONS_COLOR_AUTO && terminal &&
			  !options->environment->no_color),
	};
	struct winsize size;
	if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		style.columns = size.ws_col;
	return style;
}

static bool was_interrupted(void *context)
{
	const struct progress *progress = context;
	return *progress->environment->interrupted != 0;
}

char **perform_arguments(const struct options *options)
{
	char *const *argv = options->environment->argv;
	size_t count = 0;
	while (argv[count])
		count++;
	char **copy = calloc(count + 1, sizeof(*copy));
	for (size_t i = 0; copy && i < count; i++)
		copy[i] = strdup(argv[i]);
	return copy;
}

/* The answer is out; what is left to say is how good it is. */
static int judge(const struct fathom_result *result, const struct options *options, double budget_s,
		 struct fathom_error *error)
{
	size_t points = result->distribution_count, wide = 0;
	for (size_t c = 0; c < result->curve_count; c++) {
		points += result->curves[c].point_count + result->curves[c].pair_count +
			  result->curves[c].load_count;
		for (size_t p = 0; p < result->curves[c].point_count; p++)
			wide += !result->curves[c].points[p].within_target;
	}
	if (result->interrupted)
		return error_set(error, FATHOM_INTERRUPTED, NULL,
				 points ? "interrupted%s: the points measured so far were kept"
					: "interrupted%s: nothing was measured yet",
				 *options->environment->late ? " by the deadline" : "");
	if (!points)
		return error_set(error, FATHOM_FAILED, "allow more time with --budget",
				 "nothing was measured in the budget of %.3g s", budget_s);
	if (options->strict && result->quality > FATHOM_QUALITY_GOOD)
		return error_set(
			error, FATHOM_QUALITY,
			"measure again when the machine is idle, or with a longer --budget",
			"the quality of the result is '%s': %s",
			fathom_quality_name((int)result->quality), result->quality_reason);
	if (options->strict && wide)
		return error_set(error, FATHOM_QUALITY, "allow a longer --budget",
				 "%zu of %zu points miss the requested target", wide, points);
	return 0;
}

struct fathom_observer perform_observer(struct progress *progress)
{
	return (struct fathom_observer){progress, progress->shown ? progress_show : NULL,
					was_interrupted, NULL};
}

void perform_wait(struct fathom_machine *machine, double budget_s, const struct options *options,
		  struct progress *progress)
{
	if (options->no_wait)
		return;
	double spare_s = fmax(deadline_left_s(options) - budget_s, 0);
	double most_s = fmin(fmin(MOST_WAIT_S, budget_s), spare_s);
	double busy_cpus = fathom_machine_busy(machine, fmin(LOOK_S, most_s));
	if (!fathom_machine_is_disturbed(machine, busy_cpus))
		return;
	if (!options->quiet)
		messages_note("other programs keep %.2g of %u CPUs busy: waiting for them, at most "
			      "%.3g s",
			      busy_cpus, machine->online_cpus, most_s);
	while (fathom_machine_is_disturbed(machine, busy_cpus) && machine->waited_s < most_s &&
	       !was_interrupted(progress))
		busy_cpus = fathom_machine_busy(machine, fmin(LOOK_S, most_s));
	if (!options->quiet && fathom_machine_is_disturbed(machine, busy_cpus))
		messages_note(
			"they still run: the quality of the result tells what they disturbed");
}

int perform_measure(const struct perform_work *work, struct fathom_machine **machine,
		    const struct options *options, struct fathom_result **result,
		    struct fathom_error *error)
{
	struct progress progress;
	if (alone_take(options, *machine, error))
		return -1;
	progress_start(&progress, options->environment, options->quiet);
	perform_wait(*machine, work->survey ? work->survey->budget_s : work->plan->budget_s,
		     options, &progress);
	struct fathom_observer observer = perform_observer(&progress);
	int status = work->survey ? fathom_survey_measure(work->survey, *machine, &observer, result,
							  error)
				  : fathom_measure(work->plan, *machine, &observer, result, error);
	progress_end(&progress);
	if (status)
		return status;
	*machine = NULL;
	(*result)->argv = perform_arguments(options);
	return 0;
}

int perform_answer(struct fathom_result *result, struct deliver *deliver,
		   const struct options *options, struct fathom_error *error)
{
	struct fathom_style style = perform_style(options);
	char *answer = NULL;
	size_t length = 0;
	int status = options->explain ? fathom_explain(result, error) : 0;
	if (!status)
		status = fathom_result_write(result, options->format, &style, &answer, &length,
					     error);
	status = deliver_written(deliver, status, answer, length, error);
	if (!status && !options->quiet && strcmp(options->format, "text") != 0)
		messages_warnings(&result->warnings);
	return status;
}

int perform_dry_run(const struct perform_work *work, struct deliver *deliver,
		    const struct options *options, struct fathom_error *error)
{
	struct fathom_style style = perform_style(options);
	const char *format = options->format;
	char *answer = NULL;
	size_t length = 0;
	int status =
		work->survey
			? fathom_survey_write(work->survey, format, &style, &answer, &length, error)
			: fathom_plan_write(work->plan, format, &style, &answer, &length, error);
	return deliver_written(deliver, status, answer, length, error);
}

/* The result once more. */
static int write_file(const struct fathom_result *result, const char *format,
		      struct deliver *deliver, struct fathom_error *error)
{
	char *bytes = NULL;
	size_t length = 0;
	int status = fathom_result_write(result, format, NULL, &bytes, &length, error);
	return deliver_written(deliver, status, bytes, length, error);
}

/* An answer that has failed does not take the others with it. What fails after the first is
 * reported at once, as the error has room for one. */
static int keep_first(int before, int now, struct fathom_error *own, struct fathom_error *error)
{
	if (now && before)
		messages_error(own);
	else if (now)
		error_set(error, own->status, own->hint, "%s", own->text);
	fathom_error_clear(own);
	return before || now ? -1 : 0;
}

static int measure_and_answer(const struct perform_work *work, struct fathom_machine **machine,
			      struct deliver *deliver, struct deliver *files,
			      const struct options *options, struct fathom_error *error)
{
	struct fathom_result *result = NULL;
	struct fathom_error own = {0};
	if (perform_measure(work, machine, options, &result, error))
		return -1;
	int status = 0;
	bool measured = point_count_of(result) > 0;
	for (size_t i = 0; i < work->file_count; i++)
		if (measured || !deliver_is_to_file(&files[i]))
			status = keep_first(status,
					    write_file(result, work->formats[i], &files[i], &own),
					    &own, error);
	if (measured || !deliver_is_to_file(deliver))
		status = keep_first(status, perform_answer(result, deliver, options, &own), &own,
				    error);
	else if (!options->quiet)
		messages_warnings(&result->warnings);
	if (!status)
		status = judge(result, options,
			       work->survey ? work->survey->budget_s : work->plan->budget_s, error);
	fathom_result_free(result);
	return status;
}

/* With the files that further -o name. */
static struct perform_work with_more(const struct perform_work *work, const struct options *options)
{
	struct perform_work all = *work;
	for (size_t i = 0; i < options->more_count; i++) {
		all.files[all.file_count] = options->more[i];
		all.formats[all.file_count++] = fathom_format_of(options->more[i]);
	}
	return all;
}

int perform(const struct perform_work *work, struct fathom_machine **machine,
	    const struct options *options, struct fathom_error *error)
{
	const struct perform_work all = with_more(work, options);
	struct deliver deliver = {0}, files[PERFORM_MOST_FILES] = {0};
	/* A measurement that cannot be written to its place is worth another one. */
	const char *refuge = options->dry_run ? NULL : options->environment->temporary_folder;
	int status = deliver_open(&deliver, options->output, error);
	deliver.refuge = refuge;
	for (size_t i = 0; !status && refuge && i < all.file_count; i++) {
		status = deliver_open(&files[i], all.files[i], error);
		files[i].refuge = refuge;
	}
	if (!status)
		status = options->dry_run ? perform_dry_run(&all, &deliver, options, error)
					  : measure_and_answer(&all, machine, &deliver, files,
							       options, error);
	deliver_cancel(&deliver);
	for (size_t i = 0; i < all.file_count; i++)
		deliver_cancel(&files[i]);
	return status;
}

int perform_find_machine(const struct options *options, const char *otherwise,
			 struct fathom_machine **machine, struct fathom_error *error)
{
	const char *described = options->machine ? options->machine : otherwise;
	int status = fathom_machine_find(described, machine, error);
	if (status && options->machine && error->status == FATHOM_BAD_INPUT)
		error->status = FATHOM_USAGE;
	return status;
}

/* The timed loops as the answer. */
static int show_code(const struct fathom_plan *plan, const struct options *options,
		     struct fathom_error *error)
{
	struct deliver deliver = {0};
	char *code = NULL;
	size_t length = 0;
	int status = deliver_open(&deliver, options->output, error);
	if (!status)
		status = fathom_plan_code(plan, &code, &length, error);
	status = deliver_written(&deliver, status, code, length, error);
	deliver_cancel(&deliver);
	return status;
}

int perform_request(const struct options *options, struct fathom_error *error)
{
	struct fathom_machine *machine = NULL;
	struct fathom_plan *plan = NULL;
	int status = perform_find_machine(options, NULL, &machine, error);
	if (!status)
		status = fathom_plan_make(&options->request, machine, &plan, error);
	const struct perform_work work = {.plan = plan};
	if (!status)
		status = options->show_code ? show_code(plan, options, error)
					    : perform(&work, &machine, options, error);
	fathom_plan_free(plan);
	fathom_machine_free(machine);
	return status;
}
