/* fathom-mpi: fathom on every node that mpirun starts a process on, and the fleet in one file. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"
#include "fleet/mpi/gather.h"
#include "fleet/mpi/rank.h"
#include "fleet/mpi/whole_file.h"

#define DEADLINE "60s"
#define START_S  120 /* mpirun starts ten thousand in a minute */
#define HINT     "'fathom-mpi --help' lists the options"

static const char help[] =
	"Usage: mpirun -N 1 fathom-mpi [OPTION...] [fathom's command and options]\n"
	"Measures on every node that mpirun starts a process on, gathers the documents,\n"
	"and writes one fleet file, as 'fathom fleet' does. Nodes that fail or do not\n"
	"answer are named in it.\n\n"
	"  -o, --output=FILE    the fleet: .json, .html, .md, .prom; default: text\n"
	"      --keep=DIR       keep the document of each node there\n"
	"      --deadline=TIME  of each measurement (default: " DEADLINE ")\n"
	"      --stagger=WHAT   one after the other on each host, on each switch (where\n"
	"                       Slurm tells it), or all; default: all at once\n"
	"      --fathom=PATH    the command (default: beside this one, else in PATH)\n"
	"  -h, --help           print this help\n\n"
	"What else is given goes to fathom: --quick, latency --max-size 64M.\n\n"
	"Exit status: 0 ok; 1 failed; 2 usage; 4 documents are missing or damaged, or\n"
	"too few nodes are alike to be judged; 6 a node deviates.\n"
	"Where a rank was killed mpirun's own is that signal's, and the file is there.\n";

static volatile sig_atomic_t told_to_end;

static void end(int number)
{
	(void)number;
	told_to_end = 1;
}

/* Where a rank does not start, MPI waits for it for ever. */
static void give_up(int number)
{
	static const char message[] = "fathom-mpi: not all ranks have started\n";
	(void)number;
	(void)!write(STDERR_FILENO, message, strlen(message));
	_exit(FATHOM_FAILED);
}

/* One line whatever other machines and arguments bring along. */
__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
	struct text line = {0};
	TEXT_ADD_ALL(&line, format);
	char *safe = utf8_escaped(line.data, true);
	fprintf(stderr, "fathom-mpi: %s\n", safe ? safe : "out of memory");
	free(safe);
	text_free(&line);
}

/* ---- options ---- */

/* Start from {0}. */
struct arguments {
	const char *output, *keep, *deadline, *stagger, *fathom;
	bool help, budget;
	char **rest;
};

/* Of "--name value" and "--name=value"; NULL: it is another option, or has no value. */
static const char *value_of(char ***at, const char *name, char letter)
{
	char *argument = **at;
	size_t length = strlen(name);
	if (argument[0] == '-' && argument[1] == letter && argument[1] != '-')
		return argument[2] ? argument + 2 : *++*at;
	if (strncmp(argument, "--", 2) != 0 || strncmp(argument + 2, name, length) != 0)
		return NULL;
	if (argument[2 + length] == '=')
		return argument + 3 + length;
	return argument[2 + length] ? NULL : *++*at;
}

static int parse(char **argv, struct arguments *found, struct fathom_error *error)
{
	const struct {
		const char *name, **place;
		char letter;
	} options[] = {{"output", &found->output, 'o'},
		       {"keep", &found->keep, '-'},
		       {"deadline", &found->deadline, '-'},
		       {"stagger", &found->stagger, '-'},
		       {"fathom", &found->fathom, '-'}};
	size_t rest = 0;
	for (char **at = argv + 1; *at; at++) {
		char *argument = *at;
		bool own = false;
		for (size_t i = 0; !own && i < sizeof(options) / sizeof(*options); i++) {
			const char *value = value_of(&at, options[i].name, options[i].letter);
			if (!*at)
				return error_set(error, FATHOM_USAGE, HINT,
						 "option '%s' needs a value", argument);
			own = value != NULL;
			if (own)
				*options[i].place = value;
		}
		found->help |= strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
		found->budget |= strncmp(argument, "--budget", 8) == 0;
		if (!own)
			found->rest[rest++] = argument;
	}
	if (found->budget && !found->deadline)
		return error_set(error, FATHOM_USAGE,
				 "how long may a node take in all? say it with --deadline",
				 "'--budget' is given, but no '--deadline'");
	return 0;
}

