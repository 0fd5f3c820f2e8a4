/* The document of a fleet. */
#include "base/names.h"
#include "document/table.h"

#define NODE(member, type, doc, ...) FIELD(fleet_node, member, type, NULL, doc, ##__VA_ARGS__)

static const struct field fleet_node_table_fields[] = {
	NODE(host, TEXT, "host name; of a simulated machine the name of its file",
	     .flags = FIELD_REQUIRED),
	NODE(file, TEXT, "file that its document was read from"),
	NODE(measured_at, DATE, "start of the measurement in UTC; null: not known"),
	NODE(version, TEXT, "version of fathom that measured it"),
	NODE(hardware, TEXT, "what no setting changes, in words", .flags = FIELD_REQUIRED),
	NODE(state, NAME,
	     "usual; outlier: it deviates from its group; disturbed: to be measured again; "
	     "unjudged: its group is too small, or it has no number that they have",
	     .name_of = fathom_fleet_state_name),
	NODE(reason, TEXT, "why, of a disturbed or an unjudged one, a few words; null: of others"),
	NODE(group, SIZE, "index of its group in groups", .flags = FIELD_ZERO),
	FIELD(fleet_node, settings, TEXTS, NULL,
	      "values of the settings, in the order of those of its group; \"\": not known",
	      .count = offsetof(struct fathom_fleet_node, setting_count)),
	FIELD(fleet_node, values, NUMBERS, NULL,
	      "values of the numbers, in the order of those of its group; null: not measured",
	      .count = offsetof(struct fathom_fleet_node, value_count)),
	FIELD(fleet_node, errors, NUMBERS, NULL,
	      "standard error of each value within the run, as a share; null: not known",
	      .count = offsetof(struct fathom_fleet_node, error_count)),
};
static TABLE(fleet_node_table, fleet_node, "fleet_node", "a machine that was measured");

#define SETTING(member, type, doc, ...) FIELD(fleet_setting, member, type, NULL, doc, ##__VA_ARGS__)

static const struct field fleet_setting_table_fields[] = {
	SETTING(name, TEXT, "name of the setting", .flags = FIELD_REQUIRED),
	SETTING(value, TEXT, "value that most nodes of the group have; \"\": not known"),
	SETTING(nodes, SIZE, "number of nodes that have it"),
};
static TABLE(fleet_setting_table, fleet_setting, "fleet_setting",
	     "what most nodes of a group have");

