/* The public functions, all but fathom_measure: what they take to bits and make of bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/error.h"
#include "base/warnings.h"
#include "fathom.h"
#include "machine/machine.h"
#include "measure/meter.h"
#include "measure/plan.h"
#include "model/effects.h"
#include "model/levels.h"
#include "model/numbers.h"
#include "model/parallelism.h"
#include "model/reported.h"
#include "model/textbook.h"
#include "model/translation.h"
#include "output/formats.h"
#include "output/readers.h"

const char *fathom_version(void)
{
	return FATHOM_VERSION;
}

int fathom_machine_find(const char *description, struct fathom_machine **machine,
			struct fathom_error *error)
{
	const struct machine_source here = {.root = ""};
	if (!description)
		return machine_find(&here, machine, error);
	if (strncmp(description, "sim:", 4) == 0)
		return meter_simulated_machine(description, machine, error);
	return error_set(error, FATHOM_BAD_INPUT, "a simulated machine is described by sim:SPEC",
			 "'%s' is not a machine", description);
}

int fathom_plan_read(const char *text, size_t length, struct fathom_plan **plan,
		     struct fathom_error *error)
{
	struct fathom_plan *read;
	if (json_read_plan(text, length, &read, error))
		return -1;
	if (plan_check_itself(read, error)) {
		if (error)
			error->status = FATHOM_BAD_INPUT;
		fathom_plan_free(read);
		return -1;
	}
	*plan = read;
	return 0;
}

void fathom_result_free(struct fathom_result *result)
{
	if (!result)
		return;
	for (size_t i = 0; result->argv && result->argv[i]; i++)
		free(result->argv[i]);
	free(result->argv);
	for (size_t i = 0; i < result->curve_count; i++) {
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			free(result->curves[i].points[k].blocks_ns);
			free(result->curves[i].points[k].samples_ns);
			counts_free(result->curves[i].points[k].counts,
				    result->curves[i].points[k].event_count);
		}
		free(result->curves[i].points);
		free(result->curves[i].tool);
	}
	free(result->curves);
	levels_free(result->levels, result->level_count);
	effects_free(result->effects, result->effect_count);
	parallelism_free(result->parallelism, result->parallelism_count);
	translation_free(result);
	numbers_free(result->numbers, result->number_count);
	textbook_free(result->readings, result->reading_count);
	free(result->clock_missing);
	warnings_free(&result->warnings);
	fathom_machine_free(result->machine);
	free(result);
}

/* ---- what it says ---- */

int fathom_fit(struct fathom_result *result, struct fathom_error *error)
{
	if (levels_find(result, error) || reported_compare(result, error))
		return -1;
	return parallelism_find(result, error) || translation_find(result, error) ||
			       numbers_find(result, error)
		       ? -1
		       : 0;
}

int fathom_explain(struct fathom_result *result, struct fathom_error *error)
{
	return textbook_explain(result, error);
}

/* ---- bytes ---- */

int fathom_result_read(const char *bytes, size_t length, const struct fathom_input *input,
		       struct fathom_result **result, struct fathom_error *error)
{
	static const struct fathom_input as_found = {0};
	return readers_read(bytes, length, input ? input : &as_found, result, error);
}

static const struct fathom_style plain_style = {.columns = 80};

static int refuse_format(const char *format, const char *noun, struct fathom_error *error)
{
	return error_set(error, FATHOM_USAGE, "choose text or json", "format '%s' cannot hold a %s",
			 format, noun);
}

/* What a writer left in `written`, if it succeeded, becomes the caller's. */
static int hand_over(int status, struct text *written, char **text, size_t *length,
		     struct fathom_error *error)
{
	size_t written_length = written->length;
	char *taken = status ? NULL : text_take(written);
	text_free(written);
	if (status)
		return -1;
	if (!taken)
		return error_no_memory(error);
	*text = taken;
	*length = written_length;
	return 0;
}

int fathom_result_write(const struct fathom_result *result, const char *format,
			const struct fathom_style *style, char **text, size_t *length,
			struct fathom_error *error)
{
	struct text written = {0};
	const struct format *found = format_find(format);
	if (!found || !found->result)
		return refuse_format(format, "result", error);
	int status = found->result(result, style ? style : &plain_style, &written, error);
	return hand_over(status, &written, text, length, error);
}

int fathom_plan_write(const struct fathom_plan *plan, const char *format,
		      const struct fathom_style *style, char **text, size_t *length,
		      struct fathom_error *error)
{
	struct text written = {0};
	const struct format *found = format_find(format);
	if (!found || !found->plan)
		return refuse_format(format, "plan", error);
	int status = found->plan(plan, style ? style : &plain_style, &written, error);
	return hand_over(status, &written, text, length, error);
}

int fathom_survey_write(const struct fathom_survey *survey, const char *format,
			const struct fathom_style *style, char **text, size_t *length,
			struct fathom_error *error)
{
	struct text written = {0};
	const struct format *found = format_find(format);
	if (!found || !found->survey)
		return refuse_format(format, "plan", error);
	int status = found->survey(survey, style ? style : &plain_style, &written, error);
	return hand_over(status, &written, text, length, error);
}

int fathom_machine_write(const struct fathom_machine *machine, const char *format,
			 const struct fathom_style *style, char **text, size_t *length,
			 struct fathom_error *error)
{
	struct text written = {0};
	const struct format *found = format_find(format);
	if (!found || !found->machine)
		return refuse_format(format, "machine", error);
	int status = found->machine(machine, style ? style : &plain_style, &written, error);
	return hand_over(status, &written, text, length, error);
}

int fathom_comparison_write(const struct fathom_comparison *comparison, const char *format,
			    const struct fathom_style *style, char **text, size_t *length,
			    struct fathom_error *error)
{
	struct text written = {0};
	const struct format *found = format_find(format);
	if (!found || !found->comparison)
		return refuse_format(format, "comparison", error);
	int status = found->comparison(comparison, style ? style : &plain_style, &written, error);
	return hand_over(status, &written, text, length, error);
}
