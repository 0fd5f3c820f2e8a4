/* The text of a simulated machine: what it says, and what is refused. */
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "simulate/simulated_spec.h"
#include "unit.h"

static struct simulated_spec parse(const char *description)
{
	struct simulated_spec spec;
	struct fathom_error error = {0};
	if (simulated_spec_parse(description, &spec, &error))
		fail_msg("%s: %s", description, error.text);
	return spec;
}

static void near(double value, double wanted)
{
	assert_true(value > wanted * (1 - 1e-12) && value < wanted * (1 + 1e-12));
}

static void empty_is_a_plausible_machine(void **state)
{
	(void)state;
	struct simulated_spec spec = parse("sim:");
	assert_int_equal(spec.cache_count, 3);
	assert_int_equal(spec.tlb_count, 2);
	for (size_t i = 0; i + 1 < spec.cache_count; i++)
		assert_true(spec.caches[i].size_bytes < spec.caches[i + 1].size_bytes);
	for (size_t i = 0; i < spec.cache_count; i++)
		assert_int_equal(spec.os_size_bytes[i], spec.caches[i].size_bytes);
	assert_int_equal(spec.os_size_bytes[3], 0);
	assert_int_equal(spec.os_line_bytes, spec.line_bytes);
	assert_int_equal(spec.walk_from, 1);
}

static void a_cache_has_four_parts(void **state)
{
	(void)state;
	struct simulated_spec spec = parse(
		"sim:l1=32K/8/lru/4c,l2=1M/16/plru/3.5ns,l3=3M/12/random/40c,l4=64K/full/lru/9c");
	assert_int_equal(spec.cache_count, 4);
	assert_int_equal(spec.caches[0].size_bytes, 32768);
	assert_int_equal(spec.caches[0].entries, 512);
	assert_int_equal(spec.caches[0].ways, 8);
	near(spec.caches[0].cost.cycles, 4);
	assert_true(spec.caches[0].cost.ns == 0);
	assert_int_equal(spec.caches[1].policy, SIMULATED_PLRU);
	near(spec.caches[1].cost.ns, 3.5);
	assert_int_equal(spec.caches[2].policy, SIMULATED_RANDOM);
	assert_int_equal(spec.caches[2].entries / spec.caches[2].ways, 4096);
	assert_int_equal(spec.caches[3].ways, 1024);
}

static void both_parts_of_a_latency_are_known(void **state)
{
	(void)state;
	struct simulated_spec spec = parse("sim:l3=4M/16/lru/30c+7.5ns,mem=61c+78ns");
	near(spec.caches[2].cost.cycles, 30);
	near(spec.caches[2].cost.ns, 7.5);
	near(spec.memory_cost.cycles, 61);
	near(spec.memory_cost.ns, 78);
}

static void rrip_policies_are_known(void **state)
{
	(void)state;
	struct simulated_spec spec =
		parse("sim:l1=32K/8/srrip/4c,l2=1M/16/brrip/14c,l3=32M/16/drrip/50c,"
		      "dtlb=64/4/srrip/0c");
	assert_int_equal(spec.caches[0].policy, SIMULATED_SRRIP);
	assert_int_equal(spec.caches[1].policy, SIMULATED_BRRIP);
	assert_int_equal(spec.caches[2].policy, SIMULATED_DRRIP);
	assert_int_equal(spec.tlbs[0].policy, SIMULATED_SRRIP);
	assert_false(spec.caches[2].victim);
}

static void the_last_cache_can_be_a_victim(void **state)
{
	(void)state;
	struct simulated_spec spec = parse("sim:l3=16M/16/lru/46c/victim");
	assert_false(spec.caches[1].victim);
	assert_true(spec.caches[2].victim);
	assert_int_equal(spec.os_size_bytes[2], 16 << 20);
	assert_int_equal(spec.walk_from, 1);
	spec = parse("sim:l2=1M/8/lru/14c/victim,l3=off");
	assert_true(spec.caches[1].victim);
	assert_int_equal(spec.walk_from, 0); /* page tables are read, not evicted */
}

