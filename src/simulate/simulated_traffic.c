#include "simulate/simulated_traffic.h"

#include <math.h>

#define ENTRY_BYTES 8 /* of a page table */

/* ---- what a few at a time can have ---- */

/* No more than the lanes can ever be asked for. */
static struct traffic_pool make_pool(uint64_t size, unsigned lane_count)
{
	struct traffic_pool pool = {.size = size < lane_count ? (unsigned)size : 0};
	pool.free_count = pool.size;
	for (unsigned i = 0; i < pool.size; i++)
		pool.freed_ns[i] = -INFINITY;
	return pool;
}

static void wait_for(struct simulated_traffic *traffic, struct traffic_pool *pool,
		     struct traffic_lane *lane)
{
	unsigned place = (pool->first_waiting + pool->waiting_count++) % TRAFFIC_MOST_LANES;
	pool->waiting[place] = (unsigned char)(lane - traffic->lanes);
	lane->waits = true;
}

/* Who has waited longest goes on; NULL: nobody waits. */
static struct traffic_lane *wake(struct simulated_traffic *traffic, struct traffic_pool *pool,
				 double now_ns)
{
	if (!pool->waiting_count)
		return NULL;
	unsigned number = pool->waiting[pool->first_waiting];
	struct traffic_lane *lane = &traffic->lanes[number];
	pool->first_waiting = (pool->first_waiting + 1) % TRAFFIC_MOST_LANES;
	pool->waiting_count--;
	lane->waits = false;
	lane->at_ns = now_ns;
	event_queue_put(&traffic->queue, now_ns, number);
	return lane;
}

/* One that is free, or the one that is first to be; or the lane waits. */
static bool claim(struct simulated_traffic *traffic, struct traffic_pool *pool,
		  struct traffic_lane *lane)
{
	unsigned first = 0;
	if (!pool->size)
		return true;
	if (!pool->free_count) {
		wait_for(traffic, pool, lane);
		return false;
	}
	for (unsigned i = 1; i < pool->free_count && pool->freed_ns[first] > lane->at_ns; i++)
		if (pool->freed_ns[i] < pool->freed_ns[first])
			first = i;
	lane->at_ns = event_later(lane->at_ns, pool->freed_ns[first]);
	pool->freed_ns[first] = pool->freed_ns[--pool->free_count];
	return true;
}

/* The lane has what it waited for, or could have at once. */
static void claimed(const struct simulated_traffic *traffic, const struct traffic_pool *pool,
		    struct traffic_lane *lane)
{
	if (pool == &traffic->walkers)
		lane->stage = TRAFFIC_SLOTS;
	else
		lane->slots++;
}

static void release(struct simulated_traffic *traffic, struct traffic_pool *pool, double now_ns)
{
	if (!pool->size)
		return;
	struct traffic_lane *next = wake(traffic, pool, now_ns);
	if (next)
		claimed(traffic, pool, next);
	else
		pool->freed_ns[pool->free_count++] = now_ns;
}

/* ---- the order of the program ---- */

/* Of the access that the lane is at. */
static uint64_t place_of(const struct simulated_traffic *traffic, const struct traffic_lane *lane)
{
	return lane->ended * traffic->lane_count + (uint64_t)(lane - traffic->lanes);
}

static bool is_too_early(const struct simulated_traffic *traffic, const struct traffic_lane *lane)
{
	return traffic->window &&
	       place_of(traffic, lane) >= traffic->oldest_place + traffic->window;
}

/* Those that are not too early any more. */
static void wake_early(struct simulated_traffic *traffic, double now_ns)
{
	struct traffic_pool *order = &traffic->order;
	for (unsigned i = order->waiting_count; i; i--) {
		struct traffic_lane *lane = &traffic->lanes[order->waiting[order->first_waiting]];
		if (!is_too_early(traffic, lane)) {
			wake(traffic, order, now_ns);
			continue;
		}
		order->first_waiting = (order->first_waiting + 1) % TRAFFIC_MOST_LANES;
		order->waiting_count--;
		wait_for(traffic, order, lane);
	}
}

static void end_access(struct simulated_traffic *traffic, struct traffic_lane *lane)
{
	uint64_t before = traffic->oldest_place;
	lane->ended++;
	lane->stage = TRAFFIC_READY;
	while (place_of(traffic, &traffic->lanes[traffic->oldest_lane]) > traffic->oldest_place) {
		traffic->oldest_place++;
		if (++traffic->oldest_lane == traffic->lane_count)
			traffic->oldest_lane = 0;
	}
	if (traffic->oldest_place != before)
		wake_early(traffic, lane->at_ns);
}

/* ---- one read ---- */

