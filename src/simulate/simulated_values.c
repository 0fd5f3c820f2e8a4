#include "simulate/simulated_values.h"

#include <string.h>

#include "base/units.h"

#define LEAST_LINE_NS 0.1
/* tREFI of DDR4 (JESD79-4). */
#define USUAL_REFRESH_NS   7800.0
#define MOST_REFRESH_SHARE 0.25

/* Every text between two slashes in `parts`; how many there are, one more than fit where it is
 * too many. */
static size_t split(char *text, char **parts, size_t most)
{
	size_t count = 0;
	for (char *part; (part = strsep(&text, "/")); count++) {
		if (count == most)
			return most + 1;
		parts[count] = part;
	}
	return count;
}

const char *simulated_read_flag(const struct simulated_key *key, char *value, void *field)
{
	(void)key;
	if (value)
		return "it takes no value";
	*(bool *)field = true;
	return NULL;
}

/* Which of the names it is; `count`: none. */
static size_t choose(const char *const *names, size_t count, const char *value)
{
	size_t i = 0;
	while (i < count && strcmp(names[i], value) != 0)
		i++;
	return i;
}

const char *simulated_read_on_off(const struct simulated_key *key, char *value, void *field)
{
	static const char *const names[] = {"off", "on"};
	(void)key;
	size_t on = choose(names, 2, value);
	if (on < 2)
		*(bool *)field = on;
	return on < 2 ? NULL : "use on or off";
}

const char *simulated_read_placement(const struct simulated_key *key, char *value, void *field)
{
	(void)key;
	bool random = strcmp(value, "random") == 0;
	if (!random && strcmp(value, "even") != 0)
		return "use even or random";
	*(enum simulated_placement *)field =
		random ? SIMULATED_RANDOM_FRAMES : SIMULATED_EVEN_FRAMES;
	return NULL;
}

const char *simulated_read_level(const struct simulated_key *key, char *value, void *field)
{
	static const char *const names[] = {"l1", "l2", "l3", "l4"};
	(void)key;
	*(uint64_t *)field = choose(names, SIMULATED_LEVELS, value);
	return *(uint64_t *)field < SIMULATED_LEVELS ? NULL : "no such level";
}

const char *simulated_read_count(const struct simulated_key *key, char *value, void *field)
{
	int64_t count;
	if (units_parse_integer(value, (int64_t)key->low, (int64_t)key->high, &count, NULL))
		return "not a whole number in its range";
	*(uint64_t *)field = (uint64_t)count;
	return NULL;
}

const char *simulated_read_size(const struct simulated_key *key, char *value, void *field)
{
	uint64_t bytes;
	if (units_parse_size(value, &bytes, NULL))
		return "not a size";
	if ((double)bytes < key->low || (double)bytes > key->high)
		return "out of range";
	*(uint64_t *)field = bytes;
	return NULL;
}

const char *simulated_read_power_of_two(const struct simulated_key *key, char *value, void *field)
{
	uint64_t bytes;
	const char *reason = simulated_read_size(key, value, &bytes);
	if (!reason && (bytes & (bytes - 1)))
		return "not a power of two";
	if (!reason)
		*(uint64_t *)field = bytes;
	return reason;
}

static const char *keep_in_range(const struct simulated_key *key, double number, void *field)
{
	if (!(number >= key->low && number <= key->high))
		return "out of range";
	*(double *)field = number;
	return NULL;
}

const char *simulated_read_number(const struct simulated_key *key, char *value, void *field)
{
	double number;
	const char *rest = units_parse_decimal(value, &number);
	return rest && !*rest ? keep_in_range(key, number, field) : "not a number";
}

const char *simulated_read_share(const struct simulated_key *key, char *value, void *field)
{
	double share;
	const char *rest = units_parse_decimal(value, &share);
	bool percent = rest && strcmp(rest, "%") == 0;
	if (!rest || (*rest && !percent))
		return "not a share";
	return keep_in_range(key, percent ? share / 100 : share, field);
}

const char *simulated_read_frequency(const struct simulated_key *key, char *value, void *field)
{
	double hz;
	return units_parse_frequency(value, &hz, NULL) ? "not a frequency"
						       : keep_in_range(key, hz, field);
}

