/* Simulated translation: what a walk reads in a guest and out of it, and which TLB holds what. */
#include <stddef.h>
#include <stdint.h>

#include "traces.h"
#include "unit.h"

#define SMALL  ((uint64_t)4096)
#define MEDIUM ((uint64_t)64 << 10)
#define LARGE  ((uint64_t)2 << 20)
#define HUGE   ((uint64_t)1 << 30)
#define MIB    ((uint64_t)1 << 20)

/* Lines of tables that the first access reads, and another one `next` bytes on. */
static void assert_reads(const char *description, uint64_t page_bytes, unsigned first,
			 uint64_t next, unsigned second)
{
	struct simulated_memory memory = traces_open(description);
	traces_map(&memory, 64 * MIB, page_bytes, 1);
	simulated_memory_load(&memory, 0);
	assert_int_equal(memory.path.walk_reads, first);
	simulated_memory_load(&memory, next);
	assert_int_equal(memory.path.walk_reads, second);
	simulated_memory_close(&memory);
}

#define NOTHING_KNOWN "sim:dtlb=1/1/lru/0c,stlb=off,pwc=off,host_pwc=off,"

static void a_guest_reads_every_entry_through_its_hosts_tables(void **state)
{
	(void)state;
	assert_reads(NOTHING_KNOWN "host=off", SMALL, 4, SMALL, 4);
	assert_reads(NOTHING_KNOWN "host=4K", SMALL, 24, SMALL, 24);
	assert_reads(NOTHING_KNOWN "host=2M", SMALL, 4 * 4 + 3, SMALL, 4 * 4 + 3);
	assert_reads(NOTHING_KNOWN "host=4K", LARGE, 3 * 5 + 4, LARGE, 3 * 5 + 4);
	assert_reads(NOTHING_KNOWN "host=2M", LARGE, 3 * 4 + 3, LARGE, 3 * 4 + 3);
	assert_reads(NOTHING_KNOWN "host=1G", LARGE, 3 * 3 + 2, LARGE, 3 * 3 + 2);
	assert_reads(NOTHING_KNOWN "host=4K,walk=5", SMALL, 35, SMALL, 35);
	assert_reads(NOTHING_KNOWN "host=4K,walk=6", SMALL, SIMULATED_WALK_READS, SMALL,
		     SIMULATED_WALK_READS);
}

/* With what both know the leaves are left: the guest's, and of the page its host's. Data and tables
 * are in different regions of 2 MiB, and in the same one of 1 GiB. */
static void walk_caches_of_both_sides_save_what_they_know(void **state)
{
	(void)state;
	assert_reads("sim:dtlb=1/1/lru/0c,stlb=off,host=off", SMALL, 4, SMALL, 1);
	assert_reads("sim:dtlb=1/1/lru/0c,stlb=off,host=4K", SMALL, 4 + 4 + 3 * 1 + 2, SMALL, 2);
	assert_reads("sim:dtlb=1/1/lru/0c,stlb=off,host=4K,host_pwc=off", SMALL, 24, SMALL, 1 + 4);
	assert_reads("sim:dtlb=1/1/lru/0c,stlb=off,host=4K,pwc=off", SMALL, 13, SMALL, 4 * 2 + 1);
}

static void the_nested_tlb_saves_the_hosts_tables(void **state)
{
	(void)state;
	assert_reads(NOTHING_KNOWN "host=4K,ntlb=16", SMALL, 24, 64, 0);
	/* Another page of the guest's, through the same tables: its own four, and one frame. */
	assert_reads(NOTHING_KNOWN "host=4K,ntlb=16", SMALL, 24, SMALL, 4 + 4);
	assert_reads(NOTHING_KNOWN "host=2M,ntlb=16", SMALL, 4 + 3 + 3, SMALL, 4);
}

