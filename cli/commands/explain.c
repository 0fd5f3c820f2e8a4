#include "commands.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/text.h"
#include "input.h"
#include "perform.h"

/* The names of the levels, each once: "it has L1, L2, memory". free() it; NULL: out of memory. */
static char *known_levels(const struct fathom_result *result)
{
	struct text text = {0};
	const char *before = "it has ";
	for (size_t i = 0; i < result->level_count; i++) {
		const char *name = result->levels[i].name;
		bool again = !name;
		for (size_t j = 0; j < i && !again; j++)
			again = result->levels[j].name && strcmp(result->levels[j].name, name) == 0;
		if (again)
			continue;
		text_add(&text, "%s%s", before, name);
		before = ", ";
	}
	return text_take(&text);
}

static int check_level(const struct fathom_result *result, const char *level, const char *path,
		       struct fathom_error *error)
{
	for (size_t i = 0; i < result->level_count; i++)
		if (result->levels[i].name && strcasecmp(result->levels[i].name, level) == 0)
			return 0;
	if (!result->level_count)
		return error_set(error, FATHOM_BAD_INPUT,
				 "levels need a latency curve of at least three sizes",
				 "'%s' has no levels", path);
	char *hint = known_levels(result);
	error_set(error, FATHOM_USAGE, hint, "'%s' has no level '%s'", path, level);
	free(hint);
	return -1;
}

static int run(const struct options *options, struct fathom_error *error)
{
	struct fathom_result *result = NULL;
	struct deliver deliver = {0};
	struct fathom_style style = perform_style(options);
	const char *path = options->arguments[1];
	char *answer = NULL;
	size_t length = 0;
	style.level = options->arguments[0];
	if (options->argument_count != 2)
		return error_set(error, FATHOM_USAGE, "fathom explain L2 run.json",
				 "'explain' needs a level and a file");
	int status = deliver_open(&deliver, options->output, error);
	if (!status)
		status = input_read_result(path, "'fathom help explain' has examples",
					   &options->input, options->environment, &result, error);
	if (!status && !result->level_count) /* those of other tools have none */
		status = fathom_fit(result, NULL, error);
	if (!status)
		status = check_level(result, style.level, path, error);
	if (!status)
		status = fathom_result_write(result, options->format, &style, &answer, &length,
					     error);
	status = deliver_written(&deliver, status, answer, length, error);
	deliver_cancel(&deliver);
	fathom_result_free(result);
	return status;
}

const struct command explain_command = {
	.name = "explain",
	.summary = "why a level is what it is, in words",
	.arguments = "LEVEL FILE",
	.about = "Tells of one level what was measured there, what speaks for it, what else it may "
		 "be, what the OS says, and what would make it surer. Levels are named as in the "
		 "table: L2, memory, 'TLB 1', 'step 1'. Reads the formats of 'fathom fit'.",
	.examples = "fathom explain L2 run.json\n"
		    "fathom explain 'TLB 1' fathom-report.json\n",
	.options = COMMAND_OPTIONS(options_input, options_words_format, options_answer),
	.answer = "level in words",
	.run = run,
};
