#include "model/predict/asked.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"

#define USUAL_KEY_BYTES  8
#define USUAL_NODE_BYTES 256
#define USUAL_SPAN_BITS  8
#define USUAL_FANOUT     256
#define USUAL_INTERLEAVE 8
#define MOST_BYTES       65536
#define MOST_SPAN_BITS   16
#define MOST_THETA       3.0
#define MOST_INTERLEAVE  64

static const uint64_t usual_keys[] = {1000, 100000, 10000000};

static int refuse_range(const char *what, double value, double low, double high,
			struct fathom_error *error)
{
	char *hint = text_format("from %g to %g", low, high);
	error_set(error, FATHOM_USAGE, hint, "%s %g is out of range", what, value);
	free(hint);
	return -1;
}

int asked_check_numbers(const struct fathom_predict_request *request, struct fathom_error *error)
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
		if (request->keys[i] < 1 || request->keys[i] > ASKED_MOST_KEYS)
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

int asked_check_load(const struct structure *structure, double load, struct fathom_error *error)
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

int asked_check_room(const struct structure *structure, const struct shape *shape,
		     struct fathom_error *error)
{
	if (!structure->has_room || structure->has_room(shape))
		return 0;
	return error_set(
		error, FATHOM_USAGE,
		"ask for smaller --key-bytes, a smaller --payload, or greater --node-bytes",
		"a node of '%s' has no room for keys of %.0f bytes", structure->name,
		shape->key_bytes);
}

int asked_check_known(const struct structure *structure, const struct layout *layout,
		      const struct costs *costs, enum fathom_predict_mode mode,
		      struct fathom_error *error)
{
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

const struct structure *asked_at(const struct fathom_predict_request *request, size_t which,
				 struct fathom_error *error)
{
	return request->structure_count ? find_named(request->structures[which], error)
					: structures[which];
}

size_t asked_count(const struct fathom_predict_request *request)
{
	return request->structure_count ? request->structure_count : STRUCTURES_USUAL;
}

size_t asked_keys(const struct fathom_predict_request *request, const uint64_t **keys)
{
	*keys = request->key_count ? request->keys : usual_keys;
	return request->key_count ? request->key_count : sizeof(usual_keys) / sizeof(*usual_keys);
}

static double or_usual(double value, double usual)
{
	return value > 0 ? value : usual;
}

struct shape asked_shape(const struct fathom_predict_request *request,
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

double asked_interleave(const struct fathom_predict_request *request)
{
	return or_usual(request->interleave, USUAL_INTERLEAVE);
}