#define NUMBER_OF(member, type, unit, doc, ...)                                                    \
	FIELD(fleet_number, member, type, unit, doc, ##__VA_ARGS__)

static const struct field fleet_number_table_fields[] = {
	NUMBER_OF(name, TEXT, NULL, "name of the number", .flags = FIELD_REQUIRED),
	NUMBER_OF(words, TEXT, NULL, "the same for people"),
	NUMBER_OF(unit, TEXT, NULL, "unit of the value and the centre"),
	NUMBER_OF(worse, INTEGER, NULL, "1: more is worse; -1: less is worse; 0: neither",
		  .unknown = 0, .flags = FIELD_ZERO),
	NUMBER_OF(nodes, SIZE, NULL, "number of undisturbed nodes that it rests on",
		  .flags = FIELD_ZERO),
	NUMBER_OF(centre, NUMBER, NULL, "median; null: too few nodes have it"),
	NUMBER_OF(spread, NUMBER, "share",
		  "standard deviation between nodes, outliers and the nodes' own errors left out",
		  .range = RANGE_NOT_NEGATIVE),
	NUMBER_OF(error, NUMBER, "share", "standard error of a node within its run, median",
		  .range = RANGE_NOT_NEGATIVE),
};
static TABLE(fleet_number_table, fleet_number, "fleet_number",
	     "how a number lies over a group of nodes");

#define GROUP(member, type, doc, ...) FIELD(fleet_group, member, type, NULL, doc, ##__VA_ARGS__)

static const struct field fleet_group_table_fields[] = {
	GROUP(key, TEXT, "what its nodes have in common, in words", .flags = FIELD_REQUIRED),
	GROUP(nodes, SIZE, "number of nodes", .flags = FIELD_ZERO),
	GROUP(judged, BOOLEAN, "whether there are enough nodes to say what is usual"),
	GROUP(by_reference, BOOLEAN, "whether --reference says what is usual"),
	LIST(fleet_group, settings, setting_count, fleet_setting_table,
	     "settings, in the order in which each node has them"),
	LIST(fleet_group, numbers, number_count, fleet_number_table,
	     "numbers, in the order in which each node has them"),
};
static TABLE(fleet_group_table, fleet_group, "fleet_group",
	     "nodes with the same hardware and the settings that many of them share");

#define DEVIATES(struct_)                                                                          \
	FIELD(struct_, number, TEXT, NULL, "name of the number, or of the setting"),               \
		FIELD(struct_, unit, TEXT, NULL, "unit of the value; null: a setting"),            \
		FIELD(struct_, value, NUMBER, NULL, "value of the node; null: a setting"),         \
		FIELD(struct_, centre, NUMBER, NULL, "value that is usual in its group"),          \
		FIELD(struct_, deviation, NUMBER, "share", "value / centre - 1"),                  \
		FIELD(struct_, sigmas, NUMBER, NULL,                                               \
		      "the same in standard deviations of a node of the group"),                   \
		FIELD(struct_, setting, TEXT, NULL, "value of the setting; null: a number"),       \
		FIELD(struct_, usually, TEXT, NULL, "value that the setting has in its group")

static const struct field fleet_deviation_table_fields[] = {DEVIATES(fleet_deviation)};
static TABLE(fleet_deviation_table, fleet_deviation, "fleet_deviation",
	     "a number or a setting of a node that deviates from its group");

#define CAUSE(member, type, doc, ...) FIELD(fleet_cause, member, type, NULL, doc, ##__VA_ARGS__)

static const struct field fleet_cause_table_fields[] = {
	CAUSE(name, TEXT, "stable name of the cause; unknown: none that is known fits",
	      .flags = FIELD_REQUIRED),
	CAUSE(words, TEXT, "the same for people"),
	CAUSE(probability, NUMBER, "probability among the known causes and an unknown one",
	      .range = RANGE_SHARE),
	CAUSE(evidence, TEXT, "what such a fault does"),
	CAUSE(command, TEXT, "what to run on the node to know more"),
};
static TABLE(fleet_cause_table, fleet_cause, "fleet_cause", "why a node may deviate");

#define OUTLIER(member, type, doc, ...) FIELD(fleet_outlier, member, type, NULL, doc, ##__VA_ARGS__)

static const struct field fleet_outlier_table_fields[] = {
	OUTLIER(host, TEXT, "host name of the node", .flags = FIELD_REQUIRED),
	OUTLIER(file, TEXT, "its file"),
	OUTLIER(node, SIZE, "index of the node in nodes", .flags = FIELD_ZERO),
	OUTLIER(group, SIZE, "index of its group in groups", .flags = FIELD_ZERO),
	DEVIATES(fleet_outlier),
	OUTLIER(probability, NUMBER,
		"share of false alarms to be expected among the nodes that deviate as much or more "
		"(Benjamini-Hochberg over the fleet); 0: a setting differs",
		.range = RANGE_SHARE),
	OUTLIER(cause, TEXT, "the likeliest cause, in words"),
	OUTLIER(cause_probability, NUMBER, "its probability", .range = RANGE_SHARE),
	OUTLIER(command, TEXT, "what to run on the node to know more"),
	LIST(fleet_outlier, deviations, deviation_count, fleet_deviation_table,
	     "all that deviates, the most significant first"),
	LIST(fleet_outlier, causes, cause_count, fleet_cause_table, "causes, the likeliest first"),
};
static TABLE(fleet_outlier_table, fleet_outlier, "fleet_outlier",
	     "a node that deviates from its group");

#define REMARK(member, doc, ...) FIELD(fleet_remark, member, TEXT, NULL, doc, ##__VA_ARGS__)

static const struct field fleet_remark_table_fields[] = {
	REMARK(host, "host name; null: not known"),
	REMARK(file, "file; null: there is none"),
	REMARK(reason, "why it is listed, one line", .flags = FIELD_REQUIRED),
	REMARK(command, "what to do about it; null: nothing"),
};
static TABLE(fleet_remark_table, fleet_remark, "fleet_remark", "a node or a file with a remark");

#define CHANGED(member, type, unit, doc, ...)                                                      \
	FIELD(fleet_change, member, type, unit, doc, ##__VA_ARGS__)

static const struct field fleet_change_table_fields[] = {
	CHANGED(host, TEXT, NULL, "host name", .flags = FIELD_REQUIRED),
	CHANGED(number, TEXT, NULL,
		"name of the number or the setting; hardware: it is another machine"),
	CHANGED(unit, TEXT, NULL, "unit of both values"),
	CHANGED(before, NUMBER, NULL, "value then"),
	CHANGED(value, NUMBER, NULL, "value now"),
	CHANGED(change, NUMBER, "share", "value / before - 1, less the change of its group"),
	CHANGED(sigmas, NUMBER, NULL, "the same in standard deviations of the group's changes"),
	CHANGED(setting, TEXT, NULL, "what a setting was and is; null: a number"),
	CHANGED(probability, NUMBER, NULL,
		"share of false alarms to be expected among the nodes that changed as much or more",
		.range = RANGE_SHARE),
	CHANGED(cause, TEXT, NULL, "the likeliest cause, in words"),
	CHANGED(cause_name, TEXT, NULL, "its stable name"),
	CHANGED(cause_probability, NUMBER, NULL, "its probability", .range = RANGE_SHARE),
	CHANGED(command, TEXT, NULL, "what to run on the node to know more"),
};
static TABLE(fleet_change_table, fleet_change, "fleet_change",
	     "a number of a node that changed since an earlier fleet");

#define REMARKS(member, count, doc) LIST(fleet, member, count, fleet_remark_table, doc)

static const struct field fleet_table_fields[] = {
	CONSTANT("schema", FATHOM_FLEET_SCHEMA, "name and version of the format"),
	CONSTANT("kind", "fleet", "kind of document"),
	PART("fathom", version_table, "program that wrote the document"),
	FIELD(fleet, documents, SIZE, NULL, "number of documents that were read",
	      .flags = FIELD_ZERO),
	FIELD(fleet, false_alarms, NUMBER, "share",
	      "share of false alarms that is allowed among the outliers", .range = RANGE_SHARE),
	FIELD(fleet, since, TEXT, NULL, "earlier fleet that changes refer to; null: none"),
	FIELD(fleet, reference, TEXT, NULL, "file that says what is usual; null: none"),
	LIST(fleet, groups, group_count, fleet_group_table,
	     "groups of like nodes, the largest "
	     "first"),
	LIST(fleet, outliers, outlier_count, fleet_outlier_table,
	     "nodes that deviate, the most significant first"),
	LIST(fleet, changes, change_count, fleet_change_table, "what changed since then"),
	REMARKS(disturbed, disturbed_count, "nodes to be measured again"),
	REMARKS(damaged, damaged_count, "files that are not used"),
	REMARKS(missing, missing_count, "nodes that have no document"),
	REMARKS(vanished, vanished_count, "nodes of the earlier fleet that are no longer here"),
	REMARKS(appeared, appeared_count, "nodes that the earlier fleet did not have"),
	REMARKS(superseded, superseded_count, "documents of nodes that have a later one"),
	LIST_AS("warnings", fleet, warnings.items, warnings.count, warning_table,
		"what else is to be known of the fleet"),
	LIST(fleet, nodes, node_count, fleet_node_table, "all nodes, by host"),
};
TABLE(fleet_table, fleet, "fleet", "many machines, printed by fathom fleet --json");

const struct table *const fleet_tables[] = {&fleet_table, NULL};
