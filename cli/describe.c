/* Prints the tables of commands and options as JSON: what the manual and the completions are made
 * of by the build (tools/manual.py). It is not installed. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help.h"
#include "values.h"

static json_t *text_of(const char *text)
{
	return text ? json_string(text) : json_null();
}

static json_t *choices_of(const struct option_row *row)
{
	json_t *choices = json_array();
	const char *name;
	for (int i = 0; row->choice && (name = row->choice(i)); i++)
		if (i < row->offered || !row->offered)
			json_array_append_new(choices, json_string(name));
	return choices;
}

static json_t *arguments_of(const struct command *command)
{
	json_t *choices = json_array();
	for (int i = 0; command->choice && command->choice(i); i++)
		json_array_append_new(choices, json_string(command->choice(i)));
	return choices;
}

static json_t *option(const struct option_row *row)
{
	char *doc = option_doc(row);
	json_t *made = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:b, s:b, s:s}", "group",
				 row->group, "long", row->name, "short",
				 row->letter ? json_sprintf("%c", row->letter) : json_null(),
				 "value", text_of(row->value), "doc", text_of(doc), "choices",
				 choices_of(row), "list", row->set == value_choices, "files",
				 row->files, "excludes", row->excludes ? row->excludes : "");
	free(doc);
	return made;
}

static json_t *command(const struct command *command)
{
	const struct option_row *rows[OPTION_MOST];
	size_t count = option_list(command, rows);
	json_t *options = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(options, option(rows[i]));
	return json_pack("{s:s, s:s, s:o, s:o, s:s, s:o, s:o, s:o}", "name", command->name,
			 "summary", command->summary, "arguments", text_of(command->arguments),
			 "choices", arguments_of(command), "about", command->about, "notes",
			 text_of(command->notes), "examples", text_of(command->examples), "options",
			 options);
}

static json_t *entries(const struct help_entry *entry)
{
	json_t *made = json_array();
	for (; entry->name; entry++)
		json_array_append_new(made, json_pack("[s, s]", entry->name, entry->what));
	return made;
}

int main(void)
{
	json_t *commands = json_array();
	for (size_t i = 0; command_list[i]; i++) {
		if (option_at(command_list[i], OPTION_MOST)) {
			fprintf(stderr, "'%s' has more than %d options: raise OPTION_MOST\n",
				command_list[i]->name, OPTION_MOST);
			return 1;
		}
		json_array_append_new(commands, command(command_list[i]));
	}
	json_t *document = json_pack("{s:s, s:o, s:o, s:o}", "version", FATHOM_VERSION, "most_used",
				     entries(help_most_used), "exit_codes",
				     entries(help_exit_codes), "commands", commands);
	int failed = !document || json_dumpf(document, stdout, JSON_INDENT(1)) || fflush(stdout);
	json_decref(document);
	return failed ? 1 : 0;
}
