/* Lap after lap since the memory was flushed, and since it was mapped. */
#include "measure/experiments/experiments.h"
#include "measure/experiments/specs.h"

#include "base/error.h"

#define USUAL_BYTES (16ull << 20)
#define LAPS        6
#define PATTERNS    2
#define KINDS       2

int decay_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		struct fathom_plan *plan, struct fathom_error *error)
{
	static const enum fathom_pattern patterns[PATTERNS] = {FATHOM_RANDOM_CYCLE,
							       FATHOM_SEQUENTIAL};
	static const enum fathom_warmth kinds[KINDS] = {FATHOM_COLD_FLUSHED, FATHOM_COLD_MAPPED};
	const bool wanted[KINDS] = {request->cold_flushed, request->cold_mapped};
	uint64_t usual_bytes = specs_usual_bytes(machine, USUAL_BYTES);
	if (!wanted[0] && !wanted[1])
		return error_set(
			error, FATHOM_USAGE, "use --cold flushed, mapped or both",
			"laps are counted from cold memory, but no kind of cold was requested");
	if (specs_open(plan, request, (size_t)LAPS * PATTERNS * KINDS, usual_bytes, error))
		return -1;
	size_t count = request->sizes_bytes && request->size_count ? request->size_count : 1;
	for (size_t i = 0; i < count; i++) {
		struct fathom_request one = *request;
		one.sizes_bytes = request->sizes_bytes ? &request->sizes_bytes[i] : NULL;
		one.size_count = 1;
		for (int curve = 0; curve < PATTERNS * KINDS; curve++) {
			struct fathom_spec spec = request->spec;
			spec.pattern = patterns[curve / KINDS];
			spec.warmth = kinds[curve % KINDS];
			spec.axis = FATHOM_AXIS_LAP;
			for (spec.lap = 1; wanted[curve % KINDS] && spec.lap <= LAPS; spec.lap++)
				specs_add(plan, &one, &spec, usual_bytes);
		}
	}
	return 0;
}
