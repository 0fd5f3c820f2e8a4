#include "model/levels/doubts.h"

#include <math.h>

#include "base/warnings.h"

#define FAR_OFF      0.3  /* of the model's value */
#define FAR_AHEAD    0.99 /* probability: a hundred times that of all others that were tried */
#define MANY_FAR_OFF 0.15 /* of the points: of 20, of which 6 % are outliers, seldom as many */

void doubts_clear(struct fathom_result *result)
{
	warnings_remove(&result->warnings, "too-few-sizes");
	warnings_remove(&result->warnings, "fit-poor");
	warnings_remove(&result->warnings, "search-cut");
	warnings_remove(&result->warnings, "memory-not-reached");
}

int doubts_about_count(struct fathom_result *result, const struct group *group)
{
	return warnings_add(&result->warnings, "too-few-sizes", NULL, "measure more sizes",
			    "%zu size%s with a value: too few to find levels", group->data[0].count,
			    group->data[0].count == 1 ? "" : "s");
}

int doubts_about_fit(struct fathom_result *result, const struct group *group, size_t first)
{
	const struct curve_data *data = &group->data[0];
	size_t misfits = 0;
	for (size_t i = 0; i < data->count; i++) {
		double value = steps_value(&group->problem, &group->steps, 0, data->ln_size[i]);
		double off = fabs(data->value[i] - value) - 2 * data->error[i];
		misfits += off > FAR_OFF * value;
	}
	double share = (double)misfits / (double)data->count;
	if (misfits < 2 || share <= MANY_FAR_OFF)
		return 0;
	for (size_t i = first; i < result->level_count; i++)
		result->levels[i].confidence *= 0.5 * (1 - share);
	return warnings_add(&result->warnings, "fit-poor", NULL,
			    "look at the curve before you trust the levels",
			    "the fitted levels miss %zu of %zu points by more than 30 %%", misfits,
			    data->count);
}

int doubts_about_search(struct fathom_result *result, const struct group *group, size_t likeliest)
{
	bool ahead = likeliest < result->hypothesis_count &&
		     result->hypotheses[likeliest].probability >= FAR_AHEAD;
	if (group->came_to == GROUP_SEARCHED || (group->came_to == GROUP_LOOKED && ahead))
		return 0;
	return warnings_add(&result->warnings, "search-cut", NULL,
			    "look at the curve: a level may be missing, or be one too many",
			    "the search for levels ended early: these are the likeliest of those "
			    "that were tried");
}

int doubts_about_end(struct fathom_result *result, enum judge_end end)
{
	static const char *const texts[] = {
		[JUDGE_END_CACHE] =
			"memory was not reached: the end of the last level is not in the curve",
		[JUDGE_END_UNKNOWN] = "memory may not have been reached: the last level is a slow "
				      "cache or fast memory",
		[JUDGE_END_RISING] = "memory was not reached: the curve still rises at its end",
	};
	return warnings_add(&result->warnings, "memory-not-reached", NULL, "measure larger sizes",
			    "%s", texts[end]);
}
