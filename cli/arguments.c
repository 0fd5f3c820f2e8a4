#include "arguments.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"

/* ---- which option an argument is -------------------------------------------------------- */

/* What a name, perhaps shortened, means. NULL: nothing, or *ambiguous. */
static const struct option_row *match_name(const struct command *command, const char *name,
					   size_t length, bool *ambiguous)
{
	const struct option_row *row, *longer = NULL;
	*ambiguous = false;
	for (size_t i = 0; (row = option_at(command, i)); i++) {
		if (strncmp(row->name, name, length) != 0)
			continue;
		if (!row->name[length]) {
			*ambiguous = false;
			return row;
		}
		*ambiguous |= longer != NULL;
		longer = row;
	}
	return *ambiguous ? NULL : longer;
}

static const struct option_row *match_letter(const struct command *command, char letter)
{
	const struct option_row *row;
	for (size_t i = 0; (row = option_at(command, i)); i++)
		if (row->letter == letter)
			return row;
	return NULL;
}

/* How many arguments this option takes, itself included; 0: it is not known. */
static int option_width(const struct command *command, const char *argument)
{
	const struct option_row *row;
	if (argument[1] == '-') {
		bool ambiguous;
		size_t length = strcspn(argument, "=");
		row = match_name(command, argument + 2, length - 2, &ambiguous);
		return !row ? 0 : row->value && !argument[length] ? 2 : 1;
	}
	do
		row = match_letter(command, *++argument);
	while (row && !row->value && argument[1]);
	return !row ? 0 : row->value && !argument[1] ? 2 : 1;
}

static int any_option_width(const char *argument)
{
	int width = 0;
	for (size_t i = 0; command_list[i] && !width; i++)
		width = option_width(command_list[i], argument);
	return width;
}

/* ---- the command's name ----------------------------------------------------------------- */

/* Index of the first argument that is neither an option nor the value of one; 0: none, or not to
 * be reported because of an unknown option before it. */
static int find_word(char *const *argv)
{
	int width;
	for (int i = 1; argv[i]; i += width) {
		if (argv[i][0] != '-' || argv[i][1] == 0)
			return i;
		if (strcmp(argv[i], "--") == 0)
			return argv[i + 1] ? i + 1 : 0;
		width = any_option_width(argv[i]);
		if (width == 0 || !argv[i + 1])
			return 0;
	}
	return 0;
}

/* Takes the first word out of argv; NULL: there is none. */
static char *take_word(char **argv)
{
	int at = find_word(argv);
	if (!at)
		return NULL;
	char *word = argv[at];
	for (; argv[at]; at++)
		argv[at] = argv[at + 1];
	return word;
}

static int unknown_command(const char *word, struct fathom_error *error)
{
	struct suggestion nearest = {.wanted = word};
	for (size_t i = 0; command_list[i]; i++)
		names_consider(&nearest, command_list[i]->name);
	char *hint = nearest.best ? text_format("did you mean '%s'?", nearest.best) : NULL;
	error_set(error, FATHOM_USAGE, hint ? hint : "'fathom help' lists the commands",
		  "unknown command '%s'", word);
	free(hint);
	return -1;
}

static int take_command(char **argv, struct options *options, const struct command **command,
			struct fathom_error *error)
{
	*command = NULL;
	char *word = take_word(argv);
	while (word && strcmp(word, "help") == 0) { /* 'help help' too */
		options->show = OPTIONS_SHOW_HELP;
		word = take_word(argv);
	}
	if (!word)
		return 0;
	*command = command_find(word);
	return *command ? 0 : unknown_command(word, error);
}

/* ---- its options ------------------------------------------------------------------------ */

struct parsing {
	char *const *next; /* the argument after this one */
	const struct command *command;
	struct options *options;
	const char *hint; /* which options there are */
};

static int refuse_name(const struct parsing *parsing, const char *name, bool ambiguous,
		       struct fathom_error *error)
{
	const struct option_row *row;
	struct suggestion nearest = {.wanted = name};
	for (size_t i = 0; (row = option_at(parsing->command, i)); i++)
		names_consider(&nearest, row->name);
	char *better = nearest.best ? text_format("did you mean '--%s'?", nearest.best) : NULL;
	error_set(error, FATHOM_USAGE, better ? better : parsing->hint,
		  ambiguous ? "option '--%s' is ambiguous" : "unknown option '--%s'", name);
	free(better);
	return -1;
}

/* `name` is that alone; `value` stands after it and "=", else NULL. */
static int take_name(struct parsing *parsing, const char *name, const char *value,
		     struct fathom_error *error)
{
	bool ambiguous;
	const struct option_row *row = match_name(parsing->command, name, strlen(name), &ambiguous);
	if (!row)
		return refuse_name(parsing, name, ambiguous, error);
	if (value && !row->value)
		return error_set(error, FATHOM_USAGE, parsing->hint, "option '--%s' takes no value",
				 row->name);
	if (row->value && !value && !*parsing->next)
		return error_set(error, FATHOM_USAGE, parsing->hint, "option '--%s' needs a value",
				 row->name);
	if (row->value && !value)
		value = *parsing->next++;
	return option_set(parsing->options, row, value, error);
}

