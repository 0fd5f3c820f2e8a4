#include "measure/meters/simulated_stream.h"

#include <math.h>

#include "base/patterns.h"
#include "base/rng.h"
#include "measure/spec.h"

/* What is stored is what was loaded there, and 1. */
static bool changes_lines(const struct pattern_traits *traits)
{
	return traits->loads && traits->stores && !traits->copies;
}

static uint64_t vector_bytes(const struct fathom_spec *spec)
{
	bool narrow = spec->vector_bytes && spec->vector_bytes < SIMULATED_VECTOR_BYTES;
	return narrow ? spec->vector_bytes : SIMULATED_VECTOR_BYTES;
}

/* Of a plain loop, a line of 64 bytes. */
static uint32_t stream_instructions(const struct fathom_spec *spec)
{
	const struct pattern_traits *traits = pattern_traits(spec->pattern);
	return (uint32_t)(KERNEL_LINE_BYTES / vector_bytes(spec)) *
	       (traits->loads + changes_lines(traits) + traits->stores);
}

uint32_t simulated_instructions(const struct fathom_spec *spec)
{
	if (pattern_streams(spec->pattern))
		return stream_instructions(spec);
	switch (pattern_traits(spec->pattern)->kernel) {
	case KERNEL_INDEPENDENT64:
	case KERNEL_BRANCHES:
	case KERNEL_LOCKS:
		return 0;
	case KERNEL_INDEX_ARRAY:
		/* The index, the byte, the sum, the next index. */
		return pattern_traits(spec->pattern)->keeps ? 5 : 4;
	case KERNEL_STRIDE_LOOP:
		return 2; /* the sum, the next address */
	case KERNEL_LINEAR_SUM:
		return (uint32_t)(spec->node_bytes / sizeof(uint64_t)) + 1;
	default:
		return 1;
	}
}

/* One load of a line is simulated; a sum adds up all words of it. */
struct simulated_loop simulated_loop_of(const struct fathom_spec *spec)
{
	bool sums = pattern_traits(spec->pattern)->kernel == KERNEL_LINEAR_SUM;
	return (struct simulated_loop){
		.instructions = simulated_instructions(spec),
		.more_loads = sums ? (double)(spec->node_bytes / sizeof(uint64_t)) - 1 : 0,
	};
}

/* ---- the words ---- */

static uint64_t load_offset(const struct simulated_stream *stream, uint64_t position)
{
	return position % stream->lap * KERNEL_LINE_BYTES;
}

static uint64_t store_offset(const struct simulated_stream *stream, uint64_t position)
{
	bool copies = stream->traits->copies;
	return load_offset(stream, position) + (copies ? stream->lap * KERNEL_LINE_BYTES : 0);
}

static uint64_t *word_at(const struct simulated_stream *stream, uint64_t offset)
{
	return (uint64_t *)(void *)(stream->chain->base + offset);
}

/* What the line holds that is loaded: an update has added 1 in each lap. */
static uint64_t loaded_word(const struct simulated_stream *stream, uint64_t position)
{
	uint64_t lap = stream->lap;
	bool changed = changes_lines(stream->traits);
	return rng_mix(stream->chain->key, position % lap) + (changed ? position / lap : 0);
}

static uint64_t stored_word(const struct simulated_stream *stream, uint64_t position,
			    uint64_t loaded)
{
	return changes_lines(stream->traits) ? loaded + 1 : loaded + position;
}

static void do_line(struct simulated_stream *stream, uint64_t position)
{
	const struct pattern_traits *traits = stream->traits;
	uint64_t loaded =
		traits->loads ? *word_at(stream, load_offset(stream, position)) : (uint64_t)0;
	stream->sum += loaded;
	if (traits->stores)
		*word_at(stream, store_offset(stream, position)) =
			stored_word(stream, position, loaded);
}

/* After the lines from `begin` on. */
static bool has_arrived(const struct simulated_stream *stream, uint64_t begin, uint64_t lines)
{
	const struct pattern_traits *traits = stream->traits;
	uint64_t sum = 0, last = begin + lines - 1;
	for (uint64_t i = begin; traits->loads && i < begin + lines; i++)
		sum += loaded_word(stream, i);
	if (sum != stream->sum || lines == 0)
		return sum == stream->sum;
	uint64_t loaded = traits->loads ? loaded_word(stream, last) : 0;
	return !traits->stores ||
	       *word_at(stream, store_offset(stream, last)) == stored_word(stream, last, loaded);
}

