/* fathom_fleet_make: what was read becomes a fleet. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "base/warnings.h"
#include "fleet/fleet_reader.h"
#include "model/fleet/fleet_changes.h"
#include "model/fleet/fleet_judge.h"
#include "model/fleet/fleet_lists.h"
#include "model/fleet/fleet_node.h"

#define FAR_APART_S (2 * 86400.0) /* clocks differ, or one fleet is two */
#define LISTED_MOST 5             /* names in a warning */

/* ---- one document a node ---- */

/* By host, then the latest first; of those that do not differ the name decides. */
static int compare_nodes(const void *a, const void *b)
{
	const struct fathom_fleet_node *x = a, *y = b;
	int hosts = strcmp(x->host, y->host);
	int times =
		strcmp(y->measured_at ? y->measured_at : "", x->measured_at ? x->measured_at : "");
	return hosts   ? hosts
	       : times ? times
		       : strcmp(y->file ? y->file : "", x->file ? x->file : "");
}

static bool is_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

/* Remarks that `node` is not the one of its host. A document that was read twice, as itself and in
 * a fleet, is no other one. */
static int pass_over(struct fathom_fleet *fleet, const struct fathom_fleet_node *kept,
		     const struct fathom_fleet_node *node)
{
	if (is_same(kept->file, node->file) && is_same(kept->measured_at, node->measured_at))
		return 0;
	char *reason = text_format("'%s' is the latest of that node",
				   kept->file ? kept->file : "another document");
	int failed =
		reason ? FLEET_REMARK(fleet, superseded, node->host, node->file, reason, NULL) : -1;
	free(reason);
	return failed;
}

int fleet_sort(struct fathom_fleet *fleet, struct fathom_error *error)
{
	size_t kept = 0;
	if (fleet->node_count)
		qsort(fleet->nodes, fleet->node_count, sizeof(*fleet->nodes), compare_nodes);
	for (size_t i = 0; i < fleet->node_count; i++) {
		struct fathom_fleet_node node = fleet->nodes[i];
		if (!kept || strcmp(fleet->nodes[kept - 1].host, node.host) != 0) {
			fleet->nodes[i] = (struct fathom_fleet_node){0};
			fleet->nodes[kept++] = node;
			continue;
		}
		int failed = pass_over(fleet, &fleet->nodes[kept - 1], &node);
		fleet_node_clear(&fleet->nodes[i]);
		if (failed)
			return error_no_memory(error);
	}
	fleet->node_count = kept;
	return 0;
}

/* ---- what fleets that were read say ---- */

/* Is there now a node of that host or file, or is it in the list already? */
static bool is_settled(const struct fathom_fleet *fleet, const struct fathom_fleet_remark *remark,
		       const struct fathom_fleet_remark *list, size_t count)
{
	if (remark->host && fleet_find_node(fleet, remark->host))
		return true;
	for (size_t i = 0; i < fleet->node_count; i++)
		if (is_same(remark->file, fleet->nodes[i].file))
			return true;
	for (size_t i = 0; i < count; i++)
		if (is_same(remark->host, list[i].host) || is_same(remark->file, list[i].file))
			return true;
	return false;
}

