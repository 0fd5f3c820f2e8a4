#include "measure/memory/slice.h"

#include "base/names.h"
#include "base/stopwatch.h"

/* Room beyond what is asked for, so that windows can be drawn at several places: of all threads
 * together no more than that share of what can be had. */
#define ROOM_BYTES (8ull << 20)
#define ROOM_SHARE 16
#define FACTOR     0x9E3779B97F4A7C15u /* odd: all words differ */
#define STEPS      32 /* of a run, between which it looks whether another one has ended */

/* ---- memory ---- */

uint64_t slice_capacity(const struct fathom_machine *machine, enum fathom_page page, uint64_t bytes)
{
	uint64_t unit = pages_bytes(machine, page);
	uint64_t cpus = machine->online_cpus ? machine->online_cpus : 1;
	uint64_t room_bytes = machine->limit_bytes / ROOM_SHARE / cpus;
	if (room_bytes > ROOM_BYTES)
		room_bytes = ROOM_BYTES;
	/* A pool may have no room to move in. */
	bytes += page_is_hugetlb(page) ? 0 : room_bytes;
	return unit ? (bytes + unit - 1) / unit * unit : bytes;
}

int slice_open(struct slice *slice, enum fathom_page page, uint64_t bytes,
	       struct fathom_error *error)
{
	struct buffer *buffer = &slice->buffers[page];
	slice->page = page;
	slice->touch_bytes = bytes;
	if (buffer->memory && buffer->capacity_bytes >= bytes)
		return 0;
	buffer_close(buffer);
	slice->filled_bytes[page] = 0;
	slice->window = NULL;
	return buffer_open(buffer, slice->machine, page,
			   slice_capacity(slice->machine, page, bytes), slice->place, error);
}

/* No two words alike, and none is 0: some caches drop writes of zeros on zeros. */
static void fill(struct slice *slice)
{
	const struct buffer *buffer = &slice->buffers[slice->page];
	uint64_t *words = (uint64_t *)(void *)buffer->memory;
	uint64_t first = slice->filled_bytes[slice->page] / sizeof(*words);
	uint64_t end = buffer->populated_bytes / sizeof(*words);
	for (uint64_t i = first; i < end; i++)
		words[i] = (i + 1) * FACTOR;
	slice->filled_bytes[slice->page] = buffer->populated_bytes;
}

void slice_touch(void *own)
{
	struct slice *slice = own;
	slice->status =
		buffer_populate(&slice->buffers[slice->page], slice->touch_bytes, &slice->error);
	if (slice->status == 0)
		fill(slice);
}

void slice_draw(struct slice *slice, uint64_t bytes, bool redraw)
{
	const struct buffer *buffer = &slice->buffers[slice->page];
	if (redraw || !buffer_holds(buffer, slice->window, bytes))
		slice->window = buffer_window(buffer, bytes, 1, &slice->rng);
	slice->window_bytes = bytes;
}

void slice_read_back(void *own)
{
	struct slice *slice = own;
	slice->status = buffer_read_back(&slice->buffers[slice->page], slice->window,
					 slice->window_bytes, &slice->obtained, &slice->error);
}

void slice_close(struct slice *slice)
{
	for (int page = 0; page < SLICE_PAGE_KINDS; page++)
		buffer_close(&slice->buffers[page]);
	fathom_error_clear(&slice->error);
}

/* ---- runs ---- */

void slice_begin(struct slice *slice, const struct kernel *kernel, uint64_t lines,
		 uint64_t to_bytes, uint64_t key)
{
	slice->kernel = kernel;
	slice->rng = rng_make(key);
	slice->work = (struct kernel_work){
		.base = slice->window,
		.to = slice->window + to_bytes,
		.nodes = lines,
		.node_bytes = KERNEL_LINE_BYTES,
		.cursor = rng_next(&slice->rng) | 1,
	};
}

void slice_turn(struct slice *slice, const struct kernel *kernel, uint64_t to_bytes)
{
	slice->kernel = kernel;
	slice->work.to = slice->window + to_bytes;
}

static uint64_t *words_at(const unsigned char *base, uint64_t line)
{
	return (uint64_t *)(uintptr_t)(base + line * KERNEL_LINE_BYTES);
}

