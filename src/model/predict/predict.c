#include "model/predict/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/names.h"
#include "base/point.h"
#include "base/text.h"
#include "base/units.h"
#include "base/warnings.h"
#include "document/table.h"
#include "model/predict/asked.h"
#include "model/predict/costs_read.h"
#include "model/predict/crossovers.h"
#include "model/predict/interval.h"
#include "model/predict/lacking.h"
#include "model/predict/reuse.h"
#include "model/predict/structure.h"
#include "model/predict/sum.h"

/* Room that a prediction takes, once for all. */
struct work {
	const struct fathom_predict_request *request;
	enum fathom_predict_mode mode;
	bool exact; /* so many keys, not about as many */
	struct costs costs;
	struct layout layout;
	struct shape shape;
	struct reuse lines[STRUCTURE_STEPS], pages[STRUCTURE_STEPS];
};

/* ---- one ---- */

struct shape predict_shape(const struct fathom_predict_request *request,
			   const struct fathom_prediction *prediction)
{
	return asked_shape(request, structure_find(prediction->structure),
			   (double)prediction->keys);
}

static void lay(struct work *work, const struct structure *structure, double keys)
{
	work->shape = asked_shape(work->request, structure, keys);
	work->shape.line_bytes = work->costs.line_bytes;
	work->shape.page_bytes = work->costs.page_bytes;
	work->shape.exact = work->exact;
	memset(&work->layout, 0, sizeof(work->layout));
	structure->lay(&work->shape, &work->layout);
}

/* So many keys that the structure takes the bytes that were asked for. */
static double keys_of(struct work *work, const struct structure *structure, double bytes)
{
	uint64_t low = 1, high = ASKED_MOST_KEYS;
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;
		lay(work, structure, (double)middle);
		if (work->layout.size_bytes <= bytes)
			low = middle;
		else
			high = middle;
	}
	return (double)low;
}

/* What depends on nothing is independent in any way that it is run. Where an operation goes on from
 * where the one before ended nothing is known ahead, and a message between two cores comes when the
 * one before has. */
static enum fathom_predict_mode mode_of(const struct layout *layout, enum fathom_predict_mode mode)
{
	if (layout->independent)
		return FATHOM_PREDICT_INDEPENDENT;
	if ((layout->keyless && mode == FATHOM_PREDICT_INDEPENDENT) || layout->transfers > 0)
		return FATHOM_PREDICT_DEPENDENT;
	return mode;
}

static struct operation prepare(struct work *work, const struct structure *structure, double keys)
{
	const struct fathom_predict_request *request = work->request;
	struct operation operation = {
		&work->layout, work->lines, work->pages, &work->costs, work->mode, 1, 0};
	lay(work, structure, keys);
	reuse_find(&work->layout, &work->shape, request->theta, REUSE_OF_LINES,
		   costs_own_lines(&work->costs), work->lines);
	reuse_find(&work->layout, &work->shape, request->theta, REUSE_OF_PAGES, 0, work->pages);
	operation.mode = mode_of(&work->layout, work->mode);
	if (operation.mode == FATHOM_PREDICT_INTERLEAVED)
		operation.interleave = asked_interleave(request);
	return operation;
}

static int check_memory(const struct work *work, const struct structure *structure,
			const struct fathom_machine *machine, struct fathom_error *error)
{
	double most = machine ? (double)machine->memory_bytes : 0;
	char has[UNITS_TEXT_BYTES], takes[UNITS_TEXT_BYTES];
	if (!(most > 0) || work->layout.size_bytes <= most)
		return 0;
	units_format_size((uint64_t)most, has);
	units_format_size((uint64_t)fmin(work->layout.size_bytes, 9e18), takes);
	return error_set(error, FATHOM_USAGE, "ask for fewer --keys, or a smaller --size",
			 "'%s' of %.0f keys takes %s, and the machine has %s", structure->name,
			 work->shape.keys, takes, has);
}

static int add(struct work *work, const struct structure *structure, double keys,
	       struct fathom_result *result, struct fathom_error *error)
{
	static const struct costs_state as_is = {0};
	const struct fathom_predict_request *request = work->request;
	work->exact = true;
	struct operation operation = prepare(work, structure, keys);
	work->exact = false;
	struct fathom_prediction one;
	struct text formula = {0};
	struct sum sum;
	if (asked_check_room(structure, &work->shape, error) ||
	    check_memory(work, structure, result->machine, error) ||
	    asked_check_known(structure, &work->layout, &work->costs, operation.mode, error))
		return -1;
	sum_make(&operation, &as_is, &sum);
	table_unknown(&prediction_table, &one);
	one.keys = (uint64_t)keys;
	one.size_bytes = (uint64_t)ceil(work->layout.size_bytes);
	one.mode = operation.mode;
	one.interleave = (uint32_t)operation.interleave;
	one.key_bytes = (uint32_t)work->shape.key_bytes;
	one.payload_bytes = (uint32_t)work->shape.payload_bytes;
	one.theta = request->theta;
	one.page = request->page;
	one.predicted_ns = sum.ns;
	one.lines = sum.lines;
	memcpy(one.parts_ns, sum.parts_ns, sizeof(one.parts_ns));
	operation.ns = sum.ns;
	interval_find(&operation, &one);
	sum_formula(&operation, &formula);
	one.formula = text_take(&formula);
	one.structure = strdup(structure->name);
	if (one.structure && one.formula &&
	    LIST_APPEND(&result->predictions, &result->prediction_count, &one) == 0)
		return 0;
	table_clear(&prediction_table, &one);
	return error_no_memory(error);
}