static void every_other_key_is_read(void **state)
{
	(void)state;
	struct simulated_spec spec = parse(
		"sim:mem=80ns,line=128,clock=2500M,page=16K,thp=off,mthp=64K,pool2m=512,pool1g=1,"
		"placement=even,walk=5,walk_from=l3,pwc=16,memory=4G,noise=0.25%,outliers=0.02,"
		"drift=0,probe_ratio=5,no_clock,os_l1=off,os_l3=480M,os_line=64,seed=7,corrupt=3,"
		"dtlb=64/4/plru/1c,stlb=1536/12/random/2ns");
	near(spec.memory_cost.ns, 80);
	assert_int_equal(spec.line_bytes, 128);
	near(spec.clock_hz, 2.5e9);
	assert_int_equal(spec.base_page_bytes, 16384);
	assert_false(spec.huge_pages);
	assert_int_equal(spec.multi_size_bytes, 64 << 10);
	assert_int_equal(spec.pool_2m_pages, 512);
	assert_int_equal(spec.pool_1g_pages, 1);
	assert_int_equal(spec.placement, SIMULATED_EVEN_FRAMES);
	assert_int_equal(spec.walk_levels, 5);
	assert_int_equal(spec.walk_from, 2);
	assert_int_equal(spec.walk_cache_entries, 16);
	assert_int_equal(spec.memory_bytes, (uint64_t)4 << 30);
	near(spec.noise, 0.0025);
	near(spec.outliers, 0.02);
	assert_true(spec.drift == 0);
	near(spec.probe_ratio, 5);
	assert_true(spec.no_clock);
	assert_int_equal(spec.os_size_bytes[0], 0);
	assert_int_equal(spec.os_size_bytes[1], spec.caches[1].size_bytes);
	assert_int_equal(spec.os_size_bytes[2], 480u << 20);
	assert_int_equal(spec.os_line_bytes, 64);
	assert_int_equal(spec.seed, 7);
	assert_int_equal(spec.corrupt_run, 3);
	assert_int_equal(spec.tlbs[0].entries, 64);
	assert_int_equal(spec.tlbs[1].policy, SIMULATED_RANDOM);
	near(spec.tlbs[1].cost.ns, 2);
}

static void stolen_time_is_a_list(void **state)
{
	(void)state;
	struct simulated_spec spec = parse("sim:disturb=17:20us+100-299:1.5ms+10%:50ns");
	assert_int_equal(spec.fault_count, 3);
	assert_int_equal(spec.faults[0].first_call, 17);
	assert_int_equal(spec.faults[0].last_call, 17);
	near(spec.faults[0].ns, 20e3);
	assert_int_equal(spec.faults[1].first_call, 100);
	assert_int_equal(spec.faults[1].last_call, 299);
	near(spec.faults[1].ns, 1.5e6);
	assert_true(spec.faults[1].share == 0);
	near(spec.faults[2].share, 0.1);
	near(spec.faults[2].ns, 50);
	assert_int_equal(spec.faults[2].page, FATHOM_PAGE_UNKNOWN);
	spec = parse("sim:disturb=300ms:30us@lanes=1+9:1us@size=64M@page=thp");
	near(spec.faults[0].until_ns, 300e6);
	assert_int_equal(spec.faults[0].lanes, 1);
	assert_int_equal(spec.faults[0].page, FATHOM_PAGE_UNKNOWN);
	assert_int_equal(spec.faults[1].lanes, 0);
	assert_int_equal(spec.faults[1].size_bytes, 64 << 20);
	assert_int_equal(spec.faults[1].page, FATHOM_PAGE_THP);
	assert_int_equal(parse("sim:").fault_count, 0);
	near(parse("sim:timer=1.5us").timer_ns, 1500);
	assert_true(parse("sim:timer=off").timer_ns == 0);
}

