#include "render/formats.h"

#include <string.h>
#include <strings.h>

#include "document/document.h"
#include "render/writers.h"

static const struct format formats[] = {
	{"text", ".txt", false, text_write_result, text_write_plan, text_write_survey,
	 text_write_machine, text_write_comparison},
	{"json", ".json", false, json_write_result, json_write_plan, json_write_survey,
	 json_write_machine, json_write_comparison},
	{"csv", ".csv", false, csv_write_result, NULL, NULL, NULL, csv_write_comparison},
	{"html", ".html", true, html_write_result, NULL, NULL, NULL, html_write_comparison},
	{"markdown", ".md", false, markdown_write_result, NULL, NULL, NULL, NULL},
	{"gnuplot", ".gp", false, gnuplot_write_result, NULL, NULL, NULL, NULL},
	{"prometheus", ".prom", false, prometheus_write_result, NULL, NULL, NULL, NULL},
	{"benchmark", NULL, false, benchmark_write_result, NULL, NULL, NULL, NULL},
};
#define FORMAT_COUNT (sizeof(formats) / sizeof(*formats))

const struct format *format_find(const char *name)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

#define FORMATS_OF(content)                                                                        \
	const char *format_of_##content(int number)                                                \
	{                                                                                          \
		for (size_t i = 0; i < FORMAT_COUNT; i++)                                          \
			if (formats[i].content && number-- == 0)                                   \
				return formats[i].name;                                            \
		return NULL;                                                                       \
	}

FORMATS_OF(result)
FORMATS_OF(plan)
FORMATS_OF(machine)
FORMATS_OF(comparison)

const char *fathom_format_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path;
	const char *dot = strrchr(file, '.');
	if (!dot || dot == file) /* ".json" alone is a hidden file's name */
		return NULL;
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (formats[i].extension && strcasecmp(formats[i].extension, dot) == 0)
			return formats[i].name;
	return NULL;
}
