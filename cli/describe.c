/* Prints the tables of commands and options as JSON: what the manual and the completions are made
 * of by the build (tools/manual.py). It is not installed. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"

#define MOST_TABLES 32

struct tables {
	const struct argp_option *items[MOST_TABLES];
	size_t count;
};

static void find_tables(const struct argp *argp, struct tables *tables)
{
	if (argp->options && tables->count < MOST_TABLES)
		tables->items[tables->count++] = argp->options;
	for (const struct argp_child *c = argp->children; c && c->argp; c++)
		find_tables(c->argp, tables);
}

static json_t *text_of(const char *text)
{
	return text ? json_string(text) : json_null();
}

static json_t *option(const struct argp_option *option)
{
	bool has_short = option->key > ' ' && option->key < 0x7F;
	return json_pack("{s:s, s:o, s:o, s:s}", "long", option->name, "short",
			 has_short ? json_sprintf("%c", option->key) : json_null(), "value",
			 text_of(option->arg), "doc", option->doc);
}

/* A group is told by its number: its heading may stand in another table than its options. */
static void add_group(const struct tables *tables, int group, json_t *groups)
{
	json_t *heading = json_null(), *options = json_array();
	for (size_t i = 0; i < tables->count; i++)
		for (const struct argp_option *o = tables->items[i]; o->name || o->key || o->doc;
		     o++) {
			if (o->group != group)
				continue;
			if (o->name) {
				json_array_append_new(options, option(o));
			} else {
				json_decref(heading); /* null, or the same words of another table */
				heading = json_string(o->doc);
			}
		}
	json_array_append_new(groups,
			      json_pack("{s:o, s:o}", "heading", heading, "options", options));
}

/* The next number after `group` that an option has; -1: there is none. */
static int next_group(const struct tables *tables, int group)
{
	int next = -1;
	for (size_t i = 0; i < tables->count; i++)
		for (const struct argp_option *o = tables->items[i]; o->name || o->key || o->doc;
		     o++)
			if (o->name && o->group > group && (next < 0 || o->group < next))
				next = o->group;
	return next;
}

static json_t *command(const struct command *command)
{
	struct tables tables = {0};
	json_t *groups = json_array();
	find_tables(command->argp, &tables);
	for (int group = next_group(&tables, -1); group >= 0; group = next_group(&tables, group))
		add_group(&tables, group, groups);
	return json_pack("{s:s, s:s, s:o, s:o, s:o}", "name", command->name, "summary",
			 command->summary, "arguments", text_of(command->argp->args_doc), "doc",
			 text_of(command->argp->doc), "groups", groups);
}

int main(void)
{
	size_t count;
	const struct command *commands = command_list(&count);
	json_t *list = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, command(&commands[i]));
	char *overall = arguments_help(NULL, OPTIONS_SHOW_HELP);
	json_t *document = json_pack("{s:s, s:o, s:o}", "version", FATHOM_VERSION, "overall",
				     text_of(overall), "commands", list);
	free(overall);
	int failed = !document || json_dumpf(document, stdout, JSON_INDENT(1)) || fflush(stdout);
	json_decref(document);
	return failed ? 1 : 0;
}
