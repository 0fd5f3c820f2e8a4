#include "kernels/loop_code.h"

#include <stdio.h>
#include <string.h>

#define NAME_BYTES 64
#define MOST_SHOWN 260 /* instructions: several rounds of the longest loop of lanes */

/* The functions that hold loops, by how they are named. */
static const char *const forms[] = {"chase_%s", "lines_%s", "portable_%s"};

const struct loop_code *loop_code_find(const struct kernel *kernel)
{
	bool portable = strcmp(kernel->isa, "portable") == 0;
	size_t count = sizeof(forms) / sizeof(*forms);
	for (size_t form = portable ? count - 1 : 0; form < count; form++) {
		char name[NAME_BYTES];
		snprintf(name, sizeof(name), forms[form], kernel->name);
		for (const struct loop_code *code = loop_codes; code->function; code++)
			if (strcmp(code->function, name) == 0)
				return code;
	}
	return NULL;
}

static void add_instructions(struct text *text, uint32_t first, unsigned count)
{
	unsigned shown = count < MOST_SHOWN ? count : MOST_SHOWN;
	for (unsigned i = 0; i < shown; i++) {
		const char *line = loop_code_texts[loop_code_order[first + i]];
		bool label = line[strlen(line) - 1] == ':';
		text_add(text, "%s%s\n", label ? "  " : "    ", line);
	}
	if (shown < count)
		text_add(text, "    (and %u more instructions, alike)\n", count - shown);
}

void loop_code_add(struct text *text, const struct loop_code *code)
{
	text_add(text, "  loop:\n");
	add_instructions(text, code->first, code->body);
	if (code->times > 1)
		text_add(text, "    (%s %u times in all)\n", code->body > 1 ? "these" : "this",
			 code->times);
	add_instructions(text, code->first + code->body, code->end);
}
