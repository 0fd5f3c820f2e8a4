#include "machine/pages.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"
#include "base/units.h"
#include "machine/smaps.h"
#include "machine/tree.h"

#define THP      "/sys/kernel/mm/transparent_hugepage"
#define OTHERS   "--page 4K is available everywhere"
#define THP_SIZE THP "/hugepages-%" PRIu64 "kB"

/* ---- what can be had ---- */

uint64_t pages_bytes(const struct fathom_machine *machine, enum fathom_page page)
{
	uint64_t named_bytes = page_named_bytes(page);
	if (page == FATHOM_PAGE_THP)
		return machine->thp_page_bytes;
	return named_bytes ? named_bytes : machine->base_page_bytes;
}

static bool is(const char *state, const char *wanted)
{
	return state && strcmp(state, wanted) == 0;
}

static const struct fathom_thp_size *find_size(const struct fathom_machine *machine,
					       uint64_t page_bytes)
{
	for (size_t i = 0; i < machine->thp_size_count; i++)
		if (machine->thp_sizes[i].page_bytes == page_bytes)
			return &machine->thp_sizes[i];
	return NULL;
}

/* Are transparent huge pages of that size, multi-size or the usual one, on? */
static int check_state(const struct fathom_machine *machine, uint64_t page_bytes,
		       struct fathom_error *error)
{
	const struct fathom_thp_size *size = find_size(machine, page_bytes);
	const char *state = size ? size->state : "inherit"; /* sizes have states from 6.8 on */
	bool usual = page_bytes == machine->thp_page_bytes, inherits = is(state, "inherit");
	char text[UNITS_TEXT_BYTES];
	if (!is(state, "never") && !(inherits && is(machine->thp_state, "never")))
		return 0;
	char *hint = usual && inherits ? text_format("echo madvise | sudo tee " THP "/enabled")
				       : text_format("echo madvise | sudo tee " THP_SIZE "/enabled",
						     page_bytes / 1024);
	if (usual)
		error_set(error, FATHOM_UNABLE, hint,
			  "transparent huge pages are off on this machine");
	else
		error_set(error, FATHOM_UNABLE, hint, "multi-size THP of %s is off",
			  units_format_size(page_bytes, text));
	free(hint);
	return -1;
}

static int check_thp(const struct fathom_machine *machine, struct fathom_error *error)
{
	if (!machine->thp_page_bytes)
		return error_set(error, FATHOM_UNABLE, OTHERS,
				 "this kernel has no transparent huge pages");
	return check_state(machine, machine->thp_page_bytes, error);
}

bool pages_has_size(const struct fathom_machine *machine, uint64_t page_bytes)
{
	return page_bytes > machine->base_page_bytes &&
	       (!machine->thp_page_bytes || page_bytes < machine->thp_page_bytes) &&
	       find_size(machine, page_bytes);
}

static int check_size(const struct fathom_machine *machine, uint64_t page_bytes,
		      struct fathom_error *error)
{
	char text[UNITS_TEXT_BYTES];
	if (!pages_has_size(machine, page_bytes))
		return error_set(error, FATHOM_UNABLE,
				 page_bytes == machine->base_page_bytes
					 ? "--page 4K asks for this machine's base pages"
					 : OTHERS,
				 "this kernel has no multi-size THP of %s",
				 units_format_size(page_bytes, text));
	return check_state(machine, page_bytes, error);
}

static const struct fathom_page_pool *find_pool(const struct fathom_machine *machine,
						uint64_t page_bytes)
{
	for (size_t i = 0; i < machine->pool_count; i++)
		if (machine->pools[i].page_bytes == page_bytes)
			return &machine->pools[i];
	return NULL;
}

static int check_pool(const struct fathom_machine *machine, uint64_t page_bytes, uint64_t bytes,
		      struct fathom_error *error)
{
	const struct fathom_page_pool *pool = find_pool(machine, page_bytes);
	uint64_t wanted = bytes / page_bytes + (bytes % page_bytes != 0);
	char size[UNITS_TEXT_BYTES];
	units_format_size(page_bytes, size);
	if (!pool)
		return error_set(error, FATHOM_UNABLE, NULL,
				 "this machine has no hugetlb pages of %s", size);
	if (wanted <= pool->free_pages)
		return 0;
	char *hint = text_format("echo %" PRIu64 " | sudo tee "
				 "/sys/kernel/mm/hugepages/hugepages-%" PRIu64 "kB/nr_hugepages",
				 pool->total_pages + wanted - pool->free_pages, page_bytes / 1024);
	bool possible = bytes <= machine->memory_bytes;
	error_set(error, FATHOM_UNABLE, possible ? hint : NULL,
		  "the pool of hugetlb pages of %s has %" PRIu64 " free, %" PRIu64 " %s needed",
		  size, pool->free_pages, wanted, wanted == 1 ? "is" : "are");
	free(hint);
	return -1;
}

int pages_check(const struct fathom_machine *machine, enum fathom_page page, uint64_t bytes,
		struct fathom_error *error)
{
	if (page_is_multi_size(page))
		return check_size(machine, page_named_bytes(page), error);
	if (page_is_hugetlb(page))
		return check_pool(machine, pages_bytes(machine, page), bytes, error);
	return page == FATHOM_PAGE_THP ? check_thp(machine, error) : 0;
}