static bool is_walk(const struct traffic_lane *lane)
{
	return lane->read < lane->access.path.walk_reads;
}

static unsigned level_of(const struct traffic_lane *lane)
{
	const struct simulated_path *path = &lane->access.path;
	return is_walk(lane) ? path->walk_levels[lane->read] : path->level;
}

static unsigned first_level(const struct simulated_traffic *traffic,
			    const struct traffic_lane *lane)
{
	return is_walk(lane) ? (unsigned)traffic->spec->walk_from : 0;
}

/* Caches whose slots it takes: a store past the caches waits in the first one alone. */
static unsigned end_of_slots(const struct traffic_lane *lane)
{
	return !is_walk(lane) && lane->access.bypasses ? 1 : level_of(lane);
}

/* When the level can begin to hand it out. */
static double send(struct simulated_traffic *traffic, unsigned level, double now_ns, double bytes)
{
	double start_ns = event_later(traffic->link_free_ns[level], now_ns);
	traffic->link_free_ns[level] = start_ns + bytes * traffic->ns_per_byte[level];
	return start_ns;
}

/* What nobody waits for, but takes its share: prefetched lines, and those that go back. */
static void send_silent(struct simulated_traffic *traffic, const struct traffic_lane *lane)
{
	const struct traffic_access *access = &lane->access;
	double line_bytes = (double)traffic->spec->line_bytes;
	unsigned times = access->written ? 2 : 1;
	unsigned into = traffic->spec->cache_count > 1 && !traffic->spec->caches[1].victim ? 1 : 0;
	for (unsigned from = into + 1; from <= traffic->spec->cache_count; from++)
		for (unsigned level = into + 1; level <= from; level++)
			send(traffic, level, lane->at_ns,
			     times * access->path.ahead[from] * line_bytes);
	for (unsigned level = 1; access->written && level <= access->path.level; level++)
		send(traffic, level, lane->at_ns, line_bytes);
}

/* A line passes every level on its way, each at that level's own pace. The first one hands out what
 * was asked for, the others whole lines. When all of them have begun. */
static double send_line(struct simulated_traffic *traffic, const struct traffic_lane *lane)
{
	unsigned first = first_level(traffic, lane), level = level_of(lane);
	double asked_bytes = is_walk(lane) ? ENTRY_BYTES : lane->access.bytes;
	double line_bytes = (double)traffic->spec->line_bytes, start_ns = lane->at_ns;
	if (!is_walk(lane) && lane->access.bypasses)
		first = level;
	for (unsigned i = first; i <= level; i++)
		start_ns = event_later(start_ns, send(traffic, i, lane->at_ns,
						      i == first ? asked_bytes : line_bytes));
	if (!is_walk(lane))
		send_silent(traffic, lane);
	return start_ns;
}

static double cost_ns(const struct simulated_traffic *traffic, const struct simulated_cost *cost)
{
	return cost->cycles * traffic->cycle_ns + cost->ns;
}

static double latency_ns(const struct simulated_traffic *traffic, unsigned level)
{
	const struct simulated_spec *spec = traffic->spec;
	bool cache = level < spec->cache_count;
	return cost_ns(traffic, cache ? &spec->caches[level].cost : &spec->memory_cost);
}

/* ---- stages ---- */

static void issue(struct simulated_traffic *traffic, struct traffic_lane *lane)
{
	const struct simulated_spec *spec = traffic->spec;
	double start_ns = event_later(lane->at_ns, traffic->issue_free_ns);
	traffic->issue_free_ns =
		start_ns + lane->access.issues * traffic->cycle_ns / spec->issued_per_cycle;
	lane->at_ns = start_ns;
	lane->at_ns += cost_ns(traffic, &lane->access.path.translation);
	lane->read = 0;
	lane->slots = first_level(traffic, lane);
	lane->stage = lane->access.path.walk_reads ? TRAFFIC_WALKER : TRAFFIC_SLOTS;
}

static void find_walker(struct simulated_traffic *traffic, struct traffic_lane *lane)
{
	if (claim(traffic, &traffic->walkers, lane))
		claimed(traffic, &traffic->walkers, lane);
}

static void find_slots(struct simulated_traffic *traffic, struct traffic_lane *lane)
{
	while (lane->slots < end_of_slots(lane)) {
		struct traffic_pool *pool = &traffic->miss_buffers[lane->slots];
		if (!claim(traffic, pool, lane))
			return;
		claimed(traffic, pool, lane);
	}
	lane->at_ns = send_line(traffic, lane) + latency_ns(traffic, level_of(lane));
	lane->stage = TRAFFIC_END;
}