const char *simulated_read_cost(const struct simulated_key *key, char *value, void *field)
{
	double number, more = 0;
	const char *unit = units_parse_decimal(value, &number);
	bool both = unit && unit[0] == 'c' && unit[1] == '+';
	if (both) /* a part of each */
		unit = units_parse_decimal(unit + 2, &more);
	if (!unit || (strcmp(unit, "ns") != 0 && (both || strcmp(unit, "c") != 0)))
		return "a latency ends in c (cycles) or ns";
	if (!(number + more >= key->low && number <= key->high && more <= key->high))
		return "its latency is out of range";
	bool cycles = both || *unit == 'c';
	*(struct simulated_cost *)field = (struct simulated_cost){
		.cycles = cycles ? number : 0,
		.ns = cycles ? more : number,
	};
	return NULL;
}

const char *simulated_read_time(const struct simulated_key *key, char *value, void *field)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}};
	double number;
	const char *unit = units_parse_decimal(value, &number);
	for (size_t i = 0; unit && i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(unit, units[i].name) == 0) {
			double ns = number * units[i].ns;
			*(double *)field = ns;
			return ns >= key->low && ns <= key->high ? NULL
								 : "its time is out of range";
		}
	return "a time ends in ns, us or ms";
}

const char *simulated_read_load(const struct simulated_key *key, char *value, void *field)
{
	struct simulated_spec *spec = field;
	const char *cpus = strsep(&value, "/");
	double number;
	const char *rest = units_parse_decimal(cpus, &number);
	if (!rest || *rest || !(number >= 0 && number <= SIMULATED_MOST_CPUS))
		return "its CPUs are a number from 0 to 1024";
	spec->load_cpus = number;
	return value ? simulated_read_time(key, value, &spec->load_ns) : NULL;
}

/* "16/off/48": each that is not off into items[i] of `each` bytes. */
static const char *read_list(const struct simulated_key *key, char *value, size_t most,
			     const char *too_many, simulated_read *read, void *items, size_t each)
{
	char *parts[SIMULATED_LEVELS + 1];
	size_t count = split(value, parts, most);
	const char *reason = count > most ? too_many : NULL;
	memset(items, 0, most * each);
	for (size_t i = 0; i < count && !reason; i++)
		if (strcmp(parts[i], "off") != 0)
			reason = read(key, parts[i], (char *)items + i * each);
	return reason;
}

const char *simulated_read_misses(const struct simulated_key *key, char *value, void *field)
{
	return read_list(key, value, SIMULATED_LEVELS, "it has more parts than there are caches",
			 simulated_read_count, field, sizeof(uint64_t));
}

/* "64c" and "12.8G": in the key's range in bytes a cycle, and GB a second. */
const char *simulated_read_rate(const struct simulated_key *key, char *text, void *field)
{
	double number;
	const char *unit = units_parse_decimal(text, &number);
	if (!unit || (strcmp(unit, "c") != 0 && strcmp(unit, "G") != 0))
		return "a rate ends in c (bytes per cycle) or G (GB per second)";
	if (!(number >= key->low && number <= key->high))
		return "its rate is out of range";
	bool cycles = *unit == 'c';
	*(struct simulated_rate *)field = (struct simulated_rate){
		.bytes_per_cycle = cycles ? number : 0,
		.bytes_per_second = cycles ? 0 : number * 1e9,
	};
	return NULL;
}

const char *simulated_read_rates(const struct simulated_key *key, char *value, void *field)
{
	return read_list(key, value, SIMULATED_LEVELS + 1,
			 "it has more parts than caches and memory", simulated_read_rate, field,
			 sizeof(struct simulated_rate));
}

/* "12/lru/5c", what caches and TLBs have in common. Ways 0 stand for full. */
static const char *read_shape(const struct simulated_key *key, char **parts,
			      struct simulated_shape *shape)
{
	static const char *const policies[] = {"lru", "plru", "random", "srrip", "brrip", "drrip"};
	const size_t policy_count = sizeof(policies) / sizeof(*policies);
	int64_t ways = 0;
	if (strcmp(parts[0], "full") != 0 &&
	    units_parse_integer(parts[0], 1, SIMULATED_MAX_WAYS, &ways, NULL))
		return "its ways are a whole number from 1 to 1024, or full";
	shape->ways = (uint64_t)ways;
	size_t policy = choose(policies, policy_count, parts[1]);
	if (policy == policy_count)
		return "its policy is lru, plru, random, srrip, brrip or drrip";
	shape->policy = (enum simulated_policy)policy;
	return simulated_read_cost(key, parts[2], &shape->cost);
}

