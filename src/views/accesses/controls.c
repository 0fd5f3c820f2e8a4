/* What controls say of the modes of single accesses: misses of TLBs, and of rows of memory. */
#include "model/distribution/controls.h"

#include <math.h>
#include <string.h>

#include "views/accesses/accesses.h"
#include "views/rounding.h"

static double median_ns(const struct fathom_distribution *one)
{
	for (size_t i = 0; i < one->quantile_count; i++)
		if (one->quantiles[i].share == 0.5)
			return one->quantiles[i].latency_ns;
	return NAN;
}

static void say_tlb(struct view *view, const struct fathom_result *result,
		    const struct fathom_distribution *one,
		    const struct fathom_distribution *control)
{
	double page_bytes = (double)result->curves[control->curve].page_bytes;
	bool told = false;
	for (size_t i = 0; i < one->mode_count; i++) {
		const struct fathom_mode *mode = &one->modes[i];
		if (mode->kind != FATHOM_MODE_TLB_MISS)
			continue;
		told = true;
		view_say(view, VIEW_ITEM,
			 "%s of the accesses take %s ns for misses of the TLB; on pages of %s as "
			 "many take %s ns",
			 rounding_percent(mode->share).text, rounding_number(mode->latency_ns).text,
			 rounding_size(page_bytes).text, rounding_number(mode->without_ns).text);
	}
	if (!told)
		view_say(view, VIEW_ITEM,
			 "misses of the TLB are not told from other accesses here: half of the "
			 "accesses take at most %s ns, and on pages of %s %s ns",
			 rounding_number(median_ns(one)).text, rounding_size(page_bytes).text,
			 rounding_number(median_ns(control)).text);
}

static void say_rows(struct view *view, const struct fathom_distribution *one,
		     const struct fathom_distribution *control)
{
	for (size_t i = 0; i < one->mode_count; i++) {
		const struct fathom_mode *mode = &one->modes[i];
		if (mode->kind != FATHOM_MODE_ROW_MISS)
			continue;
		view_say(view, VIEW_ITEM,
			 "%s of these accesses open another row and take %s ns; page after page as "
			 "many take %s ns",
			 rounding_percent(mode->share).text, rounding_number(mode->latency_ns).text,
			 rounding_number(mode->without_ns).text);
		return;
	}
	view_say(view, VIEW_ITEM,
		 "row hits and misses are not told apart here: of flushed lines half take at most "
		 "%s ns in random order, and %s ns page after page",
		 rounding_number(median_ns(one)).text, rounding_number(median_ns(control)).text);
}

static bool has_pair(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->distribution_count; i++)
		if (controls_of(result, &result->distributions[i]))
			return true;
	return false;
}

static bool has_large_pages(const struct fathom_machine *machine)
{
	const char *state = machine ? machine->thp_state : NULL;
	return !machine || (machine->thp_page_bytes && state && strcmp(state, "never") != 0);
}

/* Memory on large pages, of which the control would be no other. */
static bool is_large_memory(const struct fathom_result *result,
			    const struct fathom_distribution *one)
{
	const struct fathom_curve *curve = &result->curves[one->curve];
	if (!result->machine || curve->warmth != FATHOM_WARM ||
	    curve->page_bytes <= result->machine->base_page_bytes)
		return false;
	for (size_t i = 0; i < result->distribution_count; i++) {
		const struct fathom_distribution *other = &result->distributions[i];
		if (result->curves[other->curve].size_bytes > curve->size_bytes ||
		    controls_of(result, other) == one)
			return false;
	}
	return true;
}

void accesses_say_control(struct view *view, const struct fathom_result *result,
			  const struct fathom_distribution *one)
{
	const struct fathom_distribution *control = controls_of(result, one);
	bool flushed = result->curves[one->curve].warmth == FATHOM_COLD_FLUSHED;
	if (control && flushed)
		say_rows(view, one, control);
	else if (control)
		say_tlb(view, result, one, control);
	else if (has_pair(result) && is_large_memory(result, one))
		view_say(view, VIEW_ITEM,
			 "misses of TLBs are not told: memory is on large pages already; with "
			 "--page 4k it is timed on both kinds");
	else if (flushed && one->counter && !has_pair(result) && !has_large_pages(result->machine))
		view_say(view, VIEW_ITEM,
			 "misses of TLBs and of rows are not told: this machine gives no large "
			 "pages to time them against");
}

bool accesses_is_control(const struct fathom_result *result, const struct fathom_distribution *one)
{
	for (size_t i = 0; i < result->distribution_count; i++)
		if (controls_of(result, &result->distributions[i]) == one)
			return true;
	return result->curves[one->curve].warmth == FATHOM_COLD_FLUSHED && controls_of(result, one);
}
