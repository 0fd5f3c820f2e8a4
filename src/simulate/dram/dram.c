#include "simulate/dram/dram.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/rng.h"
#include "simulate/event_queue.h"

#define ROW_LINES   128 /* of a bank: 8 KiB */
#define WRITES_HELD 64  /* that a channel keeps before who writes has to wait */
#define DRAIN_FROM  48  /* writes: then so many of them go before reads, */
#define DRAIN_LINES 32
#define READ_LINES  32 /* and then so many reads before writes */
#define NO_ROW      UINT64_MAX
#define LONGEST_NS  2000.0 /* that a read is passed by others */

struct request {
	uint64_t row;
	double since_ns;
	unsigned bank, owner;
	bool held; /* a write that its owner waits with */
};

struct queue {
	struct request *items;
	size_t count, room;
};

struct bank {
	uint64_t row; /* that is open */
	double free_ns;
};

struct channel {
	struct bank banks[SIMULATED_MOST_BANKS];
	struct queue reads, writes;
	bool drains, wrote; /* writes go before reads now; its last line was one */
	unsigned turn;      /* lines left of that, or until it may be so again */
	double bus_free_ns, refresh_ns;
	double next_ns;  /* when the next request is served, */
	double ready_ns; /* and could be, but for the bus */
	size_t first;    /* which is that one */
	bool passed;     /* others have passed it for long */
};

struct dram {
	const struct simulated_dram *shape;
	dram_done *done;
	void *context;
	struct channel channels[SIMULATED_MOST_CHANNELS];
	unsigned next; /* the channel that is to go on first */
	struct dram_lines counted;
};

double dram_alone_ns(const struct simulated_spec *spec)
{
	return spec->dram.row_ns + spec->dram.line_ns;
}

int dram_open(const struct simulated_spec *spec, dram_done *done, void *context, struct dram **dram,
	      struct fathom_error *error)
{
	struct dram *opened = calloc(1, sizeof(*opened));
	if (!opened)
		return error_no_memory(error);
	opened->shape = &spec->dram;
	opened->done = done;
	opened->context = context;
	for (unsigned i = 0; i < spec->dram.channels; i++) {
		struct channel *channel = &opened->channels[i];
		for (unsigned k = 0; k < spec->dram.banks; k++)
			channel->banks[k].row = NO_ROW;
		/* They do not all refresh at once. */
		channel->refresh_ns =
			spec->dram.refresh_each_ns * (i + 1) / (double)spec->dram.channels;
		channel->next_ns = channel->ready_ns = INFINITY;
	}
	*dram = opened;
	return 0;
}

void dram_close(struct dram *dram)
{
	if (!dram)
		return;
	for (unsigned i = 0; i < dram->shape->channels; i++) {
		free(dram->channels[i].reads.items);
		free(dram->channels[i].writes.items);
	}
	free(dram);
}

/* ---- who is next ---- */

/* When its row is open, in a bank that waits for nobody else. */
static double ready_ns(const struct dram *dram, const struct channel *channel,
		       const struct request *request)
{
	const struct bank *bank = &channel->banks[request->bank];
	double from_ns = event_later(request->since_ns, bank->free_ns);
	return from_ns + (bank->row == request->row ? 0 : dram->shape->row_ns);
}

static const struct queue *serves(const struct channel *channel)
{
	bool writes = channel->drains || !channel->reads.count;
	return writes && channel->writes.count ? &channel->writes : &channel->reads;
}

/* Whoever is ready first; before all, whom others have passed for long. What comes later in the
 * queue goes after those of the same time. */
static void consider(const struct dram *dram, struct channel *channel, const struct queue *queue,
		     size_t which)
{
	const struct request *request = &queue->items[which];
	double own_ns = ready_ns(dram, channel, request);
	bool passed =
		queue == &channel->reads && channel->bus_free_ns - request->since_ns > LONGEST_NS;
	if (own_ns >= channel->ready_ns && !passed)
		return;
	channel->first = which;
	channel->ready_ns = own_ns;
	channel->passed = passed;
}

static void find_first(const struct dram *dram, struct channel *channel)
{
	const struct queue *queue = serves(channel);
	channel->ready_ns = INFINITY;
	channel->passed = false;
	for (size_t i = 0; i < queue->count && !channel->passed; i++)
		consider(dram, channel, queue, i);
}

/* The channel's, then the memory's. */
static void note_next(struct dram *dram, struct channel *channel)
{
	channel->next_ns = event_later(channel->ready_ns, channel->bus_free_ns);
	for (unsigned i = 0; i < dram->shape->channels; i++)
		if (dram->channels[i].next_ns < dram->channels[dram->next].next_ns)
			dram->next = i;
}

static void find_next(struct dram *dram, struct channel *channel)
{
	find_first(dram, channel);
	note_next(dram, channel);
}

double dram_next_ns(const struct dram *dram)
{
	return dram->channels[dram->next].next_ns;
}

/* ---- what is done ---- */

