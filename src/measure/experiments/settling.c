/* What the caches keep of a chain: just after they were filled, and once it has been walked for a
 * while beside whatever else takes lines from them. */
#include "measure/experiments/experiments.h"
#include "measure/experiments/specs.h"

/* From where no core has caches of its own, an octave apart up to where few have any, then two. */
#define SMALLEST_BYTES (2ull << 20)
#define MANY_BYTES     (64ull << 20)
#define LARGEST_BYTES  (1ull << 30)
#define USUAL_SIZES    8
#define MEMORY_SHARE   4 /* of what can be had, at most a quarter */
#define WARMTHS        2

static size_t usual_sizes(const struct fathom_request *request,
			  const struct fathom_machine *machine, uint64_t sizes[USUAL_SIZES])
{
	uint64_t most = machine->limit_bytes / MEMORY_SHARE;
	if (request->max_size_bytes && request->max_size_bytes < most)
		most = request->max_size_bytes;
	size_t count = 0;
	for (uint64_t bytes = SMALLEST_BYTES; bytes <= LARGEST_BYTES;
	     bytes *= bytes < MANY_BYTES ? 2 : 4)
		if (bytes <= most)
			sizes[count++] = bytes;
	if (!count)
		sizes[count++] = most;
	return count;
}

int settling_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		   struct fathom_plan *plan, struct fathom_error *error)
{
	static const enum fathom_warmth warmths[WARMTHS] = {FATHOM_SETTLED, FATHOM_WARM};
	uint64_t usual[USUAL_SIZES];
	struct fathom_request sized = *request;
	if (!request->sizes_bytes || !request->size_count) {
		sized.sizes_bytes = usual;
		sized.size_count = usual_sizes(request, machine, usual);
	}
	if (specs_open(plan, &sized, WARMTHS, 0, error))
		return -1;
	for (int i = 0; i < (request->control ? WARMTHS : 1); i++) {
		struct fathom_spec spec = request->spec;
		spec.warmth = warmths[i];
		specs_add(plan, &sized, &spec, 0);
	}
	return 0;
}
