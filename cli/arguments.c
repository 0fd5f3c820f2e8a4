#include "arguments.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/suggest.h"
#include "base/text.h"
#include "gnuplot.h"
#include "render/formats.h"

/* ---- the options of a command and of all its tables ------------------------------------- */

/* What a name, perhaps shortened, can mean. */
struct match {
	const char *name; /* without dashes */
	size_t length;
	const struct argp_option *exact;
	const struct argp_option *longer; /* the last one that begins so */
	size_t longer_count;
	struct suggestion nearest;
};

static void match_table(const struct argp_option *table, struct match *match)
{
	for (const struct argp_option *o = table; o->name || o->key || o->doc; o++) {
		if (!o->name)
			continue;
		suggest_consider(&match->nearest, o->name);
		if (strncmp(o->name, match->name, match->length) != 0)
			continue;
		if (!o->name[match->length])
			match->exact = o;
		match->longer = o;
		match->longer_count++;
	}
}

static void match_argp(const struct argp *argp, struct match *match)
{
	if (argp->options)
		match_table(argp->options, match);
	for (const struct argp_child *c = argp->children; c && c->argp; c++)
		match_argp(c->argp, match);
}

static const struct argp_option *find_short(const struct argp *argp, int key)
{
	for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++)
		if (o->key == key)
			return o;
	const struct argp_option *found = NULL;
	for (const struct argp_child *c = argp->children; !found && c && c->argp; c++)
		found = find_short(c->argp, key);
	return found;
}

static struct match match_long(const struct argp *argp, const char *name, size_t length)
{
	struct match match = {.name = name, .length = length, .nearest = {.wanted = name}};
	match_argp(argp, &match);
	return match;
}

/* How many arguments this option takes, itself included; 0: it is not known. */
static int option_width(const struct argp *argp, const char *argument)
{
	if (argument[1] != '-') {
		const char *c = argument + 1;
		const struct argp_option *option = find_short(argp, *c);
		while (option && !option->arg && c[1])
			option = find_short(argp, *++c);
		return !option ? 0 : option->arg && !c[1] ? 2 : 1;
	}
	size_t length = strcspn(argument, "=");
	struct match match = match_long(argp, argument + 2, length - 2);
	const struct argp_option *option = match.exact ? match.exact : match.longer;
	return !option ? 0 : option->arg && !argument[length] ? 2 : 1;
}

static int any_option_width(const char *argument)
{
	size_t count;
	const struct command *commands = command_list(&count);
	int width = 0;
	for (size_t i = 0; i < count && !width; i++)
		width = option_width(commands[i].argp, argument);
	return width;
}

/* ---- the command's name ----------------------------------------------------------------- */

/* Index of the first argument that is neither an option nor the value of one; 0: none, or not to
 * be told because of an unknown option before it. */
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
	size_t count;
	const struct command *commands = command_list(&count);
	for (size_t i = 0; i < count; i++)
		suggest_consider(&nearest, commands[i].name);
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
	if (word && strcmp(word, "help") == 0) {
		options->show = OPTIONS_SHOW_HELP;
		word = take_word(argv);
	}
	if (!word)
		return 0;
	*command = command_find(word);
	return *command ? 0 : unknown_command(word, error);
}

/* ---- in our own words ------------------------------------------------------------------- */

/* Is this one good as it stands, so that what argp did not like is the next one? */
static bool innocent(const struct argp *argp, const char *argument)
{
	if (argument[0] != '-')
		return true;
	if (argument[1] == '-') {
		struct match match = match_long(argp, argument + 2, strlen(argument + 2));
		return match.exact && !match.exact->arg;
	}
	return option_width(argp, argument) == 1;
}

static void refuse_short(const struct argp *argp, const char *argument, const char *hint,
			 struct fathom_error *error)
{
	for (const char *c = argument + 1; *c; c++) {
		if (!find_short(argp, *c)) {
			error_set(error, FATHOM_USAGE, hint, "unknown option '-%c'", *c);
			return;
		}
		if (!c[1])
			error_set(error, FATHOM_USAGE, hint, "option '-%c' needs a value", *c);
	}
}

