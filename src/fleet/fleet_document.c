#include "fleet/fleet_document.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/list.h"
#include "base/text.h"
#include "document/document.h"
#include "document/table.h"
#include "fleet/fleet_scan.h"
#include "model/fleet/fleet_node.h"
#include "model/fleet/fleet_numbers.h"

#define MOST_BYTES ((off_t)512 << 20) /* of a file */
#define EXTENSION  ".json"

/* What no node needs: nine tenths of a survey. */
static const char *const unread[] = {
	"curves",  "hypotheses", "distributions", "predictions", "crossovers",
	"cpus",    "contention", "shared_caches", "clock_laws",  "clocks",
	"effects", "readings",   "warnings",      "numbers",     NULL};

/* ---- one node ---- */

/* Of "runs/run.n17.json": "run.n17". */
static char *name_of(const char *file)
{
	const char *slash = strrchr(file, '/');
	char *name = strdup(slash ? slash + 1 : file);
	size_t length = name ? strlen(name) : 0, extension = strlen(EXTENSION);
	if (length > extension && strcmp(name + length - extension, EXTENSION) == 0)
		name[length - extension] = 0;
	return name;
}

/* Bad input is found, and no error. */
static int take_damage(struct fleet_found *found, struct fathom_error *error)
{
	if (error->status != FATHOM_BAD_INPUT)
		return -1;
	found->damaged = strdup(error->text ? error->text : "it cannot be read");
	found->hint = error->hint ? strdup(error->hint) : NULL;
	fathom_error_clear(error);
	return found->damaged ? 0 : error_no_memory(error);
}

static int add_node(const struct fathom_result *result, const char *file, const char *host,
		    const char *version, struct fleet_found *found, struct fathom_error *error)
{
	struct fathom_fleet_node node = {0};
	bool simulated =
		!result->machine || result->machine->description || !result->machine->hostname;
	char *name = !host && simulated ? name_of(file) : NULL;
	int failed = !host && simulated && !name ? error_no_memory(error) : 0;
	if (!failed)
		failed = fleet_node_make(result, host ? host : name, file, version, &node, error);
	free(name);
	if (!failed && LIST_APPEND(&found->nodes, &found->count, &node))
		failed = error_no_memory(error);
	if (failed)
		fleet_node_clear(&node);
	return failed;
}

static int read_result(const char *bytes, size_t length, const char *file, const char *host,
		       struct fleet_found *found, struct fathom_error *error)
{
	struct text rest = {0};
	const char *wrong = NULL;
	if (!fleet_scan(bytes, length, unread, &rest, &wrong)) {
		text_free(&rest);
		error_set(error, FATHOM_BAD_INPUT, "measure that node again", "%s", wrong);
		return take_damage(found, error);
	}
	struct fathom_result *result = rest.failed ? NULL : document_new_result();
	char *version = NULL;
	int failed =
		result ? document_read_conclusions(rest.data, rest.length, result, &version, error)
		       : error_no_memory(error);
	text_free(&rest);
	if (failed && result)
		failed = take_damage(found, error);
	else if (!failed)
		failed = add_node(result, file, host, version, found, error);
	free(version);
	fathom_result_free(result);
	return failed;
}

/* ---- the nodes of a fleet ---- */

/* The place of each number and setting in a group of the document; -1: it has none. */
struct places {
	int numbers[FLEET_NUMBERS], settings[FLEET_SETTINGS];
};

static struct places find_places(const struct fathom_fleet_group *group)
{
	struct places places;
	for (int i = 0; i < FLEET_NUMBERS; i++) {
		places.numbers[i] = -1;
		for (size_t k = 0; k < group->number_count; k++)
			if (strcmp(group->numbers[k].name, fleet_numbers[i].name) == 0)
				places.numbers[i] = (int)k;
	}
	for (int i = 0; i < FLEET_SETTINGS; i++) {
		places.settings[i] = -1;
		for (size_t k = 0; k < group->setting_count; k++)
			if (strcmp(group->settings[k].name, fleet_settings[i].name) == 0)
				places.settings[i] = (int)k;
	}
	return places;
}

static double number_at(const double *values, size_t count, int place)
{
	return place >= 0 && (size_t)place < count ? values[place] : NAN;
}

/* In this version's order. -1: out of memory. */
static int arrange(struct fathom_fleet_node *node, const struct places *places)
{
	double *values = calloc(FLEET_NUMBERS, sizeof(*values));
	double *errors = calloc(FLEET_NUMBERS, sizeof(*errors));
	char **settings = calloc(FLEET_SETTINGS, sizeof(*settings));
	bool failed = !values || !errors || !settings;
	for (int i = 0; !failed && i < FLEET_NUMBERS; i++) {
		values[i] = number_at(node->values, node->value_count, places->numbers[i]);
		errors[i] = number_at(node->errors, node->error_count, places->numbers[i]);
	}
	for (int i = 0; !failed && i < FLEET_SETTINGS; i++) {
		int place = places->settings[i];
		bool known = place >= 0 && (size_t)place < node->setting_count;
		settings[i] = strdup(known ? node->settings[place] : "");
		failed = !settings[i];
	}
	for (size_t i = 0; i < node->setting_count; i++)
		free(node->settings[i]);
	free(node->settings);
	free(node->values);
	free(node->errors);
	node->settings = settings;
	node->values = values;
	node->errors = errors;
	node->setting_count = settings ? FLEET_SETTINGS : 0;
	node->value_count = values ? FLEET_NUMBERS : 0;
	node->error_count = errors ? FLEET_NUMBERS : 0;
	return failed ? -1 : 0;
}