static void translations_of_each_size_have_tlbs_of_their_own_or_none(void **state)
{
	(void)state;
	struct simulated_spec spec =
		parse("sim:stlb=1536/12/lru/7c,dtlb2m=32/4/plru/0c,stlb2m=shared,stlb1g=off");
	assert_int_equal(spec.tlbs_2m[0].entries, 32);
	assert_int_equal(spec.tlbs_2m[0].policy, SIMULATED_PLRU);
	assert_memory_equal(&spec.tlbs_2m[1], &spec.tlbs[1], sizeof(spec.tlbs[1]));
	assert_memory_equal(&spec.tlbs_1g[0], &spec.tlbs[0], sizeof(spec.tlbs[0]));
	assert_int_equal(spec.tlbs_1g[1].entries, 0);
	spec = parse("sim:stlb=off,stlb2m=64/4/lru/7c");
	assert_int_equal(spec.tlb_count, 1);
	assert_int_equal(spec.tlbs_2m[1].entries, 64);
	assert_int_equal(spec.tlbs_1g[1].entries, 0);
	assert_int_equal(parse("sim:dtlb=off").tlbs_2m[0].entries, 0);
}

static void a_guest_has_a_host(void **state)
{
	(void)state;
	struct simulated_spec spec = parse("sim:host=2M,host_pwc=8,ntlb=16");
	assert_int_equal(spec.host_page_bytes, 2 << 20);
	assert_int_equal(spec.host_walk_cache_entries, 8);
	assert_int_equal(spec.nested_tlb_entries, 16);
	assert_int_equal(parse("sim:host=1G").host_page_bytes, 1 << 30);
	spec = parse("sim:");
	assert_int_equal(spec.host_page_bytes, 0);
	assert_int_equal(spec.nested_tlb_entries, 0);
}

static void limits_are_lists_from_the_nearest_on(void **state)
{
	(void)state;
	struct simulated_spec spec = parse("sim:misses=10/off/48,bandwidth=64c/off/20.5G,walkers=3,"
					   "issue=2.5,rob=off,cpus=12");
	assert_int_equal(spec.miss_buffers[0], 10);
	assert_int_equal(spec.miss_buffers[1], 0);
	assert_int_equal(spec.miss_buffers[2], 48);
	near(spec.rates[0].bytes_per_cycle, 64);
	assert_true(spec.rates[1].bytes_per_cycle == 0 && spec.rates[1].bytes_per_second == 0);
	near(spec.rates[2].bytes_per_second, 20.5e9);
	assert_true(spec.rates[3].bytes_per_second == 0);
	assert_int_equal(spec.walkers, 3);
	near(spec.issued_per_cycle, 2.5);
	assert_int_equal(spec.reorder_window, 0);
	assert_int_equal(spec.cpus, 12);
	spec = parse("sim:l2=off,misses=off,bandwidth=1c/2G,walkers=off");
	assert_true(spec.miss_buffers[0] == 0 && spec.walkers == 0);
	near(spec.rates[1].bytes_per_second, 2e9);
}

static struct simulated_spec parse_at(const char *description, int cpu, int node)
{
	struct simulated_spec spec;
	struct fathom_error error = {0};
	if (simulated_spec_parse_at(description, cpu, node, &spec, &error))
		fail_msg("%s: %s", description, error.text);
	return spec;
}

static void a_kind_differs_in_what_it_says(void **state)
{
	(void)state;
	static const char text[] = "sim:kind=4-5:clock=2G:l1=32K/8/lru/3c,cpus=8,clock=4G,"
				   "l2=1M/16/lru/14c,kind=6:l2=off";
	struct simulated_spec first = parse(text), slow = parse_at(text, 5, -1),
			      small = parse_at(text, 6, -1), last = parse_at(text, 7, -1);
	near(first.clock_hz, 4e9);
	near(slow.clock_hz, 2e9);
	assert_int_equal(slow.caches[0].size_bytes, 32 << 10);
	assert_int_equal(slow.os_size_bytes[0], 32 << 10);
	assert_int_equal(slow.caches[1].size_bytes, 1 << 20); /* as the first */
	assert_int_equal(small.cache_count, 1);
	assert_int_equal(last.caches[0].size_bytes, first.caches[0].size_bytes);
	assert_int_equal(last.cache_count, 3);
}