/* Translations that a lap through `pages` lines, `spacing` apart, still looks for in tables. */
static uint64_t lap_walks(const char *description, uint64_t page_bytes, uint64_t count,
			  uint64_t spacing)
{
	struct simulated_memory memory = traces_open(description);
	traces_map(&memory, count * spacing, page_bytes, 1);
	for (int lap = 0; lap < 3; lap++) {
		simulated_memory_forget(&memory);
		for (uint64_t i = 0; i < count; i++)
			simulated_memory_load(&memory, i * spacing);
	}
	uint64_t walks = memory.walks;
	simulated_memory_close(&memory);
	return walks;
}

#define ONE_TLB "sim:memory=64G,dtlb=16/full/lru/0c,stlb=off,"

static void a_tlb_holds_what_page_and_hosts_page_have_in_common(void **state)
{
	(void)state;
	assert_int_equal(lap_walks(ONE_TLB "host=off", LARGE, 32, SMALL), 0);
	assert_int_equal(lap_walks(ONE_TLB "host=2M", LARGE, 32, SMALL), 0);
	assert_int_equal(lap_walks(ONE_TLB "host=1G", LARGE, 16, LARGE), 0);
	assert_int_equal(lap_walks(ONE_TLB "host=4K", LARGE, 16, SMALL), 0);
	assert_int_equal(lap_walks(ONE_TLB "host=4K", LARGE, 17, SMALL), 17);
	assert_int_equal(lap_walks(ONE_TLB "host=2M", SMALL, 17, SMALL), 17);
	assert_int_equal(lap_walks(ONE_TLB "host=2M", HUGE, 17, LARGE), 17);
}

/* One translation in a TLB, whole in memory; and an entry of its tables for each base page in it,
 * eight to a line. */
static void multi_size_pages_have_small_entries(void **state)
{
	(void)state;
	struct simulated_memory memory = traces_open(NOTHING_KNOWN "host=off");
	assert_int_equal(lap_walks(ONE_TLB "host=off", MEDIUM, 16, MEDIUM), 0);
	assert_int_equal(lap_walks(ONE_TLB "host=off", MEDIUM, 17, MEDIUM), 17);
	assert_int_equal(lap_walks(ONE_TLB "host=4K", MEDIUM, 17, SMALL), 17);
	assert_reads(NOTHING_KNOWN "host=off", MEDIUM, 4, MEDIUM, 4);
	traces_map(&memory, MIB, MEDIUM, 1);
	simulated_memory_load(&memory, 0);
	uint32_t leaf = memory.tables.reads[3];
	simulated_memory_load(&memory, MEDIUM);
	assert_int_equal(memory.tables.reads[3], leaf + MEDIUM / SMALL / 8);
	assert_int_equal(memory.map.frame_bytes, MEDIUM);
	simulated_memory_close(&memory);
}

/* The guest's page is whole, the frames that hold it are its host's. */
static void splintered_pages_lie_in_frames_of_their_hosts(void **state)
{
	(void)state;
	struct simulated_memory memory = traces_open("sim:host=4K,placement=random");
	size_t runs = 0;
	traces_map(&memory, LARGE, LARGE, 1);
	assert_int_equal(memory.map.page_bytes, LARGE);
	assert_int_equal(memory.map.frame_bytes, SMALL);
	for (size_t i = 1; i < 512; i++)
		runs += memory.map.frame_lines[i] == memory.map.frame_lines[i - 1] + 64;
	assert_true(runs < 5);
	simulated_memory_close(&memory);
}

#define OF_EACH_SIZE                                                                               \
	"sim:memory=64G,dtlb=32/full/lru/0c,stlb=64/full/lru/0c,dtlb2m=8/full/lru/0c,"             \
	"stlb2m=16/full/lru/0c,dtlb1g=2/full/lru/0c,"

