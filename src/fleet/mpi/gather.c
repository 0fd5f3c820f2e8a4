#include "fleet/mpi/gather.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/stopwatch.h"
#include "fleet/mpi/child.h"
#include "fleet/mpi/rank.h"
#include "fleet/mpi/whole_file.h"

#define MOST_RECEIVED 32 /* at a time: each is a document in memory */
#define START_S       60.0
#define LATE_LOOKS    25 /* in vain: MPI may not show at the first look what has come */

struct receipt {
	MPI_Request request;
	int length;
	char bytes[];
};

static double now_s(void)
{
	return 1e-9 * (double)stopwatch_now_ns();
}

/* ---- who ---- */

static bool is_shared(const struct gather *gather, int rank)
{
	for (int i = 0; i < gather->count; i++)
		if (i != rank && gather->members[i].host &&
		    strcmp(gather->members[i].host, gather->members[rank].host) == 0)
			return true;
	return false;
}

char *gather_name(const struct gather *gather, int rank)
{
	const char *host = gather->members[rank].host;
	if (!host || !*host)
		return text_format("rank %d", rank);
	return is_shared(gather, rank) ? text_format("%s.%d", host, rank) : strdup(host);
}

static void miss(struct member *member, const char *reason)
{
	member->state = MEMBER_MISSING;
	member->reason = strdup(reason);
}

/* The rank itself where it is the first of its turn to say that it is there. */
static int first_of(const struct gather *gather, int rank)
{
	const char *turn = gather->members[rank].turn;
	for (int i = 0; turn && i < gather->count; i++)
		if (i != rank && gather->members[i].turn &&
		    strcmp(gather->members[i].turn, turn) == 0)
			return gather->members[i].first;
	return rank;
}

static void greet(struct gather *gather, int rank, const char *hello, size_t length)
{
	struct member *member = &gather->members[rank];
	size_t host = strnlen(hello, length);
	member->host = strndup(hello, host);
	member->turn = host < length ? strndup(hello + host + 1, length - host - 1) : NULL;
	member->first = first_of(gather, rank);
	member->state = MEMBER_WAITING;
}

/* ---- what came ---- */

/* A host's name is no path. */
static int keep(struct gather *gather, const char *name, const char *bytes, size_t length)
{
	char *path = text_format("%s/run.%s.json", gather->job->keep, name);
	if (!path)
		return error_no_memory(gather->error);
	for (char *c = path + strlen(gather->job->keep) + 1; *c; c++)
		if (*c == '/')
			*c = '_';
	int status = whole_file_write(path, bytes, length, gather->error);
	free(path);
	return status;
}

static int take(struct gather *gather, int rank, const char *answer, size_t length)
{
	struct member *member = &gather->members[rank];
	member->answered = true;
	if (!length || *answer != JOB_DOCUMENT) {
		char *reason = strndup(answer, length);
		miss(member, length > 1 && reason ? reason + 1 : "it says nothing");
		free(reason);
		return 0;
	}
	char *name = gather_name(gather, rank);
	int status = name ? 0 : error_no_memory(gather->error);
	if (!status && gather->job->keep)
		status = keep(gather, name, answer + 1, length - 1);
	if (!status)
		status = fathom_fleet_add(gather->reader, name, name, answer + 1, length - 1,
					  gather->error);
	member->state = MEMBER_THERE;
	free(name);
	return status;
}

