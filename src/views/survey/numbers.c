/* The numbers of a survey beside those that are quoted. */
#include <math.h>

#include "views/rounding.h"
#include "views/survey/survey.h"

#define EQUAL 1e-9

/* Is there no published number beside it, or is it a thousand times what a row above says? */
static bool is_left_out(const struct fathom_result *result, size_t which)
{
	const struct fathom_number *number = &result->numbers[which];
	if (isnan(number->dean_2009_ns) && isnan(number->scott_2020_ns))
		return true;
	for (size_t i = 0; i < which; i++)
		if (fabs(number->ns / result->numbers[i].ns / 1000 - 1) < EQUAL)
			return true;
	return false;
}

void numbers_view(struct view *view, const struct fathom_result *result)
{
	if (result->number_count == 0)
		return;
	view_part(view, "numbers", "Latency numbers every programmer should know");
	view_gap(view);
	view_say(view, VIEW_PLAIN,
		 "latency numbers every programmer should know, here and as published:");
	VIEW_TABLE(view, COLUMN(NULL), COLUMN("here"), COLUMN(NULL, .rank = 1),
		   COLUMN("2009", .rank = 2), COLUMN("2020", .rank = 2));
	for (size_t i = 0; i < result->number_count; i++) {
		const struct fathom_number *number = &result->numbers[i];
		if (!view->full && is_left_out(result, i))
			continue;
		view_row(view);
		view_name(view, "%s", number->name);
		view_rounded(view, rounding_time_or_range(ESTIMATE_PLAIN(number, ns)));
		view_name(view, "%s", number->how);
		view_rounded(view, rounding_time(number->dean_2009_ns, true));
		view_rounded(view, rounding_time(number->scott_2020_ns, true));
	}
	view_say(view, VIEW_NOTE,
		 "2009: J. Dean, LADIS; 2020: C. Scott's page; MB, GB: powers of ten");
}
