#include "model/parallelism/mlp_limit.h"

#include <math.h>

#include "base/error.h"
#include "base/point.h"
#include "base/text.h"
#include "base/units.h"
#include "model/past_caches.h"

#define WALKS_COST 1.10 /* times what an access takes with larger pages */
/* Of what one thread reads in order. What reads far less than the lanes bring reached no limit of
 * bandwidth itself. */
#define NEAR_BANDWIDTH 0.80
#define OVER_BANDWIDTH 1.25
/* Of lanes that are at most half of those that overlap: what they gain of their number. In surveys
 * of three machines 0.93 and more; 0.56 and 0.65 where other guests took the cache meanwhile. */
#define FEW_GAIN 0.8

struct question {
	const struct fathom_result *result;
	const struct fathom_parallelism *asked;
	const struct mlp *mlp;
};

/* Each gives its evidence if that is the limit, else NULL; *failed: memory ran out. */
typedef char *ask(const struct question *question, bool *failed);

/* What `text_format` gave. */
static char *say(char *evidence, bool *failed)
{
	*failed |= !evidence;
	return evidence;
}

static char *ask_loop(const struct question *question, bool *failed)
{
	double ns = question->asked->ns_per_access;
	double floor_ns = question->mlp->saturation.floor_ns;
	if (floor_ns > ns) /* a disturbed one: the loop takes no more than it took */
		floor_ns = ns;
	if (!(ns <= POINT_NEAR_FLOOR * floor_ns))
		return NULL;
	if (question->mlp->in_first_cache)
		return say(text_format("all accesses hit L1, and the loop takes %.3g ns for each, "
				       "whatever they wait for",
				       ns),
			   failed);
	return say(text_format("an access takes %.3g ns, and %.3g ns when all of them hit L1", ns,
			       floor_ns),
		   failed);
}

static char *ask_lanes(const struct question *question, bool *failed)
{
	if (question->asked->saturated)
		return NULL;
	return say(
		text_format("throughput still rises at %u lanes", question->mlp->saturation.last),
		failed);
}

/* ---- walkers ---- */

static bool has_larger_pages(const struct fathom_point *point, const struct fathom_point *than)
{
	if (point->page_bytes && than->page_bytes)
		return point->page_bytes > than->page_bytes;
	return than->spec.page == FATHOM_PAGE_4K && point->spec.page > FATHOM_PAGE_4K;
}

static bool same_but_pages(const struct fathom_spec *a, const struct fathom_spec *b)
{
	return a->size_bytes == b->size_bytes && a->node_bytes == b->node_bytes &&
	       a->pattern == b->pattern && a->link == b->link;
}

/* The same lanes in the largest pages there are, if these are larger; NULL: none. */
static const struct fathom_parallelism *find_larger(const struct question *question)
{
	const struct fathom_curve *curves = question->result->curves;
	const struct fathom_point *best = curves[question->asked->curve].points;
	const struct fathom_parallelism *found = NULL;
	for (size_t i = 0; i < question->result->parallelism_count; i++) {
		const struct fathom_parallelism *other = &question->result->parallelism[i];
		const struct fathom_point *point = curves[other->curve].points;
		if (!same_but_pages(&point->spec, &best->spec) || !has_larger_pages(point, best))
			continue;
		best = point;
		found = other;
	}
	return found;
}

/* A buffer is taken for the miss itself, not for the walk before it: as long as there are walkers
 * enough, walks hide behind other misses, and smaller pages cost latency but no throughput. */
static char *ask_walkers(const struct question *question, bool *failed)
{
	const struct fathom_parallelism *asked = question->asked;
	const struct fathom_parallelism *larger = find_larger(question);
	char size[UNITS_TEXT_BYTES];
	if (!larger || !(asked->ns_per_access > WALKS_COST * larger->ns_per_access) ||
	    !(asked->latency_ns > larger->latency_ns) ||
	    asked->low_ns_per_access < larger->high_ns_per_access)
		return NULL;
	uint64_t page_bytes = question->result->curves[larger->curve].points->page_bytes;
	return say(text_format("on %s pages an access takes %.3g ns instead of %.3g ns, and a core "
			       "does few page walks at once",
			       page_bytes ? units_format_size(page_bytes, size) : "larger",
			       larger->ns_per_access, asked->ns_per_access),
		   failed);
}

/* ---- bandwidth, buffers ---- */

