#include "model/levels/levels_changed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "base/warnings.h"

#define SAME_SHARE 0.02 /* of a number: what differs by less is the same to a reader */
#define HINT                                                                                       \
	"'fathom report' shows the document's levels, 'fathom fit' those that this version finds"
#define HINT_PRIOR                                                                                 \
	"this fit leaves out the sizes that the OS reports (--no-os-prior), which such a level "   \
	"leans on"

static bool is_shown(const struct fathom_level *level)
{
	return level->name &&
	       (level->kind == FATHOM_LEVEL_CACHE || level->kind == FATHOM_LEVEL_MEMORY);
}

static const struct fathom_level *find_like(const struct fathom_result *result,
					    const struct fathom_level *level)
{
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *other = &result->levels[i];
		if (other->curve == level->curve && other->kind == level->kind && other->name &&
		    strcmp(other->name, level->name) == 0)
			return other;
	}
	return NULL;
}

static bool is_same(double before, double after)
{
	return isnan(before) == isnan(after) && !(fabs(after - before) > SAME_SHARE * before);
}

/* "ends at 545 KiB and takes 3.92 ns" */
static char *describe(const struct fathom_level *level)
{
	struct text text = {0};
	char size[UNITS_TEXT_BYTES], ns[UNITS_TEXT_BYTES];
	bool cycles = isnan(level->latency_ns);
	if (level->size_bytes >= 1)
		text_add(&text, "ends at %s and ",
			 units_format_known_size(level->size_bytes, level->size_low_bytes,
						 level->size_high_bytes, size));
	text_add(&text, "takes %s %s",
		 units_format_number(cycles ? level->latency_cycles : level->latency_ns, ns),
		 cycles ? "cycles" : "ns");
	return text_take(&text);
}

/* Shown, and not what it was? */
static bool has_changed(const struct fathom_level *before, const struct fathom_level *after)
{
	return is_shown(before) && !(after && is_same(before->size_bytes, after->size_bytes) &&
				     is_same(before->latency_ns, after->latency_ns) &&
				     is_same(before->at_bytes, after->at_bytes));
}

/* Of the levels from `first` on the first at length, of the others that they are others. */
static int tell(const struct fathom_level *before, size_t first, size_t count,
		struct fathom_result *result, struct fathom_error *error)
{
	const struct fathom_level *now = find_like(result, &before[first]);
	char *was = describe(&before[first]), *is = now ? describe(now) : strdup("is not a level");
	struct text more = {0};
	for (size_t i = first + 1; i < count; i++) {
		const struct fathom_level *after = find_like(result, &before[i]);
		if (has_changed(&before[i], after))
			text_add(&more, "; %s %s", before[i].name,
				 after ? "has changed, too" : "is gone");
	}
	int failed = !was || !is || more.failed ||
		     warnings_add(&result->warnings, "levels-changed", before[first].name,
				  result->os_prior_off ? HINT_PRIOR : HINT,
				  "in the document it %s; fitted now, it %s%s", was, is,
				  more.data ? more.data : "");
	text_free(&more);
	free(was);
	free(is);
	return failed ? error_no_memory(error) : 0;
}

int levels_changed_tell(const struct fathom_level *before, size_t count,
			struct fathom_result *result, struct fathom_error *error)
{
	for (size_t i = 0; i < count; i++)
		if (has_changed(&before[i], find_like(result, &before[i])))
			return tell(before, i, count, result, error);
	return 0;
}
