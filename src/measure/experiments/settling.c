/* What the caches keep of a chain: just after they were filled, and once it has been walked for a
 * while beside whatever else takes lines from them. */
#include "measure/experiments/experiments.h"
#include "measure/experiments/specs.h"

#define MIB          (1ull << 20)
#define MEMORY_SHARE 4 /* of what can be had, at most a quarter */
#define WARMTHS      2

/* From where no core has caches of its own, an octave apart up to where few have any, then two; and
 * an octave where page tables leave the caches of a core. */
static const struct {
	uint64_t bytes;
	bool predicting; /* there is time for these where predictions are all that is wanted */
} usual[] = {
	{2 * MIB, false},  {4 * MIB, true},    {8 * MIB, false},
	{16 * MIB, true},  {32 * MIB, false},  {64 * MIB, true},
	{256 * MIB, true}, {512 * MIB, false}, {1024 * MIB, false},
};

#define USUAL_SIZES (sizeof(usual) / sizeof(*usual))

static size_t usual_sizes(const struct fathom_request *request,
			  const struct fathom_machine *machine, uint64_t sizes[USUAL_SIZES])
{
	uint64_t most = machine->limit_bytes / MEMORY_SHARE;
	if (request->max_size_bytes && request->max_size_bytes < most)
		most = request->max_size_bytes;
	size_t count = 0;
	for (size_t i = 0; i < USUAL_SIZES; i++)
		if (usual[i].bytes <= most && (usual[i].predicting || !request->predicting))
			sizes[count++] = usual[i].bytes;
	if (!count)
		sizes[count++] = most;
	return count;
}

int settling_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		   struct fathom_plan *plan, struct fathom_error *error)
{
	static const enum fathom_warmth warmths[WARMTHS] = {FATHOM_SETTLED, FATHOM_WARM};
	uint64_t sizes[USUAL_SIZES];
	struct fathom_request sized = *request;
	if (!request->sizes_bytes || !request->size_count) {
		sized.sizes_bytes = sizes;
		sized.size_count = usual_sizes(request, machine, sizes);
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
