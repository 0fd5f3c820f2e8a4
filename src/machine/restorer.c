#include "machine/restorer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "machine/tree.h"

/* A limit is refused while the other one is on its wrong side, and boost moves both. */
#define PASSES           3
#define NUMBER_TOLERANCE 0.01

struct setting {
	char *path;
	char *recorded; /* the whole file */
	size_t length;
};

struct restorer {
	struct setting *settings;
	size_t count;
	char *scratch; /* for the child, one byte longer than any recorded file */
	pid_t child;
	int channel; /* closed when this process is gone: that is what the child waits for */
};

/* ---- the child: after fork only calls that are async-signal-safe ---- */

static bool write_file(const char *path, const char *bytes, size_t length)
{
	int file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (file < 0)
		return false;
	ssize_t written = write(file, bytes, length);
	int failure = errno;
	close(file);
	errno = failure;
	return written == (ssize_t)length;
}

static bool holds_recorded(const struct setting *setting, char *scratch)
{
	size_t length = 0;
	ssize_t part = 1;
	int file = open(setting->path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	while (part > 0 && length <= setting->length) {
		part = read(file, scratch + length, setting->length + 1 - length);
		length += part > 0 ? (size_t)part : 0;
	}
	close(file);
	return length == setting->length && memcmp(scratch, setting->recorded, length) == 0;
}

/* What is as it was is left alone. */
static bool put_back(const struct restorer *restorer)
{
	size_t wrong = restorer->count;
	for (int pass = 0; pass < PASSES && wrong; pass++) {
		for (size_t i = 0; i < restorer->count; i++) {
			const struct setting *setting = &restorer->settings[i];
			if (!holds_recorded(setting, restorer->scratch))
				write_file(setting->path, setting->recorded, setting->length);
		}
		wrong = 0;
		for (size_t i = 0; i < restorer->count; i++)
			wrong += !holds_recorded(&restorer->settings[i], restorer->scratch);
	}
	return wrong == 0;
}

static void ignore_signals(void)
{
	static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE, SIGALRM,
				      SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN, SIGTTOU};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		signal(numbers[i], SIG_IGN);
}

_Noreturn static void wait_and_restore(const struct restorer *restorer, int channel)
{
	char byte = 0;
	ssize_t length;
	setsid();
	ignore_signals();
	bool heard = write(channel, &byte, 1) == 1;
	do
		length = heard ? read(channel, &byte, 1) : 0;
	while (length > 0 || (length < 0 && errno == EINTR));
	_exit(put_back(restorer) ? 0 : 1);
}

/* ---- the parent ---- */

static void free_restorer(struct restorer *restorer)
{
	for (size_t i = 0; i < restorer->count; i++) {
		free(restorer->settings[i].path);
		free(restorer->settings[i].recorded);
	}
	free(restorer->settings);
	free(restorer->scratch);
	free(restorer);
}

static int record(const char *const *paths, size_t count, struct restorer *restorer,
		  struct fathom_error *error)
{
	size_t longest = 0;
	restorer->settings = calloc(count + 1, sizeof(*restorer->settings));
	if (!restorer->settings)
		return error_no_memory(error);
	for (restorer->count = 0; restorer->count < count;) {
		struct setting *setting = &restorer->settings[restorer->count++];
		setting->path = strdup(paths[restorer->count - 1]);
		setting->recorded = tree_read("", "%s", paths[restorer->count - 1]);
		if (!setting->path)
			return error_no_memory(error);
		if (!setting->recorded || !*setting->recorded)
			return error_set(error, FATHOM_UNABLE, NULL,
					 "'%s' cannot be read, and so not be put back",
					 setting->path);
		setting->length = strlen(setting->recorded);
		longest = setting->length > longest ? setting->length : longest;
	}
	restorer->scratch = malloc(longest + 1);
	return restorer->scratch ? 0 : error_no_memory(error);
}

/* Returns once the child is ready. */
static int start_child(struct restorer *restorer, struct fathom_error *error)
{
	int ends[2];
	char byte;
	ssize_t length;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return error_set_errno(error, FATHOM_FAILED, NULL,
				       "no channel to what would put the settings back");
	restorer->child = fork();
	if (restorer->child == 0) {
		close(ends[0]);
		wait_and_restore(restorer, ends[1]);
	}
	close(ends[1]);
	restorer->channel = ends[0];
	if (restorer->child < 0) {
		error_set_errno(error, FATHOM_FAILED, NULL, "no process to put the settings back");
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
			 "the process that would put the settings back is gone");
}

int restorer_open(const char *const *paths, size_t count, struct restorer **restorer,
		  struct fathom_error *error)
{
	struct restorer *made = calloc(1, sizeof(*made));
	if (!made)
		return error_no_memory(error);
	if (record(paths, count, made, error) || start_child(made, error)) {
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

int restorer_write(struct restorer *restorer, size_t which, const char *value,
		   struct fathom_error *error)
{
	const char *path = restorer->settings[which].path;
	char *found;
	if (waitpid(restorer->child, NULL, WNOHANG) != 0) {
		restorer->child = -1;
		return error_set(error, FATHOM_FAILED, NULL,
				 "the process that would put '%s' back is gone", path);
	}
	if (!write_file(path, value, strlen(value)))
		return error_set_errno(error, FATHOM_UNABLE, NULL, "'%s' does not take %s", path,
				       value);
	found = tree_read_line("", "%s", path);
	int status =
		found && is_taken(value, found)
			? 0
			: error_set(error, FATHOM_UNABLE, NULL, "'%s' was set to %s and holds %s",
				    path, value, found ? found : "nothing");
	free(found);
	return status;
}

static int tell_left(const struct restorer *restorer, struct fathom_error *error)
{
	struct text hint = {0};
	text_add(&hint, "write back by hand:");
	for (size_t i = 0; i < restorer->count; i++) {
		const struct setting *setting = &restorer->settings[i];
		char *value = tree_clean(setting->recorded, setting->length);
		text_add(&hint, "%s %s to '%s'", i ? "," : "", value ? value : "", setting->path);
		free(value);
	}
	char *told = text_take(&hint);
	error_set(error, FATHOM_FAILED, told, "not all settings could be put back");
	free(told);
	return -1;
}

int restorer_close(struct restorer *restorer, struct fathom_error *error)
{
	int state = 0;
	if (!restorer)
		return 0;
	close(restorer->channel);
	pid_t ended = restorer->child;
	while (restorer->child > 0 && (ended = waitpid(restorer->child, &state, 0)) < 0 &&
	       errno == EINTR)
		;
	/* A child that is gone can put nothing back any more. */
	bool done = ended > 0 ? WIFEXITED(state) && WEXITSTATUS(state) == 0 : put_back(restorer);
	int status = done ? 0 : tell_left(restorer, error);
	free_restorer(restorer);
	return status;
}
