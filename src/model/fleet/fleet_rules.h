/* What a fault does to the numbers and settings of a node: a row a cause. */
#pragma once

#include "model/fleet/fleet_numbers.h"

/* Of the logarithm of a number, by each unit of the fault's size: what it becomes, and the standard
 * deviation of that. Numbers without an effect stay as they are. */
struct fleet_effect {
	enum fleet_number number;
	double mean, spread;
};

#define FLEET_EFFECTS 16
#define FLEET_TELLS   3

/* How likely the node then has another value of that setting than its group. */
struct fleet_tell {
	enum fleet_setting setting;
	double probability;
};

struct fleet_rule {
	const char *name, *words;
	const char *evidence; /* for the page: what it does */
	const char *command;  /* what tells more, on the node */
	double least, most;   /* size of the fault: logarithm of a ratio */
	bool either;          /* a size below 0, too */
	/* Numbers are looked at along its effects, not one by one alone; else a setting tells it.
	 */
	bool tested;
	struct fleet_effect effects[FLEET_EFFECTS];
	size_t effect_count;
	struct fleet_tell tells[FLEET_TELLS];
	size_t tell_count;
};

extern const struct fleet_rule fleet_rules[];
extern const size_t fleet_rule_count;
