#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "values.h"

#define PART_BYTES  8192
#define SLICE_MS    100 /* how late an interrupt may be seen */
#define MOST_SLICES 600 /* in silence: a minute */

const char *gnuplot_picture_name(int number)
{
	static const char *const names[] = {"svg", "png", "pdf", NULL};
	return names[number];
}

const char *gnuplot_picture(const char *name)
{
	int number = value_find(gnuplot_picture_name, name);
	return number < 0 ? NULL : gnuplot_picture_name(number);
}

const char *gnuplot_picture_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path;
	const char *dot = strrchr(file, '.');
	return dot && dot != file ? gnuplot_picture(dot + 1) : NULL;
}

enum { INPUT, OUTPUT, ERRORS, PIPES };

/* Start with every file -1. */
struct drawing {
	const char *script;
	size_t left_bytes; /* of the script */
	pid_t process;     /* 0: none */
	int own[PIPES];    /* our ends, and gnuplot's; -1: closed */
	int its[PIPES];
	struct text *drawn;
	struct text errors;
};

static void close_file(int *file)
{
	if (*file >= 0)
		close(*file);
	*file = -1;
}

static void end_drawing(struct drawing *drawing)
{
	for (int i = 0; i < PIPES; i++) {
		close_file(&drawing->own[i]);
		close_file(&drawing->its[i]);
	}
	if (drawing->process) {
		kill(drawing->process, SIGKILL);
		while (waitpid(drawing->process, NULL, 0) < 0 && errno == EINTR)
			;
	}
	text_free(&drawing->errors);
}

/* ---- starting it ---- */

static int open_pipes(struct drawing *drawing, struct fathom_error *error)
{
	for (int i = 0; i < PIPES; i++) {
		int ends[2];
		if (pipe2(ends, O_CLOEXEC))
			return error_set_errno(error, FATHOM_FAILED, NULL, "cannot make a pipe");
		drawing->own[i] = ends[i == INPUT];
		drawing->its[i] = ends[i != INPUT];
		fcntl(drawing->own[i], F_SETFL, O_NONBLOCK);
	}
	return 0;
}

/* The signals that we ignore end it as they end other programs; those that we listen to have
 * their default again by themselves. */
static int set_signals(posix_spawnattr_t *attributes)
{
	sigset_t defaults;
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGXFSZ);
	int failed = posix_spawnattr_setsigdefault(attributes, &defaults);
	return failed ? failed : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF);
}

/* Returns an errno. */
static int start(struct drawing *drawing, const char *picture, char *const *variables)
{
	char format[64];
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	/* Of the user's own settings (-d) and of the name that the script would take for itself
	 * nothing is wanted. */
	char name[] = "gnuplot", plain[] = "-d", execute[] = "-e", input[] = "-";
	char *arguments[] = {name, plain, execute, format, input, NULL};
	stpcpy(stpcpy(stpcpy(format, "format='"), picture), "'; output=''");
	int failed = posix_spawn_file_actions_init(&actions);
	if (failed)
		return failed;
	failed = posix_spawnattr_init(&attributes);
	for (int i = 0; i < PIPES && !failed; i++)
		failed = posix_spawn_file_actions_adddup2(&actions, drawing->its[i], i);
	if (!failed)
		failed = set_signals(&attributes);
	if (!failed)
		failed = posix_spawnp(&drawing->process, name, &actions, &attributes, arguments,
				      variables);
	if (failed)
		drawing->process = 0;
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	for (int i = 0; i < PIPES; i++)
		close_file(&drawing->its[i]);
	return failed;
}

static int refuse_start(int failed, struct fathom_error *error)
{
	const char *hint = "apt-get install gnuplot-nox, or write only the script: -o FILE.gp";
	if (failed == ENOENT || failed == EACCES)
		return error_set(error, FATHOM_UNABLE, hint,
				 "gnuplot, which draws these pictures, is not installed");
	errno = failed;
	return error_set_errno(error, FATHOM_FAILED, hint, "cannot start gnuplot");
}

/* ---- talking to it ---- */