static void refresh(const struct dram *dram, struct channel *channel)
{
	double end_ns = channel->refresh_ns + dram->shape->refresh_ns;
	channel->bus_free_ns = event_later(channel->bus_free_ns, end_ns);
	for (unsigned i = 0; i < dram->shape->banks; i++)
		channel->banks[i] =
			(struct bank){NO_ROW, event_later(channel->banks[i].free_ns, end_ns)};
	channel->refresh_ns += dram->shape->refresh_each_ns;
}

static struct request take_out(struct queue *queue, size_t which)
{
	struct request request = queue->items[which];
	queue->count--;
	for (size_t i = which; i < queue->count; i++)
		queue->items[i] = queue->items[i + 1];
	return request;
}

/* There is room for the write that has waited longest. */
static void let_in(const struct dram *dram, struct channel *channel, double now_ns)
{
	for (size_t i = 0; i < channel->writes.count; i++) {
		struct request *request = &channel->writes.items[i];
		if (!request->held)
			continue;
		request->held = false;
		dram->done(dram->context, request->owner, now_ns);
		return;
	}
}

/* Reads go before writes until there are many of these; then some of each in turn. */
static void take_turns(struct channel *channel)
{
	if (channel->drains && (!channel->turn || !channel->writes.count)) {
		channel->drains = false;
		channel->turn = READ_LINES;
	} else if (!channel->drains && channel->writes.count >= DRAIN_FROM &&
		   (!channel->turn || !channel->reads.count)) {
		channel->drains = true;
		channel->turn = DRAIN_LINES;
	}
}

static void serve(struct dram *dram, struct channel *channel)
{
	bool writes = serves(channel) == &channel->writes;
	struct request request =
		take_out(writes ? &channel->writes : &channel->reads, channel->first);
	struct bank *bank = &channel->banks[request.bank];
	double turn_ns = writes == channel->wrote ? 0 : dram->shape->turn_ns;
	double begin_ns =
		event_later(ready_ns(dram, channel, &request), channel->bus_free_ns + turn_ns);
	double end_ns = begin_ns + dram->shape->line_ns;
	*bank = (struct bank){request.row, end_ns};
	channel->bus_free_ns = end_ns;
	channel->wrote = writes;
	dram->counted.read += !writes;
	dram->counted.written += writes;
	if (!writes)
		dram->done(dram->context, request.owner, end_ns);
	else if (!request.held)
		let_in(dram, channel, begin_ns);
	else
		dram->done(dram->context, request.owner, begin_ns);
	if (channel->turn)
		channel->turn--;
	take_turns(channel);
}

void dram_go_on(struct dram *dram)
{
	struct channel *channel = &dram->channels[dram->next];
	if (channel->refresh_ns <= channel->next_ns && dram->shape->refresh_ns > 0)
		refresh(dram, channel);
	else
		serve(dram, channel);
	find_next(dram, channel);
}

struct dram_lines dram_counted(const struct dram *dram)
{
	return dram->counted;
}

/* ---- requests ---- */

/* Lines beside each other are in all channels, and in each of them in one row; rows beside each
 * other are in other banks. */
static struct channel *find_place(struct dram *dram, uint64_t line, struct request *request)
{
	uint64_t channels = dram->shape->channels, banks = dram->shape->banks;
	uint64_t stripe = line / channels, row = stripe / ROW_LINES;
	uint64_t shift = rng_mix(row, 0);
	request->row = row;
	request->bank = (unsigned)(shift % banks);
	return &dram->channels[(line + (shift >> 32)) % channels];
}

/* -1: out of memory. */
static int append(struct queue *queue, const struct request *request)
{
	if (queue->count == queue->room) {
		size_t room = 2 * queue->room + WRITES_HELD;
		struct request *items = realloc(queue->items, room * sizeof(*items));
		if (!items)
			return -1;
		queue->items = items;
		queue->room = room;
	}
	queue->items[queue->count++] = *request;
	return 0;
}

static int put(struct dram *dram, bool writes, uint64_t line, unsigned owner, double now_ns,
	       struct fathom_error *error)
{
	struct request request = {.since_ns = now_ns, .owner = owner};
	struct channel *channel = find_place(dram, line, &request);
	struct queue *queue = writes ? &channel->writes : &channel->reads;
	const struct queue *served = serves(channel);
	bool changed = false;
	request.held = writes && queue->count >= WRITES_HELD;
	for (; dram->shape->refresh_ns > 0 && channel->refresh_ns <= now_ns; changed = true)
		refresh(dram, channel);
	if (append(queue, &request))
		return error_no_memory(error);
	take_turns(channel);
	/* Where nothing else is new, those found before need not be looked at again. */
	if (changed || serves(channel) != served)
		find_first(dram, channel);
	else if (queue == served && !channel->passed)
		consider(dram, channel, queue, queue->count - 1);
	note_next(dram, channel);
	if (writes && !request.held)
		dram->done(dram->context, owner, now_ns);
	return 0;
}

int dram_read(struct dram *dram, uint64_t line, unsigned owner, double now_ns,
	      struct fathom_error *error)
{
	return put(dram, false, line, owner, now_ns, error);
}

int dram_write(struct dram *dram, uint64_t line, unsigned owner, double now_ns,
	       struct fathom_error *error)
{
	return put(dram, true, line, owner, now_ns, error);
}
