/* When accesses that overlap start and end in a simulated hierarchy. A small event simulation, no
 * formula: what an access asks is known from the trace of the addresses (simulated_memory), and
 * it waits for its turn wherever something has a limit.
 *
 * An access is issued, is translated, and if need be its page is walked by a walker; then it, like
 * each read of a walk, takes a slot in every cache that misses it, the nearest first, and keeps
 * them until its line is there. A level with a bandwidth hands out one line after the other. Who
 * waits longest is served first. Lanes that take turns in a program stay together as far as a core
 * looks ahead: else one that hits would run on until it follows right behind one that misses. */
#pragma once

#include "simulate/event_queue.h"
#include "simulate/simulated_memory.h"

#define TRAFFIC_MOST_LANES SIMULATED_MOST_OVERLAP

struct traffic_access {
	struct simulated_path path;
	double issues; /* of the core's, that it takes */
	double bytes;  /* that the core asks for, or gives */
	bool written;  /* its line goes back some time, by the way that it came */
	bool bypasses; /* the caches, to memory */
};

struct traffic_pool {  /* what so many at a time can have */
	unsigned size; /* 0: no limit, and the rest is unused */
	unsigned free_count;
	double freed_ns[TRAFFIC_MOST_LANES]; /* of those that are free: since when */
	unsigned waiting_count, first_waiting;
	unsigned char waiting[TRAFFIC_MOST_LANES]; /* lanes, round and round */
};

enum traffic_stage { TRAFFIC_READY, TRAFFIC_WALKER, TRAFFIC_SLOTS, TRAFFIC_END };

struct traffic_lane { /* at most one access is under way in each */
	enum traffic_stage stage;
	struct traffic_access access;
	double at_ns;   /* when it came to that stage */
	unsigned read;  /* of the access: those of the walk, then the line itself */
	uint64_t ended; /* accesses */
	unsigned slots; /* the nearest cache in which this read has no slot yet */
	bool waits;
};

struct simulated_traffic {
	const struct simulated_spec *spec;
	unsigned threads; /* that share the last of several caches, and memory */
	unsigned lane_count;
	struct traffic_lane lanes[TRAFFIC_MOST_LANES];
	struct event_queue queue; /* lanes that can go on */
	struct traffic_pool miss_buffers[SIMULATED_LEVELS];
	struct traffic_pool walkers;
	/* An access is issued once all are ended that come so many before it; 0: no limit. */
	uint64_t window;
	unsigned oldest_lane; /* of the first access that is not ended */
	uint64_t oldest_place;
	struct traffic_pool order; /* who waits for that */
	double issue_free_ns;
	double link_free_ns[SIMULATED_LEVELS + 1]; /* of each level, towards the core */
	double cycle_ns;
	double ns_per_byte[SIMULATED_LEVELS + 1]; /* of each level; 0: no limit */
};

/* The next access of a lane, already traced; false: it has no more. */
typedef bool traffic_next(void *context, unsigned lane, struct traffic_access *access);

/* Nothing is under way, and time begins. `spec` must outlive it; 1 to TRAFFIC_MOST_LANES lanes. */
void simulated_traffic_start(struct simulated_traffic *traffic, const struct simulated_spec *spec,
			     unsigned lane_count, unsigned threads);
/* The lanes take turns: no access is issued before all are ended that come spec->reorder_window or
 * more before it. */
void simulated_traffic_take_turns(struct simulated_traffic *traffic);
/* Goes on until no lane has any more. How long that took, in ns, since the end of the run before:
 * a lane goes on when it was ready, as though there had been no end, so that filling and draining
 * are counted once and not in each run. */
double simulated_traffic_run(struct simulated_traffic *traffic, double clock_hz, traffic_next *next,
			     void *context);