/* Do the threads share what holds the size? Memory, or by the OS a cache of so many CPUs. */
static bool is_shared(const struct fathom_result *result, const struct fathom_parallelism *found)
{
	const struct fathom_machine *machine = result->machine;
	size_t i = 0, count = machine ? machine->cache_count : 0;
	while (i < count && (machine->caches[i].kind == FATHOM_CACHE_INSTRUCTION ||
			     machine->caches[i].size_bytes < found->size_bytes))
		i++;
	return past_caches(result, found) || (count && i == count) ||
	       (i < count && machine->caches[i].shared_cpus >= found->all_threads);
}

/* Of one thread in address order; what its own misses allow looks the same. Only of what threads
 * share do all of them together tell the two apart: caches of their own add up anyway. */
static char *ask_bandwidth(const struct question *question, bool *failed)
{
	const struct fathom_parallelism *asked = question->asked, *reader = asked;
	const struct fathom_parallelism *larger = find_larger(question);
	double lanes = asked->bytes_per_second;
	if (!isfinite(asked->read_bytes_per_second) && larger)
		reader = larger; /* which reading in order hardly differs in */
	double read = reader->read_bytes_per_second, all = reader->all_bytes_per_second;
	bool known = reader->all_threads > 1 && is_shared(question->result, reader);
	if (question->mlp->in_first_cache ||
	    !(lanes >= NEAR_BANDWIDTH * read && lanes <= OVER_BANDWIDTH * read) ||
	    (known && all > OVER_BANDWIDTH * read))
		return NULL;
	return say(text_format("lines arrive at %.3g GB/s in random order; one thread reads %.3g "
			       "GB/s in address order%s",
			       lanes / 1e9, read / 1e9,
			       known ? ", and all threads together hardly more"
				     : ", which outstanding misses may limit as well"),
		   failed);
}

/* Until the buffers are full, lanes hardly disturb each other. */
static char *ask_slowed(const struct question *question, bool *failed)
{
	const struct fathom_curve *curve = &question->result->curves[question->asked->curve];
	const struct fathom_point *one = curve->points, *few = NULL;
	for (size_t i = 1; i < curve->point_count; i++)
		if (curve->points[i].spec.lanes <= question->asked->speedup / 2 &&
		    isfinite(point_ns(&curve->points[i])))
			few = &curve->points[i];
	if (!few || question->mlp->in_first_cache)
		return NULL;
	double gain = point_ns(one) / point_ns(few);
	if (gain >= FEW_GAIN * few->spec.lanes)
		return NULL;
	return say(text_format("%u lanes are but %.3g times as fast as one, far from where misses "
			       "that can be outstanding end it: something slows each access once "
			       "there are several",
			       few->spec.lanes, gain),
		   failed);
}

static char *ask_buffers(const struct question *question, bool *failed)
{
	if (question->mlp->in_first_cache)
		return NULL;
	if (question->mlp->saturation.may_rise)
		return say(text_format("throughput rises but little up to %u lanes, the most "
				       "measured (more may gain a little), and no other limit "
				       "explains that",
				       question->mlp->saturation.last),
			   failed);
	return say(text_format("more lanes gain nothing that can be told from noise, and no other "
			       "limit explains that"),
		   failed);
}

/* Where nothing misses, memory has no part in it, whether the loop's own cost is known or not. */
static char *ask_core(const struct question *question, bool *failed)
{
	(void)question;
	return say(text_format("all accesses hit L1: no miss is waited for, and what is left is "
			       "the core itself"),
		   failed);
}

int mlp_limit_find(struct fathom_result *result, const struct mlp *mlps, struct fathom_error *error)
{
	static const struct {
		enum fathom_limit limit;
		ask *ask;
	} questions[] = {
		{FATHOM_LIMIT_LOOP, ask_loop},       {FATHOM_LIMIT_LANES, ask_lanes},
		{FATHOM_LIMIT_WALKERS, ask_walkers}, {FATHOM_LIMIT_BANDWIDTH, ask_bandwidth},
		{FATHOM_LIMIT_UNKNOWN, ask_slowed},  {FATHOM_LIMIT_BUFFERS, ask_buffers},
		{FATHOM_LIMIT_LOOP, ask_core},
	};
	for (size_t i = 0; i < result->parallelism_count; i++) {
		struct fathom_parallelism *found = &result->parallelism[i];
		const struct question question = {result, found, &mlps[i]};
		bool failed = false;
		for (size_t k = 0; !found->evidence && !failed; k++) {
			found->limit = questions[k].limit;
			found->evidence = questions[k].ask(&question, &failed);
		}
		if (failed)
			return error_no_memory(error);
	}
	return 0;
}