static void send_part(struct drawing *drawing)
{
	ssize_t sent = write(drawing->own[INPUT], drawing->script, drawing->left_bytes);
	if (sent < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (sent > 0) {
		drawing->script += sent;
		drawing->left_bytes -= (size_t)sent;
	}
	if (sent <= 0 || drawing->left_bytes == 0) /* one that gave up says why */
		close_file(&drawing->own[INPUT]);
}

static void take_part(int *file, struct text *text)
{
	char part[PART_BYTES];
	ssize_t length = read(*file, part, sizeof(part));
	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (length > 0)
		text_add_bytes(text, part, (size_t)length);
	else
		close_file(file);
}

static int talk(struct drawing *drawing, const struct environment *environment,
		struct fathom_error *error)
{
	int slices = 0;
	while (drawing->own[OUTPUT] >= 0 || drawing->own[ERRORS] >= 0) {
		struct pollfd files[PIPES] = {{drawing->own[INPUT], POLLOUT, 0},
					      {drawing->own[OUTPUT], POLLIN, 0},
					      {drawing->own[ERRORS], POLLIN, 0}};
		int ready = poll(files, PIPES, SLICE_MS);
		if (*environment->interrupted)
			return error_set(error, FATHOM_INTERRUPTED, NULL,
					 "interrupted: nothing was drawn");
		if (ready < 0 && errno != EINTR)
			return error_set_errno(error, FATHOM_FAILED, NULL,
					       "cannot wait for gnuplot");
		slices = ready > 0 ? 0 : slices + 1;
		if (slices == MOST_SLICES)
			return error_set(error, FATHOM_FAILED,
					 "write only the script with -o FILE.gp",
					 "gnuplot does not respond");
		if (ready <= 0)
			continue;
		if (files[INPUT].revents)
			send_part(drawing);
		if (files[OUTPUT].revents)
			take_part(&drawing->own[OUTPUT], drawing->drawn);
		if (files[ERRORS].revents)
			take_part(&drawing->own[ERRORS], &drawing->errors);
	}
	return 0;
}

/* ---- what came of it ---- */

/* It shows the line that it did not like, and a caret, before it says why. */
static const char *last_line(struct text *errors)
{
	while (errors->length && strchr(" \n\r", errors->data[errors->length - 1]))
		errors->data[--errors->length] = 0;
	const char *end = errors->length ? strrchr(errors->data, '\n') : NULL;
	return end ? end + 1 : errors->length ? errors->data : "it gave no reason";
}

static int judge(struct drawing *drawing, struct fathom_error *error)
{
	int status = 0;
	pid_t ended;
	while ((ended = waitpid(drawing->process, &status, 0)) < 0 && errno == EINTR)
		;
	drawing->process = 0;
	if (drawing->drawn->failed || drawing->errors.failed)
		return error_no_memory(error);
	if (ended < 0)
		return error_set_errno(error, FATHOM_FAILED, NULL, "cannot wait for gnuplot");
	if (WIFSIGNALED(status))
		return error_set(error, FATHOM_FAILED, NULL, "gnuplot ended by signal %d (%s)",
				 WTERMSIG(status), strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) || drawing->drawn->length == 0)
		return error_set(error, FATHOM_FAILED, "write only the script with -o FILE.gp",
				 "gnuplot drew nothing: %s", last_line(&drawing->errors));
	return 0;
}

int gnuplot_draw(const char *script, const char *picture, const struct environment *environment,
		 struct text *drawn, struct fathom_error *error)
{
	struct drawing drawing = {.script = script,
				  .left_bytes = strlen(script),
				  .own = {-1, -1, -1},
				  .its = {-1, -1, -1},
				  .drawn = drawn};
	*environment->ends_at_once = 0; /* gnuplot is ended first */
	int status = open_pipes(&drawing, error);
	if (!status) {
		int failed = start(&drawing, picture, environment->variables);
		status = failed ? refuse_start(failed, error) : 0;
	}
	if (!status)
		status = talk(&drawing, environment, error);
	if (!status)
		status = judge(&drawing, error);
	end_drawing(&drawing);
	return status;
}
