#include "help.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define WIDTH      79
#define DOC_COLUMN 29

/* Words to the width, from `column` on; lines after the first begin at `indent`. */
static void add_wrapped(struct text *text, const char *words, size_t column, size_t indent)
{
	const char *joint = "";
	for (size_t length; *words; words += length + (words[length] == ' ')) {
		length = strcspn(words, " ");
		if (*joint && column + 1 + length > WIDTH) {
			text_add(text, "\n%*s", (int)indent, "");
			column = indent;
			joint = "";
		}
		text_add(text, "%s%.*s", joint, (int)length, words);
		column += strlen(joint) + length;
		joint = " ";
	}
	text_add(text, "\n");
}

/* "  -o, --output=FILE          Write to FILE, ..." */
static void add_option(struct text *text, const struct option_row *row)
{
	size_t before = text->length;
	char *doc = option_doc(row);
	if (row->letter)
		text_add(text, "  -%c, ", row->letter);
	else
		text_add(text, "%6s", "");
	text_add(text, "--%s%s%s ", row->name, row->value ? "=" : "", row->value ? row->value : "");
	if (text->length - before > DOC_COLUMN)
		text_add(text, "\n%*s", DOC_COLUMN, "");
	else
		text_add(text, "%*s", (int)(DOC_COLUMN - (text->length - before)), "");
	if (doc)
		add_wrapped(text, doc, DOC_COLUMN, DOC_COLUMN);
	text->failed |= !doc;
	free(doc);
}

static void add_options(struct text *text, const struct command *command)
{
	const struct option_row *rows[OPTION_MOST];
	size_t count = option_list(command, rows);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || strcmp(rows[i]->group, rows[i - 1]->group) != 0)
			text_add(text, "\n %s:\n", rows[i]->group);
		add_option(text, rows[i]);
	}
}

static void add_examples(struct text *text, const char *lines)
{
	text_add(text, "\nExamples:\n");
	for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
		length = strcspn(lines, "\n");
		text_add(text, "  %.*s\n", (int)length, lines);
	}
}

static void help_command(const struct command *command, struct text *text)
{
	text_add(text, "Usage: fathom %s [OPTION...]%s%s\n", command->name,
		 command->arguments ? " " : "", command->arguments ? command->arguments : "");
	add_wrapped(text, command->about, 0, 0);
	add_options(text, command);
	if (command->notes) {
		text_add(text, "\n");
		add_wrapped(text, command->notes, 0, 0);
	}
	if (command->examples)
		add_examples(text, command->examples);
}

/* The options alone, as one paragraph. */
static void help_usage(const struct command *command, struct text *text)
{
	const struct option_row *rows[OPTION_MOST];
	size_t count = option_list(command, rows);
	struct text words = {0};
	text_add(&words, "Usage: fathom %s", command->name);
	size_t indent = words.length + 1;
	for (size_t i = 0; i < count; i++) {
		text_add(&words, " [");
		if (rows[i]->letter)
			text_add(&words, "-%c|", rows[i]->letter);
		text_add(&words, "--%s%s%s]", rows[i]->name, rows[i]->value ? "=" : "",
			 rows[i]->value ? rows[i]->value : "");
	}
	if (command->arguments)
		text_add(&words, " %s", command->arguments);
	if (words.data)
		add_wrapped(text, words.data, 0, indent);
	text->failed |= words.failed;
	text_free(&words);
}

const struct help_entry help_most_used[] = {
	{"fathom", "everything: a table and a report"},
	{"fathom --quick", "the same in 15 seconds"},
	{"fathom latency -o run.json", "the latency curve, as a document"},
	{"fathom fit curve.csv", "the levels in any tool's curve"},
	{"fathom compare a.json b.json", "whether two runs differ"},
	{"fathom check a.json", "measure again: what got slower"},
	{"fathom info", "what limits measurements here"},
	{0},
};

const struct help_entry help_exit_codes[] = {
	{"0", "ok"},
	{"1", "failed: the system refused something"},
	{"2", "usage"},
	{"3", "this machine cannot measure that; another fathom measures on it (--alone)"},
	{"4", "quality not good, or target missed (--strict); too disturbed to compare"},
	{"5", "bad input file"},
	{"6", "'compare' or 'check' found a difference, 'fleet' an outlier"},
	{"130", "interrupted, also by --deadline"},
	{0},
};

static void add_entries(struct text *text, const char *heading, const struct help_entry *entry,
			int width)
{
	text_add(text, "\n%s:\n", heading);
	for (; entry->name; entry++)
		text_add(text, "  %-*s%s\n", width, entry->name, entry->what);
}

static void help_overall(struct text *text)
{
	text_add(text, "Usage: fathom [COMMAND] [OPTION...]\nMeasures what memory really costs on "
		       "this machine.\n\nCommands:\n");
	for (size_t i = 0; command_list[i]; i++)
		text_add(text, "  %-14s%s%s\n", command_list[i]->name, command_list[i]->summary,
			 i ? "" : " (the default)");
	text_add(text, "  %-14s%s\n", "help", "the options of a command: 'fathom help latency'");
	add_entries(text, "Most used", help_most_used, 30);
	add_entries(text, "Exit codes", help_exit_codes, 5);
}

char *help_make(const struct command *command, enum options_show show)
{
	struct text text = {0};
	if (show == OPTIONS_SHOW_USAGE)
		help_usage(command ? command : command_list[0], &text);
	else if (command)
		help_command(command, &text);
	else
		help_overall(&text);
	return text_take(&text);
}
