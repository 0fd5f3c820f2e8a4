#include "machine/settings/restorer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "base/warnings.h"
#include "machine/settings/restorer_child.h"
#include "machine/tree.h"

#define NUMBER_TOLERANCE 0.01

static void free_restorer(struct restorer *restorer)
{
	for (size_t i = 0; i < restorer->count; i++) {
		free(restorer->settings[i].path);
		free(restorer->settings[i].recorded);
	}
	free(restorer->settings);
	free(restorer->scratch);
	free(restorer->state);
	if (restorer->lock >= 0)
		close(restorer->lock);
	free(restorer);
}

/* The child inherits it, and it is free once neither has it open. */
static int lock_folder(const char *folder, struct restorer *restorer, struct fathom_error *error)
{
	restorer->lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (restorer->lock >= 0 && flock(restorer->lock, LOCK_EX | LOCK_NB) == 0)
		return 0;
	if (restorer->lock >= 0 && errno == EWOULDBLOCK)
		return error_set(error, FATHOM_UNABLE, "wait until it has ended",
				 "another 'fathom frequency' is running and has locked '%s'",
				 folder);
	return error_set_errno(error, FATHOM_UNABLE, NULL, "'%s' cannot be locked", folder);
}

static void note_seen(const struct restorer *restorer)
{
	for (size_t i = 0; i < restorer->count; i++)
		restorer->state->seen[i] = restorer_hash_file(restorer->settings[i].path);
}

/* The child keeps what it received last, also when this process is gone. */
static bool tell_child(const struct restorer *restorer)
{
	return send(restorer->channel, restorer->state, restorer->state_bytes, MSG_NOSIGNAL) ==
	       (ssize_t)restorer->state_bytes;
}

static int record(const char *const *paths, size_t count, struct restorer *restorer,
		  struct fathom_error *error)
{
	size_t longest = 0;
	restorer->settings = calloc(count + 1, sizeof(*restorer->settings));
	if (!restorer->settings)
		return error_no_memory(error);
	for (restorer->count = 0; restorer->count < count;) {
		struct restorer_setting *setting = &restorer->settings[restorer->count++];
		setting->path = strdup(paths[restorer->count - 1]);
		setting->recorded = tree_read("", "%s", paths[restorer->count - 1]);
		if (!setting->path)
			return error_no_memory(error);
		if (!setting->recorded || !*setting->recorded)
			return error_set(error, FATHOM_UNABLE, "run it as root",
					 "'%s' cannot be read, so it could not be restored",
					 setting->path);
		setting->length = strlen(setting->recorded);
		longest = setting->length > longest ? setting->length : longest;
	}
	restorer->scratch = malloc(longest + 1);
	restorer->state_bytes = sizeof(*restorer->state) + count * sizeof(*restorer->state->seen);
	restorer->state = calloc(1, restorer->state_bytes);
	if (!restorer->scratch || !restorer->state)
		return error_no_memory(error);
	note_seen(restorer);
	return 0;
}

/* Returns once the child is ready. */
static int start_child(struct restorer *restorer, struct fathom_error *error)
{
	int ends[2];
	char byte;
	ssize_t length;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return error_set_errno(
			error, FATHOM_FAILED, NULL,
			"cannot make the channel to the process that restores settings");
	restorer->child = fork();
	if (restorer->child == 0) {
		close(ends[0]);
		_exit(restorer_child(restorer, ends[1]) ? 0 : 1);
	}
	close(ends[1]);
	restorer->channel = ends[0];
	if (restorer->child < 0) {
		error_set_errno(error, FATHOM_FAILED, NULL,
				"cannot start the process that restores settings");
		close(ends[0]);
		return -1;
	}
	do
		length = read(ends[0], &byte, 1);
	while (length < 0 && errno == EINTR);
	if (length == 1)
		return 0;
	close(ends[0]);
	waitpid(restorer->child, NULL, 0);
	return error_set(error, FATHOM_FAILED, NULL,
			 "the process that restores settings has ended");
}

int restorer_open(const char *folder, const char *const *paths, size_t count,
		  struct restorer **restorer, struct fathom_error *error)
{
	struct restorer *made = calloc(1, sizeof(*made));
	if (!made)
		return error_no_memory(error);
	made->lock = -1;
	if (lock_folder(folder, made, error) || record(paths, count, made, error) ||
	    start_child(made, error)) {
		free_restorer(made);
		return -1;
	}
	*restorer = made;
	return 0;
}