static void nodes_differ_in_their_memory(void **state)
{
	(void)state;
	static const char text[] = "sim:cpus=2x1x2x1,node_mem=90ns/140ns/250ns+150ns/80ns/260ns,"
				   "node_memory=4G/0/16G,node_bandwidth=9G/8G/7G+6G/5G/4G";
	struct simulated_spec own = parse(text), far = parse_at(text, 1, 2),
			      without = parse_at(text, 3, -1);
	assert_int_equal(own.nodes, 2);
	assert_int_equal(own.all_nodes, 3);
	assert_int_equal(own.memory_bytes, (uint64_t)20 << 30);
	near(own.memory_cost.ns, 90);
	near(own.rates[own.cache_count].bytes_per_second, 9e9);
	near(far.memory_cost.ns, 250);
	near(far.rates[far.cache_count].bytes_per_second, 7e9);
	near(without.memory_cost.ns, 150); /* the nearest that has any */
	near(without.rates[without.cache_count].bytes_per_second, 6e9);
}

static void the_order_of_keys_does_not_matter(void **state)
{
	(void)state;
	struct simulated_spec a = parse("sim:line=32,l1=16K/4/lru/3c");
	struct simulated_spec b = parse("sim:l1=16K/4/lru/3c,line=32");
	assert_memory_equal(&a, &b, sizeof(a));
	assert_int_equal(a.caches[0].entries, 512);
}

static void off_takes_the_defaults_above_with_it(void **state)
{
	(void)state;
	struct simulated_spec spec = parse("sim:l2=off,dtlb=off,pwc=off");
	assert_int_equal(spec.cache_count, 1);
	assert_int_equal(spec.walk_from, 0);
	assert_int_equal(spec.tlb_count, 0);
	assert_int_equal(spec.walk_cache_entries, 0);
	assert_int_equal(spec.os_size_bytes[1], 0);
	assert_int_equal(parse("sim:stlb=off").tlb_count, 1);
}

