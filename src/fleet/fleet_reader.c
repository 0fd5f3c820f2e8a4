/* Gathers what is read of a fleet: the doors of fathom.h but fathom_fleet_make. */
#include "fleet/fleet_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/names.h"
#include "fleet/fleet_document.h"
#include "fleet/fleet_jobs.h"
#include "fleet/fleet_paths.h"
#include "model/fleet/fleet_lists.h"

#define FALSE_ALARMS 0.02
#define MOST_JOBS    256

const char *fathom_fleet_state_name(int state)
{
	static const char *const names[FATHOM_FLEET_STATE_COUNT] = {"usual", "outlier", "disturbed",
								    "unjudged"};
	return state >= 0 && state < FATHOM_FLEET_STATE_COUNT ? names[state] : NULL;
}

void fathom_fleet_default(struct fathom_fleet_options *options)
{
	*options = (struct fathom_fleet_options){.size = sizeof(*options),
						 .false_alarms = FALSE_ALARMS};
}

int fathom_fleet_open(const struct fathom_fleet_options *options,
		      struct fathom_fleet_reader **reader, struct fathom_error *error)
{
	struct fathom_fleet_options own;
	fathom_fleet_default(&own);
	if (options) {
		size_t known = options->size < sizeof(own) ? options->size : sizeof(own);
		memcpy(&own, options, known);
	}
	if (own.false_alarms == 0)
		own.false_alarms = FALSE_ALARMS;
	if (own.jobs > MOST_JOBS)
		return error_set(error, FATHOM_USAGE, NULL, "more than %d jobs", MOST_JOBS);
	if (!(own.false_alarms > 0 && own.false_alarms < 1))
		return error_set(error, FATHOM_USAGE, NULL,
				 "the share of false alarms is not between 0 and 1");
	struct fathom_fleet_reader *made = calloc(1, sizeof(*made));
	if (!made)
		return error_no_memory(error);
	made->jobs = own.jobs;
	made->false_alarms = own.false_alarms;
	made->observer = own.observer;
	*reader = made;
	return 0;
}

void fathom_fleet_close(struct fathom_fleet_reader *reader)
{
	if (!reader)
		return;
	fleet_clear(&reader->fleet);
	fleet_clear(&reader->earlier);
	fleet_clear(&reader->since);
	fleet_clear(&reader->reference);
	free(reader);
}

void fathom_fleet_free(struct fathom_fleet *fleet)
{
	if (fleet)
		fleet_clear(fleet);
	free(fleet);
}

/* ---- documents ---- */

/* What a fleet says that was read. */
static int take_rest(struct fathom_fleet *earlier, const struct fathom_fleet *rest)
{
	int failed = 0;
	for (size_t i = 0; !failed && i < rest->missing_count; i++) {
		const struct fathom_fleet_remark *one = &rest->missing[i];
		failed = FLEET_REMARK(earlier, missing, one->host, one->file, one->reason,
				      one->command);
	}
	for (size_t i = 0; !failed && i < rest->damaged_count; i++) {
		const struct fathom_fleet_remark *one = &rest->damaged[i];
		failed = FLEET_REMARK(earlier, damaged, one->host, one->file, one->reason,
				      one->command);
	}
	return failed;
}

/* Takes the nodes over. `earlier` NULL: only these. */
static int take_found(struct fathom_fleet *fleet, struct fathom_fleet *earlier,
		      struct fleet_found *found, const char *file, struct fathom_error *error)
{
	if (found->damaged && FLEET_REMARK(fleet, damaged, NULL, file, found->damaged, found->hint))
		return error_no_memory(error);
	if (found->damaged)
		return 0;
	if (earlier && found->rest && take_rest(earlier, found->rest))
		return error_no_memory(error);
	fleet->documents++;
	for (; found->count; found->count--) {
		if (LIST_APPEND(&fleet->nodes, &fleet->node_count, &found->nodes[found->count - 1]))
			return error_no_memory(error);
	}
	return 0;
}

int fathom_fleet_add(struct fathom_fleet_reader *reader, const char *name, const char *host,
		     const char *bytes, size_t length, struct fathom_error *error)
{
	struct fleet_found found = {0};
	int failed = fleet_document_read(bytes, length, name, host, &found, error);
	if (!failed)
		failed = take_found(&reader->fleet, &reader->earlier, &found, name, error);
	fleet_found_clear(&found);
	return failed;
}

