/* Latency under load: what was measured, and the law of it. What single accesses take. */
#include <math.h>

#include "base/names.h"
#include "document/json_read.h"
#include "document/table.h"

#define LOAD(member, type, unit, doc, ...) FIELD(load, member, type, unit, doc, ##__VA_ARGS__)

/* Of a value and its bounds, which may all be unknown. */
static bool is_inside(double value, double low, double high)
{
	return !(value < low) && !(value > high);
}

static int check_load(const struct json_path *path, void *object)
{
	const struct fathom_load *load = object;
	if (load->latency_ns < load->latency_low_ns || load->latency_ns > load->latency_high_ns)
		return json_refuse(path, "latency_ns", "is outside its interval");
	if (load->bandwidth_bytes_per_second < load->bandwidth_low_bytes_per_second ||
	    load->bandwidth_bytes_per_second > load->bandwidth_high_bytes_per_second)
		return json_refuse(path, "bandwidth_bytes_per_second", "is outside its interval");
	if (!is_inside(load->counted_read_bytes_per_second, load->counted_read_low_bytes_per_second,
		       load->counted_read_high_bytes_per_second))
		return json_refuse(path, "counted_read_bytes_per_second",
				   "is outside its interval");
	if (!is_inside(load->counted_write_bytes_per_second,
		       load->counted_write_low_bytes_per_second,
		       load->counted_write_high_bytes_per_second))
		return json_refuse(path, "counted_write_bytes_per_second",
				   "is outside its interval");
	return 0;
}

WHEN(has_wanted, load, it->block_count)

WHEN(is_counted, load, isfinite(it->counted_read_bytes_per_second))

#define SOME    .flags = FIELD_LEFT_OUT | FIELD_LATER
#define COUNTED .range = RANGE_NOT_NEGATIVE, .when = is_counted, SOME

static const struct field load_table_fields[] = {
	LOAD(read_share, NUMBER, "share", "share of reads in the traffic; null: not known",
	     .range = RANGE_SHARE, .column = 1),
	LOAD(bandwidth_bytes_per_second, NUMBER, "bytes/s",
	     "bandwidth of all traffic; near idle some tools state a little less than 0",
	     .flags = FIELD_REQUIRED, .column = 2),
	LOAD(bandwidth_low_bytes_per_second, NUMBER, "bytes/s", DOC_LOW, SOME, .column = 50),
	LOAD(bandwidth_high_bytes_per_second, NUMBER, "bytes/s", DOC_HIGH, SOME, .column = 51),
	LOAD(latency_ns, NUMBER, "ns", "latency of a dependent access meanwhile",
	     .range = RANGE_POSITIVE, .flags = FIELD_REQUIRED, .column = 3),
	LOAD(latency_low_ns, NUMBER, "ns", DOC_LOW, SOME, .column = 48),
	LOAD(latency_high_ns, NUMBER, "ns", DOC_HIGH, SOME, .column = 49),
	LOAD(program_bytes_per_second, NUMBER, "bytes/s",
	     "bandwidth without the lines that are read because they are written: what a benchmark "
	     "that stores counts",
	     .range = RANGE_NOT_NEGATIVE, SOME, .column = 52),
	LOAD(counted_read_bytes_per_second, NUMBER, "bytes/s",
	     "reads that memory's own counters saw, whoever made them; missing: not counted",
	     COUNTED, .column = 57),
	LOAD(counted_read_low_bytes_per_second, NUMBER, "bytes/s", DOC_LOW, COUNTED, .column = 58),
	LOAD(counted_read_high_bytes_per_second, NUMBER, "bytes/s", DOC_HIGH, COUNTED,
	     .column = 59),
	LOAD(counted_write_bytes_per_second, NUMBER, "bytes/s",
	     "writes that memory's own counters saw", COUNTED, .column = 60),
	LOAD(counted_write_low_bytes_per_second, NUMBER, "bytes/s", DOC_LOW, COUNTED, .column = 61),
	LOAD(counted_write_high_bytes_per_second, NUMBER, "bytes/s", DOC_HIGH, COUNTED,
	     .column = 62),
	LOAD(wanted_bytes_per_second, NUMBER, "bytes/s",
	     "traffic that the other CPUs were to make; null: as much as they could",
	     .range = RANGE_NOT_NEGATIVE, .when = has_wanted, SOME, .column = 53),
	LOAD(bursts, NUMBER, NULL, "bursts of lines that were to begin at a time",
	     .range = RANGE_NOT_NEGATIVE, SOME, .column = 54),
	LOAD(late_bursts, NUMBER, NULL, "those that began after the time of the next one",
	     .range = RANGE_NOT_NEGATIVE, SOME, .column = 55),
	LOAD(concurrency, NUMBER, "share",
	     "share of the time that all threads ran: no other counts. Of the visit where it was "
	     "least",
	     .range = RANGE_SHARE, SOME, .column = 56),
	LOAD(disturbed, COUNT, NULL, "number of visits that were thrown away", SOME),
	FIELD_AS("visits_ns", load, blocks_ns, NUMBERS, "ns",
		 "latency of each visit, in the order measured",
		 .count = offsetof(struct fathom_load, block_count), SOME),
};
TABLE(load_table, load, "load", "latency while others make traffic", .check = check_load);

