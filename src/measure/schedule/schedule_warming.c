/* How the caches are filled before a block, and how long that takes. */
#include <math.h>

#include "base/patterns.h"
#include "measure/schedule/schedule.h"
#include "measure/spec.h"

/* fewer do not separate the effect of a placement from that of the moment */
#define LARGEST_CACHE_BYTES (256ull << 20) /* of one core's, until a first pass has shown it */
#define SHARED_LINE_VISITS  8
#define LONGEST_STEADY_S    0.005
/* Of the budget, or half of a size's share where that is more. */
#define LONGEST_ALONE_SHARE 0.001
/* For planning alone: laps that fill the caches, and how much sooner several lanes make a hop. */
#define USUAL_WARM_LAPS 3
/* times: of sizes where the last cache ends */
#define USUAL_OVERLAP     6
#define RESISTING_CACHES  4
#define LONGEST_LAP_SHARE 0.01 /* of the budget */
#define BIMODAL_PART      16   /* one in so many blocks is more than accidents are */
#define FEWEST_BIMODAL    SCHEDULE_FEWEST_BLOCKS /* as a size has that a cache keeps a part of */
#define WHOLE_BYTES       (32ull << 20)
/* A chain so long has page tables of 1 MiB and more on pages of 4 KiB, about what the second cache
 * of a core holds. Past it, they compete with neighbours for the last cache. Lanes that fill caches
 * go to each table so often that it stays there; a chase does not. (Zen 4 guest beside neighbours,
 * one run: 1 GiB took 193 ns after the lanes, 296 after 20 ms alone, 280 after 50; a plain C loop
 * 217 to 266; 256 MiB took 173, 169 and 169.) */
#define TABLES_BYTES     (512ull << 20)
#define TABLES_SETTLE_NS 2e7

static uint64_t lap_hops(const struct accumulator *accumulator)
{
	uint64_t accesses = spec_accesses(&accumulator->spec);
	return accumulator->spec.laps ? accesses * accumulator->spec.laps : accesses;
}

/* Hops that touch nearly all lines of so many bytes, at most a lap: one a line, or where several
 * nodes share a line and a hop often finds one that was touched, SHARED_LINE_VISITS (leaves 0.03 %;
 * with 3, which leaves 5 %, a simulated cache of 10.5 ns read 11.1); where the order goes from one
 * place on to the next, all nodes of them. */
static uint64_t covering_hops(const struct schedule *schedule,
			      const struct accumulator *accumulator, uint64_t bytes)
{
	uint64_t lap = lap_hops(accumulator), hops = bytes / schedule->line_bytes;
	if (pattern_traits(accumulator->spec.pattern)->cover == PATTERN_COVERS_IN_TURN)
		hops = bytes / accumulator->spec.node_bytes;
	else if (accumulator->spec.node_bytes < schedule->line_bytes)
		hops *= SHARED_LINE_VISITS;
	return hops < lap ? hops : lap;
}

static uint64_t reach_of(const struct schedule *schedule)
{
	return schedule->reach_bytes ? schedule->reach_bytes : LARGEST_CACHE_BYTES;
}

/* A cache that resists thrashing keeps a part of a chain several times as large, which part only a
 * whole lap decides; where that takes too long, it will not be seen. */
static bool may_be_kept(const struct schedule *schedule, uint64_t size_bytes)
{
	return size_bytes <= RESISTING_CACHES * reach_of(schedule) && size_bytes <= WHOLE_BYTES;
}

/* What the last cache can hold. Of a reach the octave is known: the OS may know more. */
static uint64_t held_bytes(const struct schedule *schedule)
{
	uint64_t reach_bytes = schedule->reach_bytes, cache_bytes = schedule->cache_bytes;
	if (!reach_bytes)
		return cache_bytes && 2 * cache_bytes < LARGEST_CACHE_BYTES ? 2 * cache_bytes
									    : LARGEST_CACHE_BYTES;
	return cache_bytes >= reach_bytes / 2 && cache_bytes < reach_bytes ? cache_bytes
									   : reach_bytes;
}

/* The whole chain, or as much as the last cache can hold: what was built and lies ahead must be
 * gone. */
