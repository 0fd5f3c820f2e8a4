/* Page sizes: what the kernel can give, and what a mapping really got. */
#pragma once

#include "fathom.h"

struct pages_obtained {
	uint64_t page_bytes; /* the size that most of the range has; 0: not known */
	double share;        /* of the range, 0..1 */
};

/* Reads back the pages behind [memory, memory + bytes), all touched already: PAGEMAP_SCAN where
 * the kernel has it (6.7), else smaps. Multi-size THP shows in neither and counts as base pages:
 * see pages_count.
 * `hugetlb_page_bytes`: of the hugetlb mapping that it is; 0: it is none.
 * Where neither can be read, as without /proc, it is not known. Errors: UNABLE (too many files are
 * open). */
int pages_read_back(const void *memory, uint64_t bytes, uint64_t hugetlb_page_bytes,
		    struct pages_obtained *obtained, struct fathom_error *error);

/* How many pages of multi-size THP of that size the machine has given since it started: not to this
 * process alone. `root` as in tree.h. false: the kernel does not say (before 6.10). */
bool pages_count(const char *root, uint64_t page_bytes, uint64_t *pages);
/* What `bytes` are made of, of which so many pages were given. */
struct pages_obtained pages_of_count(uint64_t pages, uint64_t page_bytes, uint64_t bytes);

/* Is this kind to be had here, for `bytes`? DEFAULT and 4K always are. Errors: UNABLE, the hint
 * is the command that grants it (empty pool, THP or a size of it never). */
int pages_check(const struct fathom_machine *machine, enum fathom_page page, uint64_t bytes,
		struct fathom_error *error);

/* How much of this kind may be had: what memory allows (UINT64_MAX: not known), of hugetlb pages
 * what the pool has free; 0: none. */
uint64_t pages_most_bytes(const struct fathom_machine *machine, enum fathom_page page);

/* Does the kernel list multi-size THP of that size, on or off? */
bool pages_has_size(const struct fathom_machine *machine, uint64_t page_bytes);

/* The page size asked for by a kind: base page, THP's, or what its name says. */
uint64_t pages_bytes(const struct fathom_machine *machine, enum fathom_page page);
