#include "fathom_join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/warnings.h"

/* Moves the items of one list to the end of another. */
static int move(void *to, size_t *to_count, const void *from, size_t *from_count, size_t item_bytes,
		struct fathom_error *error)
{
	char *list;
	memcpy(&list, to, sizeof(list));
	char *grown = realloc(list, (*to_count + *from_count + 1) * item_bytes);
	if (!grown)
		return error_no_memory(error);
	if (*from_count)
		memcpy(grown + *to_count * item_bytes, from, *from_count * item_bytes);
	memcpy(to, &grown, sizeof(grown));
	*to_count += *from_count;
	*from_count = 0;
	return 0;
}

/* What was concluded of curves of its own, before these are moved. */
static int join_concluded(struct fathom_result *whole, struct fathom_result *part,
			  struct fathom_error *error)
{
	for (size_t i = 0; i < part->load_law_count; i++)
		part->load_laws[i].curve += whole->curve_count;
	for (size_t i = 0; i < part->memory_count_count; i++)
		if (isfinite(part->memory_counts[i].ratio))
			part->memory_counts[i].curve += whole->curve_count;
	for (size_t i = 0; i < part->distribution_count; i++)
		part->distributions[i].curve += whole->curve_count;
	return move(&whole->load_laws, &whole->load_law_count, part->load_laws,
		    &part->load_law_count, sizeof(*part->load_laws), error) ||
			       move(&whole->memory_counts, &whole->memory_count_count,
				    part->memory_counts, &part->memory_count_count,
				    sizeof(*part->memory_counts), error) ||
			       move(&whole->distributions, &whole->distribution_count,
				    part->distributions, &part->distribution_count,
				    sizeof(*part->distributions), error)
		       ? -1
		       : 0;
}

int join_curves(struct fathom_result *whole, struct fathom_result *part, struct fathom_error *error)
{
	if (join_concluded(whole, part, error) ||
	    move(&whole->curves, &whole->curve_count, part->curves, &part->curve_count,
		 sizeof(*part->curves), error) ||
	    move(&whole->cpus, &whole->cpu_count, part->cpus, &part->cpu_count, sizeof(*part->cpus),
		 error))
		return -1;
	whole->interrupted |= part->interrupted;
	whole->busy_cpus =
		(whole->busy_cpus * whole->elapsed_s + part->busy_cpus * part->elapsed_s) /
		(whole->elapsed_s + part->elapsed_s);
	whole->elapsed_s += part->elapsed_s;
	if (part->clock_min_hz > 0 && part->clock_min_hz < whole->clock_min_hz)
		whole->clock_min_hz = part->clock_min_hz;
	if (part->clock_max_hz > whole->clock_max_hz)
		whole->clock_max_hz = part->clock_max_hz;
	whole->clock_drift = NAN; /* each part has its own, and warns of it */
	return 0;
}

int join_levels(struct fathom_result *whole, struct fathom_result *part, struct fathom_error *error)
{
	for (size_t i = 0; i < part->level_count; i++)
		part->levels[i].curve += whole->curve_count;
	for (size_t i = 0; i < part->hypothesis_count; i++)
		part->hypotheses[i].curve += whole->curve_count;
	return move(&whole->levels, &whole->level_count, part->levels, &part->level_count,
		    sizeof(*part->levels), error) ||
			       move(&whole->hypotheses, &whole->hypothesis_count, part->hypotheses,
				    &part->hypothesis_count, sizeof(*part->hypotheses), error)
		       ? -1
		       : 0;
}

int join_check_place(const struct fathom_result *part, int cpu, struct fathom_error *error)
{
	static const char *const unbound[] = {"not-pinned", "threads-not-pinned"};
	if (warnings_find(&part->warnings, "moved"))
		return error_set(error, FATHOM_UNABLE,
				 "measure again while nothing changes which CPUs may be used",
				 "cpu %d was taken away while it was measured, or the process "
				 "bound elsewhere",
				 cpu);
	for (size_t i = 0; i < sizeof(unbound) / sizeof(*unbound); i++) {
		const struct fathom_warning *found = warnings_find(&part->warnings, unbound[i]);
		if (found)
			return error_set(error, FATHOM_UNABLE, found->hint, "%s", found->text);
	}
	return 0;
}