/* The line that is passed `hops` hops from now. */
static uint64_t line_after(const struct slice *slice, uint64_t hops)
{
	return (slice->work.position + hops % slice->work.nodes) % slice->work.nodes;
}

/* How often the run will pass the line. */
static uint64_t passes_of(const struct slice *slice, uint64_t line)
{
	uint64_t nodes = slice->work.nodes;
	uint64_t first = (line + nodes - slice->work.position) % nodes;
	return slice->hops > first ? (slice->hops - 1 - first) / nodes + 1 : 0;
}

/* What is read last gets words that nothing else tells. */
static void plant_read(struct slice *slice, const struct slice_canary *last)
{
	uint64_t *words = words_at(slice->work.base, last->line);
	slice->cursor = slice->work.cursor;
	for (int i = 0; i < SLICE_LINE_WORDS; i++) {
		words[i] = rng_next(&slice->rng);
		slice->cursor ^= words[i];
	}
}

static bool copies(const struct slice *slice)
{
	return slice->kernel->kind == KERNEL_COPY || slice->kernel->kind == KERNEL_COPY_NT;
}

static bool writes(const struct slice *slice)
{
	return slice->kernel->kind == KERNEL_WRITE || slice->kernel->kind == KERNEL_WRITE_NT;
}

/* What the line will hold after the run. Where a copy ends is made to differ before it. */
static void plant(struct slice *slice, struct slice_canary *canary)
{
	const uint64_t *from = words_at(slice->work.base, canary->line);
	uint64_t *to = copies(slice) ? words_at(slice->work.to, canary->line) : NULL;
	uint64_t added = to ? 0 : passes_of(slice, canary->line);
	for (int i = 0; i < SLICE_LINE_WORDS; i++) {
		canary->words[i] = writes(slice) ? slice->work.cursor : from[i] + added;
		if (to)
			to[i] = ~from[i];
	}
}

/* The first line, the last, and some between. */
void slice_write_canaries(void *own)
{
	struct slice *slice = own;
	uint64_t reach = slice->hops < slice->work.nodes ? slice->hops : slice->work.nodes;
	uint64_t hops[SLICE_CANARIES] = {slice->hops - 1};
	for (int i = 2; i < SLICE_CANARIES; i++)
		hops[i] = rng_below(&slice->rng, reach);
	for (int i = 0; i < SLICE_CANARIES; i++)
		slice->canaries[i].line = line_after(slice, hops[i]);
	if (slice->kernel->kind == KERNEL_READ) {
		plant_read(slice, &slice->canaries[0]);
		return;
	}
	if (writes(slice))
		slice->work.cursor = rng_next(&slice->rng) | 1;
	for (int i = 0; i < SLICE_CANARIES; i++)
		plant(slice, &slice->canaries[i]);
}

void slice_walk(void *own)
{
	struct slice *slice = own;
	slice->kernel->run(&slice->work, slice->hops);
}

/* Each step of a loop that reads leaves its last line in the cursor; the last one's is proven. */
void slice_walk_beside(void *own)
{
	struct slice *slice = own;
	uint64_t step = slice->hops / STEPS + 1, left = slice->hops, cursor = slice->work.cursor;
	uint64_t start_ns = stopwatch_now_ns();
	slice->beside_hops = 0;
	while (left) {
		uint64_t hops = left < step ? left : step;
		slice->work.cursor = cursor;
		slice->kernel->run(&slice->work, hops);
		left -= hops;
		if (slice->beside_hops || (left && !atomic_load(slice->ended)))
			continue;
		slice->beside_hops = slice->hops - left;
		slice->beside_ns = (double)(stopwatch_now_ns() - start_ns);
	}
	atomic_store(slice->ended, true);
}

void slice_verify(void *own)
{
	struct slice *slice = own;
	slice->proven = true;
	if (slice->kernel->kind == KERNEL_READ) {
		slice->proven = slice->work.cursor == slice->cursor;
		return;
	}
	for (int i = 0; i < SLICE_CANARIES; i++) {
		const struct slice_canary *canary = &slice->canaries[i];
		const uint64_t *words =
			words_at(copies(slice) ? slice->work.to : slice->work.base, canary->line);
		for (int k = 0; k < SLICE_LINE_WORDS; k++)
			slice->proven &= words[k] == canary->words[k];
	}
}