static int find_stagger(const char *name, enum job_stagger *stagger, struct fathom_error *error)
{
	static const char *const names[] = {"none", "host", "switch", "all"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!name || strcmp(name, names[i]) == 0) {
			*stagger = (enum job_stagger)i;
			return 0;
		}
	return error_set(error, FATHOM_USAGE, "one of host, switch, all",
			 "--stagger does not know '%s'", name);
}

/* Refused before anything is measured. */
static int find_format(const char *output, const char **format, struct fathom_error *error)
{
	const char *known = "text", *wanted = output ? fathom_format_of(output) : known;
	for (int i = 0; wanted && (known = fathom_fleet_format(i)); i++)
		if (strcmp(known, wanted) == 0) {
			*format = known;
			return 0;
		}
	return error_set(error, FATHOM_USAGE, "'fathom fleet --help' lists the formats",
			 "the format of '%s' is none of a fleet", output);
}

/* Beside this executable; else the shell's rule. free() it. */
static char *find_fathom(const char *asked)
{
	char self[4096];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash = NULL, *beside = NULL;
	if (asked)
		return strdup(asked);
	self[length > 0 ? length : 0] = 0;
	if ((slash = strrchr(self, '/')))
		beside = text_format("%.*s/fathom", (int)(slash - self), self);
	if (beside && access(beside, X_OK) == 0)
		return beside;
	free(beside);
	return strdup("fathom");
}

/* `argv` has room for two more. */
static int make_job(struct arguments *found, char **argv, struct job *job,
		    struct fathom_error *error)
{
	static char json[] = "--json";
	size_t count = 0;
	const char *deadline = found->deadline ? found->deadline : DEADLINE;
	if (find_stagger(found->stagger, &job->stagger, error) ||
	    find_format(found->output, &job->format, error))
		return -1;
	if (units_parse_duration(deadline, &job->deadline_s, error) || job->deadline_s <= 0)
		return error_set(error, FATHOM_USAGE, "20s or 2m, for example",
				 "--deadline: '%s' is no duration", deadline);
	if (found->keep && mkdir(found->keep, 0777) && access(found->keep, W_OK))
		return error_set_errno(error, FATHOM_FAILED, "choose another folder",
				       "cannot write to '%s'", found->keep);
	job->output = found->output;
	job->keep = found->keep;
	job->fathom = find_fathom(found->fathom);
	char *limit = text_format("--deadline=%s", deadline);
	if (!job->fathom || !limit)
		return error_no_memory(error);
	argv[count++] = strdup(job->fathom);
	for (char **rest = found->rest; *rest; rest++)
		argv[count++] = *rest;
	argv[count++] = limit;
	argv[count++] = json;
	argv[count] = NULL;
	job->arguments = argv;
	return 0;
}

/* ---- rank 0 ---- */

static int write_fleet(const struct fathom_fleet *fleet, const struct job *job,
		       struct fathom_error *error)
{
	char *text = NULL;
	size_t length;
	int status = fathom_fleet_write(fleet, job->format, NULL, &text, &length, error);
	if (!status && job->output)
		status = whole_file_write(job->output, text, length, error);
	else if (!status && (fwrite(text, 1, length, stdout) != length || fflush(stdout)))
		status = error_set_errno(error, FATHOM_FAILED, NULL,
					 "cannot write to standard output");
	free(text);
	return status;
}

/* Names them, and whether one is still out there. */
static bool note_missing(struct gather *gather, int *count)
{
	bool silent = false;
	for (int i = 0; i < gather->count; i++) {
		struct member *member = &gather->members[i];
		if (member->state != MEMBER_MISSING)
			continue;
		char *name = gather_name(gather, i);
		const char *reason = member->reason ? member->reason : "";
		say("%s: %s", name ? name : "", reason);
		fathom_fleet_add_missing(gather->reader, name ? name : "", reason, gather->error);
		silent |= !member->answered;
		*count += 1;
		free(name);
	}
	return silent;
}

