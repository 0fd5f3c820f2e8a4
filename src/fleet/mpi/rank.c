#include "fleet/mpi/rank.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/stopwatch.h"
#include "fleet/mpi/child.h"

#define HOST_BYTES 256

void rank_hello(const struct job *job, struct text *hello)
{
	char host[HOST_BYTES] = "";
	const char *group = host;
	size_t length = HOST_BYTES;
	gethostname(host, sizeof(host) - 1);
	const char *dot = job->topology ? strrchr(job->topology, '.') : NULL;
	if (job->stagger == JOB_BY_SWITCH && dot) {
		group = job->topology;
		length = (size_t)(dot - group);
	} else if (job->stagger == JOB_ONE_BY_ONE) {
		group = "";
	}
	text_add_bytes(hello, host, strlen(host) + 1);
	text_add_bytes(hello, group, strnlen(group, length));
}

static bool has_come(enum job_tag tag)
{
	int there = 0;
	if (MPI_Iprobe(0, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE) || !there)
		return false;
	MPI_Recv(NULL, 0, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return true;
}

/* Until it has left; it may be large, and rank 0 busy. */
static void send_all(const struct text *text, enum job_tag tag)
{
	MPI_Request request;
	int sent = 0;
	if (MPI_Isend(text->data, (int)text->length, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &request))
		return;
	while (!MPI_Test(&request, &sent, MPI_STATUS_IGNORE) && !sent)
		stopwatch_wait(JOB_LOOK_S);
}

static void measure(const struct job *job)
{
	struct child child = {0};
	struct text answer = {0};
	child_start(&child, job);
	while (!child_poll(&child, job, *job->told_to_end, &answer))
		stopwatch_wait(JOB_LOOK_S);
	send_all(&answer, JOB_ANSWER);
	text_free(&answer);
}

void rank_run(const struct job *job)
{
	struct text hello = {0};
	rank_hello(job, &hello);
	send_all(&hello, JOB_HELLO);
	text_free(&hello);
	while (!has_come(JOB_DONE)) {
		if (has_come(JOB_GO))
			measure(job);
		stopwatch_wait(JOB_LOOK_S);
	}
}