static int receive_hellos(struct gather *gather)
{
	MPI_Status status;
	int there, length;
	while (!MPI_Iprobe(MPI_ANY_SOURCE, JOB_HELLO, MPI_COMM_WORLD, &there, &status) && there) {
		MPI_Get_count(&status, MPI_BYTE, &length);
		char *hello = malloc((size_t)length + 1);
		if (!hello)
			return error_no_memory(gather->error);
		MPI_Recv(hello, length, MPI_BYTE, status.MPI_SOURCE, JOB_HELLO, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		greet(gather, status.MPI_SOURCE, hello, (size_t)length);
		free(hello);
	}
	return 0;
}

static int count_of(const struct gather *gather, enum member_state state)
{
	int count = 0;
	for (int i = 0; i < gather->count; i++)
		count += gather->members[i].state == state;
	return count;
}

/* `came`, here and below: something did. */
static int receive_answers(struct gather *gather, bool *came)
{
	MPI_Status status;
	MPI_Message message;
	int there, length;
	while (count_of(gather, MEMBER_SENDING) < MOST_RECEIVED &&
	       !MPI_Improbe(MPI_ANY_SOURCE, JOB_ANSWER, MPI_COMM_WORLD, &there, &message,
			    &status) &&
	       there) {
		struct member *member = &gather->members[status.MPI_SOURCE];
		MPI_Get_count(&status, MPI_BYTE, &length);
		struct receipt *receipt = malloc(sizeof(*receipt) + (size_t)length);
		if (!receipt)
			return error_no_memory(gather->error);
		receipt->length = length;
		MPI_Imrecv(receipt->bytes, length, MPI_BYTE, &message, &receipt->request);
		member->receipt = receipt;
		member->state = MEMBER_SENDING;
		member->due_s = now_s() + JOB_GRACE_S;
		member->late_looks = 0;
		*came = true;
	}
	return 0;
}

static int take_received(struct gather *gather, bool *came)
{
	for (int i = 0; i < gather->count; i++) {
		struct member *member = &gather->members[i];
		struct receipt *receipt = member->receipt;
		int whole;
		if (member->state != MEMBER_SENDING ||
		    MPI_Test(&receipt->request, &whole, MPI_STATUS_IGNORE) || !whole)
			continue;
		int failed = take(gather, i, receipt->bytes, (size_t)receipt->length);
		free(receipt);
		member->receipt = NULL;
		*came = true;
		if (failed)
			return -1;
	}
	return 0;
}

/* ---- who is next ---- */

static void find_taken(struct gather *gather)
{
	struct member *members = gather->members;
	for (int i = 0; i < gather->count; i++)
		members[i].taken = false;
	for (int i = 0; i < gather->count; i++)
		if (members[i].state == MEMBER_MEASURING || members[i].state == MEMBER_SENDING)
			members[members[i].first].taken = true;
}

static void give_turns(struct gather *gather, struct child *own)
{
	find_taken(gather);
	for (int i = 0; i < gather->count; i++) {
		struct member *member = &gather->members[i];
		bool *taken = &gather->members[member->first].taken;
		if (member->state != MEMBER_WAITING ||
		    (*taken && gather->job->stagger != JOB_AT_ONCE))
			continue;
		*taken = true;
		member->state = MEMBER_MEASURING;
		member->due_s = now_s() + gather->job->deadline_s + JOB_GRACE_S;
		member->late_looks = 0;
		if (i == 0)
			child_start(own, gather->job);
		else
			MPI_Send(NULL, 0, MPI_BYTE, i, JOB_GO, MPI_COMM_WORLD);
	}
}

/* However long rank 0 was stopped itself, it looks as often before it gives somebody up. */
static bool is_late(struct member *member, double due_s)
{
	return now_s() > due_s && ++member->late_looks >= LATE_LOOKS;
}

/* When nothing more came. Where as many are sending as can, others may have answered, too. */
static void give_up(struct gather *gather, double since_s)
{
	bool full = count_of(gather, MEMBER_SENDING) == MOST_RECEIVED;
	for (int i = 0; i < gather->count; i++) {
		struct member *member = &gather->members[i];
		bool awaited = member->state == MEMBER_SENDING ||
			       (member->state == MEMBER_MEASURING && !full);
		if (awaited && is_late(member, member->due_s))
			miss(member, "no answer by the deadline");
		else if (member->state == MEMBER_SILENT && is_late(member, since_s + START_S))
			miss(member, "it did not start");
	}
}

/* ---- all of it ---- */

static int poll_own(struct gather *gather, struct child *own)
{
	struct text answer = {0};
	int status = 0;
	if (gather->members[0].state == MEMBER_MEASURING &&
	    child_poll(own, gather->job, *gather->job->told_to_end, &answer))
		status = take(gather, 0, answer.data ? answer.data : "", answer.length);
	text_free(&answer);
	return status;
}

int gather_run(struct gather *gather)
{
	struct child own = {0};
	struct text hello = {0};
	double begun_s = now_s(), told_s = 0;
	rank_hello(gather->job, &hello);
	greet(gather, 0, hello.data ? hello.data : "", hello.length);
	text_free(&hello);
	for (;;) {
		bool came = false;
		if (receive_hellos(gather) || receive_answers(gather, &came) ||
		    take_received(gather, &came) || poll_own(gather, &own))
			return -1;
		if (!*gather->job->told_to_end)
			give_turns(gather, &own);
		else if (!told_s)
			told_s = now_s();
		if (!came)
			give_up(gather, begun_s);
		int ended = count_of(gather, MEMBER_THERE) + count_of(gather, MEMBER_MISSING);
		if (ended == gather->count ||
		    (told_s && now_s() > told_s + gather->job->kill_s - JOB_WRITE_S))
			break;
		if (!came)
			stopwatch_wait(JOB_LOOK_S);
	}
	for (int i = 0; i < gather->count; i++)
		if (gather->members[i].state < MEMBER_THERE)
			miss(&gather->members[i], "the job was ended before it answered");
	return 0;
}

void gather_free(struct gather *gather)
{
	for (int i = 0; gather->members && i < gather->count; i++) {
		free(gather->members[i].host);
		free(gather->members[i].turn);
		free(gather->members[i].reason);
	}
	free(gather->members);
}
