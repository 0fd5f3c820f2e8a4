#include "fleet/mpi/child.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/stopwatch.h"
#include "fathom.h"

#define NAME   "fathom: "
#define KILL_S 1.0 /* past its deadline, at which it ends itself */

void child_start(struct child *child, const struct job *job)
{
	posix_spawn_file_actions_t files;
	*child = (struct child){.begun_ns = stopwatch_now_ns()};
	child->document = memfd_create("fathom-document", MFD_CLOEXEC);
	child->reason = memfd_create("fathom-reason", MFD_CLOEXEC);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", 0, 0);
	posix_spawn_file_actions_adddup2(&files, child->document, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, child->reason, STDERR_FILENO);
	int failed = posix_spawnp(&child->pid, job->fathom, &files, NULL, job->arguments,
				  job->variables);
	posix_spawn_file_actions_destroy(&files);
	if (failed) {
		child->pid = 0;
		char *reason = text_format("cannot start '%s': %s", job->fathom, strerror(failed));
		if (reason)
			(void)!write(child->reason, reason, strlen(reason));
		free(reason);
	}
}

/* Of a reason the first line, which begins with "fathom: ". */
static void add_file(struct text *text, int file, bool one_line)
{
	char bytes[4096];
	ssize_t length;
	lseek(file, 0, SEEK_SET);
	while ((length = read(file, bytes, sizeof(bytes))) > 0) {
		char *end = one_line ? memchr(bytes, '\n', (size_t)length) : NULL;
		bool named = one_line && (size_t)length >= strlen(NAME) &&
			     memcmp(bytes, NAME, strlen(NAME)) == 0;
		size_t name = named ? strlen(NAME) : 0;
		text_add_bytes(text, bytes + name, (size_t)(end ? end - bytes : length) - name);
		if (one_line)
			break;
	}
}

/* Exit codes with which a document was written. */
static bool has_document(int state, int file)
{
	int code = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
	return (code == FATHOM_OK || code == FATHOM_QUALITY || code == FATHOM_INTERRUPTED) &&
	       lseek(file, 0, SEEK_END) > 0;
}

static void fill(const struct child *child, int state, struct text *answer)
{
	if (has_document(state, child->document)) {
		text_add(answer, "%c", JOB_DOCUMENT);
		add_file(answer, child->document, false);
		return;
	}
	text_add(answer, "%c", JOB_REASON);
	if (child->ended_by_us)
		text_add(answer, "it did not end by its deadline");
	else if (WIFSIGNALED(state))
		text_add(answer, "fathom was killed by signal %d", WTERMSIG(state));
	else
		add_file(answer, child->reason, true);
}

bool child_poll(struct child *child, const struct job *job, bool hurry, struct text *answer)
{
	int state = 0;
	double took_s = 1e-9 * (double)(stopwatch_now_ns() - child->begun_ns);
	pid_t ended = child->pid ? waitpid(child->pid, &state, WNOHANG) : 0;
	if (child->pid && !ended) {
		if (hurry)
			kill(child->pid, SIGTERM);
		else if (took_s > job->deadline_s + KILL_S) {
			child->ended_by_us = true;
			kill(child->pid, SIGKILL);
		}
		return false;
	}
	child->pid = 0;
	fill(child, state, answer);
	close(child->document);
	close(child->reason);
	return true;
}
