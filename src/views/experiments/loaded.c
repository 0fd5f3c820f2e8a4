/* Latency under load: a row a law, and what it says in words. */
#include <math.h>

#include "views/experiments/experiments.h"
#include "views/figure.h"
#include "views/rounding.h"

#define GIGA           1e9
#define MOST_SENTENCES 6
#define LINE_BYTES     64.0
#define NS_A_SECOND    1e9

static void add_row(struct view *view, const struct fathom_result *result,
		    const struct fathom_load_law *law)
{
	struct text name = {0};
	figure_name_loads(&name, result, law->curve);
	view_row(view);
	view_name_take(view, &name);
	view_estimate(view, ESTIMATE(law, idle_latency, _ns));
	view_estimate(view, estimate_times(ESTIMATE(law, knee, _bytes_per_second), 1 / GIGA));
	view_estimate(view, estimate_times(ESTIMATE(law, peak, _bytes_per_second), 1 / GIGA));
	view_number(view, law->greatest_bytes_per_second / GIGA);
	view_estimate(view, ESTIMATE(law, exponent, ));
	view_name(view, "%s", rounding_percent(law->median_error).text);
}

/* What the law says: how far traffic is for free, and where it is not. */
static void add_sentence(struct view *view, const struct fathom_result *result,
			 const struct fathom_load_law *law)
{
	struct text words = {0};
	double peak = law->greatest_bytes_per_second;
	figure_name_loads(&words, result, law->curve);
	if (isnan(law->knee_bytes_per_second))
		text_add(&words,
			 ": traffic up to %s GB/s, the most of this curve, does not reach the knee",
			 rounding_number(peak / GIGA).text);
	else
		text_add(&words,
			 ": an access takes 1.5 times as long as without traffic at %s GB/s, which "
			 "is %s of the greatest bandwidth; about %s lines are in flight there",
			 rounding_number(law->knee_bytes_per_second / GIGA).text,
			 rounding_percent(law->knee_bytes_per_second / peak).text,
			 rounding_number(law->knee_bytes_per_second * 1.5 * law->idle_latency_ns /
					 NS_A_SECOND / LINE_BYTES)
				 .text);
	if (law->bends_back)
		text_add(&words,
			 ". It bends back: more traffic then gets only %s of the greatest "
			 "bandwidth through",
			 rounding_percent(law->bent_share).text);
	view_take(view, VIEW_ITEM, &words);
}

void loaded_view(struct view *view, const struct fathom_result *result)
{
	if (!result->load_law_count)
		return;
	view_part(view, "loaded", "Latency under load");
	figure_add(view, result, (struct figure_wish){.kind = FIGURE_LOADED});
	view_gap(view);
	VIEW_TABLE(view, COLUMN("traffic"), COLUMN("idle", "ns"), COLUMN("knee", "GB/s"),
		   COLUMN("peak", "GB/s"), COLUMN("seen", "GB/s"),
		   COLUMN("exponent", .spread_rank = 1), COLUMN("off by"));
	for (size_t i = 0; i < result->load_law_count; i++)
		add_row(view, result, &result->load_laws[i]);
	view_gap(view);
	for (size_t i = 0; i < result->load_law_count; i++)
		if (view->every_point || i < MOST_SENTENCES)
			add_sentence(view, result, &result->load_laws[i]);
	view_say(view, VIEW_NOTE,
		 "latency at bandwidth B: idle + a u / (1 - u)^exponent, u = B / peak; knee: 1.5 "
		 "times idle; off by: median deviation of the curve");
	view_gap(view);
}