int fathom_fleet_add_missing(struct fathom_fleet_reader *reader, const char *host,
			     const char *reason, struct fathom_error *error)
{
	return FLEET_REMARK(&reader->fleet, missing, host, NULL, reason, "measure it")
		       ? error_no_memory(error)
		       : 0;
}

/* ---- files ---- */

struct files {
	const struct fathom_fleet_reader *reader;
	struct fleet_paths paths;
	struct fleet_found *found; /* of each */
};

static int read_one(void *context, size_t which)
{
	struct files *files = context;
	struct fathom_error error = {0};
	int failed = fleet_document_open(files->paths.items[which], &files->found[which], &error);
	fathom_error_clear(&error); /* memory: no other way to fail */
	return failed;
}

static bool is_stopped(void *context)
{
	const struct fathom_observer *observer = ((struct files *)context)->reader->observer;
	return observer && observer->stop && observer->stop(observer->context);
}

static int read_all(struct files *files, struct fathom_fleet *fleet, struct fathom_fleet *earlier,
		    struct fathom_error *error)
{
	const struct fleet_jobs jobs = {.count = files->paths.count,
					.work = read_one,
					.stop = is_stopped,
					.context = files,
					.threads = files->reader->jobs};
	files->found = calloc(files->paths.count + 1, sizeof(*files->found));
	int outcome = files->found ? fleet_jobs_run(&jobs) : -1;
	int failed = outcome < 0   ? error_no_memory(error)
		     : outcome > 0 ? error_set(error, FATHOM_INTERRUPTED, NULL,
					       "interrupted: no fleet was judged")
				   : 0;
	for (size_t i = 0; files->found && i < files->paths.count; i++) {
		if (!failed)
			failed = take_found(fleet, earlier, &files->found[i], files->paths.items[i],
					    error);
		fleet_found_clear(&files->found[i]);
	}
	free(files->found);
	return failed;
}

static int read_paths(const struct fathom_fleet_reader *reader, const char *const *paths,
		      size_t count, struct fathom_fleet *fleet, struct fathom_fleet *earlier,
		      struct fathom_error *error)
{
	struct files files = {.reader = reader};
	int failed = 0;
	for (size_t i = 0; !failed && i < count; i++)
		failed = fleet_paths_add(&files.paths, paths[i], error);
	if (!failed)
		failed = read_all(&files, fleet, earlier, error);
	fleet_paths_free(&files.paths);
	return failed;
}

int fathom_fleet_read(struct fathom_fleet_reader *reader, const char *const *paths, size_t count,
		      struct fathom_error *error)
{
	return read_paths(reader, paths, count, &reader->fleet, &reader->earlier, error);
}

/* ---- other fleets ---- */

static int read_other(const struct fathom_fleet_reader *reader, const char *path, char **name,
		      struct fathom_fleet *other, struct fathom_error *error)
{
	struct fathom_fleet read = {0};
	char *copy = strdup(path);
	int failed =
		copy ? read_paths(reader, &path, 1, &read, NULL, error) : error_no_memory(error);
	if (!failed && !read.node_count)
		failed = error_set(error, FATHOM_BAD_INPUT,
				   "name a fleet that 'fathom fleet -o FILE.json' wrote, or its "
				   "documents",
				   "'%s': %s", path,
				   read.damaged_count ? read.damaged[0].reason
						      : "there is no node in it");
	if (!failed)
		failed = fleet_sort(&read, error);
	if (failed) {
		free(copy);
		fleet_clear(&read);
		return -1;
	}
	free(*name);
	*name = copy;
	fleet_clear(other);
	*other = read;
	return 0;
}

int fathom_fleet_since(struct fathom_fleet_reader *reader, const char *path,
		       struct fathom_error *error)
{
	return read_other(reader, path, &reader->fleet.since, &reader->since, error);
}

int fathom_fleet_reference(struct fathom_fleet_reader *reader, const char *path,
			   struct fathom_error *error)
{
	return read_other(reader, path, &reader->fleet.reference, &reader->reference, error);
}