uint64_t pages_most_bytes(const struct fathom_machine *machine, enum fathom_page page)
{
	if (!page_is_hugetlb(page))
		return pages_check(machine, page, 0, NULL) ? 0 : machine->limit_bytes;
	const struct fathom_page_pool *pool = find_pool(machine, pages_bytes(machine, page));
	return pool ? pool->free_pages * pool->page_bytes : 0;
}

/* ---- what was got ---- */

/* linux/fs.h of 6.7 and later; declared here, since the headers may be older than the kernel. */
struct scan_region {
	uint64_t start, end, categories;
};

struct scan_request {
	uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
	uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};

#define SCAN_PAGEMAP _IOWR('f', 16, struct scan_request)
#define SCAN_IS_HUGE ((uint64_t)1 << 6) /* mapped by a PMD, or hugetlb */
#define SCAN_REGIONS 128

static uint64_t overlap(const struct scan_region *region, uint64_t start, uint64_t end)
{
	uint64_t low = region->start > start ? region->start : start;
	uint64_t high = region->end < end ? region->end : end;
	return low < high ? high - low : 0;
}

/* The bytes of [start, end) that huge pages hold; -1: the kernel cannot tell. */
static int64_t scan(int pagemap, uint64_t start, uint64_t end, uint64_t base_bytes)
{
	struct scan_region regions[SCAN_REGIONS];
	struct scan_request request = {
		.size = sizeof(request),
		.start = start / base_bytes * base_bytes,
		.end = (end + base_bytes - 1) / base_bytes * base_bytes,
		.vec = (uintptr_t)regions,
		.vec_len = SCAN_REGIONS,
		.category_mask = SCAN_IS_HUGE,
		.return_mask = SCAN_IS_HUGE,
	};
	uint64_t huge_bytes = 0;
	while (request.start < request.end) {
		int count = ioctl(pagemap, SCAN_PAGEMAP, &request);
		if (count < 0 || request.walk_end <= request.start)
			return -1;
		for (int i = 0; i < count; i++)
			huge_bytes += overlap(&regions[i], start, end);
		request.start = request.walk_end;
	}
	return (int64_t)huge_bytes;
}

static int64_t scan_huge(uint64_t start, uint64_t end, uint64_t base_bytes)
{
	int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	if (pagemap < 0)
		return -1;
	int64_t huge_bytes = scan(pagemap, start, end, base_bytes);
	close(pagemap);
	return huge_bytes;
}

/* The bytes of [start, end) that large pages hold by smaps, which walks the pages of the whole
 * process; -1: it cannot be read, and UNABLE where only more files are wanted. */
static int64_t read_huge(uint64_t start, uint64_t end, bool hugetlb, struct fathom_error *error)
{
	struct smaps_range range;
	if (smaps_read("/proc/self/smaps", start, end, &range, error))
		return -1;
	return (int64_t)(hugetlb ? range.hugetlb_bytes : range.thp_bytes);
}

static bool read_thp_bytes(uint64_t *page_bytes)
{
	return tree_read_number(page_bytes, "", THP "/hpage_pmd_size");
}

/* The size that most of the range has, of which so much is in pages of huge_page_bytes. */
static struct pages_obtained choose(uint64_t huge_bytes, uint64_t huge_page_bytes, uint64_t bytes,
				    uint64_t base_bytes)
{
	if (huge_bytes > bytes)
		huge_bytes = bytes;
	if (huge_bytes && huge_bytes >= bytes - huge_bytes)
		return (struct pages_obtained){huge_page_bytes, (double)huge_bytes / (double)bytes};
	return (struct pages_obtained){base_bytes, (double)(bytes - huge_bytes) / (double)bytes};
}

int pages_read_back(const void *memory, uint64_t bytes, uint64_t hugetlb_page_bytes,
		    struct pages_obtained *obtained, struct fathom_error *error)
{
	uint64_t base_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t start = (uintptr_t)memory, page_bytes = hugetlb_page_bytes;
	struct fathom_error why = {0};
	int64_t huge_bytes = scan_huge(start, start + bytes, base_bytes);
	if (huge_bytes < 0)
		huge_bytes = read_huge(start, start + bytes, hugetlb_page_bytes, &why);
	bool unable = huge_bytes < 0 && why.status == FATHOM_UNABLE;
	if (unable)
		error_set(error, why.status, why.hint, "%s", why.text);
	fathom_error_clear(&why);
	if (unable)
		return -1;
	bool known =
		huge_bytes == 0 || (huge_bytes > 0 && (page_bytes || read_thp_bytes(&page_bytes)));
	*obtained = known ? choose((uint64_t)huge_bytes, page_bytes, bytes, base_bytes)
			  : (struct pages_obtained){0, NAN};
	return 0;
}

bool pages_count(const char *root, uint64_t page_bytes, uint64_t *pages)
{
	return tree_read_number(pages, root, THP_SIZE "/stats/anon_fault_alloc", page_bytes / 1024);
}

struct pages_obtained pages_of_count(uint64_t pages, uint64_t page_bytes, uint64_t bytes)
{
	uint64_t most = bytes / page_bytes;
	return choose((pages < most ? pages : most) * page_bytes, page_bytes, bytes,
		      (uint64_t)sysconf(_SC_PAGESIZE));
}
