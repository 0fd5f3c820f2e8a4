#include "render/formats.h"

#include <string.h>
#include <strings.h>

#include "render/writers.h"

#define ALL                                                                                        \
	{                                                                                          \
		true, true, true, true, true, true                                                 \
	}
#define RESULT                                                                                     \
	{                                                                                          \
		[CONTENT_RESULT] = true                                                            \
	}
#define OF_FLEETS                                                                                  \
	{                                                                                          \
		[CONTENT_RESULT] = true, [CONTENT_FLEET] = true                                    \
	}
#define OF_PAGES                                                                                   \
	{                                                                                          \
		[CONTENT_RESULT] = true, [CONTENT_COMPARISON] = true, [CONTENT_FLEET] = true       \
	}
#define OF_RUNS                                                                                    \
	{                                                                                          \
		[CONTENT_RESULT] = true, [CONTENT_COMPARISON] = true                               \
	}

static const struct format formats[] = {
	{"text", ".txt", false, ALL, text_write},
	{"json", ".json", false, ALL, json_write},
	{"csv", ".csv", false, OF_RUNS, csv_write},
	{"html", ".html", true, OF_PAGES, html_write},
	{"markdown", ".md", false, OF_FLEETS, markdown_write},
	{"gnuplot", ".gp", false, RESULT, gnuplot_write},
	{"prometheus", ".prom", false, OF_FLEETS, prometheus_write},
	{"benchmark", NULL, false, RESULT, benchmark_write},
	{"hwloc", NULL, false, RESULT, hwloc_write},
	{"hgrm", ".hgrm", false, RESULT, hgrm_write},
};
#define FORMAT_COUNT (sizeof(formats) / sizeof(*formats))

const struct format *format_find(const char *name)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

static const char *format_of(enum content_kind kind, int number)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (formats[i].holds[kind] && number-- == 0)
			return formats[i].name;
	return NULL;
}

const char *fathom_result_format(int number)
{
	return format_of(CONTENT_RESULT, number);
}

const char *fathom_plan_format(int number)
{
	return format_of(CONTENT_PLAN, number);
}

const char *fathom_machine_format(int number)
{
	return format_of(CONTENT_MACHINE, number);
}

const char *fathom_comparison_format(int number)
{
	return format_of(CONTENT_COMPARISON, number);
}

const char *fathom_fleet_format(int number)
{
	return format_of(CONTENT_FLEET, number);
}

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
