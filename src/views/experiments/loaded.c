/* Latency under load: a row a law, and what it says in words. */
#include <math.h>

#include "views/experiments/experiments.h"
#include "views/figure.h"
#include "views/rounding.h"

#define GIGA           1e9
#define MOST_SENTENCES 6
#define LINE_BYTES     64.0
#define NS_A_SECOND    1e9
#define KNEE           1.5
#define MOST_ABOVE     0.05 /* that a peak which is shown as a value may be higher */

/* The greatest that a benchmark would state which counts a line that is stored once. */
static double greatest_program(const struct fathom_curve *curve)
{
	double greatest = NAN;
	for (size_t i = 0; i < curve->load_count; i++)
		greatest = fmax(greatest, curve->loads[i].program_bytes_per_second);
	return greatest;
}

static bool is_peak_told(const struct fathom_load_law *law)
{
	return !(law->peak_high_bytes_per_second > (1 + MOST_ABOVE) * law->peak_bytes_per_second);
}

/* What lies beyond a curve that ends long before it is guessed: then no more than was seen. */
static void add_peak(struct view *view, const struct fathom_load_law *law)
{
	if (is_peak_told(law)) {
		view_estimate(view,
			      estimate_times(ESTIMATE(law, peak, _bytes_per_second), 1 / GIGA));
		return;
	}
	view_number(view, law->greatest_bytes_per_second / GIGA);
	view_before(view, "\u2265 ");
}

static void add_row(struct view *view, const struct fathom_result *result,
		    const struct fathom_load_law *law)
{
	struct text name = {0};
	figure_name_loads(&name, result, law->curve);
	view_row(view);
	view_name_take(view, &name);
	view_estimate(view, ESTIMATE(law, idle_latency, _ns));
	view_estimate(view, estimate_times(ESTIMATE(law, knee, _bytes_per_second), 1 / GIGA));
	add_peak(view, law);
	view_number(view, law->greatest_bytes_per_second / GIGA);
	view_number(view, greatest_program(&result->curves[law->curve]) / GIGA);
	view_estimate(view, ESTIMATE(law, exponent, ));
	view_name(view, "%s", rounding_percent(law->median_error).text);
}

/* What lies before the end of a curve that does not reach the knee. */
static void add_reached(struct text *words, const struct fathom_curve *curve, double peak)
{
	if (curve->traffic == FATHOM_TRAFFIC_UNKNOWN) {
		text_add(words,
			 ": traffic up to %s GB/s, the most of this curve, does not reach the knee",
			 rounding_number(peak / GIGA).text);
		return;
	}
	text_add(words, ": %u thread%s up to %s GB/s of traffic, which does not reach the knee",
		 curve->traffic_threads, curve->traffic_threads == 1 ? " makes" : "s make",
		 rounding_number(peak / GIGA).text);
	if (isfinite(curve->all_bytes_per_second))
		text_add(words, "; it is %s of what %u CPUs read together",
			 rounding_percent(peak / curve->all_bytes_per_second).text,
			 curve->traffic_threads + 1);
}

/* Little's law: of the whole chip, and of one core that reads as fast as it can. */
static void add_lines(struct text *words, const struct fathom_curve *curve,
		      const struct fathom_load_law *law)
{
	double ns = law->idle_latency_ns / NS_A_SECOND;
	text_add(words, "; about %s lines are in flight there",
		 rounding_number(law->knee_bytes_per_second * KNEE * ns / LINE_BYTES).text);
	if (curve->one_bytes_per_second > 0)
		text_add(words, ", and %s for one core that reads alone",
			 rounding_number(curve->one_bytes_per_second * ns / LINE_BYTES).text);
}

/* What the law says: how far traffic is for free, and where it is not. */
static void add_sentence(struct view *view, const struct fathom_result *result,
			 const struct fathom_load_law *law)
{
	const struct fathom_curve *curve = &result->curves[law->curve];
	struct text words = {0};
	double peak = law->greatest_bytes_per_second;
	figure_name_loads(&words, result, law->curve);
	if (isnan(law->knee_bytes_per_second)) {
		add_reached(&words, curve, peak);
	} else {
		text_add(&words,
			 ": an access takes 1.5 times as long as without traffic at %s GB/s, which "
			 "is %s of the greatest bandwidth",
			 rounding_number(law->knee_bytes_per_second / GIGA).text,
			 rounding_percent(law->knee_bytes_per_second / peak).text);
		add_lines(&words, curve, law);
	}
	if (!is_peak_told(law) && !law->bends_back)
		text_add(&words,
			 "; the curve ends before it tells the peak, which is at least %s GB/s",
			 rounding_number(peak / GIGA).text);
	if (law->bends_back)
		text_add(&words,
			 ". It bends back: more traffic then gets only %s of the greatest "
			 "bandwidth through",
			 rounding_percent(law->bent_share).text);
	view_take(view, VIEW_ITEM, &words);
}

/* ---- the loads ---- */

static void add_load(struct view *view, const struct fathom_load *load)
{
	view_row(view);
	if (isfinite(load->wanted_bytes_per_second))
		view_number(view, load->wanted_bytes_per_second / GIGA);
	else
		view_name(view, "%s", load->block_count ? "all" : "-");
	view_estimate(view, estimate_times(ESTIMATE(load, bandwidth, _bytes_per_second), 1 / GIGA));
	view_number(view, load->program_bytes_per_second / GIGA);
	view_number(view, load->counted_read_bytes_per_second / GIGA);
	view_number(view, load->counted_write_bytes_per_second / GIGA);
	view_estimate(view, ESTIMATE(load, latency, _ns));
	view_name(view, "%s",
		  load->bursts > 0 ? rounding_percent(load->late_bursts / load->bursts).text : "-");
	view_name(view, "%s",
		  isfinite(load->concurrency) ? rounding_percent(load->concurrency).text : "-");
}

