#include "deliver.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"

#define FILE_HINT   "choose another file with -o"
#define OUTPUT_HINT "redirect the output elsewhere, or use -o FILE"
#define MOST_LINKS  40 /* as the kernel's */

/* ---- where it goes ---- */

#define HOST_BYTES 256

/* NULL: it stands for nothing here. */
static const char *word_of(char letter, const char *host, const struct environment *environment)
{
	switch (letter) {
	case 'h':
		return host;
	case 't':
		return environment->started;
	case 'p':
		return environment->rank;
	default:
		return letter == '%' ? "%" : NULL;
	}
}

char *deliver_name(const char *asked, const struct environment *environment,
		   struct fathom_error *error)
{
	char host[HOST_BYTES] = "";
	struct text name = {0};
	gethostname(host, sizeof(host) - 1);
	text_add(&name, "%s", "");
	for (const char *c = asked; *c; c++) {
		const char *word = *c == '%' ? word_of(c[1], host, environment) : NULL;
		if (*c == '%' && !word) {
			error_set(error, FATHOM_USAGE,
				  c[1] == 'p' ? "mpirun or srun gives each process its rank"
					      : "%h is the host, %t the time, %p the rank, %% a "
						"percent sign",
				  "'%%%.1s' in '%s' stands for nothing here", c + 1, asked);
			text_free(&name);
			return NULL;
		}
		text_add(&name, word ? "%s" : "%.1s", word ? word : c);
		c += word != NULL;
	}
	char *made = text_take(&name);
	if (!made)
		error_no_memory(error);
	return made;
}

static bool output_is_open(void)
{
	/* main() fills a closed descriptor with one that cannot be written to. */
	int flags = fcntl(STDOUT_FILENO, F_GETFL);
	return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

static int refuse(const struct deliver *deliver, struct fathom_error *error)
{
	return error_set_errno(error, FATHOM_FAILED, FILE_HINT, "cannot write '%s'",
			       deliver->asked);
}

/* What the link at `path` leads to, as seen from here; NULL: it is none. */
static char *follow_link(const char *path)
{
	struct stat status;
	if (lstat(path, &status) != 0 || !S_ISLNK(status.st_mode))
		return NULL;
	size_t capacity = (size_t)status.st_size + 1;
	char *target = malloc(capacity);
	ssize_t length = target ? readlink(path, target, capacity) : -1;
	char *followed = NULL;
	const char *slash = strrchr(path, '/');
	if (length > 0 && (size_t)length < capacity) {
		target[length] = 0;
		int folder = *target == '/' || !slash ? 0 : (int)(slash - path) + 1;
		followed = text_format("%.*s%s", folder, path, target);
	}
	free(target);
	return followed;
}

/* Through symbolic links: the file is replaced, the link stays; also where it leads to nothing yet.
 */
static char *resolve(const char *path)
{
	char *real = realpath(path, NULL);
	struct stat status;
	if (real)
		return real;
	real = strdup(path);
	for (int i = 0; real && i < MOST_LINKS && stat(real, &status) != 0 && errno == ENOENT;
	     i++) {
		char *next = follow_link(real);
		if (!next)
			break;
		free(real);
		real = next;
	}
	return real;
}

/* The new file is to be what the old one was. */
static int take_after(const struct new_file *made, const struct stat *old)
{
	struct stat status;
	if (fstat(made->file, &status))
		return -1;
	bool same = status.st_uid == old->st_uid && status.st_gid == old->st_gid;
	if (!same && fchown(made->file, old->st_uid, old->st_gid))
		return -1;
	return fchmod(made->file, old->st_mode & 0777);
}

static bool can_replace(struct deliver *deliver, const struct stat *old)
{
	if (!S_ISREG(old->st_mode) || old->st_nlink != 1 || access(deliver->path, W_OK) != 0 ||
	    new_file_open(&deliver->made, deliver->path, old->st_mode & 0777))
		return false;
	if (take_after(&deliver->made, old) == 0)
		return true;
	new_file_drop(&deliver->made);
	return false;
}

static int open_file(struct deliver *deliver, struct fathom_error *error)
{
	struct stat status;
	if (!*deliver->path)
		return error_set(error, FATHOM_FAILED, FILE_HINT,
				 "cannot write to a file without a name");
	if (stat(deliver->path, &status) != 0) {
		if (errno != ENOENT || new_file_open(&deliver->made, deliver->path, 0666))
			return refuse(deliver, error);
		return 0;
	}
	if (can_replace(deliver, &status))
		return 0;
	int file = open(deliver->path, O_WRONLY | O_CLOEXEC);
	if (file < 0)
		return refuse(deliver, error);
	deliver->file = file;
	return 0;
}

int deliver_open(struct deliver *deliver, const char *path, struct fathom_error *error)
{
	*deliver = (struct deliver){.asked = path};
	if (!path && !output_is_open())
		return error_set(error, FATHOM_FAILED, OUTPUT_HINT, "standard output is closed");
	if (!path) {
		deliver->file = STDOUT_FILENO;
		return 0;
	}
	deliver->path = resolve(path);
	if (!deliver->path)
		return error_no_memory(error);
	int status = open_file(deliver, error);
	if (status)
		deliver_cancel(deliver);
	return status;
}

bool deliver_is_to_file(const struct deliver *deliver)
{
	struct stat status;
	if (!deliver->path)
		return false;
	return deliver->made.file ||
	       (fstat(deliver->file, &status) == 0 && S_ISREG(status.st_mode));
}

/* ---- writing it ---- */

static int write_all(int file, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t written = write(file, bytes, length);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -1;
		bytes += written;
		length -= (size_t)written;
	}
	return 0;
}

