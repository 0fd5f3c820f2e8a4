#include "model/cores/core_home.h"

/* Groups of one class with the class before it, of whose groups they are made. */
struct halves {
	size_t joined; /* the one group that is made of several; its first CPU */
	size_t pieces; /* that it is made of */
	size_t cpus;   /* in it */
	size_t others; /* groups beside it that are as before */
	bool one;      /* there is no second one of several pieces */
};

/* NULL: of the first class, whose pieces are CPUs. */
static const size_t *before_of(const struct core_levels *levels, size_t class)
{
	return class ? core_levels_of(levels, class - 1) : NULL;
}

static bool is_piece(const size_t *before, size_t cpu)
{
	return !before || before[cpu] == cpu;
}

static size_t count_pieces(const struct core_levels *levels, size_t class, size_t group,
			   size_t *cpus)
{
	const size_t *of = core_levels_of(levels, class), *before = before_of(levels, class);
	size_t pieces = 0;
	*cpus = 0;
	for (size_t i = 0; i < levels->cpu_count; i++) {
		pieces += of[i] == group && is_piece(before, i);
		*cpus += of[i] == group;
	}
	return pieces;
}

static struct halves look(const struct core_levels *levels, size_t class)
{
	const size_t *of = core_levels_of(levels, class);
	struct halves halves = {.one = true};
	for (size_t i = 0; i < levels->cpu_count; i++) {
		size_t cpus, pieces = of[i] == i ? count_pieces(levels, class, i, &cpus) : 0;
		if (pieces == 1)
			halves.others++;
		if (pieces < 2)
			continue;
		halves.one = halves.pieces == 0;
		halves.joined = i;
		halves.pieces = pieces;
		halves.cpus = cpus;
		if (!halves.one)
			break;
	}
	return halves;
}

static void join_others(struct core_levels *levels, size_t class, size_t joined)
{
	size_t *of = levels->group_of + class * levels->cpu_count, first = levels->cpu_count;
	for (size_t i = 0; i < levels->cpu_count; i++) {
		if (of[i] == joined)
			continue;
		if (first == levels->cpu_count)
			first = i;
		of[i] = first;
	}
}

bool core_home_repair(struct core_levels *levels, size_t *class, size_t *home)
{
	/* Beyond the nearest class, and short of the last, in which all are joined. */
	for (size_t k = 1; k + 1 < levels->class_count; k++) {
		struct halves halves = look(levels, k);
		if (!halves.one || halves.pieces < 2 || halves.others != halves.pieces ||
		    2 * halves.cpus != levels->cpu_count)
			continue;
		join_others(levels, k, halves.joined);
		*class = k;
		*home = halves.joined;
		return true;
	}
	return false;
}