/* "budget=20s", or "budget" and the value in the next argument. */
static int take_long(struct parsing *parsing, const char *argument, struct fathom_error *error)
{
	size_t length = strcspn(argument, "=");
	char *name = strndup(argument, length);
	int status = name ? take_name(parsing, name,
				      argument[length] ? argument + length + 1 : NULL, error)
			  : error_no_memory(error);
	free(name);
	return status;
}

/* "qo" and a file in the next argument, "qofile". */
static int take_letters(struct parsing *parsing, const char *letters, struct fathom_error *error)
{
	for (const char *letter = letters; *letter; letter++) {
		const struct option_row *row = match_letter(parsing->command, *letter);
		const char *value = NULL;
		if (!row)
			return error_set(error, FATHOM_USAGE, parsing->hint, "unknown option '-%c'",
					 *letter);
		if (row->value && !letter[1] && !*parsing->next)
			return error_set(error, FATHOM_USAGE, parsing->hint,
					 "option '-%c' needs a value", *letter);
		if (row->value)
			value = letter[1] ? letter + 1 : *parsing->next++;
		if (option_set(parsing->options, row, value, error))
			return -1;
		if (row->value)
			return 0;
	}
	return 0;
}

static size_t most_arguments(const struct command *command)
{
	const char *arguments = command->arguments;
	size_t most = 1;
	if (command->unbounded)
		return SIZE_MAX;
	if (!arguments)
		return 0;
	if (strstr(arguments, "..."))
		return OPTIONS_MOST_ARGUMENTS;
	for (const char *c = arguments; *c; c++)
		most += *c == ' ';
	return most;
}

static int take_argument(const struct parsing *parsing, const char *word,
			 struct fathom_error *error)
{
	struct options *options = parsing->options;
	const char *arguments = parsing->command->arguments;
	size_t most = most_arguments(parsing->command);
	if (options->argument_count < most) {
		options->arguments[options->argument_count++] = word;
		return 0;
	}
	if (!arguments)
		return error_set(error, FATHOM_USAGE, "options begin with '--'",
				 "unexpected argument '%s'", word);
	if (most < OPTIONS_MOST_ARGUMENTS)
		return error_set(error, FATHOM_USAGE, most == 1 ? "give one at a time" : NULL,
				 "unexpected argument '%s' after '%s'", word,
				 options->arguments[most - 1]);
	return error_set(error, FATHOM_USAGE, "give fewer at a time", "more than %d arguments",
			 OPTIONS_MOST_ARGUMENTS);
}

static int take_all(struct parsing *parsing, struct fathom_error *error)
{
	const char *argument;
	bool options_end = false;
	int status = 0;
	while (!status && (argument = *parsing->next)) {
		parsing->next++;
		if (options_end || argument[0] != '-' || !argument[1])
			status = take_argument(parsing, argument, error);
		else if (argument[1] != '-')
			status = take_letters(parsing, argument + 1, error);
		else if (argument[2])
			status = take_long(parsing, argument + 2, error);
		else
			options_end = true;
	}
	return status;
}

static int parse_rest(char *const *rest, struct options *options, const struct command *command,
		      struct fathom_error *error)
{
	char *hint = text_format("'fathom help %s' lists the options", command->name);
	struct parsing parsing = {rest, command, options, hint};
	int status = take_all(&parsing, error);
	free(hint);
	if (status || options->show != OPTIONS_SHOW_ANSWER)
		return status;
	if (option_check_exclusions(options, error) ||
	    (command->complete && command->complete(options, error)))
		return -1;
	options_complete_lists(options);
	return options_complete_answer(options, command, error);
}

int arguments_parse(int argc, char **argv, struct options *options, const struct command **command,
		    struct fathom_error *error)
{
	*options = (struct options){0};
	char **rest = malloc(((size_t)argc + 1) * sizeof(*rest));
	options->arguments =
		calloc((size_t)argc + OPTIONS_MOST_ARGUMENTS + 1, sizeof(*options->arguments));
	if (!rest || !options->arguments) {
		free(rest);
		return error_no_memory(error);
	}
	memcpy(rest, argv, ((size_t)argc + 1) * sizeof(*rest));
	int status = take_command(rest, options, command, error);
	const struct command *parsed = *command ? *command : command_list[0];
	fathom_request_for(&options->request, parsed->experiment);
	if (parsed->budget_s > 0)
		options->request.budget_s = parsed->budget_s;
	if (!status)
		status = parse_rest(rest + 1, options, parsed, error);
	free(rest);
	return status;
}