static void nonsense_is_refused_with_the_key(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		/* text, what the message or its hint must quote */
		{"", "''"},
		{"intel", "'intel'"},
		{"sim", "'sim'"},
		{"sim:,", "''"},
		{"sim:l1=48K/12/lru/5c,", "''"},
		{"sim:l9=48K/12/lru/5c", "'l9=48K/12/lru/5c'"},
		{"sim:l=1", "'l=1'"},
		{"sim:seeds=1", "'seeds=1'"},
		{"sim:=1", "'=1'"},
		{"sim:L1=48K/12/lru/5c", "'L1=48K/12/lru/5c'"},
		{"sim: mem=90ns", "' mem=90ns'"},
		{"sim:mem", "'mem'"},
		{"sim:mem=", "'mem='"},
		{"sim:mem=90", "'mem=90'"},
		{"sim:mem=0ns", "'mem=0ns'"},
		{"sim:mem=-1ns", "'mem=-1ns'"},
		{"sim:mem=nanns", "'mem=nanns'"},
		{"sim:mem=1e3ns", "'mem=1e3ns'"},
		{"sim:mem=60c+", "'mem=60c+'"},
		{"sim:mem=60ns+3c", "'mem=60ns+3c'"},
		{"sim:mem=60c+3c", "'mem=60c+3c'"},
		{"sim:mem=60c+2e6ns", "'mem=60c+2e6ns'"},
		{"sim:mem=90ns,mem=90ns", "given twice"},
		{"sim:l1=48K/12/lru", "'l1=48K/12/lru'"},
		{"sim:l1=48K/12/lru/5c/", "'l1=48K/12/lru/5c/'"},
		{"sim:l1=48K/12/lru/5c/6/7/8/9", "'l1=48K"},
		{"sim:l3=32M/16/lru/22ns/victims", "'l3=32M/16/lru/22ns/victims'"},
		{"sim:l3=32M/16/lru/22ns/victim/victim", "'l3=32M"},
		{"sim:l3=32M/16/lru/victim", "'l3=32M/16/lru/victim'"},
		{"sim:l1=48K/12/lru/5c/victim", "'l1'"},
		{"sim:l1=48K/12/lru/5c/victim,l2=off", "'l1'"},
		{"sim:l2=2M/16/lru/16c/victim", "'l2'"},
		{"sim:l3=32M/16/drrip/22ns/victim", "'l3'"},
		{"sim:dtlb=96/6/lru/0c/victim", "'dtlb=96/6/lru/0c/victim'"},
		{"sim:l3=32M/16/lru/22ns/victim,walk_from=l3", "'walk_from'"},
		{"sim:l1=4K/full/drrip/4c", "'l1'"},
		{"sim:l1=48K/12/rrip/5c", "'l1=48K/12/rrip/5c'"},
		{"sim:l1=48K/7/lru/5c", "'l1'"},
		{"sim:l1=48K/0/lru/5c", "'l1=48K/0/lru/5c'"},
		{"sim:l1=48K/-1/lru/5c", "'l1=48K/-1/lru/5c'"},
		{"sim:l1=48K/4096/lru/5c", "'l1=48K/4096/lru/5c'"},
		{"sim:l1=0/12/lru/5c", "'l1=0/12/lru/5c'"},
		{"sim:l1=-48K/12/lru/5c", "'l1=-48K/12/lru/5c'"},
		{"sim:l1=48Q/12/lru/5c", "'l1=48Q/12/lru/5c'"},
		{"sim:l1=100/1/lru/5c", "'l1'"},
		{"sim:l1=9999999999999999999999G/12/lru/5c", "'l1="},
		{"sim:l3=1024T/16/lru/5c", "'l3'"},
		{"sim:l1=48K/12/fifo/5c", "'l1=48K/12/fifo/5c'"},
		{"sim:l1=48K/12/lru/5", "'l1=48K/12/lru/5'"},
		{"sim:l1=48K/12/lru/0c", "'l1=48K/12/lru/0c'"},
		{"sim:l1=48K/12/plru/5c", "'l1'"},
		{"sim:l2=1M/128/plru/5c", "'l2'"},
		{"sim:l2=1M/full/lru/5c", "'l2'"},
		{"sim:l1=off", "'l1'"},
		{"sim:l2=off,l3=8M/16/lru/9c", "'l3'"},
		{"sim:dtlb=off,stlb=64/4/lru/7c", "'stlb'"},
		{"sim:dtlb=96/7/lru/0c", "'dtlb'"},
		{"sim:dtlb=0/6/lru/0c", "'dtlb=0/6/lru/0c'"},
		{"sim:dtlb=99999999999/6/lru/0c", "'dtlb=99999999999/6/lru/0c'"},
		{"sim:dtlb2m=96/7/lru/0c", "'dtlb2m'"},
		{"sim:dtlb2m=on", "'dtlb2m=on'"},
		{"sim:stlb1g=8/8/lru", "'stlb1g=8/8/lru'"},
		{"sim:dtlb=off,stlb1g=8/8/lru/7c", "'stlb1g'"},
		{"sim:host=on", "'host=on'"},
		{"sim:host=16K", "'host=16K'"},
		{"sim:host=", "'host='"},
		{"sim:host_pwc=0", "'host_pwc=0'"},
		{"sim:ntlb=2000", "'ntlb=2000'"},
		{"sim:line=48", "'line=48'"},
		{"sim:line=8", "'line=8'"},
		{"sim:line=2M", "'line=2M'"},
		{"sim:clock=3.6", "'clock=3.6'"},
		{"sim:clock=0G", "'clock=0G'"},
		{"sim:clock=3.6GHzz", "'clock=3.6GHzz'"},
		{"sim:clock=3600000G", "'clock=3600000G'"},
		{"sim:page=5000", "'page=5000'"},
		{"sim:page=2M", "'page=2M'"},
		{"sim:thp=yes", "'thp=yes'"},
		{"sim:mthp=48K", "'mthp=48K'"},
		{"sim:mthp=8K", "'mthp=8K'"},
		{"sim:mthp=2M", "'mthp=2M'"},
		{"sim:page=64K,mthp=64K", "'mthp'"},
		{"sim:pool2m=-1", "'pool2m=-1'"},
		{"sim:pool2m=8000,memory=8G", "'pool2m'"},
		{"sim:placement=any", "'placement=any'"},
		{"sim:walk=0", "'walk=0'"},
		{"sim:walk=7", "'walk=7'"},
		{"sim:walk_from=l5", "'walk_from=l5'"},
		{"sim:walk_from=l4", "'walk_from'"},
		{"sim:pwc=0", "'pwc=0'"},
		{"sim:memory=1K", "'memory=1K'"},
		{"sim:memory=99999999T", "'memory=99999999T'"},
		{"sim:noise=21%", "'noise=21%'"},
		{"sim:noise=-1%", "'noise=-1%'"},
		{"sim:noise=1%%", "'noise=1%%'"},
		{"sim:outliers=1.5", "'outliers=1.5'"},
		{"sim:drift=51%", "'drift=51%'"},
		{"sim:timer=1ms", "'timer=1ms'"},
		{"sim:timer=5", "'timer=5'"},
		{"sim:disturb=17", "'disturb=17'"},
		{"sim:disturb=17:20", "'disturb=17:20'"},
		{"sim:disturb=0:20us", "'disturb=0:20us'"},
		{"sim:disturb=9-8:20us", "'disturb=9-8:20us'"},
		{"sim:disturb=1:0us", "'disturb=1:0us'"},
		{"sim:disturb=1:2s", "'disturb=1:2s'"},
		{"sim:disturb=60%:1us", "'disturb=60%:1us'"},
		{"sim:disturb=1:1us+", "'disturb=1:1us+'"},
		{"sim:disturb=2s:1us", "'disturb=2s:1us'"},
		{"sim:disturb=1:1us@", "'disturb=1:1us@'"},
		{"sim:disturb=1:1us@lanes", "'disturb=1:1us@lanes'"},
		{"sim:disturb=1:1us@lanes=0", "'disturb=1:1us@lanes=0'"},
		{"sim:disturb=1:1us@size=x", "'disturb=1:1us@size=x'"},
		{"sim:disturb=1:1us@page=3K", "'disturb=1:1us@page=3K'"},
		{"sim:disturb=1:1us+1:1us+1:1us+1:1us+1:1us+1:1us+1:1us+1:1us+1:1us", "8 parts"},
		{"sim:probe_ratio=0", "'probe_ratio=0'"},
		{"sim:no_clock=1", "'no_clock=1'"},
		{"sim:os_l3=0", "'os_l3=0'"},
		{"sim:os_line=", "'os_line='"},
		{"sim:os_line=3", "'os_line=3'"},
		{"sim:os_line=8", "'os_line=8'"},
		{"sim:os_line=2K", "'os_line=2K'"},
		{"sim:seed=99999999999999999999", "'seed=99999999999999999999'"},
		{"sim:seed=1.5", "'seed=1.5'"},
		{"sim:issue=0", "'issue=0'"},
		{"sim:issue=17", "'issue=17'"},
		{"sim:rob=0", "'rob=0'"},
		{"sim:misses=", "'misses='"},
		{"sim:misses=0", "'misses=0'"},
		{"sim:misses=10/", "'misses=10/'"},
		{"sim:misses=10/1001", "'misses=10/1001'"},
		{"sim:misses=1/2/3/4", "'misses'"},
		{"sim:misses=1/2/3/4/5", "'misses=1/2/3/4/5'"},
		{"sim:l2=off,misses=10/20", "'misses'"},
		{"sim:walkers=0", "'walkers=0'"},
		{"sim:walkers=101", "'walkers=101'"},
		{"sim:bandwidth=64", "'bandwidth=64'"},
		{"sim:bandwidth=0c", "'bandwidth=0c'"},
		{"sim:bandwidth=12GB", "'bandwidth=12GB'"},
		{"sim:bandwidth=1c/1c/1c/1c/1c", "'bandwidth'"},
		{"sim:bandwidth=1c/1c/1c/1c/1c/1c", "'bandwidth=1c/1c/1c/1c/1c/1c'"},
		{"sim:cpus=0", "'cpus=0'"},
		{"sim:cpus=1025", "'cpus=1025'"},
		{"sim:cpus=4,kind=2", "'kind=2'"},
		{"sim:cpus=4,kind=0:clock=2G", "'kind=0:clock=2G'"},
		{"sim:cpus=4,kind=3-2:clock=2G", "'kind=3-2:clock=2G'"},
		{"sim:cpus=4,kind=2-4:clock=2G", "'kind'"},
		{"sim:cpus=4,kind=2-3:clock=2", "'clock=2'"},
		{"sim:cpus=4,kind=2-3:seed=2", "'seed=2'"},
		{"sim:cpus=4,kind=2-3:l7=2", "'l7=2'"},
		{"sim:cpus=4,kind=2-3:clock=2G:clock=1G", "'clock=1G'"},
		{"sim:cpus=4,kind=2:clock=2G,kind=1-3:clock=1G", "'kind=1-3:clock=1G'"},
		{"sim:cpus=5,kind=1:clock=2G,kind=2:clock=2G,kind=3:clock=2G,kind=4:clock=2G",
		 "'kind=4:clock=2G'"},
		{"sim:node_memory=0", "'node_memory'"},
		{"sim:node_memory=x", "'node_memory=x'"},
		{"sim:node_memory=1G+1G", "'node_memory=1G+1G'"},
		{"sim:memory=1G,node_memory=1G", "'node_memory'"},
		{"sim:node_memory=1G/1G/1G/1G/1G/1G/1G/1G/1G", "'node_memory="},
		{"sim:cpus=2x1x1x1,node_memory=1G", "'node_memory'"},
		{"sim:node_mem=90ns/1x", "'node_mem=90ns/1x'"},
		{"sim:node_mem=90ns/90ns+80ns/80ns", "'node_mem'"},
		{"sim:node_memory=1G/1G,node_mem=90ns", "'node_mem'"},
		{"sim:cpus=2x1x1x1,node_mem=90ns/90ns", "'node_mem'"},
		{"sim:cpus=2x1x1x1,node_bandwidth=9G/9G+8G", "'node_bandwidth=9G/9G+8G'"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct simulated_spec spec, before;
		struct fathom_error error = {0};
		memset(&spec, 0x55, sizeof(spec));
		before = spec;
		if (!simulated_spec_parse(cases[i][0], &spec, &error))
			fail_msg("'%s' was taken", cases[i][0]);
		assert_int_equal(error.status, FATHOM_BAD_INPUT);
		assert_non_null(error.hint);
		if (!strstr(error.text, cases[i][1]))
			fail_msg("'%s': \"%s\" has no %s", cases[i][0], error.text, cases[i][1]);
		assert_memory_equal(&spec, &before, sizeof(spec));
		fathom_error_clear(&error);
	}
}