/* ---- the trace ---- */

void simulated_stream_start(struct simulated_stream *stream, const struct chain *chain,
			    struct simulated_memory *memory)
{
	const struct simulated_spec *spec = &memory->spec;
	*stream = (struct simulated_stream){.chain = chain,
					    .traits = pattern_traits(chain->spec.pattern),
					    .memory = memory,
					    .lap = spec_accesses(&chain->spec)};
	simulated_traffic_start(&stream->traffic, spec, (unsigned)lround(spec->overlap),
				chain->spec.threads);
	for (uint64_t line = 0; line < stream->lap; line++) {
		*word_at(stream, store_offset(stream, line)) = UINT64_MAX;
		*word_at(stream, load_offset(stream, line)) = rng_mix(chain->key, line);
	}
}

/* One load or store of a whole line of the machine's, or of 64 bytes where that has less. Vectors
 * are narrower: the first one brings the line, the others find it in the first cache. */
static struct traffic_access trace(const struct simulated_stream *stream, uint64_t position,
				   uint64_t offset, bool store)
{
	const struct fathom_spec *spec = &stream->chain->spec;
	struct simulated_memory *memory = stream->memory;
	const struct pattern_traits *traits = stream->traits;
	uint64_t line = store ? store_offset(stream, position) : load_offset(stream, position);
	uint64_t bytes = memory->spec.line_bytes < KERNEL_LINE_BYTES ? memory->spec.line_bytes
								     : KERNEL_LINE_BYTES;
	double vectors = fmax(1, (double)bytes / (double)vector_bytes(spec));
	if (store && traits->bypasses) {
		simulated_memory_store_nt(memory, line + offset);
	} else if (store) {
		simulated_memory_store(memory, line + offset);
	} else {
		simulated_memory_load(memory, line + offset);
		memory->data_served[0] += (uint64_t)vectors - 1;
	}
	return (struct traffic_access){
		.path = memory->path,
		.issues = vectors,
		.bytes = (double)bytes,
		.written = !traits->bypasses && (store || (traits->stores && !traits->copies)),
		.bypasses = store && traits->bypasses,
	};
}

/* Line by line: what there is of it is loaded, then stored. */
static bool next_access(void *context, unsigned lane, struct traffic_access *access)
{
	struct simulated_stream *stream = context;
	const struct pattern_traits *traits = stream->traits;
	(void)lane;
	if (stream->position == stream->end)
		return false;
	bool first = stream->offset == 0 && !stream->stores;
	if (first)
		do_line(stream, stream->position);
	bool store = stream->stores || !traits->loads;
	*access = trace(stream, stream->position, stream->offset, store);
	stream->stores = traits->loads && traits->stores && !stream->stores;
	if (stream->stores)
		return true;
	stream->offset += (uint64_t)access->bytes;
	if (stream->offset == KERNEL_LINE_BYTES) {
		stream->offset = 0;
		stream->position++;
	}
	return true;
}

double simulated_stream_run(struct simulated_stream *stream, uint64_t lines, bool lose_one,
			    double clock_hz, bool *arrived)
{
	uint64_t begin = stream->position;
	stream->sum = 0;
	stream->end = begin + lines - lose_one;
	double ns = simulated_traffic_run(&stream->traffic, clock_hz, next_access, stream);
	*arrived = has_arrived(stream, begin, lines);
	stream->position = begin + lines;
	return ns;
}

void simulated_stream_warm(struct simulated_stream *stream, uint64_t lines)
{
	const struct pattern_traits *traits = stream->traits;
	uint64_t lap = stream->lap, from = stream->position % lap + lap - lines % lap;
	for (uint64_t i = from; i < from + lines; i++)
		for (uint64_t offset = 0; offset < KERNEL_LINE_BYTES;
		     offset += stream->memory->spec.line_bytes) {
			if (traits->loads)
				trace(stream, i, offset, false);
			if (traits->stores)
				trace(stream, i, offset, true);
		}
}
