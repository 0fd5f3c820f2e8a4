/* Which kinds of pages the experiment takes of machines that grant more or fewer of them, and what
 * it says of the others. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/plan.h"
#include "base/text.h"
#include "base/warnings.h"
#include "machine/machine.h"
#include "machine/pages.h"
#include "measure/experiments/experiments.h"
#include "unit.h"

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)

struct planned {
	struct fathom_machine *machine;
	struct fathom_plan *plan;
	struct fathom_warnings warnings;
};

static struct fathom_machine *recorded(const char *name)
{
	char *root = text_format("%s/%s", MACHINES, name);
	char *topology = text_format("%s/%s/topology.xml", MACHINES, name);
	struct machine_source source = {root, topology};
	struct fathom_machine *machine = NULL;
	assert_int_equal(machine_find(&source, &machine, NULL), 0);
	free(root);
	free(topology);
	machine->base_page_bytes = 4096; /* what only a running kernel tells */
	return machine;
}

static struct fathom_machine *simulated(const char *description)
{
	struct fathom_machine *machine = NULL;
	assert_int_equal(fathom_machine_find(description, &machine, NULL), 0);
	return machine;
}

/* Takes the machine over. */
static struct planned plan_for(struct fathom_machine *machine, uint64_t max_size_bytes)
{
	struct planned planned = {.machine = machine};
	struct fathom_request request;
	fathom_request_for(&request, FATHOM_PAGES);
	request.max_size_bytes = max_size_bytes;
	assert_int_equal(fathom_plan_make(&request, machine, &planned.plan, NULL), 0);
	experiment_find(FATHOM_PAGES)->warn(planned.plan, machine, &planned.warnings);
	return planned;
}

static void planned_free(struct planned *planned)
{
	warnings_free(&planned->warnings);
	fathom_plan_free(planned->plan);
	fathom_machine_free(planned->machine);
}

/* The largest size of the curve along the sizes in pages of that kind; 0: there is none. */
static uint64_t largest_same(const struct planned *planned, enum fathom_page page)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < planned->plan->spec_count; i++) {
		const struct fathom_spec *spec = &planned->plan->specs[i];
		if (spec->page == page && spec->axis == FATHOM_AXIS_SIZE)
			bytes = spec->size_bytes;
	}
	return bytes;
}

/* Of the chain through one line in each page, not in each small one that a host may hold it in. */
static uint64_t largest_spread(const struct planned *planned, enum fathom_page page)
{
	uint64_t page_bytes = pages_bytes(planned->machine, page), bytes = 0;
	for (size_t i = 0; i < planned->plan->spec_count; i++) {
		const struct fathom_spec *spec = &planned->plan->specs[i];
		if (spec->page == page && spec->pattern == FATHOM_ONE_PER_PAGE &&
		    spec->node_bytes == page_bytes)
			bytes = spec->size_bytes;
	}
	return bytes;
}

static const struct fathom_warning *warned(const struct planned *planned, const char *id,
					   const char *where)
{
	return warnings_find_at(&planned->warnings, id, where);
}

static void assert_hint(const struct planned *planned, const char *id, const char *where,
			const char *part)
{
	const struct fathom_warning *warning = warned(planned, id, where);
	assert_non_null(warning);
	assert_non_null(warning->hint);
	assert_non_null(strstr(warning->hint, part));
}

/* THP never, 480 of 512 pages of 2 MiB free, and 10 GiB of memory. */
static void a_pool_in_place_of_thp(void **state)
{
	(void)state;
	struct planned planned = plan_for(recorded("intel-metal"), 0);
	assert_int_equal(largest_same(&planned, FATHOM_PAGE_4K), GIB);
	assert_int_equal(largest_same(&planned, FATHOM_PAGE_THP), 0);
	assert_hint(&planned, "page-kind-missing", "thp",
		    "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled");
	uint64_t pool = largest_same(&planned, FATHOM_PAGE_2M);
	assert_true(pool > 480 * MIB && pool <= 960 * MIB);
	assert_true(largest_spread(&planned, FATHOM_PAGE_2M) <= 960 * MIB);
	assert_hint(&planned, "page-kind-partial", "2m", "hugepages-2048kB/nr_hugepages");
	assert_hint(&planned, "page-kind-missing", "1g", "hugepages-1048576kB/nr_hugepages");
	planned_free(&planned);
}

