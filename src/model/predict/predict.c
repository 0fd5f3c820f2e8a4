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
#include "model/predict/costs.h"
#include "model/predict/crossovers.h"
#include "model/predict/reuse.h"
#include "model/predict/structure.h"
#include "model/predict/sum.h"

#define USUAL_KEY_BYTES  8
#define USUAL_NODE_BYTES 256
#define USUAL_SPAN_BITS  8
#define USUAL_FANOUT     256
#define USUAL_INTERLEAVE 8
#define MOST_KEYS        ((uint64_t)1 << 40)
#define MOST_BYTES       65536
#define MOST_SPAN_BITS   16
#define MOST_THETA       3.0
#define MOST_INTERLEAVE  64

static const uint64_t usual_keys[] = {1000, 100000, 10000000};

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

/* ---- what is asked for ---- */

static int refuse_range(const char *what, double value, double low, double high,
			struct fathom_error *error)
{
	char *hint = text_format("from %g to %g", low, high);
	error_set(error, FATHOM_USAGE, hint, "%s %g is out of range", what, value);
	free(hint);
	return -1;
}

static int check_numbers(const struct fathom_predict_request *request, struct fathom_error *error)
{
	const struct {
		const char *what;
		double value, low, high;
	} numbers[] = {
		{"a key of bytes", request->key_bytes, 1, MOST_BYTES},
		{"a payload of bytes", request->payload_bytes, 0, MOST_BYTES},
		{"a node of bytes", request->node_bytes, 64, MOST_BYTES},
		{"a span of bits", request->span_bits, 1, MOST_SPAN_BITS},
		{"a fan-out of", request->fanout, 2, 1 << 20},
		{"theta", request->theta, 0, MOST_THETA},
		{"an interleave of", request->interleave, 2, MOST_INTERLEAVE},
	};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		bool unset = numbers[i].value == 0;
		bool inside =
			numbers[i].value >= numbers[i].low && numbers[i].value <= numbers[i].high;
		if (!unset && !inside)
			return refuse_range(numbers[i].what, numbers[i].value, numbers[i].low,
					    numbers[i].high, error);
	}
	for (size_t i = 0; i < request->key_count; i++)
		if (request->keys[i] < 1 || request->keys[i] > MOST_KEYS)
			return error_set(error, FATHOM_USAGE, "from 1 to 2^40",
					 "%llu keys cannot be predicted",
					 (unsigned long long)request->keys[i]);
	return 0;
}

static const struct structure *find_named(const char *name, struct fathom_error *error)
{
	const struct structure *found = structure_find(name);
	struct suggestion suggestion = {.wanted = name};
	if (found)
		return found;
	for (const struct structure *const *one = structures; *one; one++)
		names_consider(&suggestion, (*one)->name);
	char *hint = suggestion.best ? text_format("did you mean '%s'?", suggestion.best)
				     : strdup("'fathom help predict' lists them");
	error_set(error, FATHOM_USAGE, hint, "there is no structure '%s'", name);
	free(hint);
	return NULL;
}

static int check_load(const struct structure *structure, double load, struct fathom_error *error)
{
	if (load == 0 || structure->load == 0)
		return 0;
	if (load > 0 && load <= structure->most_load)
		return 0;
	char *hint = text_format("above 0, up to %g", structure->most_load);
	error_set(error, FATHOM_USAGE, hint, "'%s' cannot have a load factor of %g",
		  structure->name, load);
	free(hint);
	return -1;
}

/* ---- one ---- */

static double or_usual(double value, double usual)
{
	return value > 0 ? value : usual;
}

static struct shape shape_of(const struct fathom_predict_request *request,
			     const struct structure *structure, double keys)
{
	return (struct shape){
		.keys = keys,
		.key_bytes = or_usual(request->key_bytes, USUAL_KEY_BYTES),
		.payload_bytes = request->payload_bytes,
		.node_bytes = or_usual(request->node_bytes, USUAL_NODE_BYTES),
		.span_bits = or_usual(request->span_bits, USUAL_SPAN_BITS),
		.fanout = or_usual(request->fanout, USUAL_FANOUT),
		.load = or_usual(request->load, structure->load),
		.payload_apart = request->payload_apart,
	};
}

struct shape predict_shape(const struct fathom_predict_request *request,
			   const struct fathom_prediction *prediction)
{
	return shape_of(request, structure_find(prediction->structure), (double)prediction->keys);
}

static void lay(struct work *work, const struct structure *structure, double keys)
{
	work->shape = shape_of(work->request, structure, keys);
	work->shape.line_bytes = work->costs.line_bytes;
	work->shape.page_bytes = work->costs.page_bytes;
	work->shape.exact = work->exact;
	memset(&work->layout, 0, sizeof(work->layout));
	structure->lay(&work->shape, &work->layout);
}

