#include "simulate/simulated_prefetch.h"

#define PAGE_BYTES 4096

struct simulated_prefetch simulated_prefetch_make(const struct simulated_spec *spec)
{
	return (struct simulated_prefetch){
		.lines_ahead = spec->stride_lines_ahead,
		.adjacent = spec->adjacent_prefetch,
		.page_lines = (uint32_t)(PAGE_BYTES / spec->line_bytes),
	};
}

/* Twice the same step in a row, and it goes on. */
static size_t follow(struct simulated_prefetch *prefetch, uint32_t line, uint32_t *lines)
{
	uint32_t page = line / prefetch->page_lines;
	struct prefetch_stream *stream = &prefetch->streams[page % PREFETCH_STREAMS];
	size_t count = 0;
	if (stream->page != page + 1) {
		*stream = (struct prefetch_stream){.page = page + 1, .line = line};
		return 0;
	}
	int32_t step = (int32_t)(line - stream->line);
	bool again = step && step == stream->step;
	stream->line = line;
	stream->step = step;
	for (uint64_t i = 1; again && i <= prefetch->lines_ahead; i++) {
		uint32_t next = line + (uint32_t)step * (uint32_t)i;
		if (next / prefetch->page_lines != page)
			break;
		lines[count++] = next;
	}
	return count;
}

size_t simulated_prefetch_lines(struct simulated_prefetch *prefetch, uint32_t line, bool far,
				uint32_t *lines)
{
	size_t count = prefetch->lines_ahead ? follow(prefetch, line, lines) : 0;
	if (prefetch->adjacent && far)
		lines[count++] = line ^ 1;
	return count;
}
