#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "base/error.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "deliver.h"
#include "help.h"
#include "messages.h"
#include "new_file.h"
#include "node/deadline.h"

/* `timeout` and closing terminals send a signal twice in one breath; no finger does. */
#define BREATH_NS 50000000

static volatile sig_atomic_t interrupted, late;
static volatile sig_atomic_t ends_at_once;
static uint64_t interrupted_ns;
static bool on_terminal;

static void end_at_once(void)
{
	/* Below the line of the progress. */
	static const char by_user[] = "\nfathom: interrupted: nothing was kept\n";
	static const char by_deadline[] =
		"\nfathom: interrupted by the deadline: nothing was kept\n";
	const char *line = (late ? by_deadline : by_user) + !on_terminal;
	ssize_t written = write(STDERR_FILENO, line, strlen(line));
	(void)written;
	new_file_abandon();
	_exit(FATHOM_INTERRUPTED);
}

/* Calls nothing that is not async-signal-safe. */
static void interrupt(int number)
{
	int before = errno;
	uint64_t now_ns = stopwatch_now_ns();
	bool again = interrupted && number == SIGINT && now_ns - interrupted_ns > BREATH_NS;
	if (ends_at_once || again)
		end_at_once();
	if (!interrupted)
		interrupted_ns = now_ns;
	interrupted = 1;
	errno = before;
}

/* The first time there is a while left to end in order. */
static void hurry_up(int number)
{
	(void)number;
	if (late || ends_at_once) {
		late = 1;
		end_at_once();
	}
	late = interrupted = 1;
}

/* A descriptor that the caller closed would be handed to the first file that we open, and the
 * answer written into it: filled with one that refuses every use as what it stands for. */
static void fill_standard_descriptors(void)
{
	for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
		if (fcntl(file, F_GETFD) < 0)
			(void)!open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static void listen_to_signals(void)
{
	static const int stopping[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = interrupt};
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(stopping) / sizeof(*stopping); i++)
		sigaddset(&action.sa_mask, stopping[i]);
	for (size_t i = 0; i < sizeof(stopping) / sizeof(*stopping); i++) {
		struct sigaction before;
		sigaction(stopping[i], NULL, &before);
		if (before.sa_handler != SIG_IGN) /* nohup, and jobs in the background */
			sigaction(stopping[i], &action, NULL);
	}
	/* A closed pipe and a file over its limit are errors of write(), reported like all others.
	 */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

static int show(const struct command *command, enum options_show what, struct fathom_error *error)
{
	struct deliver deliver;
	if (deliver_open(&deliver, NULL, error))
		return -1;
	char *text = what == OPTIONS_SHOW_VERSION ? text_format("fathom %s\n", fathom_version())
						  : help_make(command, what);
	int status =
		text ? deliver_finish(&deliver, text, strlen(text), error) : error_no_memory(error);
	free(text);
	return status;
}

/* In the names of all files. What was allocated for them goes to `names`. */
static int name_files(struct options *options, char *names[OPTIONS_MOST_FILES + 1],
		      struct fathom_error *error)
{
	for (size_t i = 0; i <= options->more_count; i++) {
		const char **file = i ? &options->more[i - 1] : &options->output;
		if (*file && !(names[i] = deliver_name(*file, options->environment, error)))
			return -1;
		*file = names[i];
	}
	return 0;
}

/* A refusal of the library knows no commands. */
static void add_hint(const struct command *command, struct fathom_error *error)
{
	char *hint = NULL;
	if (error->hint || !error->text)
		return;
	if (error->status == FATHOM_USAGE)
		hint = text_format("'fathom help %s' lists the options", command->name);
	if (error->status == FATHOM_UNABLE)
		hint = text_format("'fathom info' shows what this machine can measure");
	if (hint)
		error_set(error, error->status, hint, "%s", error->text);
	free(hint);
}

static void keep_deadline(struct options *options)
{
	const struct sigaction action = {.sa_handler = hurry_up};
	sigaction(SIGALRM, &action, NULL);
	deadline_start(options);
	deadline_cut_budget(options);
}

static int run_command_of(struct options *options, const struct command *command,
			  struct fathom_error *error)
{
	char *names[OPTIONS_MOST_FILES + 1] = {0};
	if (options->show != OPTIONS_SHOW_ANSWER)
		return show(command, options->show, error);
	if (!command)
		command = command_list[0];
	ends_at_once = !command->keeps;
	/* What came before has had no effect yet. */
	if (ends_at_once && interrupted)
		end_at_once();
	if (options->deadline_s)
		keep_deadline(options);
	int status = name_files(options, names, error);
	if (!status)
		status = command->run(options, error);
	for (size_t i = 0; i <= OPTIONS_MOST_FILES; i++)
		free(names[i]);
	if (status)
		add_hint(command, error);
	return status;
}

static int act(int argc, char **argv, const struct environment *environment,
	       struct fathom_error *error)
{
	struct options options;
	const struct command *command;
	int status = arguments_parse(argc, argv, &options, &command, error);
	options.environment = environment;
	if (!status)
		status = run_command_of(&options, command, error);
	free(options.arguments);
	return status;
}

/* NULL: no launcher of parallel jobs has said it. */
static const char *find_rank(void)
{
	static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
					    "SLURM_PROCID"};
	const char *rank = NULL;
	for (size_t i = 0; !rank && i < sizeof(names) / sizeof(*names); i++)
		rank = getenv(names[i]);
	return rank;
}

/* Without what file names cannot hold everywhere: "20261121T220513Z". free() it. */
static char *find_start(void)
{
	char *date = stopwatch_date(), *end = date;
	for (const char *c = date; c && *c; c++)
		if (*c != '-' && *c != ':')
			*end++ = *c;
	if (date)
		*end = 0;
	return date;
}

int main(int argc, char **argv)
{
	uint64_t begun_ns = stopwatch_now_ns();
	fill_standard_descriptors();
	on_terminal = isatty(STDERR_FILENO);
	listen_to_signals();
	setlocale(LC_CTYPE, "");
	setenv("HWLOC_HIDE_ERRORS", "2", 0); /* it would print on its own account */
	const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM"),
		   *folder = getenv("TMPDIR");
	char *started = find_start();
	bool alone = false;
	struct environment environment = {
		.argv = argv,
		.variables = environ,
		.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
		.no_color = (no_color && *no_color) || (terminal && strcmp(terminal, "dumb") == 0),
		.temporary_folder = folder && *folder ? folder : "/tmp",
		.rank = find_rank(),
		.started = started,
		.begun_ns = begun_ns,
		.alone = &alone,
		.interrupted = &interrupted,
		.late = &late,
		.ends_at_once = &ends_at_once,
	};
	struct fathom_error error = {0};
	int status = FATHOM_OK;
	if (act(argc, argv, &environment, &error)) {
		status = (int)error.status;
		messages_error(&error);
	}
	fathom_error_clear(&error);
	free(started);
	return status;
}