static void refuse_long(const struct argp *argp, const char *name, bool has_value, const char *hint,
			struct fathom_error *error)
{
	struct match match = match_long(argp, name, strlen(name));
	char *better = NULL;
	if (match.nearest.best)
		better = text_format("did you mean '--%s'?", match.nearest.best);
	if (!match.longer)
		error_set(error, FATHOM_USAGE, better ? better : hint, "unknown option '--%s'",
			  name);
	else if (!match.exact && match.longer_count > 1)
		error_set(error, FATHOM_USAGE, better ? better : hint, "option '--%s' is ambiguous",
			  name);
	else if (has_value)
		error_set(error, FATHOM_USAGE, hint, "option '--%s' takes no value",
			  match.longer->name);
	else
		error_set(error, FATHOM_USAGE, hint, "option '--%s' needs a value",
			  match.longer->name);
	free(better);
}

/* argp knows what is wrong and would say so over several lines. */
static void refuse(const struct command *command, char *const *at, struct fathom_error *error)
{
	const char *argument = at[1] && innocent(command->argp, at[0]) ? at[1] : at[0];
	char *hint = text_format("'fathom help %s' lists the options", command->name);
	if (strncmp(argument, "--", 2) != 0) {
		refuse_short(command->argp, argument, hint, error);
	} else {
		size_t length = strcspn(argument, "=");
		char *name = strndup(argument + 2, length - 2);
		if (name)
			refuse_long(command->argp, name, argument[length] != 0, hint, error);
		else
			error_no_memory(error);
		free(name);
	}
	free(hint);
}

/* ---- parsing ---------------------------------------------------------------------------- */

/* Found at once: nothing is looked at or measured for an answer that cannot be written. */
static int check_format(const struct options *options, const struct command *command,
			struct fathom_error *error)
{
	const struct format *format = format_find(options->format);
	if (command->shows_machine ? format->machine != NULL
				   : !options->dry_run || format->plan != NULL)
		return 0;
	return error_set(error, FATHOM_USAGE, "choose text or json with --format",
			 "format '%s' cannot hold a %s", options->format,
			 command->shows_machine ? "machine" : "plan");
}

/* What one option asks for and another one, or the same again, does not. */
static int check_conflicts(const struct options *options, struct fathom_error *error)
{
	if (options->other_place)
		return error_set(
			error, FATHOM_USAGE, "'fathom report' makes other formats of a .json",
			"'-o' is given twice: '%s' and '%s'", options->other_place, options->place);
	if (options->other_format && strcmp(options->other_format, options->format_option) == 0)
		return error_set(error, FATHOM_USAGE, "leave out one of them",
				 "'%s' is given for two formats", options->format_option);
	if (options->other_format)
		return error_set(error, FATHOM_USAGE, "leave out one of them",
				 "'%s' and '%s' cannot be used together", options->other_format,
				 options->format_option);
	return 0;
}

/* --format is meant as it is said; --json and --csv are for an answer without a name. */
static int check_extension(const struct options *options, const char *picture,
			   struct fathom_error *error)
{
	const char *known = picture ? picture : fathom_format_of(options->output);
	if (!options->format_option || strcmp(options->format_option, "--format") == 0 || !known ||
	    strcasecmp(known, options->format) == 0)
		return 0;
	char *hint = text_format("leave out '%s', or use '--format %s'", options->format_option,
				 options->format);
	error_set(error, FATHOM_USAGE, hint, "'%s' cannot be used with '-o %s'",
		  options->format_option, options->output);
	free(hint);
	return -1;
}