static void hints_help(void **state)
{
	(void)state;
	struct simulated_spec spec;
	struct fathom_error error = {0};
	assert_int_equal(simulated_spec_parse("sim:l7=1", &spec, &error), -1);
	assert_non_null(strstr(error.hint, "os_l3"));
	assert_non_null(strstr(error.hint, "corrupt"));
	assert_int_equal(simulated_spec_parse("sim:l1=1", &spec, &error), -1);
	assert_non_null(strstr(error.hint, "48K/12/lru/5c"));
	fathom_error_clear(&error);
	assert_int_equal(simulated_spec_parse("sim:l1=1", &spec, NULL), -1);
}

static void long_text_is_no_trouble(void **state)
{
	(void)state;
	struct simulated_spec spec;
	struct fathom_error error = {0};
	struct text text = {0};
	text_add(&text, "sim:mem=1");
	for (int i = 0; i < 100000; i++)
		text_add(&text, "0");
	text_add(&text, ".0ns");
	assert_int_equal(simulated_spec_parse(text.data, &spec, &error), -1);
	assert_true(strlen(error.text) > 100000);
	fathom_error_clear(&error);
	text_free(&text);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(empty_is_a_plausible_machine),
	cmocka_unit_test(a_cache_has_four_parts),
	cmocka_unit_test(both_parts_of_a_latency_are_known),
	cmocka_unit_test(rrip_policies_are_known),
	cmocka_unit_test(the_last_cache_can_be_a_victim),
	cmocka_unit_test(every_other_key_is_read),
	cmocka_unit_test(stolen_time_is_a_list),
	cmocka_unit_test(translations_of_each_size_have_tlbs_of_their_own_or_none),
	cmocka_unit_test(a_guest_has_a_host),
	cmocka_unit_test(limits_are_lists_from_the_nearest_on),
	cmocka_unit_test(a_kind_differs_in_what_it_says),
	cmocka_unit_test(nodes_differ_in_their_memory),
	cmocka_unit_test(the_order_of_keys_does_not_matter),
	cmocka_unit_test(off_takes_the_defaults_above_with_it),
	cmocka_unit_test(nonsense_is_refused_with_the_key),
	cmocka_unit_test(hints_help),
	cmocka_unit_test(long_text_is_no_trouble),
};
UNIT_GROUP();