static bool is_taken(const char *wanted, const char *found)
{
	double number, read_back;
	const char *rest = units_parse_decimal(wanted, &number);
	const char *end = units_parse_decimal(found, &read_back);
	if (!rest || *rest || !end || *end)
		return strcmp(wanted, found) == 0;
	return fabs(read_back - number) <= NUMBER_TOLERANCE * number;
}

/* What the file holds, once it is what was wanted or the kernel has had the time; NULL: nothing. */
static char *read_back(const char *path, const char *wanted, bool *taken)
{
	for (int i = 0;; i++) {
		char *found = tree_read_line("", "%s", path);
		*taken = found && is_taken(wanted, found);
		if (*taken || i == RESTORER_READ_BACK_TRIES)
			return found;
		free(found);
		poll(NULL, 0, RESTORER_READ_BACK_MS);
	}
}

static int change(const char *path, const char *value, struct fathom_error *error)
{
	bool taken;
	if (!restorer_write_file(path, value, strlen(value)))
		return error_set_errno(error, FATHOM_UNABLE, NULL, "'%s' does not accept %s", path,
				       value);
	char *found = read_back(path, value, &taken);
	int status = taken ? 0
			   : error_set(error, FATHOM_UNABLE, "stop what else sets it",
				       "'%s' was set to %s but holds %s", path, value,
				       found ? found : "nothing");
	free(found);
	return status;
}

int restorer_write(struct restorer *restorer, size_t which, const char *value,
		   struct fathom_error *error)
{
	const char *path = restorer->settings[which].path;
	bool gone = waitpid(restorer->child, NULL, WNOHANG) != 0;
	restorer->state->changing = !gone;
	if (gone || !tell_child(restorer)) {
		restorer->child = gone ? -1 : restorer->child;
		restorer->state->changing = false;
		return error_set(error, FATHOM_FAILED, NULL,
				 "the process that would restore '%s' has ended", path);
	}
	int status = change(path, value, error);
	note_seen(restorer); /* of all: boost moves the limits */
	restorer->state->changing = false;
	tell_child(restorer); /* if it is gone, this process puts them back */
	return status;
}

static int tell_left(const struct restorer *restorer, struct fathom_error *error)
{
	struct text hint = {0};
	text_add(&hint, "restore by hand:");
	for (size_t i = 0; i < restorer->count; i++) {
		const struct restorer_setting *setting = &restorer->settings[i];
		char *value = tree_clean(setting->recorded, setting->length);
		text_add(&hint, "%s %s to '%s'", i ? "," : "", value ? value : "", setting->path);
		free(value);
	}
	char *by_hand = text_take(&hint);
	error_set(error, FATHOM_FAILED, by_hand, "not all settings could be restored");
	free(by_hand);
	return -1;
}

/* All else is put back: settings that are somebody else's now. */
static int tell_foreign(const struct restorer *restorer, struct fathom_warnings *warnings,
			struct fathom_error *error)
{
	int status = 0;
	for (size_t i = 0; i < restorer->count && !status; i++) {
		const struct restorer_setting *setting = &restorer->settings[i];
		if (restorer_holds_recorded(setting, restorer->scratch))
			continue;
		char *now = tree_read_line("", "%s", setting->path);
		char *before = tree_clean(setting->recorded, setting->length);
		if (warnings_add(
			    warnings, "setting-left", setting->path,
			    "what was measured after that change was not at the intended clock",
			    "another program set it to %s meanwhile: it was not restored to %s",
			    now ? now : "nothing", before ? before : "nothing"))
			status = error_no_memory(error);
		free(now);
		free(before);
	}
	return status;
}

int restorer_close(struct restorer *restorer, struct fathom_warnings *warnings,
		   struct fathom_error *error)
{
	int state = 0;
	if (!restorer)
		return 0;
	close(restorer->channel);
	pid_t ended = restorer->child;
	while (restorer->child > 0 && (ended = waitpid(restorer->child, &state, 0)) < 0 &&
	       errno == EINTR)
		;
	/* A child that was killed may have put nothing back, or half of it. */
	bool done = (ended > 0 && WIFEXITED(state) && WEXITSTATUS(state) == 0) ||
		    restorer_put_back(restorer);
	int status = done ? 0 : tell_left(restorer, error);
	if (!status)
		status = tell_foreign(restorer, warnings, error);
	free_restorer(restorer);
	return status;
}
