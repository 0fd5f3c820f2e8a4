#include "measure/memory/buffer.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"
#include "base/names.h"
#include "base/units.h"

#ifndef MADV_POPULATE_WRITE /* Linux 5.14 */
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_COLLAPSE /* Linux 6.1 */
#define MADV_COLLAPSE 25
#endif
#define LESS                      "request less memory with --size or --max-size"
#define HUGETLB_FLAGS(log2_bytes) (MAP_HUGETLB | (log2_bytes) << 26)

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

static int page_flags(enum fathom_page page)
{
	switch (page) {
	case FATHOM_PAGE_2M:
		return HUGETLB_FLAGS(21);
	case FATHOM_PAGE_1G:
		return HUGETLB_FLAGS(30);
	default:
		return MAP_NORESERVE;
	}
}

static int refuse_mapping(uint64_t bytes, enum fathom_page page, struct fathom_error *error)
{
	char size[UNITS_TEXT_BYTES];
	units_format_size(bytes, size);
	if (page_is_hugetlb(page))
		return error_set_errno(
			error, FATHOM_UNABLE,
			"the pool is too small: see 'fathom info' for the command that "
			"enlarges it",
			"cannot map %s of hugetlb pages", size);
	return error_set_errno(error, FATHOM_FAILED, LESS ", or raise the limit: ulimit -v",
			       "cannot map %s", size);
}

/* What madvise says is not believed: pages are read back for every point. */
static void advise(const struct buffer *buffer)
{
	if (buffer->page == FATHOM_PAGE_4K || page_is_multi_size(buffer->page))
		madvise(buffer->memory, buffer->capacity_bytes, MADV_NOHUGEPAGE);
	else if (buffer->page == FATHOM_PAGE_THP)
		madvise(buffer->memory, buffer->capacity_bytes, MADV_HUGEPAGE);
}

int buffer_open(struct buffer *buffer, const struct fathom_machine *machine, enum fathom_page page,
		uint64_t capacity_bytes, struct pinning_place place, struct fathom_error *error)
{
	uint64_t page_bytes = pages_bytes(machine, page);
	if (pages_check(machine, page, capacity_bytes, error))
		return -1;
	uint64_t bytes = round_up(capacity_bytes, page_bytes);
	/* Transparent huge pages want an aligned start; the other kinds come as malloc's would. */
	bool aligned = page == FATHOM_PAGE_THP || page_is_multi_size(page);
	uint64_t slack = aligned ? page_bytes : 0;
	void *mapping = mmap(NULL, bytes + slack, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | page_flags(page), -1, 0);
	if (mapping == MAP_FAILED)
		return refuse_mapping(bytes, page, error);
	struct buffer opened = {
		.memory =
			slack ? (unsigned char *)round_up((uintptr_t)mapping, page_bytes) : mapping,
		.capacity_bytes = bytes,
		.page_bytes = page_bytes,
		.window_unit_bytes = machine->base_page_bytes,
		.mapping = mapping,
		.mapping_bytes = bytes + slack,
		.page = page,
	};
	if (pinning_bind_memory(machine, place, mapping, bytes + slack, error)) {
		munmap(mapping, bytes + slack);
		return -1;
	}
	advise(&opened);
	*buffer = opened;
	return 0;
}

int buffer_give_back(struct buffer *buffer, struct fathom_error *error)
{
	buffer->populated_bytes = 0;
	if (madvise(buffer->memory, buffer->capacity_bytes, MADV_DONTNEED) == 0)
		return 0;
	return error_set(error, FATHOM_UNABLE, "use --page 4k",
			 "this kernel does not take pages back: %s", strerror(errno));
}

void buffer_close(struct buffer *buffer)
{
	if (buffer->memory)
		munmap(buffer->mapping, buffer->mapping_bytes);
	*buffer = (struct buffer){0};
}

