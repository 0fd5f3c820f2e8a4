#include "measure/memory/part.h"

#include "base/error.h"

/* Room beyond what is asked for, so that windows can be drawn at several places: of all threads
 * together no more than that share of what can be had. */
#define ROOM_BYTES (8ull << 20)
#define ROOM_SHARE 16
#define FACTOR     0x9E3779B97F4A7C15u /* odd: all words differ */

/* ---- memory ---- */

static bool is_hugetlb(enum fathom_page page)
{
	return page == FATHOM_PAGE_2M || page == FATHOM_PAGE_1G;
}

uint64_t part_capacity(const struct fathom_machine *machine, enum fathom_page page, uint64_t bytes)
{
	uint64_t unit = pages_bytes(machine, page);
	uint64_t cpus = machine->online_cpus ? machine->online_cpus : 1;
	uint64_t room_bytes = machine->limit_bytes / ROOM_SHARE / cpus;
	if (room_bytes > ROOM_BYTES)
		room_bytes = ROOM_BYTES;
	/* A pool may have no room to move in. */
	bytes += is_hugetlb(page) ? 0 : room_bytes;
	return unit ? (bytes + unit - 1) / unit * unit : bytes;
}

int part_open(struct part *part, enum fathom_page page, uint64_t bytes, struct fathom_error *error)
{
	struct buffer *buffer = &part->buffers[page];
	part->page = page;
	part->touch_bytes = bytes;
	if (buffer->memory && buffer->capacity_bytes >= bytes)
		return 0;
	buffer_close(buffer);
	part->filled_bytes[page] = 0;
	part->window = NULL;
	return buffer_open(buffer, part->machine, page, part_capacity(part->machine, page, bytes),
			   part->cpu, error);
}

/* No two words alike, and none is 0: some caches drop writes of zeros on zeros. */
static void fill(struct part *part)
{
	const struct buffer *buffer = &part->buffers[part->page];
	uint64_t *words = (uint64_t *)(void *)buffer->memory;
	uint64_t first = part->filled_bytes[part->page] / sizeof(*words);
	uint64_t end = buffer->populated_bytes / sizeof(*words);
	for (uint64_t i = first; i < end; i++)
		words[i] = (i + 1) * FACTOR;
	part->filled_bytes[part->page] = buffer->populated_bytes;
}

void part_touch(void *own)
{
	struct part *part = own;
	part->status = buffer_populate(&part->buffers[part->page], part->touch_bytes, &part->error);
	if (part->status == 0)
		fill(part);
}

void part_draw(struct part *part, uint64_t bytes, bool redraw)
{
	const struct buffer *buffer = &part->buffers[part->page];
	if (redraw || !buffer_holds(buffer, part->window, bytes))
		part->window = buffer_window(buffer, bytes, 1, &part->rng);
	part->window_bytes = bytes;
}

void part_read_back(void *own)
{
	struct part *part = own;
	part->status = buffer_read_back(&part->buffers[part->page], part->window,
					part->window_bytes, &part->obtained, &part->error);
}

void part_close(struct part *part)
{
	for (int page = 0; page < PART_PAGE_KINDS; page++)
		buffer_close(&part->buffers[page]);
	fathom_error_clear(&part->error);
}

/* ---- runs ---- */

void part_begin(struct part *part, const struct kernel *kernel, uint64_t lines, uint64_t to_bytes,
		uint64_t key)
{
	part->kernel = kernel;
	part->rng = rng_make(key);
	part->work = (struct kernel_work){
		.base = part->window,
		.to = part->window + to_bytes,
		.nodes = lines,
		.node_bytes = KERNEL_LINE_BYTES,
		.cursor = rng_next(&part->rng) | 1,
	};
}

void part_turn(struct part *part, const struct kernel *kernel, uint64_t to_bytes)
{
	part->kernel = kernel;
	part->work.to = part->window + to_bytes;
}

static uint64_t *words_at(const unsigned char *base, uint64_t line)
{
	return (uint64_t *)(uintptr_t)(base + line * KERNEL_LINE_BYTES);
}