const char *simulated_read_cache(const struct simulated_key *key, char *value, void *field)
{
	char *parts[5];
	struct simulated_shape shape = {0};
	size_t count = split(value, parts, 5);
	if (count != 4 && count != 5)
		return "it has four parts, or five";
	if (count == 5 && strcmp(parts[4], "victim") != 0)
		return "its fifth part can only be victim";
	shape.victim = count == 5;
	if (units_parse_size(parts[0], &shape.size_bytes, NULL))
		return "its first part is not a size";
	const char *reason = read_shape(key, parts + 1, &shape);
	if (!reason)
		*(struct simulated_shape *)field = shape;
	return reason;
}

const char *simulated_read_dram(const struct simulated_key *key, char *value, void *field)
{
	struct simulated_dram dram;
	double *const times_ns[] = {&dram.line_ns, &dram.row_ns, &dram.turn_ns, &dram.refresh_ns,
				    &dram.refresh_each_ns};
	char *parts[6];
	int64_t channels, banks;
	size_t count = split(value, parts, 6);
	if (count != 5 && count != 6)
		return "it has five parts, or six";
	char *of_each = strchr(parts[0], 'x');
	if (of_each)
		*of_each++ = 0;
	if (!of_each ||
	    units_parse_integer(parts[0], 1, SIMULATED_MOST_CHANNELS, &channels, NULL) ||
	    units_parse_integer(of_each, 1, SIMULATED_MOST_BANKS, &banks, NULL))
		return "its first part is channels x banks, 1 to 64 of each";
	dram.channels = (uint64_t)channels;
	dram.banks = (uint64_t)banks;
	dram.refresh_each_ns = USUAL_REFRESH_NS;
	for (size_t i = 0; i + 1 < count; i++) {
		const char *reason = simulated_read_time(key, parts[i + 1], times_ns[i]);
		if (reason)
			return reason;
	}
	if (!(dram.line_ns >= LEAST_LINE_NS))
		return "a line has the bus for 0.1 ns or more";
	if (dram.refresh_ns > MOST_REFRESH_SHARE * dram.refresh_each_ns)
		return "a refresh takes a quarter of the time between two at most";
	*(struct simulated_dram *)field = dram;
	return NULL;
}

const char *simulated_read_interrupts(const struct simulated_key *key, char *value, void *field)
{
	struct simulated_spec *spec = field;
	char *parts[2];
	double each_ns, ns;
	if (split(value, parts, 2) != 2)
		return "it has two parts";
	const char *reason = simulated_read_time(key, parts[0], &each_ns);
	if (!reason)
		reason = simulated_read_time(key, parts[1], &ns);
	if (reason)
		return reason;
	if (!(ns < each_ns))
		return "an interrupt takes less than the time between two";
	spec->interrupt_each_ns = each_ns;
	spec->interrupt_ns = ns;
	return NULL;
}

const char *simulated_read_turns(const struct simulated_key *key, char *value, void *field)
{
	static const struct simulated_key sizes = {.low = 64, .high = 0x1p30};
	struct simulated_turns turns;
	char *parts[3];
	if (split(value, parts, 3) != 3)
		return "it has three parts";
	const char *reason = simulated_read_size(&sizes, parts[0], &turns.bytes);
	if (!reason)
		reason = simulated_read_time(key, parts[1], &turns.read_ns);
	if (!reason)
		reason = simulated_read_time(key, parts[2], &turns.pause_ns);
	if (!reason)
		*(struct simulated_turns *)field = turns;
	return reason;
}

const char *simulated_read_tlb(const struct simulated_key *key, char *value, void *field)
{
	char *parts[4];
	struct simulated_shape shape = {0};
	int64_t entries;
	if (split(value, parts, 4) != 4)
		return "it has four parts";
	if (units_parse_integer(parts[0], 1, SIMULATED_MAX_ENTRIES, &entries, NULL))
		return "its entries are not a whole number in their range";
	shape.entries = (uint64_t)entries;
	const char *reason = read_shape(key, parts + 1, &shape);
	if (!reason)
		*(struct simulated_shape *)field = shape;
	return reason;
}

const char *simulated_read_large_tlb(const struct simulated_key *key, char *value, void *field)
{
	if (strcmp(value, "shared") != 0)
		return simulated_read_tlb(key, value, field);
	*(struct simulated_shape *)field = (struct simulated_shape){.entries = SIMULATED_SHARED};
	return NULL;
}

const char *simulated_read_host_page(const struct simulated_key *key, char *value, void *field)
{
	uint64_t bytes;
	const char *reason = simulated_read_size(key, value, &bytes);
	if (reason)
		return reason;
	if (bytes != 1 << 12 && bytes != 1 << 21 && bytes != 1 << 30)
		return "use 4K, 2M, 1G or off";
	*(uint64_t *)field = bytes;
	return NULL;
}