/* The format, once all options are known. */
static int settle_format(struct options *options, const struct command *command,
			 struct fathom_error *error)
{
	const char *hint = command->shows_machine
				   ? "choose one with --format: " OPTIONS_MACHINE_FORMATS
				   : "choose one with --format: " OPTIONS_FORMATS;
	const char *picture = options->output ? gnuplot_picture_of(options->output) : NULL;
	if (picture && !options->format && !command->shows_machine)
		return error_set(error, FATHOM_USAGE,
				 "keep the result as .json and draw it with 'fathom report'",
				 "'%s' cannot draw pictures: '%s'", command->name, options->output);
	if (options->format && !format_find(options->format))
		return error_set(error, FATHOM_USAGE, hint, "unknown format '%s'", options->format);
	if (options->format)
		return options->output ? check_extension(options, picture, error) : 0;
	options->format = "text";
	if (!options->output)
		return 0;
	const char *known = fathom_format_of(options->output);
	const char *slash = strrchr(options->output, '/');
	const char *file = slash ? slash + 1 : options->output;
	if (known)
		options->format = known;
	else if (strchr(*file == '.' ? file + 1 : file, '.'))
		return error_set(error, FATHOM_USAGE, hint, "the format of '%s' is not known",
				 options->output);
	return 0;
}

int arguments_parse(int argc, char **argv, struct options *options, const struct command **command,
		    struct fathom_error *error)
{
	*options = (struct options){.error = error};
	char **rest = malloc(((size_t)argc + 1) * sizeof(*rest));
	if (!rest)
		return error_no_memory(error);
	memcpy(rest, argv, ((size_t)argc + 1) * sizeof(*rest));
	int failed = take_command(rest, options, command, error);
	if (failed)
		goto out;
	size_t count;
	const struct command *parsed = *command ? *command : command_list(&count);
	fathom_request_for(&options->request, parsed->experiment);
	int rest_count = 0;
	while (rest[rest_count])
		rest_count++;
	failed = argp_parse(parsed->argp, rest_count, rest, ARGP_NO_ERRS | ARGP_NO_HELP, NULL,
			    options);
	if (failed == ENOMEM)
		error_no_memory(error);
	else if (failed && !error->text)
		refuse(parsed, options->refused, error);
	else if (!failed && options->show == OPTIONS_SHOW_ANSWER)
		failed = check_conflicts(options, error) || settle_format(options, parsed, error) ||
			 check_format(options, parsed, error);
out:
	free(rest);
	return failed ? -1 : 0;
}

/* ---- help ------------------------------------------------------------------------------- */

static void help_overall(FILE *file)
{
	size_t count;
	const struct command *commands = command_list(&count);
	fprintf(file, "Usage: fathom [COMMAND] [OPTION...]\nMeasures what memory really costs on "
		      "this machine.\n\nCommands:\n");
	for (size_t i = 0; i < count; i++)
		fprintf(file, "  %-13s%s%s\n", commands[i].name, commands[i].summary,
			i ? "" : " (the default)");
	fprintf(file, "  %-13s%s\n", "help", "the options of a command: 'fathom help latency'");
	fprintf(file,
		"\nMost used:\n  fathom                        everything: a table and a report\n  "
		"fathom --quick                the same in 15 seconds\n  fathom latency -o "
		"run.json    the latency curve, as a document\n  fathom fit curve.csv          the "
		"levels in any tool's curve\n  fathom compare a.json b.json  whether two runs "
		"differ\n  fathom check a.json           measure again: what got slower\n  fathom "
		"info                   what limits measurements here\n\nExit codes: 0 ok, 1 "
		"failed, 2 usage, 3 this machine cannot measure that,\n4 below the requested "
		"quality, 5 bad input file, 6 a difference was found,\n130 interrupted\n");
}

static void help_command(const struct command *command, enum options_show show, FILE *file)
{
	char *name = text_format("fathom %s", command->name);
	unsigned flags = show == OPTIONS_SHOW_USAGE
				 ? ARGP_HELP_USAGE
				 : ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC;
	if (name)
		argp_help(command->argp, file, flags, name);
	free(name);
}

char *arguments_help(const struct command *command, enum options_show show)
{
	char *help = NULL;
	size_t length, count;
	FILE *file = open_memstream(&help, &length);
	if (!file)
		return NULL;
	if (command)
		help_command(command, show, file);
	else if (show == OPTIONS_SHOW_USAGE)
		help_command(command_list(&count), show, file);
	else
		help_overall(file);
	if (fclose(file) != 0) {
		free(help);
		return NULL;
	}
	return help;
}