/* There is no hugetlb at all, and so no command that grants it. */
static void kinds_that_the_kernel_lacks(void **state)
{
	(void)state;
	struct planned planned = plan_for(recorded("amd-two-nodes"), 64 * MIB);
	assert_int_equal(largest_same(&planned, FATHOM_PAGE_4K), 64 * MIB);
	assert_int_equal(largest_same(&planned, FATHOM_PAGE_THP), 64 * MIB);
	assert_non_null(warned(&planned, "page-kind-missing", "2m"));
	assert_null(warned(&planned, "page-kind-missing", "2m")->hint);
	assert_null(warned(&planned, "page-kind-missing", "thp"));
	planned_free(&planned);
}

/* Takes the machine over; its sizes of THP from 16 KiB to 2 MiB get the state. */
static struct fathom_machine *with_sizes(struct fathom_machine *machine, const char *state)
{
	for (size_t i = 0; i < machine->thp_size_count; i++)
		free(machine->thp_sizes[i].state);
	free(machine->thp_sizes);
	machine->thp_size_count = 8;
	machine->thp_sizes = calloc(8, sizeof(*machine->thp_sizes));
	for (size_t i = 0; i < 8; i++)
		machine->thp_sizes[i] =
			(struct fathom_thp_size){(uint64_t)16384 << i, strdup(state)};
	return machine;
}

/* Seven kinds that are off, and one warning. */
static void multi_size_pages_that_are_off(void **state)
{
	(void)state;
	struct planned planned =
		plan_for(with_sizes(simulated("sim:pool2m=64,pool1g=1"), "never"), 64 * MIB);
	const struct fathom_warning *warning =
		warned(&planned, "page-kind-missing", "multi-size THP");
	assert_non_null(warning);
	assert_string_equal(warning->text,
			    "page kind 16k, 32k, 64k, 128k, 256k, 512k, 1m is left out: "
			    "multi-size THP of these sizes is off");
	assert_string_equal(warning->hint, "echo madvise | sudo tee /sys/kernel/mm/"
					   "transparent_hugepage/hugepages-64kB/enabled");
	assert_int_equal(largest_same(&planned, FATHOM_PAGE_64K), 0);
	assert_null(warned(&planned, "page-kind-missing", "64k"));
	assert_null(warned(&planned, "spread-left-out", "64k"));
	planned_free(&planned);
}

static void multi_size_pages_that_are_on_in_part(void **state)
{
	(void)state;
	struct fathom_machine *machine = with_sizes(simulated("sim:"), "inherit");
	for (size_t i = 2; i < 4; i++) { /* 64 and 128 KiB */
		free(machine->thp_sizes[i].state);
		machine->thp_sizes[i].state = strdup("never");
	}
	struct planned planned = plan_for(machine, 64 * MIB);
	assert_int_equal(largest_same(&planned, FATHOM_PAGE_16K), 64 * MIB);
	assert_int_equal(largest_same(&planned, FATHOM_PAGE_1M), 64 * MIB);
	assert_int_equal(largest_spread(&planned, FATHOM_PAGE_1M), 64 * MIB);
	assert_int_equal(largest_same(&planned, FATHOM_PAGE_64K), 0);
	assert_hint(&planned, "page-kind-missing", "multi-size THP", "hugepages-64kB");
	assert_non_null(strstr(warned(&planned, "page-kind-missing", "multi-size THP")->text,
			       "kind 64k, 128k is"));
	planned_free(&planned);
}