static uint64_t warm_hops(const struct schedule *schedule, const struct accumulator *accumulator)
{
	const struct fathom_spec *spec = &accumulator->spec;
	bool index = pattern_traits(spec->pattern)->kernel == KERNEL_INDEX_ARRAY;
	if (!may_be_kept(schedule, index ? spec_memory_bytes(spec) : spec->size_bytes))
		return covering_hops(schedule, accumulator, held_bytes(schedule));
	if (index) /* a lap reads all of the array, and a part of one only that part */
		return lap_hops(accumulator);
	return covering_hops(schedule, accumulator, spec->size_bytes);
}

bool schedule_is_bimodal(const struct schedule *schedule, const struct accumulator *accumulator)
{
	const struct fathom_spec *spec = &accumulator->spec;
	return schedule->bimodal_count >= FEWEST_BIMODAL &&
	       schedule->bimodal_count * BIMODAL_PART > schedule->block_count &&
	       spec->pattern == FATHOM_RANDOM_CYCLE && spec->warmth == FATHOM_WARM &&
	       may_be_kept(schedule, spec->size_bytes);
}

uint64_t schedule_fewest_hops(const struct schedule *schedule,
			      const struct accumulator *accumulator)
{
	double lap_s = (double)lap_hops(accumulator) * accumulator_median_ns(accumulator) * 1e-9;
	bool worth = lap_s < LONGEST_LAP_SHARE * schedule->budget_s;
	return worth && schedule_is_bimodal(schedule, accumulator) ? lap_hops(accumulator) : 0;
}

/* A chase that is about as large as the last cache may lose what several lanes could keep there: it
 * has to show that it does not. Of smaller ones nothing is lost, of larger ones nothing is kept. */
static uint64_t alone_hops(const struct schedule *schedule, const struct accumulator *accumulator)
{
	uint64_t size_bytes = accumulator->spec.size_bytes, reach_bytes = schedule->reach_bytes;
	bool may_lose = !reach_bytes || (size_bytes > reach_bytes / 2 && size_bytes <= reach_bytes);
	return may_lose && schedule->has_cliffs ? covering_hops(schedule, accumulator, size_bytes)
						: 0;
}

static double longest_alone_s(const struct schedule *schedule)
{
	double share = 0.5 / SCHEDULE_FEWEST_BLOCKS / (double)schedule->count;
	return schedule->budget_s * fmax(share, LONGEST_ALONE_SHARE);
}

static double tables_settle_ns(const struct fathom_spec *spec)
{
	bool waits = pattern_is_alike(spec->pattern) && !spec_overlaps(spec);
	return waits && spec->size_bytes >= TABLES_BYTES ? TABLES_SETTLE_NS : 0;
}

void schedule_warming(const struct schedule *schedule, const struct accumulator *accumulator,
		      bool again, struct sampler_options *options)
{
	options->lap_hops = lap_hops(accumulator);
	bool settled = accumulator->spec.warmth == FATHOM_SETTLED;
	options->settle_ns = settled ? SAMPLER_SETTLE_NS
			     : again ? 0
				     : tables_settle_ns(&accumulator->spec);
	/* Of a settled chain they are not: others take lines in bursts. */
	options->alike = pattern_is_alike(accumulator->spec.pattern) &&
			 !pattern_overlaps(accumulator->spec.pattern) && !settled;
	/* What co-tenants evict during a block is back before the next: else a block would take the
	 * longer the more of them a visit has. */
	bool filled = again && !may_be_kept(schedule, accumulator->spec.size_bytes);
	options->warm_hops = filled ? 0 : warm_hops(schedule, accumulator);
	/* What streams through more than most caches hold finds little of the last lap. */
	options->warm_once = again || (pattern_streams(accumulator->spec.pattern) &&
				       accumulator->spec.size_bytes > WHOLE_BYTES);
	options->alone_hops = alone_hops(schedule, accumulator);
	options->warm_ns =
		1e9 * (options->alone_hops ? longest_alone_s(schedule) : LONGEST_STEADY_S);
}

double schedule_usual_warm_s(const struct schedule *schedule, const struct accumulator *accumulator)
{
	double hop_s = accumulator_median_ns(accumulator) * 1e-9;
	uint64_t hops = warm_hops(schedule, accumulator);
	double laps = hops == lap_hops(accumulator) ? USUAL_WARM_LAPS : 1;
	double alone_s =
		fmin(longest_alone_s(schedule), (double)alone_hops(schedule, accumulator) * hop_s);
	return laps * (double)hops * hop_s / USUAL_OVERLAP + alone_s;
}
