#include "model/fleet/fleet_judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/compare/student.h"
#include "model/fleet/fleet_groups.h"
#include "model/fleet/fleet_outliers.h"
#include "model/fleet/fleet_tests.h"

/* What is usual is found again without the nodes that were found, until no more are. */
#define MOST_PASSES 3

struct judge {
	struct fathom_fleet *fleet;
	const struct fathom_fleet *reference;
	struct fleet_space *spaces;                /* of each group that is judged */
	double *probabilities, *adjusted, *surest; /* of each node */
};

/* Another size takes another time: that number is of something else. */
static void forget_other_sizes(struct fathom_fleet *fleet)
{
	for (size_t i = 0; i < fleet->node_count; i++) {
		struct fathom_fleet_node *node = &fleet->nodes[i];
		const char *usually = fleet->groups[node->group].settings[FLEET_AT].value;
		if (strcmp(node->settings[FLEET_AT], usually) != 0)
			node->values[FLEET_MEMORY_NS] = node->errors[FLEET_MEMORY_NS] = NAN;
	}
}

static void count_undisturbed(struct judge *judge)
{
	struct fathom_fleet *fleet = judge->fleet;
	size_t *counts = calloc(fleet->group_count + 1, sizeof(*counts));
	for (size_t i = 0; counts && i < fleet->node_count; i++)
		if (fleet->nodes[i].state != FATHOM_FLEET_DISTURBED)
			counts[fleet->nodes[i].group]++;
	for (size_t i = 0; counts && i < fleet->group_count; i++) {
		size_t given = fleet_space_count(fleet, i, judge->reference);
		bool judged = counts[i] >= FLEET_LEAST_NODES || given >= FLEET_LEAST_NODES;
		fleet->groups[i].judged = judged;
		fleet->groups[i].by_reference = judged && given;
	}
	free(counts);
}

/* True: more were found than before. */
static int run_pass(struct judge *judge, bool *more)
{
	struct fathom_fleet *fleet = judge->fleet;
	*more = false;
	for (size_t i = 0; i < fleet->group_count; i++)
		if (fleet->groups[i].judged &&
		    (fleet_space_find(fleet, i, judge->reference, &judge->spaces[i]) ||
		     fleet_tests_run(fleet, i, &judge->spaces[i], judge->probabilities)))
			return -1;
	if (student_adjust_share(judge->probabilities, fleet->node_count, judge->adjusted))
		return -1;
	for (size_t i = 0; i < fleet->node_count; i++) {
		struct fathom_fleet_node *node = &fleet->nodes[i];
		if (!(judge->adjusted[i] <= fleet->false_alarms))
			continue;
		judge->surest[i] = fmin(judge->surest[i], judge->adjusted[i]);
		*more |= node->state != FATHOM_FLEET_OUTLIER;
		node->state = FATHOM_FLEET_OUTLIER;
	}
	return 0;
}

/* Nodes with a setting of their own are no evidence of what is usual from the beginning. */
static void mark_settings(struct fathom_fleet *fleet)
{
	for (size_t i = 0; i < fleet->node_count; i++)
		if (fleet->nodes[i].state == FATHOM_FLEET_USUAL &&
		    fleet->groups[fleet->nodes[i].group].judged &&
		    fleet_differs(fleet, &fleet->nodes[i]))
			fleet->nodes[i].state = FATHOM_FLEET_OUTLIER;
}

static void note_groups(struct judge *judge)
{
	struct fathom_fleet *fleet = judge->fleet;
	for (size_t i = 0; i < fleet->group_count; i++)
		for (int k = 0; k < FLEET_NUMBERS && fleet->groups[i].judged; k++) {
			const struct fleet_usual *usual = &judge->spaces[i].usual[k];
			struct fathom_fleet_number *number = &fleet->groups[i].numbers[k];
			number->nodes = usual->count;
			number->centre = exp(usual->centre);
			number->spread = usual->spread;
			number->error = usual->error;
		}
}

static int note_node(struct judge *judge, size_t which)
{
	struct fathom_fleet_node *node = &judge->fleet->nodes[which];
	double surest = judge->surest[which];
	if (node->state == FATHOM_FLEET_OUTLIER)
		return fleet_outlier_add(judge->fleet, which, &judge->spaces[node->group],
					 isfinite(surest) ? surest : NAN);
	if (node->state == FATHOM_FLEET_DISTURBED || isfinite(judge->probabilities[which]))
		return 0;
	node->state = FATHOM_FLEET_UNJUDGED;
	node->reason = strdup(judge->fleet->groups[node->group].judged
				      ? "it has no number that its group has"
				      : "too few nodes are like it");
	return node->reason ? 0 : -1;
}

static int judge_nodes(struct judge *judge)
{
	struct fathom_fleet *fleet = judge->fleet;
	bool more = true;
	count_undisturbed(judge);
	mark_settings(fleet);
	for (int pass = 0; more && pass < MOST_PASSES; pass++)
		if (run_pass(judge, &more))
			return -1;
	note_groups(judge);
	for (size_t i = 0; i < fleet->node_count; i++)
		if (note_node(judge, i))
			return -1;
	fleet_outliers_sort(fleet);
	return 0;
}

int fleet_judge(struct fathom_fleet *fleet, const struct fathom_fleet *reference,
		struct fathom_error *error)
{
	struct judge judge = {.fleet = fleet, .reference = reference};
	if (fleet_groups_make(fleet, error))
		return -1;
	forget_other_sizes(fleet);
	judge.spaces = calloc(fleet->group_count + 1, sizeof(*judge.spaces));
	judge.probabilities = calloc(fleet->node_count + 1, sizeof(*judge.probabilities));
	judge.adjusted = calloc(fleet->node_count + 1, sizeof(*judge.adjusted));
	judge.surest = calloc(fleet->node_count + 1, sizeof(*judge.surest));
	int failed = judge.spaces && judge.probabilities && judge.adjusted && judge.surest ? 0 : -1;
	for (size_t i = 0; !failed && i < fleet->node_count; i++) {
		judge.probabilities[i] = NAN;
		judge.surest[i] = INFINITY;
	}
	if (!failed)
		failed = judge_nodes(&judge);
	free(judge.spaces);
	free(judge.probabilities);
	free(judge.adjusted);
	free(judge.surest);
	return failed ? error_no_memory(error) : 0;
}
