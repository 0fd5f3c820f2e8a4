#include "measure/loads/loader_loops.h"

#include <stdlib.h>

#include "base/error.h"
#include "measure/memory/stream_variant.h"

#define TRIAL_LINES 65536 /* 4 MiB: of a run that tells loops apart */

struct trials {
	struct team *team;
	const struct loader_part *parts;
	void **tried; /* slices; of the first NULL */
	uint32_t count;
	enum fathom_pattern pattern;
};

static void try_loop(void *own)
{
	struct slice *slice = own;
	if (!slice)
		return;
	slice->hops = TRIAL_LINES;
	slice_walk(slice);
}

static double run_trial(void *context, const struct stream_variant *variant)
{
	static const struct team_task task = {.work = try_loop};
	struct trials *trials = context;
	const struct kernel *kernel = stream_kernel(trials->pattern, variant->vector_bytes);
	for (uint32_t i = 0; i < trials->count; i++) {
		const struct loader_part *part = &trials->parts[i];
		struct slice *slice = trials->pattern == FATHOM_READ ? part->read : part->change;
		slice_turn(slice, kernel, 0);
		trials->tried[i] = i ? slice : NULL;
	}
	return team_run(trials->team, trials->count, &task, trials->tried);
}

static int find_loop(struct trials *trials, enum fathom_pattern pattern, const struct kernel **loop,
		     struct fathom_error *error)
{
	const struct fathom_spec spec = {.pattern = pattern};
	struct stream_variants variants = {0};
	struct stream_variant variant;
	*loop = NULL;
	trials->pattern = pattern;
	if (!stream_kernel(pattern, 0))
		return 0;
	int status = stream_variants_find(&variants, &spec, 0, run_trial, trials, &variant, error);
	stream_variants_free(&variants);
	if (status == 0)
		*loop = stream_kernel(pattern, variant.vector_bytes);
	return status;
}

int loader_loops_find(struct team *team, const struct loader_part *parts, uint32_t count,
		      struct loader_loops *loops, struct fathom_error *error)
{
	struct trials trials = {.team = team,
				.parts = parts,
				.tried = calloc(count, sizeof(*trials.tried)),
				.count = count};
	if (!trials.tried)
		return error_no_memory(error);
	int status = find_loop(&trials, FATHOM_READ, &loops->read, error) ||
		     find_loop(&trials, FATHOM_UPDATE, &loops->update, error) ||
		     find_loop(&trials, FATHOM_WRITE_NT, &loops->write_nt, error);
	free(trials.tried);
	return status ? -1 : 0;
}