static int take_nodes(struct fathom_fleet *fleet, struct fleet_found *found,
		      struct fathom_error *error)
{
	for (size_t i = 0; i < fleet->node_count; i++) {
		struct fathom_fleet_node *node = &fleet->nodes[i];
		if (node->group >= fleet->group_count)
			return error_set(error, FATHOM_BAD_INPUT, "write it again with --json",
					 "'nodes[%zu].group' is the index of a group that does not "
					 "exist",
					 i);
		const struct places places = find_places(&fleet->groups[node->group]);
		if (arrange(node, &places))
			return error_no_memory(error);
		if (node->state != FATHOM_FLEET_DISTURBED) {
			free(node->reason);
			node->reason = NULL;
			node->state = FATHOM_FLEET_USUAL;
		}
	}
	found->nodes = fleet->nodes;
	found->count = fleet->node_count;
	fleet->nodes = NULL;
	fleet->node_count = 0;
	return 0;
}

static int read_fleet(const char *bytes, size_t length, struct fleet_found *found,
		      struct fathom_error *error)
{
	struct fathom_fleet *fleet = calloc(1, sizeof(*fleet));
	if (!fleet)
		return error_no_memory(error);
	int failed =
		document_read_fleet(bytes, length, fleet, error) || take_nodes(fleet, found, error)
			? -1
			: 0;
	if (!failed) {
		found->rest = fleet;
		return 0;
	}
	fathom_fleet_free(fleet);
	return take_damage(found, error);
}

int fleet_document_read(const char *bytes, size_t length, const char *file, const char *host,
			struct fleet_found *found, struct fathom_error *error)
{
	struct fathom_error own = {0}; /* `error` may be NULL, and what kind it is matters */
	int failed = document_detect_fleet(bytes, length)
			     ? read_fleet(bytes, length, found, &own)
			     : read_result(bytes, length, file, host, found, &own);
	if (failed)
		error_set(error, own.status, own.hint, "%s", own.text);
	fathom_error_clear(&own);
	return failed;
}

/* ---- files ---- */

static int note_damage(struct fleet_found *found, const char *why, const char *hint,
		       struct fathom_error *error)
{
	found->damaged = strdup(why);
	found->hint = strdup(hint);
	return found->damaged && found->hint ? 0 : error_no_memory(error);
}

/* All of it; NULL: `found` says why it is damaged, or memory ran out. */
static char *read_file(int file, size_t *length, struct fleet_found *found,
		       struct fathom_error *error)
{
	struct stat status;
	if (fstat(file, &status) || !S_ISREG(status.st_mode) || status.st_size > MOST_BYTES) {
		note_damage(found, "it is no file, or one of more than 512 MiB",
			    "name documents of nodes", error);
		return NULL;
	}
	size_t most = (size_t)status.st_size, read_so_far = 0;
	char *bytes = malloc(most + 1);
	if (!bytes)
		error_no_memory(error);
	while (bytes && read_so_far < most) {
		ssize_t part = read(file, bytes + read_so_far, most - read_so_far);
		if (part < 0 && errno == EINTR)
			continue;
		if (part < 0) {
			note_damage(found, strerror(errno), "copy it from its node again", error);
			free(bytes);
			return NULL;
		}
		if (part == 0)
			break;
		read_so_far += (size_t)part;
	}
	*length = read_so_far;
	return bytes;
}

int fleet_document_open(const char *path, struct fleet_found *found, struct fathom_error *error)
{
	/* A pipe that nobody writes to must not be waited for. */
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file < 0)
		return note_damage(found, strerror(errno),
				   "name files that 'fathom --quick -o run.%h.json' wrote", error);
	size_t length = 0;
	char *bytes = read_file(file, &length, found, error);
	close(file);
	if (!bytes)
		return found->damaged ? 0 : -1;
	int failed = length ? fleet_document_read(bytes, length, path, NULL, found, error)
			    : note_damage(found, "it is empty", "measure that node again", error);
	free(bytes);
	return failed;
}

void fleet_found_clear(struct fleet_found *found)
{
	for (size_t i = 0; i < found->count; i++)
		fleet_node_clear(&found->nodes[i]);
	free(found->nodes);
	fathom_fleet_free(found->rest);
	free(found->damaged);
	free(found->hint);
	*found = (struct fleet_found){0};
}