/* So many keys that the structure takes the bytes that were asked for. */
static double keys_of(struct work *work, const struct structure *structure, double bytes)
{
	uint64_t low = 1, high = MOST_KEYS;
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

static struct operation prepare(struct work *work, const struct structure *structure, double keys)
{
	const struct fathom_predict_request *request = work->request;
	struct operation operation = {&work->layout, work->lines, work->pages,
				      &work->costs,  work->mode,  1};
	lay(work, structure, keys);
	reuse_find(&work->layout, &work->shape, request->theta, REUSE_OF_LINES,
		   costs_own_lines(&work->costs), work->lines);
	reuse_find(&work->layout, &work->shape, request->theta, REUSE_OF_PAGES, 0, work->pages);
	if (operation.mode == FATHOM_PREDICT_DEPENDENT && work->layout.independent)
		operation.mode = FATHOM_PREDICT_INDEPENDENT;
	if (operation.mode == FATHOM_PREDICT_INTERLEAVED)
		operation.interleave = or_usual(request->interleave, USUAL_INTERLEAVE);
	return operation;
}

/* Has the result what the structure's steps cost? */
static int check_known(const struct work *work, const struct structure *structure,
		       enum fathom_predict_mode mode, struct fathom_error *error)
{
	const struct layout *layout = &work->layout;
	const struct costs *costs = &work->costs;
	if (mode != FATHOM_PREDICT_DEPENDENT && !costs->lanes.count)
		return error_set(error, FATHOM_BAD_INPUT,
				 "'fathom parallelism', or a survey, measures that; --with reads "
				 "another file",
				 "how many accesses overlap is not known: '%s' needs it",
				 structure->name);
	if ((layout->read_bytes > 0 && !costs->reading.count) ||
	    (layout->written_bytes > 0 && !costs->writing.count))
		return error_set(error, FATHOM_BAD_INPUT,
				 "'fathom bandwidth', or a survey, measures that; --with reads "
				 "another file",
				 "how fast memory is read and written is not known: '%s' needs it",
				 structure->name);
	if (layout->transfers > 0 && !isfinite(costs->inputs[COSTS_CORES].ns))
		return error_set(error, FATHOM_BAD_INPUT,
				 "'fathom cores' measures that; --with reads another file",
				 "the latency between two cores is not known: '%s' needs it",
				 structure->name);
	return 0;
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

/* The interval: what each input's own makes of it, as independent errors add up. */
static void add_interval(const struct operation *operation, struct fathom_prediction *prediction)
{
	double below = 0, above = 0;
	for (int input = 0; input < COSTS_INPUT_COUNT; input++)
		for (int bound = -1; bound <= 1; bound += 2) {
			struct costs_state state = {0};
			struct sum sum;
			state.at[input] = bound;
			sum_make(operation, &state, &sum);
			double moved = sum.ns - prediction->predicted_ns;
			if (moved < 0)
				below += moved * moved;
			else if (moved > 0)
				above += moved * moved;
		}
	/* Of one input both bounds may be on one side: no more than twice is counted then. */
	prediction->predicted_low_ns =
		prediction->predicted_ns * exp(-sqrt(below) / prediction->predicted_ns);
	prediction->predicted_high_ns = prediction->predicted_ns + sqrt(above);
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
	if (check_memory(work, structure, result->machine, error) ||
	    check_known(work, structure, operation.mode, error))
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
	add_interval(&operation, &one);
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

/* In the mode that is asked for, or in each; what depends on nothing is never dependent. */
static int add_modes(struct work *work, const struct structure *structure, double keys,
		     struct fathom_result *result, struct fathom_error *error)
{
	if (!work->request->every_mode)
		return add(work, structure, keys, result, error);
	lay(work, structure, keys);
	int status = 0, first = work->layout.independent ? FATHOM_PREDICT_INDEPENDENT
							 : FATHOM_PREDICT_DEPENDENT;
	for (int mode = first; mode <= FATHOM_PREDICT_INTERLEAVED && !status; mode++) {
		work->mode = (enum fathom_predict_mode)mode;
		status = add(work, structure, keys, result, error);
	}
	work->mode = work->request->mode;
	return status;
}

static int add_keys(struct work *work, const struct structure *structure,
		    struct fathom_result *result, struct fathom_error *error)
{
	const struct fathom_predict_request *request = work->request;
	size_t usual = sizeof(usual_keys) / sizeof(*usual_keys);
	const uint64_t *keys = request->key_count ? request->keys : usual_keys;
	size_t count = request->key_count ? request->key_count : usual;
	if (check_load(structure, request->load, error))
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

static const struct structure *asked_at(const struct fathom_predict_request *request, size_t which,
					struct fathom_error *error)
{
	return request->structure_count ? find_named(request->structures[which], error)
					: structures[which];
}

static size_t asked_count(const struct fathom_predict_request *request)
{
	return request->structure_count ? request->structure_count : STRUCTURES_USUAL;
}

/* Of each number of keys, on lines and pages as most machines have them. */
static int check_sizes(struct work *work, const struct structure *structure,
		       const struct fathom_machine *machine, struct fathom_error *error)
{
	const struct fathom_predict_request *request = work->request;
	size_t usual = sizeof(usual_keys) / sizeof(*usual_keys);
	const uint64_t *keys = request->key_count ? request->keys : usual_keys;
	size_t count = request->size_bytes ? 1 : request->key_count ? request->key_count : usual;
	int status = check_load(structure, request->load, error);
	for (size_t i = 0; i < count && !status; i++) {
		lay(work, structure,
		    request->size_bytes ? keys_of(work, structure, (double)request->size_bytes)
					: (double)keys[i]);
		status = check_memory(work, structure, machine, error);
	}
	return status;
}

int predict_check(const struct fathom_predict_request *request,
		  const struct fathom_machine *machine, struct fathom_error *error)
{
	static const struct fathom_result nothing;
	if (check_numbers(request, error))
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

static void make_curve(struct work *work, const struct structure *structure,
		       struct crossover_curve *curve)
{
	static const struct costs_state as_is = {0};
	curve->name = structure->name;
	for (int i = 0; i < CROSSOVERS_OCTAVES; i++) {
		struct operation operation = prepare(work, structure, exp2(CROSSOVERS_FIRST + i));
		struct sum sum;
		sum_make(&operation, &as_is, &sum);
		bool within = work->layout.size_bytes <= work->costs.most_bytes;
		curve->ns[i] = within ? sum.ns : NAN;
	}
}

/* Of lookups alone: a node, an element and a tuple are no answers to the same question. */
static int add_crossovers(struct work *work, const struct structure *const *asked, size_t count,
			  struct fathom_result *result, struct fathom_error *error)
{
	struct crossover_curve *curves = calloc(count, sizeof(*curves));
	size_t lookups = 0;
	if (!curves)
		return error_no_memory(error);
	for (size_t i = 0; i < count; i++)
		if (strcmp(asked[i]->operation, "lookup") == 0)
			make_curve(work, asked[i], &curves[lookups++]);
	int status = crossovers_find(curves, lookups, work->request->mode, result, error);
	free(curves);
	return status;
}

static int add_warnings(const struct work *work, struct fathom_result *result)
{
	const struct costs *costs = &work->costs;
	double most = 0;
	char size[UNITS_TEXT_BYTES];
	for (size_t i = 0; i < result->prediction_count; i++)
		most = fmax(most, (double)result->predictions[i].size_bytes);
	units_format_size((uint64_t)costs->most_bytes, size);
	if (most > 1.5 * costs->most_bytes &&
	    warnings_add(&result->warnings, "predict-beyond", NULL,
			 "measure larger sizes with 'fathom latency --max-size'",
			 "the latency curve ends at %s: larger structures are taken to cost no "
			 "more",
			 size))
		return -1;
	return costs->translation.count
		       ? 0
		       : warnings_add(
				 &result->warnings, "predict-translation", NULL,
				 "'fathom pages', or a survey, measures it",
				 "what translation costs is not known apart: structures that go "
				 "to one line a page are predicted too cheap at large sizes");
}

static void forget(struct fathom_result *result)
{
	table_free_items(&prediction_table, result->predictions, result->prediction_count);
	table_free_items(&crossover_table, result->crossovers, result->crossover_count);
	result->predictions = NULL;
	result->crossovers = NULL;
	result->prediction_count = result->crossover_count = 0;
	warnings_remove(&result->warnings, "predict-beyond");
	warnings_remove(&result->warnings, "predict-translation");
	warnings_remove(&result->warnings, "predict-clock");
	warnings_remove(&result->warnings, "predict-not-run");
	warnings_remove(&result->warnings, "predict-machine");
	warnings_remove(&result->warnings, "predict-pages");
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
		if (i == 0 && check_known(work, structure, operation.mode, error))
			return -1;
		sum_make(&operation, &as_is, &sum);
		ns[i] = most > 0 && work->layout.size_bytes > most ? NAN : sum.ns;
	}
	return 0;
}

int predict_curve(struct fathom_result *result, const struct fathom_predict_request *request,
		  double ns[PREDICT_PLACES], struct fathom_error *error)
{
	if (check_numbers(request, error))
		return -1;
	const char *name = request->structure_count ? request->structures[0] : structures[0]->name;
	const struct structure *structure = find_named(name, error);
	if (!structure || check_load(structure, request->load, error))
		return -1;
	struct work *work = calloc(1, sizeof(*work));
	if (!work)
		return error_no_memory(error);
	work->request = request;
	work->mode = request->mode;
	int status = costs_make(result, request, &work->costs, error);
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
	if (costs_make(result, request, &work->costs, error))
		return -1;
	for (size_t i = 0; i < count; i++)
		if (add_keys(work, asked[i], result, error))
			return -1;
	if (add_crossovers(work, asked, count, result, error))
		return -1;
	return add_warnings(work, result) ? error_no_memory(error) : 0;
}

int predict_find(struct fathom_result *result, const struct fathom_predict_request *request,
		 struct fathom_error *error)
{
	if (check_numbers(request, error))
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
	return 0;
}
