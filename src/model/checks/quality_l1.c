/* Why L1 looks smaller than the OS says, where its own sizes show it. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "base/warnings.h"
#include "model/checks/quality.h"
#include "model/checks/withhold.h"

#define DIFFERS "reach-differs"

static const struct fathom_level *find_smaller_l1(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		if (level->name && strcmp(level->name, "L1") == 0 &&
		    level->size_bytes < (double)level->reported_bytes &&
		    warnings_find_at(&result->warnings, DIFFERS, level->name))
			return level;
	}
	return NULL;
}

int quality_explain_l1(struct fathom_result *result, struct fathom_error *error)
{
	double found[QUALITY_CONDITIONS];
	const struct fathom_level *level = find_smaller_l1(result);
	char size[UNITS_TEXT_BYTES], reported[UNITS_TEXT_BYTES];
	if (!level)
		return 0;
	quality_find_conditions(result, found);
	if (!(found[QUALITY_LATE] >= QUALITY_LATE_SHARE))
		return 0;
	const struct fathom_warning *before =
		warnings_find_at(&result->warnings, DIFFERS, level->name);
	warnings_remove_one(&result->warnings, (size_t)(before - result->warnings.items));
	units_format_size((uint64_t)level->size_bytes, size);
	return warnings_add(
		       &result->warnings, DIFFERS, level->name, WITHHOLD_HINT,
		       "the effective size is %s, less than the %s that the OS reports "
		       "(something else used the core: %.0f %% of the sizes inside took longer "
		       "than L1 does)",
		       size, units_format_size(level->reported_bytes, reported),
		       100 * found[QUALITY_LATE])
		       ? error_no_memory(error)
		       : 0;
}
