#include "model/fleet/fleet_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/text.h"
#include "base/units.h"
#include "model/fleet/fleet_numbers.h"

/* By choice: a fault seldom has a quarter of a fleet, or a tenth of a large one. */
#define LARGE_SHARE       0.25 /* of the hardware's nodes: a part of its own */
#define LARGE_MANY_SHARE  0.1  /* the same, where it has FLEET_LEAST_NODES */
#define MEMORY_NEXT_RATIO 1.03 /* what the firmware keeps for itself differs by less */

/* ---- amounts of memory ---- */

struct amount {
	double size; /* in units of any kind: only ratios count */
	size_t node;
};

static int compare_amounts(const void *a, const void *b)
{
	const struct amount *x = a, *y = b;
	return (x->size > y->size) - (x->size < y->size);
}

static double size_of(const char *text)
{
	uint64_t bytes = 0;
	return *text && units_parse_size(text, &bytes, NULL) == 0 ? (double)bytes : 0;
}

bool fleet_same_memory(const char *a, const char *b)
{
	double one = size_of(a), other = size_of(b);
	return strcmp(a, b) == 0 ||
	       (one > 0 && other > 0 && fmax(one, other) <= MEMORY_NEXT_RATIO * fmin(one, other));
}

/* Amounts that nearly are the same become the least of them. */
static int settle_memory(struct fathom_fleet *fleet)
{
	struct amount *amounts = calloc(fleet->node_count + 1, sizeof(*amounts));
	const char *settled = NULL;
	int failed = amounts ? 0 : -1;
	for (size_t i = 0; !failed && i < fleet->node_count; i++)
		amounts[i] = (struct amount){size_of(fleet->nodes[i].settings[FLEET_MEMORY]), i};
	if (!failed)
		qsort(amounts, fleet->node_count, sizeof(*amounts), compare_amounts);
	for (size_t i = 0; !failed && i < fleet->node_count; i++) {
		char **own = &fleet->nodes[amounts[i].node].settings[FLEET_MEMORY];
		bool known = amounts[i].size > 0; /* and no change of it */
		if (!settled || !known ||
		    amounts[i].size > MEMORY_NEXT_RATIO * amounts[i - 1].size) {
			settled = *own;
			continue;
		}
		char *copy = strdup(settled);
		failed = copy ? 0 : -1;
		if (copy && *own != settled) {
			free(*own);
			*own = copy;
		}
	}
	free(amounts);
	return failed;
}

/* ---- parts ---- */

/* Nodes by their places, in the order of their texts. */
struct part {
	size_t *nodes;
	size_t count;
};

static const char *text_of(const struct fathom_fleet_node *node, int setting)
{
	return setting < 0 ? node->hardware : node->settings[setting];
}

struct order {
	const struct fathom_fleet *fleet;
	int setting;
};

static int compare_texts(const void *a, const void *b, void *how)
{
	const struct order *order = how;
	const size_t *x = a, *y = b;
	int texts = strcmp(text_of(&order->fleet->nodes[*x], order->setting),
			   text_of(&order->fleet->nodes[*y], order->setting));
	return texts ? texts : (*x > *y) - (*x < *y);
}

static void sort_part(const struct fathom_fleet *fleet, const struct part *part, int setting)
{
	struct order order = {fleet, setting};
	qsort_r(part->nodes, part->count, sizeof(*part->nodes), compare_texts, &order);
}

/* Of a sorted part: how many from `first` on have the same text. */
static size_t find_run(const struct fathom_fleet *fleet, const struct part *part, int setting,
		       size_t first)
{
	const char *text = text_of(&fleet->nodes[part->nodes[first]], setting);
	size_t end = first + 1;
	while (end < part->count &&
	       strcmp(text_of(&fleet->nodes[part->nodes[end]], setting), text) == 0)
		end++;
	return end - first;
}

static bool is_large(size_t count, size_t all)
{
	return (double)count >= LARGE_SHARE * (double)all ||
	       (count >= FLEET_LEAST_NODES && (double)count >= LARGE_MANY_SHARE * (double)all);
}

/* ---- groups ---- */

/* What most nodes of the part have. */
static int find_settings(const struct fathom_fleet *fleet, const struct part *part,
			 struct fathom_fleet_group *group)
{
	group->settings = calloc(FLEET_SETTINGS, sizeof(*group->settings));
	if (!group->settings)
		return -1;
	group->setting_count = FLEET_SETTINGS;
	for (int k = 0; k < FLEET_SETTINGS; k++) {
		struct fathom_fleet_setting *setting = &group->settings[k];
		const char *most = "";
		sort_part(fleet, part, k);
		for (size_t i = 0, run; i < part->count; i += run) {
			run = find_run(fleet, part, k, i);
			if (run > setting->nodes) {
				setting->nodes = run;
				most = text_of(&fleet->nodes[part->nodes[i]], k);
			}
		}
		setting->name = strdup(fleet_settings[k].name);
		setting->value = strdup(most);
		if (!setting->name || !setting->value)
			return -1;
	}
	return 0;
}