/* The line that is passed `hops` hops from now. */
static uint64_t line_after(const struct part *part, uint64_t hops)
{
	return (part->work.position + hops % part->work.nodes) % part->work.nodes;
}

/* How often the run will pass the line. */
static uint64_t passes_of(const struct part *part, uint64_t line)
{
	uint64_t nodes = part->work.nodes;
	uint64_t first = (line + nodes - part->work.position) % nodes;
	return part->hops > first ? (part->hops - 1 - first) / nodes + 1 : 0;
}

/* What is read last gets words that nothing else tells. */
static void stamp_read(struct part *part, const struct part_witness *last)
{
	uint64_t *words = words_at(part->work.base, last->line);
	part->cursor = part->work.cursor;
	for (int i = 0; i < PART_LINE_WORDS; i++) {
		words[i] = rng_next(&part->rng);
		part->cursor ^= words[i];
	}
}

/* Where a copy ends is made to differ before it. */
static void stamp_copy(const struct part *part, struct part_witness *witness)
{
	const uint64_t *from = words_at(part->work.base, witness->line);
	uint64_t *to = words_at(part->work.to, witness->line);
	for (int i = 0; i < PART_LINE_WORDS; i++) {
		witness->words[i] = from[i];
		to[i] = ~from[i];
	}
}

static void stamp_update(const struct part *part, struct part_witness *witness)
{
	const uint64_t *words = words_at(part->work.base, witness->line);
	for (int i = 0; i < PART_LINE_WORDS; i++)
		witness->words[i] = words[i] + passes_of(part, witness->line);
}

static void stamp_write(const struct part *part, struct part_witness *witness)
{
	for (int i = 0; i < PART_LINE_WORDS; i++)
		witness->words[i] = part->work.cursor;
}

static void stamp(struct part *part, struct part_witness *witness)
{
	switch (part->kernel->kind) {
	case KERNEL_WRITE:
	case KERNEL_WRITE_NT:
		stamp_write(part, witness);
		break;
	case KERNEL_COPY:
	case KERNEL_COPY_NT:
		stamp_copy(part, witness);
		break;
	default:
		stamp_update(part, witness);
	}
}

/* The first line, the last, and some between. */
void part_stamp(void *own)
{
	struct part *part = own;
	uint64_t reach = part->hops < part->work.nodes ? part->hops : part->work.nodes;
	uint64_t hops[PART_WITNESSES] = {part->hops - 1};
	for (int i = 2; i < PART_WITNESSES; i++)
		hops[i] = rng_below(&part->rng, reach);
	for (int i = 0; i < PART_WITNESSES; i++)
		part->witnesses[i].line = line_after(part, hops[i]);
	if (part->kernel->kind == KERNEL_READ) {
		stamp_read(part, &part->witnesses[0]);
		return;
	}
	if (part->kernel->kind == KERNEL_WRITE || part->kernel->kind == KERNEL_WRITE_NT)
		part->work.cursor = rng_next(&part->rng) | 1;
	for (int i = 0; i < PART_WITNESSES; i++)
		stamp(part, &part->witnesses[i]);
}

void part_walk(void *own)
{
	struct part *part = own;
	part->kernel->run(&part->work, part->hops);
}

void part_prove(void *own)
{
	struct part *part = own;
	bool copies = part->kernel->kind == KERNEL_COPY || part->kernel->kind == KERNEL_COPY_NT;
	part->proven = true;
	if (part->kernel->kind == KERNEL_READ) {
		part->proven = part->work.cursor == part->cursor;
		return;
	}
	for (int i = 0; i < PART_WITNESSES; i++) {
		const struct part_witness *witness = &part->witnesses[i];
		const uint64_t *words =
			words_at(copies ? part->work.to : part->work.base, witness->line);
		for (int k = 0; k < PART_LINE_WORDS; k++)
			part->proven &= words[k] == witness->words[k];
	}
}
