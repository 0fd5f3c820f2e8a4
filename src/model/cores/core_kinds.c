#include "model/cores/core_kinds.h"

#include "base/text.h"

#define MOST_SCATTER  0.15 /* of logarithms in one cache: half again the widest there */
#define MOST_SIBLINGS 8    /* of a core: SPARC and POWER */
/* That are joined without a node controller. Source: Intel Xeon Processor Scalable Family
 * Datasheet: up to eight sockets by UPI links alone. */
#define MOST_SOCKETS 8

static size_t widest_group(const struct core_levels *levels, size_t class)
{
	const size_t *of = core_levels_of(levels, class);
	size_t widest = 0;
	for (size_t i = 0; i < levels->cpu_count; i++) {
		size_t cpus = 0;
		for (size_t k = i; of[i] == i && k < levels->cpu_count; k++)
			cpus += of[k] == i;
		widest = cpus > widest ? cpus : widest;
	}
	return widest;
}

char *core_kinds_name(const struct core_levels *levels, size_t class, double scatter, double lines,
		      struct fathom_core_class *made, enum fathom_core_class_kind before)
{
	bool last = class + 1 == levels->class_count;
	bool nearest = class == 0 || before == FATHOM_CORES_SMT;
	size_t cpus = widest_group(levels, class);
	size_t groups = class ? core_levels_groups(levels, class - 1) : levels->cpu_count;
	double ns = made->latency_ns / lines;
	made->kind = FATHOM_CORES_UNKNOWN;
	if (class == 0 && cpus <= MOST_SIBLINGS && ns < CORE_SIBLINGS_MOST_NS) {
		made->kind = FATHOM_CORES_SMT;
		return text_format("groups of %zu CPUs, nearer than two cores are", cpus);
	}
	if (class == 0 && cpus == 2 && !last && ns < CORE_TWOS_MOST_NS)
		return text_format(
			"in twos: threads of a core, or cores with a cache of their own");
	if (nearest && scatter > MOST_SCATTER)
		return text_format("scatters more than one cache does, as where threads moved");
	if (nearest && ns < CORE_CACHE_MOST_NS) {
		made->kind = FATHOM_CORES_SAME_CACHE;
		return text_format("the nearest CPUs%s", class ? " of different cores" : "");
	}
	if (nearest)
		return text_format(last ? "no farther class to hold it against"
					: "the nearest CPUs, and farther than those of one cache");
	if (groups > MOST_SOCKETS && before != FATHOM_CORES_UNKNOWN) {
		made->kind = FATHOM_CORES_SAME_SOCKET;
		return text_format("joins %zu groups: more than a machine has sockets", groups);
	}
	return text_format("joins %zu groups: parts of one socket, or sockets", groups);
}