static void multi_size_pages_that_the_kernel_lacks(void **state)
{
	(void)state;
	struct planned planned = plan_for(simulated("sim:"), 16 * MIB);
	const struct fathom_warning *warning =
		warned(&planned, "page-kind-missing", "multi-size THP");
	assert_non_null(warning);
	assert_non_null(strstr(warning->text, "this kernel has no multi-size THP"));
	assert_null(warning->hint);
	planned_free(&planned);
	planned = plan_for(with_sizes(simulated("sim:"), "madvise"), 16 * MIB);
	assert_null(warned(&planned, "page-kind-missing", "multi-size THP"));
	planned_free(&planned);
}

/* 64 pages of 2 MiB are more than was asked for. */
static void too_little_memory_for_one_line_a_page(void **state)
{
	(void)state;
	struct planned planned = plan_for(recorded("guest-container"), 16 * MIB);
	assert_int_equal(largest_same(&planned, FATHOM_PAGE_THP), 16 * MIB);
	assert_int_equal(largest_spread(&planned, FATHOM_PAGE_THP), 0);
	assert_int_equal(largest_spread(&planned, FATHOM_PAGE_4K), 16 * MIB);
	assert_hint(&planned, "spread-left-out", "thp", "--max-size");
	assert_null(warned(&planned, "spread-left-out", "4k"));
	planned_free(&planned);
}

/* By default all kinds together leave some memory, and none takes more than the others. */
static void all_kinds_have_memory_at_the_same_time(void **state)
{
	(void)state;
	struct planned planned = plan_for(simulated("sim:memory=1G"), 0);
	uint64_t small = largest_same(&planned, FATHOM_PAGE_4K);
	assert_int_equal(small, largest_same(&planned, FATHOM_PAGE_THP));
	assert_true(small >= 384 * MIB && small <= 512 * MIB);
	assert_true(planned.plan->memory_bytes <= planned.machine->limit_bytes);
	planned_free(&planned);
}

/* Pages of 1 GiB are farther apart than nodes can be. */
static void a_pool_of_gigantic_pages(void **state)
{
	(void)state;
	struct planned planned = plan_for(simulated("sim:memory=16G,pool1g=1,pool2m=8,thp=off"), 0);
	assert_int_equal(largest_same(&planned, FATHOM_PAGE_1G), GIB);
	assert_int_equal(largest_spread(&planned, FATHOM_PAGE_1G), 0);
	assert_non_null(warned(&planned, "spread-left-out", "1g"));
	assert_int_equal(largest_same(&planned, FATHOM_PAGE_2M), 16 * MIB);
	assert_hint(&planned, "page-kind-partial", "2m", "nr_hugepages");
	planned_free(&planned);
}

/* Each size of the one has the same size of the other, and each number of pages as many lines. */
static void what_is_held_against_each_other_is_there(void **state)
{
	(void)state;
	struct planned planned = plan_for(simulated("sim:"), 512 * MIB);
	const struct fathom_spec *specs = planned.plan->specs;
	size_t ends[6], curves = 0;
	for (size_t first = 0; first < planned.plan->spec_count && curves < 6;
	     first = ends[curves++])
		ends[curves] = plan_curve_end(planned.plan, first);
	assert_int_equal(curves, 6);
	assert_int_equal(ends[5], planned.plan->spec_count);
	for (size_t i = 0; i < ends[0]; i++)
		assert_int_equal(specs[i].size_bytes, specs[ends[0] + i].size_bytes);
	assert_int_equal(ends[1], 2 * ends[0]);
	for (size_t curve = 2; curve < 6; curve += 2)
		for (size_t i = ends[curve - 1]; i < ends[curve]; i++) {
			const struct fathom_spec *packed =
				&specs[i + ends[curve] - ends[curve - 1]];
			assert_int_equal(specs[i].size_bytes / specs[i].node_bytes,
					 packed->size_bytes / packed->node_bytes);
			assert_int_equal(specs[i].page, packed->page);
			assert_int_equal(packed->node_bytes, 64);
		}
	planned_free(&planned);
}