static int find_numbers(struct fathom_fleet_group *group)
{
	group->numbers = calloc(FLEET_NUMBERS, sizeof(*group->numbers));
	if (!group->numbers)
		return -1;
	group->number_count = FLEET_NUMBERS;
	for (int i = 0; i < FLEET_NUMBERS; i++) {
		struct fathom_fleet_number *number = &group->numbers[i];
		*number = (struct fathom_fleet_number){
			.name = strdup(fleet_numbers[i].name),
			.words = strdup(fleet_numbers[i].words),
			.unit = strdup(fleet_numbers[i].unit),
			.worse = fleet_numbers[i].worse,
			.centre = NAN,
			.spread = NAN,
			.error = NAN,
		};
		if (!number->name || !number->words || !number->unit)
			return -1;
	}
	return 0;
}

/* `words` of the settings that divided it. */
static int add_group(struct fathom_fleet *fleet, const struct part *part, const char *words)
{
	const struct fathom_fleet_group empty = {0};
	if (LIST_APPEND(&fleet->groups, &fleet->group_count, &empty))
		return -1;
	struct fathom_fleet_group *group = &fleet->groups[fleet->group_count - 1];
	group->nodes = part->count;
	group->key = text_format("%s%s", fleet->nodes[part->nodes[0]].hardware, words);
	for (size_t i = 0; i < part->count; i++)
		fleet->nodes[part->nodes[i]].group = fleet->group_count - 1;
	return group->key && !find_settings(fleet, part, group) && !find_numbers(group) ? 0 : -1;
}

static int divide(struct fathom_fleet *fleet, const struct part *part, int setting,
		  const char *words);

/* Goes on with the next setting. The parts that are not large go with the largest. */
static int divide_by(struct fathom_fleet *fleet, const struct part *part, int setting,
		     size_t largest, const char *words)
{
	struct part rest = {calloc(part->count, sizeof(*rest.nodes)), 0};
	int failed = rest.nodes ? 0 : -1;
	char *kept = NULL;
	for (size_t i = 0, run; !failed && i < part->count; i += run) {
		run = find_run(fleet, part, setting, i);
		struct part own = {part->nodes + i, run};
		const char *value = text_of(&fleet->nodes[part->nodes[i]], setting);
		char *more = text_format("%s, %s %s", words, fleet_settings[setting].words,
					 *value ? value : "unknown");
		failed = more ? 0 : -1;
		if (i == largest || !is_large(run, part->count)) {
			memcpy(rest.nodes + rest.count, own.nodes, run * sizeof(*own.nodes));
			rest.count += run;
			if (i == largest)
				kept = more;
			else
				free(more);
			continue;
		}
		struct part copy = {calloc(run, sizeof(*copy.nodes)), run};
		if (copy.nodes)
			memcpy(copy.nodes, own.nodes, run * sizeof(*own.nodes));
		failed = failed || !copy.nodes || divide(fleet, &copy, setting + 1, more);
		free(copy.nodes);
		free(more);
	}
	if (!failed)
		failed = divide(fleet, &rest, setting + 1, kept);
	free(kept);
	free(rest.nodes);
	return failed;
}

static int divide(struct fathom_fleet *fleet, const struct part *part, int setting,
		  const char *words)
{
	for (; setting < FLEET_SETTINGS; setting++) {
		size_t large = 0, largest = 0, largest_count = 0;
		sort_part(fleet, part, setting);
		for (size_t i = 0, run; i < part->count; i += run) {
			run = find_run(fleet, part, setting, i);
			large += is_large(run, part->count);
			if (run > largest_count) {
				largest = i;
				largest_count = run;
			}
		}
		if (large > 1)
			return divide_by(fleet, part, setting, largest, words);
	}
	return add_group(fleet, part, words);
}

/* ---- their order ---- */

struct placed {
	struct fathom_fleet_group group;
	size_t before;
};

static int compare_groups(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	int sizes = (x->group.nodes < y->group.nodes) - (x->group.nodes > y->group.nodes);
	return sizes ? sizes : strcmp(x->group.key, y->group.key);
}

static int sort_groups(struct fathom_fleet *fleet)
{
	size_t count = fleet->group_count;
	struct placed *placed = calloc(count + 1, sizeof(*placed));
	size_t *places = calloc(count + 1, sizeof(*places));
	int failed = placed && places ? 0 : -1;
	for (size_t i = 0; !failed && i < count; i++)
		placed[i] = (struct placed){fleet->groups[i], i};
	if (!failed)
		qsort(placed, count, sizeof(*placed), compare_groups);
	for (size_t i = 0; !failed && i < count; i++) {
		fleet->groups[i] = placed[i].group;
		places[placed[i].before] = i;
	}
	for (size_t i = 0; !failed && i < fleet->node_count; i++)
		fleet->nodes[i].group = places[fleet->nodes[i].group];
	free(placed);
	free(places);
	return failed;
}

int fleet_groups_make(struct fathom_fleet *fleet, struct fathom_error *error)
{
	struct part all = {calloc(fleet->node_count + 1, sizeof(*all.nodes)), fleet->node_count};
	int failed = all.nodes ? settle_memory(fleet) : -1;
	for (size_t i = 0; !failed && i < all.count; i++)
		all.nodes[i] = i;
	if (!failed)
		sort_part(fleet, &all, -1);
	for (size_t i = 0, run; !failed && i < all.count; i += run) {
		run = find_run(fleet, &all, -1, i);
		const struct part hardware = {all.nodes + i, run};
		failed = divide(fleet, &hardware, 0, "");
	}
	free(all.nodes);
	if (!failed)
		failed = sort_groups(fleet);
	return failed ? error_no_memory(error) : 0;
}