/* ---- all ---- */

/* In the mode that is asked for, or in each that there is. */
static int add_modes(struct work *work, const struct structure *structure, double keys,
		     struct fathom_result *result, struct fathom_error *error)
{
	if (!work->request->every_mode)
		return add(work, structure, keys, result, error);
	lay(work, structure, keys);
	int status = 0;
	for (int mode = 0; mode <= FATHOM_PREDICT_INTERLEAVED && !status; mode++) {
		work->mode = (enum fathom_predict_mode)mode;
		if (mode_of(&work->layout, work->mode) == work->mode)
			status = add(work, structure, keys, result, error);
	}
	work->mode = work->request->mode;
	return status;
}

static int add_keys(struct work *work, const struct structure *structure,
		    struct fathom_result *result, struct fathom_error *error)
{
	const struct fathom_predict_request *request = work->request;
	const uint64_t *keys;
	size_t count = asked_keys(request, &keys);
	if (asked_check_load(structure, request->load, error))
		return -1;
	if (request->size_bytes)
		return add_modes(work, structure,
				 keys_of(work, structure, (double)request->size_bytes), result,
				 error);
	for (size_t i = 0; i < count; i++)
		if (add_modes(work, structure, (double)keys[i], result, error))
			return -1;
	return 0;
}

/* Of each number of keys, on lines and pages as most machines have them. */
static int check_sizes(struct work *work, const struct structure *structure,
		       const struct fathom_machine *machine, struct fathom_error *error)
{
	const struct fathom_predict_request *request = work->request;
	const uint64_t *keys;
	size_t count = asked_keys(request, &keys);
	if (request->size_bytes)
		count = 1;
	int status = asked_check_load(structure, request->load, error);
	for (size_t i = 0; i < count && !status; i++) {
		lay(work, structure,
		    request->size_bytes ? keys_of(work, structure, (double)request->size_bytes)
					: (double)keys[i]);
		status = asked_check_room(structure, &work->shape, error);
		if (!status)
			status = check_memory(work, structure, machine, error);
	}
	return status;
}

int predict_check(const struct fathom_predict_request *request,
		  const struct fathom_machine *machine, struct fathom_error *error)
{
	static const struct fathom_result nothing;
	if (asked_check_numbers(request, error))
		return -1;
	struct work *work = calloc(1, sizeof(*work));
	if (!work)
		return error_no_memory(error);
	work->request = request;
	work->costs.line_bytes = line_bytes_likely(&nothing);
	work->costs.page_bytes = PAGE_USUAL_BYTES;
	int status = 0;
	for (size_t i = 0; i < asked_count(request) && !status; i++) {
		const struct structure *structure = asked_at(request, i, error);
		status = structure ? check_sizes(work, structure, machine, error) : -1;
	}
	free(work);
	return status;
}

/* As far as the latency curve reaches, or keys were asked for. */
static void make_curve(struct work *work, const struct structure *structure, double most_keys,
		       struct crossover_curve *curve)
{
	static const struct costs_state as_is = {0};
	curve->name = structure->name;
	for (int i = 0; i < CROSSOVERS_OCTAVES; i++) {
		double keys = exp2(CROSSOVERS_FIRST + i);
		struct operation operation = prepare(work, structure, keys);
		struct sum sum;
		sum_make(&operation, &as_is, &sum);
		bool within =
			keys <= most_keys || work->layout.size_bytes <= work->costs.most_bytes;
		curve->is_past[i] = interval_is_past(&operation);
		curve->ns[i] = within ? sum.ns : NAN;
	}
}

