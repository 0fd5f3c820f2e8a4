/* How long requests wait for banks that serve them first come first served, by letting them arrive
 * at random, one by one: no formula of queues is in it.
 *
 *     load_queue BANKS MISS any|own SEED LOAD...      the mean wait at each load, in service times
 *                                                     of a hit
 *
 * A request takes 1, or with even chances MISS, and goes to the bank that is free first (any) or to
 * one drawn at random (own). LOAD: of what the banks can do. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

#define MOST_BANKS 64
#define LEAST      3e5
/* A queue forgets its beginning within about 2 / (1 - load)^2 requests, and its mean over n of them
 * has a variance of about 8 / (n (1 - load)^2) (Whitt, Planning queueing simulations, 1989): this
 * gives 6 %. */
#define REQUESTS 2000

struct queue {
	unsigned banks;
	double miss;
	struct rng rng;
	double free_at[MOST_BANKS];
};

static size_t find_free(const struct queue *queue)
{
	size_t first = 0;
	for (size_t i = 1; i < queue->banks; i++)
		if (queue->free_at[i] < queue->free_at[first])
			first = i;
	return first;
}

static double mean_wait(struct queue *queue, double load)
{
	double requests = fmax(LEAST, REQUESTS / (1 - load) / (1 - load));
	double apart = (1 + queue->miss) / 2 / load / queue->banks, now = 0, waited = 0;
	memset(queue->free_at, 0, sizeof(queue->free_at));
	for (double i = 0; i < requests; i++) {
		now -= apart * log(1 - rng_unit(&queue->rng));
		double *free_at = &queue->free_at[find_free(queue)];
		double begins = fmax(now, *free_at);
		waited += begins - now;
		*free_at = begins + (rng_unit(&queue->rng) < 0.5 ? 1 : queue->miss);
	}
	return waited / requests;
}

int main(int argc, char **argv)
{
	if (argc < 6)
		return 2;
	/* Banks that requests are drawn to at random do not know of each other: one is run. */
	bool any = strcmp(argv[3], "any") == 0;
	struct queue queue = {.banks = any ? (unsigned)strtoul(argv[1], NULL, 10) : 1,
			      .miss = strtod(argv[2], NULL),
			      .rng = rng_make(strtoull(argv[4], NULL, 10))};
	if (queue.banks < 1 || queue.banks > MOST_BANKS)
		return 2;
	for (int i = 5; i < argc; i++)
		printf("%.9g\n", mean_wait(&queue, strtod(argv[i], NULL)));
	return 0;
}
