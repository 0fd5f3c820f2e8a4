/* The keys of a simulated machine's text. */
#include <stddef.h>

#include "simulate/simulated_values.h"

#define FIELD(name) offsetof(struct simulated_spec, name), 0
#define OR_OFF(name)                                                                               \
	offsetof(struct simulated_spec, name), sizeof(((struct simulated_spec *)0)->name)
#define CACHE_FORM                                                                                 \
	"size/ways/policy/latency, like 48K/12/lru/5c, the last one also with /victim, or off"
#define TLB_FORM       "entries/ways/policy/latency, like 96/6/lru/0c, or off"
#define LARGE_TLB_FORM "entries/ways/policy/latency, like 32/4/lru/0c, shared or off"
#define TOPOLOGY_FORM                                                                              \
	"a number from 1 to 1024, or what they are in, like 2x4x8x2 (sockets, caches, cores, "     \
	"threads) or 2x2x4x8x2 (dies after sockets)"
#define OS_FORM "the size that the OS claims, like 480M, or off"

/* The first ten in this order: the level, or the TLB, that each stands for. */
const struct simulated_key simulated_keys[] = {
	{"l1", CACHE_FORM, simulated_read_cache, OR_OFF(caches[0]), 0.01, 1e6},
	{"l2", CACHE_FORM, simulated_read_cache, OR_OFF(caches[1]), 0.01, 1e6},
	{"l3", CACHE_FORM, simulated_read_cache, OR_OFF(caches[2]), 0.01, 1e6},
	{"l4", CACHE_FORM, simulated_read_cache, OR_OFF(caches[3]), 0.01, 1e6},
	{"dtlb", TLB_FORM, simulated_read_tlb, OR_OFF(tlbs[0]), 0, 1e6},
	{"stlb", TLB_FORM, simulated_read_tlb, OR_OFF(tlbs[1]), 0, 1e6},
	{"dtlb2m", LARGE_TLB_FORM, simulated_read_large_tlb, OR_OFF(tlbs_2m[0]), 0, 1e6},
	{"stlb2m", LARGE_TLB_FORM, simulated_read_large_tlb, OR_OFF(tlbs_2m[1]), 0, 1e6},
	{"dtlb1g", LARGE_TLB_FORM, simulated_read_large_tlb, OR_OFF(tlbs_1g[0]), 0, 1e6},
	{"stlb1g", LARGE_TLB_FORM, simulated_read_large_tlb, OR_OFF(tlbs_1g[1]), 0, 1e6},
	{"mem", "a latency, like 90ns, 300c or 60c+78ns", simulated_read_cost, FIELD(memory_cost),
	 0.01, 1e6},
	{"dram",
	 "channels x banks, then times: of a line on the bus, to open a row, to turn the bus "
	 "round, and of a refresh, like 2x16/3.2ns/28ns/8ns/300ns; also from one to the next, as "
	 "in "
	 "1x16/3.2ns/28ns/8ns/300ns/3900ns",
	 simulated_read_dram, FIELD(dram), 0, 2e4},
	{"memory_counters", "on or off", simulated_read_on_off, FIELD(memory_counters), 0, 0},
	{"other_traffic", "bytes per second from 10M to 1000G, like 4G, or off",
	 simulated_read_frequency, OR_OFF(other_bytes_per_second), 1e7, 1e12},
	{"line", "a power of two from 16 to 1K", simulated_read_power_of_two, FIELD(line_bytes), 16,
	 1024},
	{"clock", "a frequency from 10M to 100G, like 3.6G", simulated_read_frequency,
	 FIELD(clock_hz), 1e7, 1e11},
	{"overlap", "a number from 1 to 100", simulated_read_number, FIELD(overlap), 1,
	 SIMULATED_MOST_OVERLAP},
	{"sibling", "a number from 1 to 10", simulated_read_number, FIELD(sibling_times), 1, 10},
	{"issue", "accesses per cycle from 0.1 to 16", simulated_read_number,
	 FIELD(issued_per_cycle), 0.1, 16},
	{"mispredict", "a latency, like 15c or 4ns", simulated_read_cost, FIELD(mispredict_cost), 0,
	 1e6},
	{"lock", "a latency, like 40c or 10ns", simulated_read_cost, FIELD(lock_cost), 0, 1e6},
	{"rob", "accesses from 1 to 100000, or off", simulated_read_count, OR_OFF(reorder_window),
	 1, 1e5},
	{"misses", "one number from 1 to 1000, or off, for each cache, like 16/48",
	 simulated_read_misses, FIELD(miss_buffers), 1, 1000},
	{"walkers", "page walks from 1 to 100, or off", simulated_read_count, OR_OFF(walkers), 1,
	 100},
	{"bandwidth",
	 "one rate for each cache and one for memory, in bytes per cycle or GB per second, like "
	 "64c/32c/40G/12G, or off",
	 simulated_read_rates, FIELD(rates), 0.01, 1e6},
	{"cpus", TOPOLOGY_FORM, simulated_read_topology, FIELD(topology), 0, 0},
	{"os_cpus", TOPOLOGY_FORM, simulated_read_topology, FIELD(os_topology), 0, 0},
	{"numbering", "by_thread, by_core or shuffled", simulated_read_numbering, FIELD(numbering),
	 0, 0},
	{"nodes", "a number from 1 to 1024", simulated_read_count, FIELD(nodes), 1,
	 SIMULATED_MOST_CPUS},
	{"handover",
	 "five times, of CPUs in one core, cache, die, socket and in none, like "
	 "6ns/22ns/60ns/90ns/150ns",
	 simulated_read_handover, FIELD(handover_ns), 0.1, 1e6},
	{"slices", "a share from 0 to 50%", simulated_read_share, FIELD(slices), 0, 0.5},
	{"moving", "a time from 1us to 1000000ms, or off", simulated_read_time, OR_OFF(move_ns),
	 1e3, 1e12},
	{"offline", "CPUs joined by +, like 3+8-11", simulated_read_cpus, FIELD(offline), 0, 0},
	{"lost", "CPUs and a time, like 3+8-11/200ms", simulated_read_lost, 0, 0, 1, 1e12},
	{"affinity", "on or off", simulated_read_forbidden, FIELD(no_affinity), 0, 0},
	{"membind", "on or off", simulated_read_forbidden, FIELD(no_membind), 0, 0},
	{"kind",
	 "CPUs and what is different in them, like 4-7:clock=2.4G:l1=32K/8/lru/3c; once for each "
	 "further kind of core",
	 simulated_read_kind, 0, 0, 1, SIMULATED_MOST_CPUS - 1},
	{"node_memory",
	 "the memory of each NUMA node, those without CPUs last, like 8G/8G/16G, 0 for none",
	 simulated_read_node_bytes, 0, 0, 0, SIMULATED_MOST_MEMORY},
	{"node_mem",
	 "for each node with CPUs the latency of each node's memory, like 90ns/140ns+140ns/90ns",
	 simulated_read_node_costs, 0, 0, 0.01, 1e6},
	{"node_bandwidth",
	 "for each node with CPUs the rate of each node's memory, like 12G/6G+6G/12G",
	 simulated_read_node_rates, 0, 0, 0.01, 1e6},
	{"load", "busy CPUs from 0 to 1024, with or without a time, like 1.5 or 1.5/3000ms",
	 simulated_read_load, 0, 0, 1, 1e12},
	{"stride", "lines ahead from 1 to 32, or off", simulated_read_count,
	 OR_OFF(stride_lines_ahead), 1, 32},
	{"adjacent", "on or off", simulated_read_on_off, FIELD(adjacent_prefetch), 0, 0},
	{"page", "a power of two from 4K to 1M", simulated_read_power_of_two,
	 FIELD(base_page_bytes), 0x1p12, 0x1p20},
	{"thp", "on or off", simulated_read_on_off, FIELD(huge_pages), 0, 0},
	{"mthp", "a power of two from 16K to 1M, over the base page, or off",
	 simulated_read_power_of_two, OR_OFF(multi_size_bytes), 0x1p14, 0x1p20},
	{"pool2m", "a number of pages", simulated_read_count, FIELD(pool_2m_pages), 0, 0x1p30},
	{"pool1g", "a number of pages", simulated_read_count, FIELD(pool_1g_pages), 0, 0x1p20},
	{"placement", "even or random", simulated_read_placement, FIELD(placement), 0, 0},
	{"walk", "levels from 1 to 6", simulated_read_count, FIELD(walk_levels), 1, 6},
	{"walk_from", "l1, l2, l3 or l4", simulated_read_level, FIELD(walk_from), 0, 0},
	{"pwc", "entries from 1 to 1024, or off", simulated_read_count, OR_OFF(walk_cache_entries),
	 1, SIMULATED_MAX_WAYS},
	{"walk_cost", "a latency, like 12c or 5ns", simulated_read_cost, FIELD(walk_cost), 0, 1e6},
	{"host", "4K, 2M, 1G or off", simulated_read_host_page, OR_OFF(host_page_bytes), 1, 0x1p30},
	{"host_pwc", "entries from 1 to 1024, or off", simulated_read_count,
	 OR_OFF(host_walk_cache_entries), 1, SIMULATED_MAX_WAYS},
	{"ntlb", "entries from 1 to 1024, or off", simulated_read_count, OR_OFF(nested_tlb_entries),
	 1, SIMULATED_MAX_WAYS},
	{"memory", "a size from 1M to 1024T", simulated_read_size, FIELD(memory_bytes), 0x1p20,
	 0x1p50},
	{"noise", "a share from 0 to 20%", simulated_read_share, FIELD(noise), 0, 0.2},
	{"outliers", "a share from 0 to 100%", simulated_read_share, FIELD(outliers), 0, 1},
	{"drift", "a share from 0 to 50%", simulated_read_share, FIELD(drift), 0, 0.5},
	{"timer", "a time from 1ns to 10us, or off", simulated_read_time, OR_OFF(timer_ns), 1, 1e4},
	{"touch", "a time from 100ns to 10ms", simulated_read_time, FIELD(touch_ns), 100, 1e7},
	{"interrupts", "the time from one to the next and that of one, like 4ms/5us",
	 simulated_read_interrupts, 0, 0, 100, 1e9},
	{"disturb",
	 "calls and a time, or a share of all calls and a mean time, up to 8 joined by +, like "
	 "17:20us, 100-299:30us, 10%:50us or 300ms:30us@lanes=1",
	 simulated_read_faults, 0, 0, 0.1, 1e9},
	{"turns", "a size and two times, like 24K/2ms/500us", simulated_read_turns, FIELD(turns), 1,
	 1e12},
	{"neighbours", "a time from 1ns to 1ms, or off", simulated_read_time, OR_OFF(neighbours_ns),
	 1, 1e6},
	{"probe_ratio", "a number from 0.1 to 100", simulated_read_number, FIELD(probe_ratio), 0.1,
	 100},
	{"no_clock", "the key alone", simulated_read_flag, FIELD(no_clock), 0, 0},
	{"os_l1", OS_FORM, simulated_read_size, OR_OFF(os_size_bytes[0]), 1, 0x1p50},
	{"os_l2", OS_FORM, simulated_read_size, OR_OFF(os_size_bytes[1]), 1, 0x1p50},
	{"os_l3", OS_FORM, simulated_read_size, OR_OFF(os_size_bytes[2]), 1, 0x1p50},
	{"os_l4", OS_FORM, simulated_read_size, OR_OFF(os_size_bytes[3]), 1, 0x1p50},
	{"os_line", "the line that the OS claims, a power of two from 16 to 1K, or off",
	 simulated_read_power_of_two, OR_OFF(os_line_bytes), 16, 1024},
	{"seed", "a whole number", simulated_read_count, FIELD(seed), 0, 0x1p62},
	{"corrupt", "the timed run that loses a hop, counted from 1", simulated_read_count,
	 FIELD(corrupt_run), 0, 0x1p62},
	{NULL, NULL, NULL, 0, 0, 0, 0},
};

_Static_assert(sizeof(simulated_keys) / sizeof(*simulated_keys) <= SIMULATED_MOST_KEYS,
	       "there are more keys than are kept apart");