/* Only once there is room for all of it: what was there is lost with the first byte. File systems
 * that cannot tell are believed. */
static int write_over(int file, off_t before, const char *bytes, size_t length)
{
	if (length && fallocate(file, 0, 0, (off_t)length) && errno != EOPNOTSUPP) {
		int failed = errno;
		if (ftruncate(file, before))
			failed = errno;
		errno = failed;
		return -1;
	}
	return write_all(file, bytes, length) || ftruncate(file, (off_t)length) ? -1 : 0;
}

/* Of a regular file nothing is to be half written because someone is in a hurry. */
static int write_undisturbed(int file, off_t before, const char *bytes, size_t length)
{
	sigset_t all, old;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	int status = write_over(file, before, bytes, length);
	int failed = errno;
	sigprocmask(SIG_SETMASK, &old, NULL);
	errno = failed;
	return status;
}

static int write_file(struct deliver *deliver, const char *bytes, size_t length)
{
	struct stat status;
	if (deliver->made.file)
		return write_all(deliver->made.file, bytes, length) ||
				       new_file_publish(&deliver->made, deliver->path)
			       ? -1
			       : 0;
	bool regular =
		deliver->path && fstat(deliver->file, &status) == 0 && S_ISREG(status.st_mode);
	int failed = regular ? write_undisturbed(deliver->file, status.st_size, bytes, length)
			     : write_all(deliver->file, bytes, length);
	int why = errno;
	int closed = close(deliver->file);
	deliver->file = 0;
	if (failed)
		errno = why;
	return failed ? failed : closed;
}

/* ---- elsewhere ---- */

/* A name with the ending of the answer's own, which says what it is. */
static char *name_in_refuge(const struct deliver *deliver)
{
	const char *slash = deliver->asked ? strrchr(deliver->asked, '/') : NULL;
	const char *file = slash ? slash + 1 : deliver->asked;
	const char *dot = file ? strrchr(file, '.') : NULL;
	return text_format("%s/fathom-XXXXXX%s", deliver->refuge, dot ? dot : "");
}

static bool save(const char *bytes, size_t length, char *name)
{
	const char *dot = strrchr(strrchr(name, '/'), '.');
	int file = mkostemps(name, dot ? (int)strlen(dot) : 0, O_CLOEXEC);
	if (file < 0)
		return false;
	bool saved = write_all(file, bytes, length) == 0 && fsync(file) == 0;
	if (close(file) != 0 || !saved) {
		unlink(name);
		return false;
	}
	return true;
}

/* The error keeps its reason; its hint becomes where the answer is. */
static void rescue(const struct deliver *deliver, const char *bytes, size_t length,
		   struct fathom_error *error)
{
	char *name = name_in_refuge(deliver);
	char *hint = NULL;
	if (name && save(bytes, length, name))
		hint = text_format("the answer is in '%s' instead", name);
	else if (deliver->path && output_is_open() && !write_all(STDOUT_FILENO, bytes, length))
		hint = text_format("the answer is on the standard output instead");
	if (hint)
		error_set(error, error->status, hint, "%s", error->text);
	free(hint);
	free(name);
}

int deliver_finish(struct deliver *deliver, const char *bytes, size_t length,
		   struct fathom_error *error)
{
	if (write_file(deliver, bytes, length) == 0)
		return 0;
	bool gone = !deliver->path && errno == EPIPE; /* whoever read it has had enough */
	if (deliver->path)
		refuse(deliver, error);
	else
		error_set_errno(error, FATHOM_FAILED, OUTPUT_HINT,
				"cannot write to the standard output");
	if (deliver->refuge && !gone)
		rescue(deliver, bytes, length, error);
	deliver_cancel(deliver);
	return -1;
}

int deliver_written(struct deliver *deliver, int status, char *answer, size_t length,
		    struct fathom_error *error)
{
	if (!status)
		status = deliver_finish(deliver, answer, length, error);
	free(answer);
	return status;
}

void deliver_cancel(struct deliver *deliver)
{
	if (deliver->file && deliver->path)
		close(deliver->file);
	new_file_drop(&deliver->made);
	free(deliver->path);
	*deliver = (struct deliver){0};
}