static int check_law(const struct json_path *path, void *object)
{
	const struct fathom_load_law *law = object;
	if (!is_inside(law->idle_latency_ns, law->idle_latency_low_ns, law->idle_latency_high_ns))
		return json_refuse(path, "idle_latency_ns", "is outside its interval");
	if (!is_inside(law->peak_bytes_per_second, law->peak_low_bytes_per_second,
		       law->peak_high_bytes_per_second))
		return json_refuse(path, "peak_bytes_per_second", "is outside its interval");
	if (!is_inside(law->knee_bytes_per_second, law->knee_low_bytes_per_second,
		       law->knee_high_bytes_per_second))
		return json_refuse(path, "knee_bytes_per_second", "is outside its interval");
	if (!is_inside(law->exponent, law->exponent_low, law->exponent_high))
		return json_refuse(path, "exponent", "is outside its interval");
	if (law->knee_bytes_per_second > law->peak_bytes_per_second)
		return json_refuse(path, "knee_bytes_per_second", "is above the peak");
	return 0;
}

#define LAW(member, type, unit, doc, ...) FIELD(load_law, member, type, unit, doc, ##__VA_ARGS__)
#define RATE(member, doc, ...)                                                                     \
	LAW(member, NUMBER, "bytes/s", doc, .range = RANGE_POSITIVE, ##__VA_ARGS__)

static const struct field load_law_table_fields[] = {
	LAW(curve, INDEX, NULL, "index in curves of the loads", .unknown = -1,
	    .flags = FIELD_REQUIRED),
	LAW(read_share, NUMBER, "share", "share of reads in the traffic; null: not known",
	    .range = RANGE_SHARE),
	LAW(idle_latency_ns, NUMBER, "ns", "latency without traffic: L0", .range = RANGE_POSITIVE,
	    .column = 44),
	BOUNDS(load_law, idle_latency_low_ns, idle_latency_high_ns, "ns"),
	LAW(rise_ns, NUMBER, "ns", "a of L(B) = L0 + a u / (1 - u)^p, u being B over the peak",
	    .range = RANGE_NOT_NEGATIVE),
	RATE(peak_bytes_per_second, "bandwidth that latency grows towards without end: Bmax",
	     .column = 46),
	BOUNDS(load_law, peak_low_bytes_per_second, peak_high_bytes_per_second, "bytes/s"),
	RATE(knee_bytes_per_second,
	     "bandwidth at which latency is 1.5 times the idle one; null: the curve ends before",
	     .column = 45),
	BOUNDS(load_law, knee_low_bytes_per_second, knee_high_bytes_per_second, "bytes/s"),
	LAW(exponent, NUMBER, NULL, "p", .range = RANGE_POSITIVE, .column = 47),
	BOUNDS(load_law, exponent_low, exponent_high, NULL),
	RATE(greatest_bytes_per_second, "greatest bandwidth of the curve"),
	LAW(bends_back, BOOLEAN, NULL, "whether more traffic gets less through past the peak"),
	LAW(bent_share, NUMBER, "share",
	    "share of the greatest bandwidth that is left at the greatest latency then; else 1",
	    .range = RANGE_SHARE),
	LAW(median_error, NUMBER, "share", "median deviation of the curve from the law",
	    .range = RANGE_NOT_NEGATIVE),
};
TABLE(load_law_table, load_law, "load_law", "latency against the bandwidth of all traffic",
      .check = check_law);

WHEN(is_missing, memory_count, it->missing)
WHEN(has_counters, memory_count, !it->missing)
WHEN(has_ratio, memory_count, !it->missing && isfinite(it->ratio))

#define MEMORY_COUNT(member, type, unit, doc, ...)                                                 \
	FIELD(memory_count, member, type, unit, doc, ##__VA_ARGS__)
#define RATIO(member, doc)                                                                         \
	MEMORY_COUNT(member, NUMBER, NULL, doc, .range = RANGE_NOT_NEGATIVE, SEEN)
#define SEEN .when = has_counters, .flags = FIELD_LEFT_OUT

static int check_memory_count(const struct json_path *path, void *object)
{
	const struct fathom_memory_count *count = object;
	return is_inside(count->ratio, count->ratio_low, count->ratio_high)
		       ? 0
		       : json_refuse(path, "ratio", "is outside its interval");
}

static const struct field memory_count_table_fields[] = {
	MEMORY_COUNT(missing, TEXT, NULL, "why nothing was counted", .when = is_missing,
		     .flags = FIELD_LEFT_OUT),
	MEMORY_COUNT(counters, TEXTS, NULL,
		     "counters of memory's controllers that were asked: device/event/", SEEN),
	MEMORY_COUNT(on_share, NUMBER, "share",
		     "share of the time that they counted, of the visit where it was least; under "
		     "1 the counts are scaled",
		     .range = RANGE_SHARE, SEEN),
	MEMORY_COUNT(curve, INDEX, NULL, "index in curves of the one where the two differ most",
		     .unknown = -1, .when = has_ratio, .flags = FIELD_LEFT_OUT),
	RATIO(ratio, "counted reads and writes over the bandwidth that the threads counted: median "
		     "of that curve's loads with traffic"),
	RATIO(ratio_low, DOC_LOW),
	RATIO(ratio_high, DOC_HIGH),
	MEMORY_COUNT(other_bytes_per_second, NUMBER, "bytes/s",
		     "what is counted without traffic, beside the chain: what others use",
		     .range = RANGE_NOT_NEGATIVE, SEEN),
	MEMORY_COUNT(agreement, NAME, NULL,
		     "whether the two agree: agrees; others (more was counted, and as much more "
		     "without traffic); more; fewer; unknown",
		     NAMED(agreement_name, FATHOM_AGREEMENT_UNKNOWN), SEEN),
};
TABLE(memory_count_table, memory_count, "memory_count",
      "memory's own counters, against what threads count that make traffic",
      .check = check_memory_count);

#define QUANTILE(member, type, unit, doc, ...)                                                     \
	FIELD(quantile, member, type, unit, doc, ##__VA_ARGS__)

static const struct field quantile_table_fields[] = {
	QUANTILE(share, NUMBER, "share", "share of the accesses that take at most that long",
		 .range = RANGE_SHARE, .flags = FIELD_REQUIRED),
	QUANTILE(latency_ns, NUMBER, "ns", "that latency", .range = RANGE_POSITIVE,
		 .flags = FIELD_REQUIRED),
	BOUNDS(quantile, latency_low_ns, latency_high_ns, "ns"),
};
TABLE(quantile_table, quantile, "quantile", "a percentile of the latency of single accesses");

static const struct field bin_table_fields[] = {
	FIELD(bin, low_ns, NUMBER, "ns", "lower end", .range = RANGE_POSITIVE,
	      .flags = FIELD_REQUIRED, .column = 3),
	FIELD(bin, high_ns, NUMBER, "ns", "upper end, excluded", .range = RANGE_POSITIVE,
	      .flags = FIELD_REQUIRED, .column = 4),
	FIELD(bin, accesses, SIZE, NULL, "accesses that took so long", .column = 5),
};
TABLE(bin_table, bin, "bin",
      "a bin of a histogram of single accesses, as an HdrHistogram of two digits has them");

#define MODE(member, type, unit, doc, ...) FIELD(mode, member, type, unit, doc, ##__VA_ARGS__)

WHEN(has_without, mode, isfinite(it->without_ns))

static const struct field mode_table_fields[] = {
	MODE(kind, NAME, NULL,
	     "who served these accesses, or what made them so long: a cache, memory, refresh of "
	     "memory, an interruption (by an interrupt, or by the host), or not known; of "
	     "memory's, told by a control: a TLB missed, the row of a bank was open, or was not",
	     NAMED(mode_kind_name, FATHOM_MODE_UNKNOWN)),
	MODE(level, TEXT, NULL, "the cache; absent: which one is not known"),
	MODE(share, NUMBER, "share", "share of the accesses", .range = RANGE_SHARE),
	MODE(latency_ns, NUMBER, "ns", "latency where they are densest", .range = RANGE_POSITIVE),
	MODE(low_ns, NUMBER, "ns", "20th of its accesses take less", .range = RANGE_POSITIVE),
	MODE(high_ns, NUMBER, "ns", "20th of its accesses take more", .range = RANGE_POSITIVE),
	MODE(without_ns, NUMBER, "ns",
	     "kinds tlb_miss and row_miss: what accesses of the control take instead",
	     .range = RANGE_POSITIVE, .when = has_without, .flags = FIELD_LEFT_OUT | FIELD_LATER),
};
TABLE(mode_table, mode, "mode", "a latency round which single accesses gather");

#define SLICE(member, type, unit, doc, ...) FIELD(slice, member, type, unit, doc, ##__VA_ARGS__)

static int check_slice(const struct json_path *path, void *object)
{
	const struct fathom_slice *slice = object;
	size_t accesses = 0;
	for (size_t i = 0; i < slice->bin_count; i++)
		accesses += slice->bins[i].accesses;
	if (accesses != slice->accesses)
		return json_refuse(path, "bins", "do not add up to 'accesses'");
	return slice->end_s > slice->start_s ? 0
					     : json_refuse(path, "end_s", "is not after 'start_s'");
}

static const struct field slice_table_fields[] = {
	SLICE(start_s, NUMBER, "s", "when it began, since the first access",
	      .range = RANGE_NOT_NEGATIVE, .flags = FIELD_REQUIRED),
	SLICE(end_s, NUMBER, "s", "when it ended", .range = RANGE_POSITIVE,
	      .flags = FIELD_REQUIRED),
	SLICE(accesses, SIZE, NULL, "accesses that began in it"),
	SLICE(p50_ns, NUMBER, "ns", "median; null: too few accesses", .range = RANGE_POSITIVE),
	SLICE(p99_ns, NUMBER, "ns", "99th percentile", .range = RANGE_POSITIVE),
	SLICE(p999_ns, NUMBER, "ns", "99.9th percentile", .range = RANGE_POSITIVE),
	SLICE(greatest_ns, NUMBER, "ns", "the greatest", .range = RANGE_POSITIVE),
	LIST(slice, bins, bin_count, bin_table, "histogram: 8 bins an octave, that have accesses"),
};
TABLE(slice_table, slice, "slice", "what single accesses take in a part of the time",
      .check = check_slice);

WHEN(is_own, distribution, it->counter)
WHEN(has_slices, distribution, it->slice_count)

#define OWN .when = is_own, .flags = FIELD_LEFT_OUT | FIELD_LATER
#define DISTRIBUTION(member, type, unit, doc, ...)                                                 \
	FIELD(distribution, member, type, unit, doc, ##__VA_ARGS__)

static int check_distribution(const struct json_path *path, void *object)
{
	const struct fathom_distribution *distribution = object;
	size_t accesses = 0;
	for (size_t i = 0; i < distribution->bin_count; i++)
		accesses += distribution->bins[i].accesses;
	if (accesses != distribution->accesses)
		return json_refuse(path, "bins", "do not add up to 'accesses'");
	for (size_t i = 1; i < distribution->quantile_count; i++)
		if (distribution->quantiles[i].latency_ns <
			    distribution->quantiles[i - 1].latency_ns ||
		    distribution->quantiles[i].share <= distribution->quantiles[i - 1].share)
			return json_refuse(path, "quantiles", "do not ascend");
	if (!is_inside(distribution->refresh_period_ns, distribution->refresh_period_low_ns,
		       distribution->refresh_period_high_ns))
		return json_refuse(path, "refresh_period_ns", "is outside its interval");
	return 0;
}

static const struct field distribution_table_fields[] = {
	DISTRIBUTION(curve, INDEX, NULL, "index in curves of the accesses", .unknown = -1,
		     .flags = FIELD_REQUIRED),
	DISTRIBUTION(accesses, SIZE, NULL, "how many there are"),
	DISTRIBUTION(mean_ns, NUMBER, "ns", "mean latency", .range = RANGE_POSITIVE),
	LIST(distribution, quantiles, quantile_count, quantile_table,
	     "percentiles, from the least to the greatest latency"),
	LIST(distribution, bins, bin_count, bin_table,
	     "histogram: bins that have accesses, ascending"),
	LIST(distribution, modes, mode_count, mode_table, "modes, ascending by latency"),
	DISTRIBUTION(refresh_looked_for, BOOLEAN, NULL,
		     "whether it is known when each access began, so that refresh would be seen"),
	DISTRIBUTION(refresh_period_ns, NUMBER, "ns",
		     "time between two refreshes of the memory; null: none was found",
		     .range = RANGE_POSITIVE),
	BOUNDS(distribution, refresh_period_low_ns, refresh_period_high_ns, "ns"),
	DISTRIBUTION(refresh_share, NUMBER, "share",
		     "share of the accesses that wait for a refresh; null: no period was found",
		     .range = RANGE_SHARE, .flags = FIELD_LATER),
	DISTRIBUTION(counter, TEXT, NULL, "counter that fathom timed them with", OWN),
	DISTRIBUTION(counter_step_ns, NUMBER, "ns",
		     "the least that the counter moves by; 0: no step can be seen",
		     .range = RANGE_NOT_NEGATIVE, OWN),
	DISTRIBUTION(run_accesses, COUNT, NULL,
		     "accesses that were timed together: their means stand in place of single ones",
		     .range = RANGE_POSITIVE, OWN),
	DISTRIBUTION(timing_ns, NUMBER, "ns", "what timing takes, which was taken off", OWN),
	DISTRIBUTION(timing_low_ns, NUMBER, "ns", DOC_LOW, OWN),
	DISTRIBUTION(timing_high_ns, NUMBER, "ns", DOC_HIGH, OWN),
	DISTRIBUTION(
		timing_spread_ns, NUMBER, "ns",
		"width of the range of nine tenths of what timing takes, which is not taken off",
		.range = RANGE_NOT_NEGATIVE, OWN),
	DISTRIBUTION(chain_ns, NUMBER, "ns",
		     "what an access along the same chain takes, of many timed at once; null: of "
		     "flushed lines",
		     .range = RANGE_POSITIVE, OWN),
	DISTRIBUTION(interrupts, NUMBER, NULL,
		     "interrupts of the CPU while the accesses were timed; null: not known",
		     .range = RANGE_NOT_NEGATIVE, OWN),
	DISTRIBUTION(switches, NUMBER, NULL, "times that the thread lost the CPU to another one",
		     .range = RANGE_NOT_NEGATIVE, OWN),
	DISTRIBUTION(waited_ns, NUMBER, "ns", "time that it waited for the CPU then",
		     .range = RANGE_NOT_NEGATIVE, OWN),
	DISTRIBUTION(stolen_ns, NUMBER, "ns", "time for which the host took the CPU",
		     .range = RANGE_NOT_NEGATIVE, OWN),
	DISTRIBUTION(slice_s, NUMBER, "s", "time of each slice", .range = RANGE_POSITIVE,
		     .when = has_slices, .flags = FIELD_LEFT_OUT | FIELD_LATER),
	LIST(distribution, slices, slice_count, slice_table, "the same, slice by slice of the time",
	     .when = has_slices, .flags = FIELD_LEFT_OUT | FIELD_LATER),
};
TABLE(distribution_table, distribution, "distribution", "what single accesses take",
      .check = check_distribution);