/* The exit code of a fleet that is written. */
static int judge(const struct fathom_fleet *fleet, int missing)
{
	bool judged = false;
	for (size_t i = 0; i < fleet->group_count; i++)
		judged |= fleet->groups[i].judged;
	for (size_t i = 0; i < fleet->damaged_count; i++)
		say("%s: %s", fleet->damaged[i].file, fleet->damaged[i].reason);
	if (!judged)
		say("no group has enough undisturbed nodes to say what is usual");
	if (missing || fleet->damaged_count || !judged)
		return FATHOM_QUALITY;
	return fleet->outlier_count ? FATHOM_DIFFERENT : FATHOM_OK;
}

/* The exit code. Of a rank that never answers MPI waits for ever at the end. */
static int lead(const struct job *job, bool *silent, struct fathom_error *error)
{
	struct gather gather = {.job = job, .error = error};
	struct fathom_fleet *fleet = NULL;
	int missing = 0;
	MPI_Comm_size(MPI_COMM_WORLD, &gather.count);
	gather.members = calloc((size_t)gather.count, sizeof(*gather.members));
	int status = gather.members ? fathom_fleet_open(NULL, &gather.reader, error)
				    : error_no_memory(error);
	if (!status && job->output)
		status = whole_file_try(job->output, error);
	if (!status)
		status = gather_run(&gather);
	if (!status) {
		*silent = note_missing(&gather, &missing);
		status = fathom_fleet_make(gather.reader, &fleet, error);
	}
	if (!status)
		status = write_fleet(fleet, job, error);
	int code = status ? (int)error->status : judge(fleet, missing);
	fathom_fleet_free(fleet);
	fathom_fleet_close(gather.reader);
	gather_free(&gather);
	return code;
}

static int lead_all(const struct job *job)
{
	struct fathom_error error = {0};
	bool silent = true;
	int ranks, code = lead(job, &silent, &error);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (error.text)
		say("%s", error.text);
	fathom_error_clear(&error);
	if (silent)
		MPI_Abort(MPI_COMM_WORLD, code);
	for (int i = 1; i < ranks; i++)
		MPI_Send(NULL, 0, MPI_BYTE, i, JOB_DONE, MPI_COMM_WORLD);
	return code;
}

/* ---- all ---- */

static void listen_to_signals(void)
{
	struct sigaction action = {.sa_handler = end};
	sigemptyset(&action.sa_mask);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int refuse(const struct fathom_error *error)
{
	const char *rank = getenv("OMPI_COMM_WORLD_RANK");
	if (!rank || strcmp(rank, "0") == 0) {
		say("%s", error->text ? error->text : "out of memory");
		fprintf(stderr, "  hint: %s\n", error->hint ? error->hint : HINT);
	}
	return (int)error->status;
}

int main(int argc, char **argv)
{
	char **room = calloc(2 * ((size_t)argc + 4), sizeof(*room));
	struct arguments found = {.rest = room};
	struct job job = {.variables = environ,
			  .topology = getenv("SLURM_TOPOLOGY_ADDR"),
			  .told_to_end = &told_to_end};
	struct fathom_error error = {0};
	const char *told = getenv("OMPI_MCA_odls_base_sigkill_timeout");
	int rank, code = 0;
	job.kill_s = JOB_KILL_S;
	if (told && units_parse_decimal(told, &job.kill_s))
		job.kill_s = fmax(job.kill_s, JOB_KILL_S);
	if (!room)
		return FATHOM_FAILED;
	if (parse(argv, &found, &error) ||
	    (!found.help && make_job(&found, room + argc + 4, &job, &error)))
		return refuse(&error);
	if (found.help)
		return fputs(help, stdout) < 0;
	signal(SIGALRM, give_up);
	alarm(START_S);
	MPI_Init(NULL, NULL);
	alarm(0);
	listen_to_signals();
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		code = lead_all(&job);
	else
		rank_run(&job);
	MPI_Finalize();
	return code;
}
