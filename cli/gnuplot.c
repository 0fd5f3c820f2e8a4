#include "gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "values.h"

#define SCRIPT_HINT "write only the script with -o FILE.gp"
#define PART_BYTES  8192
#define SLICE_NS    20000000 /* how late its end may be seen */
#define MOST_SLICES 3000     /* in silence: a minute */

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

/* Its standard files, which are in memory: none of them ever blocks. */
enum { INPUT, OUTPUT, ERRORS, FILES };

/* Start with every file -1. */
struct drawing {
	int files[FILES];
	pid_t process; /* 0: none */
};

static void end_drawing(struct drawing *drawing)
{
	for (int i = 0; i < FILES; i++)
		if (drawing->files[i] >= 0)
			close(drawing->files[i]);
	if (!drawing->process)
		return;
	kill(drawing->process, SIGKILL);
	while (waitpid(drawing->process, NULL, 0) < 0 && errno == EINTR)
		;
}

/* ---- starting it ---- */

/* Each begins at its first byte, whatever is written here. */
static int open_files(struct drawing *drawing, const char *script, struct fathom_error *error)
{
	size_t length = strlen(script);
	bool failed = false;
	for (int i = 0; i < FILES && !failed; i++) {
		drawing->files[i] = memfd_create("fathom", MFD_CLOEXEC);
		failed = drawing->files[i] < 0;
	}
	for (size_t sent = 0; sent < length && !failed;) {
		ssize_t part =
			pwrite(drawing->files[INPUT], script + sent, length - sent, (off_t)sent);
		failed = part < 0 && errno != EINTR;
		sent += part > 0 ? (size_t)part : 0;
	}
	return failed ? error_set_errno(error, FATHOM_FAILED, NULL, "cannot make a file in memory")
		      : 0;
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
	for (int i = 0; i < FILES && !failed; i++)
		failed = posix_spawn_file_actions_adddup2(&actions, drawing->files[i], i);
	if (!failed)
		failed = set_signals(&attributes);
	if (!failed)
		failed = posix_spawnp(&drawing->process, name, &actions, &attributes, arguments,
				      variables);
	if (failed)
		drawing->process = 0;
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
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

/* ---- waiting for its end ---- */

static off_t bytes_written(const struct drawing *drawing)
{
	struct stat output = {0}, errors = {0};
	fstat(drawing->files[OUTPUT], &output);
	fstat(drawing->files[ERRORS], &errors);
	return output.st_size + errors.st_size;
}

static int wait_for_end(struct drawing *drawing, const struct environment *environment, int *status,
			struct fathom_error *error)
{
	const struct timespec slice = {0, SLICE_NS};
	off_t before = 0;
	for (int slices = 0; slices < MOST_SLICES; slices++) {
		pid_t ended = waitpid(drawing->process, status, WNOHANG);
		if (ended > 0) {
			drawing->process = 0;
			return 0;
		}
		if (ended < 0 && errno != EINTR)
			return error_set_errno(error, FATHOM_FAILED, NULL,
					       "cannot wait for gnuplot");
		if (*environment->interrupted)
			return error_set(error, FATHOM_INTERRUPTED, NULL,
					 "interrupted: nothing was drawn");
		nanosleep(&slice, NULL);
		if (bytes_written(drawing) > before) {
			before = bytes_written(drawing);
			slices = 0;
		}
	}
	return error_set(error, FATHOM_FAILED, SCRIPT_HINT, "gnuplot does not respond");
}

/* ---- what came of it ---- */

static void take(int file, struct text *text)
{
	char part[PART_BYTES];
	ssize_t length;
	for (off_t at = 0; (length = pread(file, part, sizeof(part), at)) > 0; at += length)
		text_add_bytes(text, part, (size_t)length);
}

/* It shows the line that it did not like, and a caret, before it says why. */
static const char *last_line(struct text *errors)
{
	while (errors->length && strchr(" \n\r", errors->data[errors->length - 1]))
		errors->data[--errors->length] = 0;
	const char *end = errors->length ? strrchr(errors->data, '\n') : NULL;
	return end ? end + 1 : errors->length ? errors->data : "it gave no reason";
}

static int judge(const struct drawing *drawing, int status, struct text *drawn,
		 struct fathom_error *error)
{
	if (WIFSIGNALED(status))
		return error_set(error, FATHOM_FAILED, SCRIPT_HINT,
				 "gnuplot ended by signal %d (%s)", WTERMSIG(status),
				 strsignal(WTERMSIG(status)));
	take(drawing->files[OUTPUT], drawn);
	if (drawn->failed)
		return error_no_memory(error);
	if (WEXITSTATUS(status) == 0 && drawn->length)
		return 0;
	struct text errors = {0};
	take(drawing->files[ERRORS], &errors);
	error_set(error, FATHOM_FAILED, SCRIPT_HINT, "gnuplot drew nothing: %s",
		  last_line(&errors));
	text_free(&errors);
	return -1;
}

int gnuplot_draw(const char *script, const char *picture, const struct environment *environment,
		 struct text *drawn, struct fathom_error *error)
{
	struct drawing drawing = {.files = {-1, -1, -1}};
	int ended = 0;
	*environment->ends_at_once = 0; /* gnuplot is ended first */
	int status = open_files(&drawing, script, error);
	if (!status) {
		int failed = start(&drawing, picture, environment->variables);
		status = failed ? refuse_start(failed, error) : 0;
	}
	if (!status)
		status = wait_for_end(&drawing, environment, &ended, error);
	if (!status)
		status = judge(&drawing, ended, drawn, error);
	end_drawing(&drawing);
	return status;
}