/* Of lookups alone: a node, an element and a tuple are no answers to the same question. */
static int add_crossovers(struct work *work, const struct structure *const *asked, size_t count,
			  struct fathom_result *result, struct fathom_error *error)
{
	struct crossover_curve *curves = calloc(count, sizeof(*curves));
	size_t lookups = 0;
	double most_keys = 0;
	if (!curves)
		return error_no_memory(error);
	for (size_t i = 0; i < result->prediction_count; i++)
		most_keys = fmax(most_keys, (double)result->predictions[i].keys);
	for (size_t i = 0; i < count; i++)
		if (strcmp(asked[i]->operation, "lookup") == 0)
			make_curve(work, asked[i], most_keys, &curves[lookups++]);
	int status = crossovers_find(curves, lookups, work->request->mode, result, error);
	free(curves);
	return status;
}

static void forget(struct fathom_result *result)
{
	table_free_items(&prediction_table, result->predictions, result->prediction_count);
	table_free_items(&crossover_table, result->crossovers, result->crossover_count);
	result->predictions = NULL;
	result->crossovers = NULL;
	result->prediction_count = result->crossover_count = 0;
	lacking_forget(&result->warnings);
}

/* At each place up to the machine's memory. */
static int fill_curve(struct work *work, const struct structure *structure,
		      const struct fathom_result *result, double ns[PREDICT_PLACES],
		      struct fathom_error *error)
{
	static const struct costs_state as_is = {0};
	double most = result->machine ? (double)result->machine->memory_bytes : 0;
	for (int i = 0; i < PREDICT_PLACES; i++) {
		struct operation operation =
			prepare(work, structure, exp2((double)i / PREDICT_AN_OCTAVE));
		struct sum sum;
		if (i == 0 && asked_check_known(structure, &work->layout, &work->costs,
						operation.mode, error))
			return -1;
		sum_make(&operation, &as_is, &sum);
		ns[i] = most > 0 && work->layout.size_bytes > most ? NAN : sum.ns;
	}
	return 0;
}

int predict_curve(struct fathom_result *result, const struct fathom_predict_request *request,
		  double ns[PREDICT_PLACES], struct fathom_error *error)
{
	if (asked_check_numbers(request, error))
		return -1;
	const struct structure *structure = asked_at(request, 0, error);
	if (!structure || asked_check_load(structure, request->load, error))
		return -1;
	struct work *work = calloc(1, sizeof(*work));
	if (!work)
		return error_no_memory(error);
	work->request = request;
	work->mode = request->mode;
	int status = costs_read(result, request, &work->costs, error);
	if (!status) {
		status = fill_curve(work, structure, result, ns, error);
		costs_free(&work->costs);
	}
	free(work);
	return status;
}

static int find(struct work *work, const struct structure **asked, struct fathom_result *result,
		struct fathom_error *error)
{
	const struct fathom_predict_request *request = work->request;
	size_t count = asked_count(request);
	for (size_t i = 0; i < count; i++)
		if (!(asked[i] = asked_at(request, i, error)))
			return -1;
	if (costs_read(result, request, &work->costs, error))
		return -1;
	for (size_t i = 0; i < count; i++)
		if (add_keys(work, asked[i], result, error))
			return -1;
	if (add_crossovers(work, asked, count, result, error))
		return -1;
	return lacking_warn(&work->costs, result) ? error_no_memory(error) : 0;
}

int predict_find(struct fathom_result *result, const struct fathom_predict_request *request,
		 struct fathom_error *error)
{
	if (asked_check_numbers(request, error))
		return -1;
	size_t count = request->structure_count + STRUCTURES_USUAL;
	const struct structure **asked = calloc(count, sizeof(*asked));
	struct work *work = calloc(1, sizeof(*work)); /* stacks may be small */
	int status = asked && work ? 0 : error_no_memory(error);
	forget(result);
	if (!status) {
		work->request = request;
		work->mode = request->mode;
		status = find(work, asked, result, error);
		costs_free(&work->costs);
	}
	if (status)
		forget(result);
	free(work);
	free(asked);
	return status;
}

int predict_usual(struct fathom_result *survey, struct fathom_error *error)
{
	static const uint64_t keys = PREDICTIONS_USUAL_KEYS;
	const struct fathom_predict_request request = {
		.structures = predictions_usual,
		.structure_count = 3,
		.keys = &keys,
		.key_count = 1,
		.payload_bytes = 8,
		.mode = FATHOM_PREDICT_DEPENDENT,
		.page = FATHOM_PAGE_DEFAULT,
	};
	struct fathom_error why = {0};
	if (!predictions_are_usual(survey)) /* those that someone asked for stay */
		return 0;
	int status = predict_find(survey, &request, &why);
	bool failed = status && why.status == FATHOM_FAILED;
	fathom_error_clear(&why);
	if (failed)
		return error_no_memory(error);
	if (warnings_find(&survey->warnings, "predict-beyond") ||
	    warnings_find(&survey->warnings, "predict-translation") ||
	    warnings_find(&survey->warnings, "predict-clock"))
		forget(survey);
	warnings_remove(&survey->warnings,
			"predict-settled"); /* its budget was the user's choice */
	return 0;
}