/* In a guest a host may hold large pages in small ones: these are visited each, too. */
static void large_pages_of_a_guest_are_visited_in_pieces(void **state)
{
	static const char *const descriptions[] = {"sim:", "sim:host=2M"};
	(void)state;
	for (size_t guest = 0; guest < 2; guest++) {
		struct planned planned = plan_for(simulated(descriptions[guest]), 64 * MIB);
		uint64_t pieces_bytes = 0;
		for (size_t i = 0; i < planned.plan->spec_count; i++) {
			const struct fathom_spec *spec = &planned.plan->specs[i];
			if (spec->page == FATHOM_PAGE_THP && spec->node_bytes == 4096)
				pieces_bytes = spec->size_bytes;
		}
		assert_int_equal(pieces_bytes, guest ? 64 * MIB : 0);
		planned_free(&planned);
	}
}

/* What was not asked for needs no words. */
static void kinds_that_were_asked_for(void **state)
{
	(void)state;
	static const enum fathom_page thp[] = {FATHOM_PAGE_THP}, large[] = {FATHOM_PAGE_2M};
	struct planned planned = {.machine = simulated("sim:")};
	struct fathom_request request;
	struct fathom_error error = {0};
	fathom_request_for(&request, FATHOM_PAGES);
	request.page_count = 1;
	request.pages = large;
	assert_int_equal(fathom_plan_make(&request, planned.machine, &planned.plan, &error), -1);
	assert_int_equal(error.status, FATHOM_UNABLE);
	assert_non_null(strstr(error.hint, "echo 512 | sudo tee"));
	fathom_error_clear(&error);
	request.pages = thp;
	assert_int_equal(fathom_plan_make(&request, planned.machine, &planned.plan, NULL), 0);
	experiment_find(FATHOM_PAGES)->warn(planned.plan, planned.machine, &planned.warnings);
	assert_int_equal(largest_same(&planned, FATHOM_PAGE_4K), 0);
	assert_int_equal(largest_same(&planned, FATHOM_PAGE_THP), GIB);
	assert_int_equal(planned.warnings.count, 0);
	planned_free(&planned);
}

static void leaf_tables_of_an_entry(void **state)
{
	(void)state;
	assert_int_equal(page_table_bytes(FATHOM_PAGE_4K, 4096, 4096), 8);
	assert_int_equal(page_table_bytes(FATHOM_PAGE_THP, 2 << 20, 4096), 8);
	/* Of multi-size THP one of each base page, and a line at most. */
	assert_int_equal(page_table_bytes(FATHOM_PAGE_16K, 16 << 10, 4096), 32);
	assert_int_equal(page_table_bytes(FATHOM_PAGE_1M, 1 << 20, 4096), 64);
	assert_int_equal(page_table_bytes(FATHOM_PAGE_64K, 64 << 10, 16 << 10), 32);
	assert_int_equal(page_table_bytes(FATHOM_PAGE_16K, 16 << 10, 0), 32);
	assert_int_equal(page_table_bytes(FATHOM_PAGE_16K, 0, 0), 8);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_pool_in_place_of_thp),
	cmocka_unit_test(kinds_that_the_kernel_lacks),
	cmocka_unit_test(too_little_memory_for_one_line_a_page),
	cmocka_unit_test(all_kinds_have_memory_at_the_same_time),
	cmocka_unit_test(a_pool_of_gigantic_pages),
	cmocka_unit_test(what_is_held_against_each_other_is_there),
	cmocka_unit_test(large_pages_of_a_guest_are_visited_in_pieces),
	cmocka_unit_test(kinds_that_were_asked_for),
	cmocka_unit_test(multi_size_pages_that_are_off),
	cmocka_unit_test(multi_size_pages_that_are_on_in_part),
	cmocka_unit_test(multi_size_pages_that_the_kernel_lacks),
	cmocka_unit_test(leaf_tables_of_an_entry),
};
UNIT_GROUP();