static void each_size_of_page_has_the_tlbs_that_it_is_given(void **state)
{
	(void)state;
	assert_int_equal(lap_walks(OF_EACH_SIZE "stlb1g=4/full/lru/0c", SMALL, 64, SMALL), 0);
	assert_int_equal(lap_walks(OF_EACH_SIZE "stlb1g=4/full/lru/0c", SMALL, 65, SMALL), 65);
	assert_int_equal(lap_walks(OF_EACH_SIZE "stlb1g=4/full/lru/0c", LARGE, 16, LARGE), 0);
	assert_int_equal(lap_walks(OF_EACH_SIZE "stlb1g=4/full/lru/0c", LARGE, 17, LARGE), 17);
	assert_int_equal(lap_walks(OF_EACH_SIZE "stlb1g=4/full/lru/0c", HUGE, 4, HUGE), 0);
	assert_int_equal(lap_walks(OF_EACH_SIZE "stlb1g=off", HUGE, 2, HUGE), 0);
	assert_int_equal(lap_walks(OF_EACH_SIZE "stlb1g=off", HUGE, 3, HUGE), 3);
	assert_int_equal(lap_walks(OF_EACH_SIZE "stlb1g=shared", HUGE, 5, HUGE), 0);
	assert_int_equal(lap_walks("sim:dtlb2m=off,stlb2m=off", LARGE, 2, LARGE), 2);
}

/* A TLB that holds none of them is not asked, and costs nothing. */
static void only_tlbs_that_are_asked_cost(void **state)
{
	(void)state;
	static const char *const machines[] = {
		"sim:l1=1M/16/lru/4c,l2=off,dtlb=1/1/lru/1c,stlb=8/8/lru/7c",
		"sim:l1=1M/16/lru/4c,l2=off,dtlb=1/1/lru/1c,stlb=8/8/lru/7c,stlb2m=off"};
	static const double cycles[] = {4 + 1 + 7, 4 + 1 + 4};
	for (size_t i = 0; i < 2; i++) {
		struct simulated_memory memory = traces_open(machines[i]);
		traces_map(&memory, 2 * LARGE, LARGE, 1);
		for (uint64_t access = 0; access < 8; access++) {
			simulated_memory_forget(&memory);
			simulated_memory_load(&memory, access % 2 * (LARGE + 64));
		}
		assert_true(simulated_memory_cost(&memory).cycles == cycles[i]);
		simulated_memory_close(&memory);
	}
}

static void a_walk_costs_what_it_is_said_to_besides_its_reads(void **state)
{
	(void)state;
	struct simulated_memory memory =
		traces_open("sim:l1=1M/16/lru/4c,l2=off,dtlb=1/1/lru/1c,stlb=off,walk_cost=20c");
	traces_map(&memory, 2 * SMALL, SMALL, 1);
	for (uint64_t access = 0; access < 8; access++) {
		simulated_memory_forget(&memory);
		simulated_memory_load(&memory, access % 2 * (SMALL + 64));
	}
	assert_true(simulated_memory_cost(&memory).cycles == 4 + 1 + 20 + 4);
	assert_true(memory.path.translation.cycles == 1 + 20);
	simulated_memory_load(&memory, SMALL + 64);
	assert_true(memory.path.translation.cycles == 1);
	simulated_memory_close(&memory);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_guest_reads_every_entry_through_its_hosts_tables),
	cmocka_unit_test(walk_caches_of_both_sides_save_what_they_know),
	cmocka_unit_test(the_nested_tlb_saves_the_hosts_tables),
	cmocka_unit_test(a_tlb_holds_what_page_and_hosts_page_have_in_common),
	cmocka_unit_test(multi_size_pages_have_small_entries),
	cmocka_unit_test(splintered_pages_lie_in_frames_of_their_hosts),
	cmocka_unit_test(each_size_of_page_has_the_tlbs_that_it_is_given),
	cmocka_unit_test(only_tlbs_that_are_asked_cost),
	cmocka_unit_test(a_walk_costs_what_it_is_said_to_besides_its_reads),
};
UNIT_GROUP();
