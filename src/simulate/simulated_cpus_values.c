/* How the values of the keys of CPUs are read. */
#include <string.h>

#include "base/units.h"
#include "simulate/simulated_values.h"

#define LEVELS 5 /* of a topology */

const char *simulated_read_topology(const struct simulated_key *key, char *value, void *field)
{
	int64_t parts[LEVELS];
	size_t count = 0;
	(void)key;
	for (char *part; (part = strsep(&value, "x")); count++)
		if (count == LEVELS ||
		    units_parse_integer(part, 1, SIMULATED_MOST_CPUS, &parts[count], NULL))
			return "it is whole numbers joined by x, five at most";
	if (count != 1 && count < LEVELS - 1)
		return "it has one part, four or five";
	struct simulated_topology topology = {1, 1, 1, (uint64_t)parts[0], 1};
	if (count > 1)
		topology = (struct simulated_topology){
			.sockets = (uint64_t)parts[0],
			.dies = count == LEVELS ? (uint64_t)parts[1] : 1,
			.caches = (uint64_t)parts[count - 3],
			.cores = (uint64_t)parts[count - 2],
			.threads = (uint64_t)parts[count - 1],
		};
	double cpus = 1;
	for (size_t i = 0; i < count; i++)
		cpus *= (double)parts[i];
	if (cpus > SIMULATED_MOST_CPUS)
		return "it has more than 1024 CPUs";
	*(struct simulated_topology *)field = topology;
	return NULL;
}

const char *simulated_read_numbering(const struct simulated_key *key, char *value, void *field)
{
	static const char *const names[] = {"by_thread", "by_core", "shuffled"};
	(void)key;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(value, names[i]) == 0) {
			*(enum simulated_numbering *)field = (enum simulated_numbering)i;
			return NULL;
		}
	return "use by_thread, by_core or shuffled";
}

const char *simulated_read_handover(const struct simulated_key *key, char *value, void *field)
{
	double times_ns[SIMULATED_WAYS];
	size_t count = 0;
	for (char *part; (part = strsep(&value, "/")); count++) {
		const char *reason = count < SIMULATED_WAYS
					     ? simulated_read_time(key, part, &times_ns[count])
					     : "it has more than five parts";
		if (reason)
			return reason;
		if (count && times_ns[count] < times_ns[count - 1])
			return "its times do not ascend";
	}
	if (count < SIMULATED_WAYS)
		return "it has five parts";
	memcpy(field, times_ns, sizeof(times_ns));
	return NULL;
}

static const char *read_cpu(char *text, int64_t *cpu)
{
	return units_parse_integer(text, 0, SIMULATED_MOST_CPUS - 1, cpu, NULL)
		       ? "its CPUs are numbers from 0 to 1023"
		       : NULL;
}

const char *simulated_read_cpus(const struct simulated_key *key, char *value, void *field)
{
	struct simulated_cpu_set set = {0};
	(void)key;
	for (char *part; (part = strsep(&value, "+"));) {
		char *first = strsep(&part, "-");
		int64_t low, high;
		const char *reason = read_cpu(first, &low);
		high = low;
		if (!reason && part)
			reason = read_cpu(part, &high);
		if (!reason && high < low)
			reason = "a range of it descends";
		if (reason)
			return reason;
		for (int64_t cpu = low; cpu <= high; cpu++)
			set.words[cpu / 64] |= (uint64_t)1 << cpu % 64;
	}
	*(struct simulated_cpu_set *)field = set;
	return NULL;
}

const char *simulated_read_lost(const struct simulated_key *key, char *value, void *field)
{
	struct simulated_spec *spec = field;
	const char *reason = simulated_read_cpus(key, strsep(&value, "/"), &spec->lost);
	if (reason)
		return reason;
	return value ? simulated_read_time(key, value, &spec->lost_ns) : "it has no time";
}

const char *simulated_read_forbidden(const struct simulated_key *key, char *value, void *field)
{
	bool on;
	const char *reason = simulated_read_on_off(key, value, &on);
	if (!reason)
		*(bool *)field = !on;
	return reason;
}
