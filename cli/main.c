#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "base/error.h"
#include "base/text.h"
#include "deliver.h"
#include "messages.h"

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	(void)number;
	interrupted = 1;
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
	for (size_t i = 0; i < sizeof(stopping) / sizeof(*stopping); i++) {
		struct sigaction before;
		sigaction(stopping[i], NULL, &before);
		if (before.sa_handler != SIG_IGN) /* nohup, and jobs in the background */
			sigaction(stopping[i], &action, NULL);
	}
	/* A closed pipe and a file over its limit are errors of write(), told like all others. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

static int show(const struct command *command, enum options_show what, struct fathom_error *error)
{
	struct deliver deliver;
	if (deliver_open(&deliver, NULL, error))
		return -1;
	char *text = what == OPTIONS_SHOW_VERSION ? text_format("fathom %s\n", fathom_version())
						  : arguments_help(command, what);
	int status =
		text ? deliver_finish(&deliver, text, strlen(text), error) : error_no_memory(error);
	free(text);
	return status;
}

static int act(int argc, char **argv, const struct environment *environment,
	       struct fathom_error *error)
{
	struct options options;
	const struct command *command;
	size_t count;
	if (arguments_parse(argc, argv, &options, &command, error))
		return -1;
	if (options.show != OPTIONS_SHOW_ANSWER)
		return show(command, options.show, error);
	if (!command)
		command = command_list(&count);
	return command->run(&options, environment, error);
}

int main(int argc, char **argv)
{
	fill_standard_descriptors();
	listen_to_signals();
	setlocale(LC_CTYPE, "");
	setenv("HWLOC_HIDE_ERRORS", "2", 0); /* it would print on its own account */
	setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
	const char *no_color = getenv("NO_COLOR");
	struct environment environment = {
		.argv = argv,
		.variables = environ,
		.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
		.no_color = no_color && *no_color,
		.interrupted = &interrupted,
	};
	struct fathom_error error = {0};
	int status = FATHOM_OK;
	if (act(argc, argv, &environment, &error)) {
		status = (int)error.status;
		messages_error(&error);
	}
	fathom_error_clear(&error);
	return status;
}
