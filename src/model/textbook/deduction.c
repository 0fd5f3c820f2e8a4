#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/textbook/reader.h"
#include "model/textbook/share_model.h"

/* Over the sizes in (from, up_to]. */
static void set_hyperbola(const struct fitted *fitted, double from_bytes, double up_to_bytes,
			  struct fathom_deduction *row)
{
	struct share_hyperbola hyperbola;
	if (!share_model_hyperbola(&fitted->data, from_bytes, up_to_bytes, &hyperbola) ||
	    hyperbola.constant < 0)
		return;
	row->last = hyperbola.last;
	row->constant = hyperbola.constant;
	row->residual =
		fitted_deviation(fitted, from_bytes, up_to_bytes, share_hyperbola_value, &hyperbola)
			.residual;
}

static const char *name_of(const struct fitted *fitted, size_t which)
{
	const struct fathom_level *level = fitted->sources[which];
	return level && level->name ? level->name : "beyond";
}

/* False: no memory. */
static bool set_row(const struct fitted *fitted, const struct shares *shares, size_t which,
		    struct fathom_deduction *row)
{
	bool ends = which < shares->count;
	double up_to_bytes = ends ? shares->levels[which].reach_bytes : INFINITY;
	struct share_step step =
		share_model_step(&fitted->data, shares->levels, which, up_to_bytes);
	bool known = ends && fitted_knows_law(fitted, which);
	*row = (struct fathom_deduction){
		.level = strdup(name_of(fitted, which)),
		.size_bytes = ends ? up_to_bytes : NAN,
		.size_count = step.size_count,
		.at_bytes = step.at_bytes,
		.expected = step.expected,
		.before = step.before,
		.share = step.share,
		.latency_there = step.latency,
		.latency = ends ? shares->levels[which].latency : shares->last,
		.hits_at_twice = known ? hit_share(&fitted->levels[which].shape, 2) : NAN,
		.last = NAN,
		.constant = NAN,
		.residual = NAN,
	};
	if (which)
		set_hyperbola(fitted, shares->levels[which - 1].reach_bytes, up_to_bytes, row);
	return row->level != NULL;
}

bool reader_set_deductions(const struct reader *reader, const struct shares *shares,
			   struct fathom_reading *reading)
{
	reading->deductions = calloc(shares->count + 1, sizeof(*reading->deductions));
	if (!reading->deductions)
		return false;
	for (size_t i = 0; i <= shares->count; i++) {
		reading->deduction_count = i + 1;
		if (!set_row(&reader->fitted, shares, i, &reading->deductions[i]))
			return false;
	}
	return true;
}