#define TAKE_EARLIER(fleet, earlier, list)                                                         \
	for (size_t i = 0; i < (earlier)->list##_count; i++) {                                     \
		const struct fathom_fleet_remark *one = &(earlier)->list[i];                       \
		if (!is_settled(fleet, one, (fleet)->list, (fleet)->list##_count) &&               \
		    FLEET_REMARK(fleet, list, one->host, one->file, one->reason, one->command))    \
			return -1;                                                                 \
	}

static int take_earlier(struct fathom_fleet *fleet, const struct fathom_fleet *earlier)
{
	TAKE_EARLIER(fleet, earlier, missing);
	TAKE_EARLIER(fleet, earlier, damaged);
	return 0;
}

/* ---- what else is to be known ---- */

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted, those that are known; free() it. */
static const char **gather(const struct fathom_fleet *fleet, bool versions, size_t *count)
{
	const char **texts = calloc(fleet->node_count + 1, sizeof(*texts));
	*count = 0;
	for (size_t i = 0; texts && i < fleet->node_count; i++) {
		const char *text = versions ? fleet->nodes[i].version : fleet->nodes[i].measured_at;
		if (text)
			texts[(*count)++] = text;
	}
	if (texts)
		qsort(texts, *count, sizeof(*texts), compare_texts);
	return texts;
}

static int warn_versions(struct fathom_fleet *fleet)
{
	size_t count, listed = 0;
	const char **versions = gather(fleet, true, &count);
	struct text text = {0};
	if (!versions)
		return -1;
	for (size_t i = 0, run; i < count; i += run) {
		for (run = 1; i + run < count && strcmp(versions[i + run], versions[i]) == 0;)
			run++;
		if (listed++ < LISTED_MOST)
			text_add(&text, "%s%s (%zu)", listed > 1 ? ", " : "", versions[i], run);
	}
	int failed = text.failed ? -1 : 0;
	if (!failed && listed > 1)
		failed = warnings_add(&fleet->warnings, "versions", NULL,
				      "measure all nodes with one version",
				      "%zu versions of fathom measured it: %s%s", listed, text.data,
				      listed > LISTED_MOST ? ", ..." : "");
	text_free(&text);
	free(versions);
	return failed;
}

static int warn_clocks(struct fathom_fleet *fleet)
{
	size_t count;
	const char **dates = gather(fleet, false, &count);
	if (!dates)
		return -1;
	const char *median = count ? dates[count / 2] : NULL;
	double middle = stopwatch_seconds_of(median);
	size_t before = 0, after = 0;
	for (size_t i = 0; i < count; i++) {
		before += stopwatch_seconds_of(dates[i]) < middle - FAR_APART_S;
		after += stopwatch_seconds_of(dates[i]) > middle + FAR_APART_S;
	}
	int failed = 0;
	if (before + after)
		failed =
			warnings_add(&fleet->warnings, "dates", NULL,
				     "check whether the clocks of the nodes are right, and whether "
				     "old documents are among these",
				     "%zu of %zu documents are dated more than two days before or "
				     "after the others (%s to %s; the median is %s)",
				     before + after, count, dates[0], dates[count - 1], median);
	free(dates);
	return failed;
}

/* ---- the whole ---- */

static int list_disturbed(struct fathom_fleet *fleet)
{
	for (size_t i = 0; i < fleet->node_count; i++) {
		const struct fathom_fleet_node *node = &fleet->nodes[i];
		if (node->state == FATHOM_FLEET_DISTURBED &&
		    FLEET_REMARK(fleet, disturbed, node->host, node->file, node->reason,
				 "measure again: fathom --quick"))
			return -1;
	}
	return 0;
}

static int check_stop(const struct fathom_fleet_reader *reader, struct fathom_error *error)
{
	const struct fathom_observer *observer = reader->observer;
	return observer && observer->stop && observer->stop(observer->context)
		       ? error_set(error, FATHOM_INTERRUPTED, NULL,
				   "interrupted: no fleet was judged")
		       : 0;
}

static int make(struct fathom_fleet_reader *reader, struct fathom_fleet *fleet,
		struct fathom_error *error)
{
	fleet->false_alarms = reader->false_alarms;
	if (fleet_sort(fleet, error) || check_stop(reader, error))
		return -1;
	if (take_earlier(fleet, &reader->earlier))
		return error_no_memory(error);
	if (fleet_judge(fleet, reader->reference.node_count ? &reader->reference : NULL, error))
		return -1;
	if (list_disturbed(fleet) || warn_versions(fleet) || warn_clocks(fleet))
		return error_no_memory(error);
	return reader->since.node_count ? fleet_changes_find(fleet, &reader->since, error) : 0;
}

int fathom_fleet_make(struct fathom_fleet_reader *reader, struct fathom_fleet **fleet,
		      struct fathom_error *error)
{
	struct fathom_fleet *made = calloc(1, sizeof(*made));
	if (!made)
		return error_no_memory(error);
	*made = reader->fleet;
	reader->fleet = (struct fathom_fleet){0};
	int failed = make(reader, made, error);
	fleet_clear(&reader->earlier);
	fleet_clear(&reader->since);
	fleet_clear(&reader->reference);
	if (failed) {
		fathom_fleet_free(made);
		return -1;
	}
	*fleet = made;
	return 0;
}