static void end_read(struct simulated_traffic *traffic, struct traffic_lane *lane)
{
	for (unsigned i = first_level(traffic, lane); i < end_of_slots(lane); i++)
		release(traffic, &traffic->miss_buffers[i], lane->at_ns);
	if (!is_walk(lane)) {
		end_access(traffic, lane);
		return;
	}
	lane->read++;
	if (!is_walk(lane))
		release(traffic, &traffic->walkers, lane->at_ns);
	lane->slots = first_level(traffic, lane);
	lane->stage = TRAFFIC_SLOTS;
}

/* Whether there is anything that it can do. */
static bool make_step(struct simulated_traffic *traffic, unsigned number, traffic_next *next,
		      void *context)
{
	struct traffic_lane *lane = &traffic->lanes[number];
	switch (lane->stage) {
	case TRAFFIC_READY:
		if (is_too_early(traffic, lane))
			wait_for(traffic, &traffic->order, lane);
		else if (next(context, number, &lane->access))
			issue(traffic, lane);
		else
			return false;
		break;
	case TRAFFIC_WALKER:
		find_walker(traffic, lane);
		break;
	case TRAFFIC_SLOTS:
		find_slots(traffic, lane);
		break;
	case TRAFFIC_END:
		end_read(traffic, lane);
	}
	return !lane->waits;
}

/* As far as it comes without any time passing. */
static void go_on(struct simulated_traffic *traffic, unsigned number, traffic_next *next,
		  void *context)
{
	struct traffic_lane *lane = &traffic->lanes[number];
	double now_ns = lane->at_ns;
	bool able = true;
	while (able && lane->at_ns <= now_ns)
		able = make_step(traffic, number, next, context);
	if (able)
		event_queue_put(&traffic->queue, lane->at_ns, number);
}

/* ---- all of it ---- */

void simulated_traffic_start(struct simulated_traffic *traffic, const struct simulated_spec *spec,
			     unsigned lane_count, unsigned threads)
{
	*traffic = (struct simulated_traffic){
		.spec = spec,
		.threads = threads,
		.lane_count = lane_count,
		.walkers = make_pool(spec->walkers, lane_count),
	};
	for (size_t i = 0; i < SIMULATED_LEVELS; i++)
		traffic->miss_buffers[i] = make_pool(spec->miss_buffers[i], lane_count);
}

void simulated_traffic_take_turns(struct simulated_traffic *traffic)
{
	traffic->window = traffic->spec->reorder_window;
}

static void set_rates(struct simulated_traffic *traffic, double clock_hz)
{
	const struct simulated_spec *spec = traffic->spec;
	traffic->cycle_ns = 1e9 / clock_hz;
	for (size_t i = 0; i <= spec->cache_count; i++) {
		const struct simulated_rate *rate = &spec->rates[i];
		double bytes_per_ns =
			rate->bytes_per_cycle / traffic->cycle_ns + rate->bytes_per_second * 1e-9;
		bool shared = i > 0 && i + 1 >= spec->cache_count;
		double share = shared ? 1.0 / traffic->threads : 1;
		traffic->ns_per_byte[i] = bytes_per_ns > 0 ? 1 / (bytes_per_ns * share) : 0;
	}
}

/* So that 0 is now, and numbers stay small. */
static void shift(struct simulated_traffic *traffic, double now_ns)
{
	for (unsigned i = 0; i < traffic->lane_count; i++)
		traffic->lanes[i].at_ns -= now_ns;
	for (size_t i = 0; i < SIMULATED_LEVELS; i++)
		for (unsigned j = 0; j < traffic->miss_buffers[i].free_count; j++)
			traffic->miss_buffers[i].freed_ns[j] -= now_ns;
	for (unsigned i = 0; i < traffic->walkers.free_count; i++)
		traffic->walkers.freed_ns[i] -= now_ns;
	for (size_t i = 0; i <= SIMULATED_LEVELS; i++)
		traffic->link_free_ns[i] -= now_ns;
	traffic->issue_free_ns -= now_ns;
}

double simulated_traffic_run(struct simulated_traffic *traffic, double clock_hz, traffic_next *next,
			     void *context)
{
	double end_ns = 0;
	set_rates(traffic, clock_hz);
	for (unsigned i = 0; i < traffic->lane_count; i++)
		event_queue_put(&traffic->queue, traffic->lanes[i].at_ns, i);
	for (unsigned lane; event_queue_take(&traffic->queue, &lane);)
		go_on(traffic, lane, next, context);
	for (unsigned i = 0; i < traffic->lane_count; i++)
		end_ns = event_later(end_ns, traffic->lanes[i].at_ns);
	shift(traffic, end_ns);
	return end_ns;
}
