/* Prints a document made by hand in a format, for the tests that read what was written.
 *
 *     print_sample DOCUMENT FORMAT [COLUMNS [utf8|ascii [ns|cycles|throughput]]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/formats.h"
#include "samples.h"

static struct fathom_result *make_result(const char *name)
{
	if (strcmp(name, "result") == 0)
		return sample_result(20);
	if (strcmp(name, "empty-result") == 0)
		return sample_empty_result();
	if (strcmp(name, "poor-result") == 0)
		return sample_poor_result();
	if (strcmp(name, "hostile-result") == 0)
		return sample_hostile_result();
	if (strcmp(name, "levels-result") == 0)
		return sample_levels_result();
	if (strcmp(name, "foreign-result") == 0)
		return sample_foreign_result();
	if (strcmp(name, "cycles-result") == 0)
		return sample_cycles_result();
	if (strcmp(name, "parallelism-result") == 0)
		return sample_parallelism_result();
	if (strcmp(name, "cores-result") == 0)
		return sample_cores_result();
	if (strcmp(name, "clocks-result") == 0)
		return sample_clocks_result();
	if (strcmp(name, "pages-result") == 0)
		return sample_pages_result();
	return NULL;
}

static struct fathom_machine *make_machine(const char *name)
{
	if (strcmp(name, "machine") == 0)
		return sample_machine();
	if (strcmp(name, "unknown-machine") == 0)
		return sample_unknown_machine();
	if (strcmp(name, "hostile-machine") == 0)
		return sample_hostile_machine();
	return NULL;
}

static struct fathom_style make_style(int argc, char **argv)
{
	struct fathom_style style = {0};
	if (argc > 3)
		style.columns = (unsigned)atoi(argv[3]);
	style.utf8 = argc > 4 && strcmp(argv[4], "utf8") == 0;
	if (argc > 5)
		style.y = strcmp(argv[5], "cycles") == 0       ? FATHOM_Y_CYCLES
			  : strcmp(argv[5], "throughput") == 0 ? FATHOM_Y_THROUGHPUT
							       : FATHOM_Y_NS;
	return style;
}

int main(int argc, char **argv)
{
	const struct format *format = argc > 2 ? format_find(argv[2]) : NULL;
	if (!format)
		return 2;
	struct text text = {0};
	struct fathom_style style = make_style(argc, argv);
	struct fathom_result *result = make_result(argv[1]);
	struct fathom_machine *machine = make_machine(argv[1]);
	int failed = 1;
	if (result) {
		failed = format->write(&(struct content){CONTENT_RESULT, {.result = result}},
				       &style, &text, NULL);
		fathom_result_free(result);
	} else if (machine) {
		failed = format->write(&(struct content){CONTENT_MACHINE, {.machine = machine}},
				       &style, &text, NULL);
		fathom_machine_free(machine);
	} else if (strcmp(argv[1], "plan") == 0) {
		struct fathom_plan *plan = sample_plan();
		failed = format->write(&(struct content){CONTENT_PLAN, {.plan = plan}}, &style,
				       &text, NULL);
		fathom_plan_free(plan);
	}
	if (!failed)
		fwrite(text.data, 1, text.length, stdout);
	text_free(&text);
	return failed ? 1 : 0;
}