static int touch(const struct buffer *buffer, unsigned char *start, uint64_t bytes,
		 struct fathom_error *error)
{
	if (madvise(start, bytes, MADV_POPULATE_WRITE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return error_set_errno(error, FATHOM_FAILED, LESS, "the kernel refused the memory");
	for (uint64_t offset = 0; offset < bytes; offset += buffer->window_unit_bytes)
		*(volatile unsigned char *)(start + offset) = 1;
	return 0;
}

/* The kernel takes the largest size that is on and fits into a range of the same advice: so that is
 * one page. Once the advice is gone the range is one with those before, or there would soon be too
 * many (vm.max_map_count). */
static int touch_by_page(const struct buffer *buffer, unsigned char *start, uint64_t bytes,
			 struct fathom_error *error)
{
	int status = 0;
	for (uint64_t offset = 0; !status && offset < bytes; offset += buffer->page_bytes) {
		madvise(start + offset, buffer->page_bytes, MADV_HUGEPAGE);
		status = touch(buffer, start + offset, buffer->page_bytes, error);
		madvise(start + offset, buffer->page_bytes, MADV_NOHUGEPAGE);
	}
	return status;
}

static int touch_counted(struct buffer *buffer, unsigned char *start, uint64_t bytes,
			 struct fathom_error *error)
{
	uint64_t before = 0, after = 0;
	buffer->uncounted |= !pages_count("", buffer->page_bytes, &before);
	if (touch_by_page(buffer, start, bytes, error))
		return -1;
	buffer->uncounted |= !pages_count("", buffer->page_bytes, &after);
	/* What others were given meanwhile hides no more than there is. */
	buffer->counted_pages += after - before < bytes / buffer->page_bytes
					 ? after - before
					 : bytes / buffer->page_bytes;
	return 0;
}

int buffer_populate(struct buffer *buffer, uint64_t span_bytes, struct fathom_error *error)
{
	uint64_t bytes = round_up(span_bytes + BUFFER_ROOM_BYTES, buffer->page_bytes);
	if (span_bytes > buffer->capacity_bytes)
		return error_set(error, FATHOM_UNABLE, LESS, "there is no room for a chain");
	if (bytes > buffer->capacity_bytes)
		bytes = buffer->capacity_bytes;
	if (bytes <= buffer->populated_bytes)
		return 0;
	unsigned char *start = buffer->memory + buffer->populated_bytes;
	uint64_t more = bytes - buffer->populated_bytes;
	if (page_is_multi_size(buffer->page) ? touch_counted(buffer, start, more, error)
					     : touch(buffer, start, more, error))
		return -1;
	if (buffer->page == FATHOM_PAGE_THP)
		madvise(start, more, MADV_COLLAPSE);
	buffer->populated_bytes = bytes;
	return 0;
}

int buffer_read_back(const struct buffer *buffer, const void *memory, uint64_t bytes,
		     struct pages_obtained *obtained, struct fathom_error *error)
{
	if (!page_is_multi_size(buffer->page))
		return pages_read_back(memory, bytes,
				       page_is_hugetlb(buffer->page) ? buffer->page_bytes : 0,
				       obtained, error);
	*obtained = buffer->uncounted ? (struct pages_obtained){0, NAN}
				      : pages_of_count(buffer->counted_pages, buffer->page_bytes,
						       buffer->populated_bytes);
	return 0;
}

bool buffer_holds(const struct buffer *buffer, const unsigned char *window, uint64_t bytes)
{
	uintptr_t start = (uintptr_t)buffer->memory, at = (uintptr_t)window;
	return at >= start && bytes <= buffer->populated_bytes &&
	       at - start <= buffer->populated_bytes - bytes;
}

unsigned char *buffer_window(const struct buffer *buffer, uint64_t bytes, uint64_t alignment_bytes,
			     struct rng *rng)
{
	uint64_t unit_bytes = alignment_bytes > buffer->window_unit_bytes
				      ? alignment_bytes
				      : buffer->window_unit_bytes;
	uint64_t places = (buffer->populated_bytes - bytes) / unit_bytes + 1;
	return buffer->memory + rng_below(rng, places) * unit_bytes;
}