static bool is_counted(const struct fathom_curve *curve)
{
	for (size_t i = 0; i < curve->load_count; i++)
		if (isfinite(curve->loads[i].counted_read_bytes_per_second))
			return true;
	return false;
}

static void add_loads(struct view *view, const struct fathom_result *result, size_t which)
{
	const struct fathom_curve *curve = &result->curves[which];
	struct text name = {0};
	if (curve->traffic == FATHOM_TRAFFIC_UNKNOWN)
		return;
	figure_name_loads(&name, result, which);
	view_take(view, VIEW_PLAIN, &name);
	VIEW_TABLE(view, COLUMN("wanted", "GB/s"), COLUMN("traffic", "GB/s", .spread_rank = 1),
		   COLUMN("as stored", "GB/s"), COLUMN("read", "GB/s"), COLUMN("written", "GB/s"),
		   COLUMN("latency", "ns"), COLUMN("late"), COLUMN("together"));
	for (size_t i = 0; i < curve->load_count; i++)
		add_load(view, &curve->loads[i]);
	if (is_counted(curve))
		view_say(view, VIEW_NOTE, "read, written: by memory's own counters");
	view_gap(view);
}

/* Did all threads run, and was there what is said to have been? */
static void add_concurrency(struct view *view, const struct fathom_result *result)
{
	double least = INFINITY;
	uint32_t threads = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].load_count; k++) {
			least = fmin(least, result->curves[i].loads[k].concurrency);
			threads = result->curves[i].traffic_threads;
		}
	if (!isfinite(least))
		return;
	view_say(view, VIEW_NOTE,
		 "%u thread%s traffic; all threads ran together for %s of the time or more in each "
		 "visit, and no other time counts",
		 threads, threads == 1 ? " made" : "s made", rounding_percent(least).text);
}

/* What memory's own counters say to the bandwidth that the threads counted. */
static void add_agreement(struct text *words, const struct fathom_memory_count *count)
{
	switch (count->agreement) {
	case FATHOM_AGREES:
		text_add(words, ": they agree");
		break;
	case FATHOM_COUNTED_OTHERS:
		text_add(words, ": something else uses memory, %s GB/s while they make no traffic",
			 rounding_number(count->other_bytes_per_second / GIGA).text);
		break;
	case FATHOM_COUNTED_MORE:
		text_add(words, ": something else used memory, or prefetchers fetched lines that "
				"nobody wanted");
		break;
	case FATHOM_COUNTED_FEWER:
		text_add(words, ": caches served some lines, or the counters do not see all of "
				"memory");
		break;
	default:
		text_add(words, ": too uncertain to say whether they agree");
	}
}

/* Where there are several kinds of traffic it is said of the one that is off most. */
static void add_kind(struct text *words, const struct fathom_result *result, size_t which)
{
	size_t counted = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		counted += is_counted(&result->curves[i]);
	if (counted < 2 || which >= result->curve_count || !is_counted(&result->curves[which]))
		return;
	text_add(words, " with ");
	figure_name_loads(words, result, which);
	text_add(words, ", where the two differ most");
}

static void add_count(struct view *view, const struct fathom_result *result,
		      const struct fathom_memory_count *count)
{
	struct rounded range = rounding_range(count->ratio_low, count->ratio_high);
	struct text words = {0};
	if (count->missing) {
		view_say(view, VIEW_NOTE, "bandwidth is what the threads counted; %s",
			 count->missing);
		return;
	}
	if (!isfinite(count->ratio)) {
		view_say(view, VIEW_NOTE,
			 "memory's own counters say nothing: threads were away, "
			 "or the counters were not on");
		return;
	}
	text_add(&words, "memory's own counters saw %s ", rounding_number(count->ratio).text);
	if (*range.text)
		text_add(&words, "(%s) ", range.text);
	text_add(&words, "times what the threads counted");
	add_kind(&words, result, count->curve);
	add_agreement(&words, count);
	if (count->on_share < 1)
		text_add(&words, "; they were on for %s of the time, and are scaled",
			 rounding_percent(count->on_share).text);
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
		   COLUMN("peak", "GB/s"), COLUMN("seen", "GB/s"), COLUMN("as stored", "GB/s"),
		   COLUMN("exponent", .spread_rank = 1), COLUMN("off by"));
	for (size_t i = 0; i < result->load_law_count; i++)
		add_row(view, result, &result->load_laws[i]);
	view_gap(view);
	for (size_t i = 0; i < result->load_law_count; i++)
		if (view->every_point || i < MOST_SENTENCES)
			add_sentence(view, result, &result->load_laws[i]);
	for (size_t i = 0; i < result->memory_count_count; i++)
		add_count(view, result, &result->memory_counts[i]);
	add_concurrency(view, result);
	view_say(view, VIEW_NOTE,
		 "latency at bandwidth B: idle + a u / (1 - u)^exponent, u = B / peak; knee: 1.5 "
		 "times idle; off by: median deviation of the curve");
	view_gap(view);
	for (size_t i = 0; i < result->load_law_count && view->every_point; i++)
		add_loads(view, result, result->load_laws[i].curve);
}
