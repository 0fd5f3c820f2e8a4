#include "node/alone.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/error.h"
#include "messages.h"

#define TRIES 3
#define HINT  "start one a node (srun --ntasks-per-node 1, mpirun -N 1), or wait until it has ended"

/* In all that there are: whom one is closed to looks into the other. */
static const char *const paths[] = {"/run/lock/fathom.lock", "/tmp/fathom.lock"};
#define PATHS (sizeof(paths) / sizeof(*paths))

/* Anyone can make these files, so a link is not followed, and nothing is read or written. A file of
 * another user is locked as well as an own one. -1: it cannot be had. */
static int open_file(const char *path)
{
	const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	struct stat status;
	int file = open(path, flags);
	if (file < 0 && errno == ENOENT) {
		file = open(path, flags | O_CREAT | O_EXCL, 0444);
		if (file >= 0)
			(void)!fchmod(file, 0444); /* whatever the umask */
		else if (errno == EEXIST)          /* made by another process just now */
			file = open(path, flags);
	}
	if (file >= 0 && (fstat(file, &status) || !S_ISREG(status.st_mode))) {
		close(file);
		file = -1;
	}
	return file;
}

/* A file that was removed and made anew in between is another one. */
static bool is_there(int file, const char *path)
{
	struct stat opened, named;
	return fstat(file, &opened) == 0 && lstat(path, &named) == 0 &&
	       opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* 0: this process has the lock. 1: another one has; *file is open. -1: it cannot be had. */
static int lock(const char *path, int *file)
{
	for (int i = 0; i < TRIES; i++) {
		*file = open_file(path);
		if (*file < 0)
			return -1;
		if (flock(*file, LOCK_EX | LOCK_NB)) {
			if (errno == EWOULDBLOCK)
				return 1;
		} else if (is_there(*file, path)) {
			return 0;
		}
		close(*file);
	}
	return -1;
}

/* As the kernel says, which no other user can forge. 0: not to be seen from here, as from another
 * container. */
static int find_holder(int file)
{
	struct stat status;
	char line[256];
	int holder = 0;
	FILE *locks = fopen("/proc/locks", "re");
	if (!locks || fstat(file, &status))
		status = (struct stat){0};
	while (locks && !holder && fgets(line, sizeof(line), locks)) {
		unsigned major_number, minor_number;
		unsigned long inode;
		int pid;
		if (sscanf(line, "%*d: FLOCK %*s %*s %d %x:%x:%lu", &pid, &major_number,
			   &minor_number, &inode) == 4 &&
		    inode == status.st_ino && major_number == major(status.st_dev) &&
		    minor_number == minor(status.st_dev))
			holder = pid;
	}
	if (locks)
		fclose(locks);
	return holder;
}

static int refuse(int file, const char *path, struct fathom_error *error)
{
	int holder = find_holder(file);
	if (holder > 0)
		return error_set(error, FATHOM_UNABLE, HINT,
				 "process %d measures on this node: it has locked '%s'", holder,
				 path);
	return error_set(error, FATHOM_UNABLE, HINT,
			 "another process measures on this node: it has locked '%s'", path);
}

/* The files stay open: their locks end with the process. */
static int lock_all(struct fathom_error *error, bool *locked)
{
	for (size_t i = 0; i < PATHS; i++) {
		int file, got = lock(paths[i], &file);
		if (got > 0) {
			refuse(file, paths[i], error);
			close(file);
			return -1;
		}
		*locked |= got == 0;
	}
	return 0;
}

int alone_take(const struct options *options, const struct fathom_machine *machine,
	       struct fathom_error *error)
{
	bool *locked = options->environment->alone;
	bool wanted = options->alone || options->environment->rank;
	bool simulated = machine ? machine->description : options->machine;
	if (!wanted || *locked || simulated)
		return 0;
	if (lock_all(error, locked))
		return -1;
	if (!*locked && options->alone)
		return error_set(error, FATHOM_FAILED, "remove what is there, or leave out --alone",
				 "neither '%s' nor '%s' can be locked", paths[0], paths[1]);
	if (!*locked && !options->quiet)
		messages_note("no lock can be had: another fathom on this node would not be seen");
	return 0;
}
