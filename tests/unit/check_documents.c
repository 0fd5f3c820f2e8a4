/* Reads documents of fathom's own and tells what in them does not hold: that each invariant of a
 * result does, that it is written again as it was read, and that fitting it anew changes nothing.
 *
 *     check_documents [--made-by-hand] FILE...      a line for each that is wrong; exit 1 if any is
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fathom.h"
#include "model/checks/invariants.h"

#define PRODUCT_SHARE 0.005

static char *read_file(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	struct text text = {0};
	char part[65536];
	if (!file)
		return NULL;
	for (size_t count; (count = fread(part, 1, sizeof(part), file)) > 0;)
		text_add_bytes(&text, part, count);
	fclose(file);
	*length = text.length;
	return text_take(&text);
}

static int complain(const char *path, const char *what, const char *text)
{
	printf("%s: %s: %s\n", path, what, text ? text : "");
	return 1;
}

static int complain_of(const char *path, const char *what, struct fathom_error *error)
{
	complain(path, what, error->text);
	fathom_error_clear(error);
	return 1;
}

/* The first line in which the two differ. */
static int compare(const char *path, const char *what, const char *before, const char *after)
{
	const char *line = before;
	size_t i = 0;
	for (; before[i] && before[i] == after[i]; i++)
		if (before[i] == '\n')
			line = before + i + 1;
	if (before[i] == after[i])
		return 0;
	printf("%s: %s: '%.*s' at byte %zu of\n%.*s\n", path, what, 40, after + i, i,
	       (int)strcspn(line, "\n"), line);
	return 1;
}

static int check_written(const struct fathom_result *result, const char *path, const char *what,
			 const char *before)
{
	struct fathom_error error = {0};
	char *after = NULL;
	size_t length = 0;
	if (fathom_result_write(result, "json", NULL, &after, &length, &error))
		return complain_of(path, what, &error);
	int wrong = compare(path, what, before, after);
	free(after);
	return wrong;
}

/* Of what this version measures: one is computed of the other. */
static int check_product(const char *path, const struct fathom_point *point, double cycles,
			 double ns)
{
	double taken_off_ns = point->overhead_ns > 0 ? point->overhead_ns : 0;
	double by_clock = point->clock_hz * 1e-9;
	if (!(fabs(cycles - ns * by_clock) > PRODUCT_SHARE * (fabs(ns) + taken_off_ns) * by_clock))
		return 0;
	printf("%s: %llu bytes: %.9g cycles are not %.9g ns at %.9g GHz\n", path,
	       (unsigned long long)point->spec.size_bytes, cycles, ns, by_clock);
	return 1;
}

static int check_products(const char *path, const struct fathom_result *result)
{
	int wrong = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; !result->curves[i].tool && k < result->curves[i].point_count;
		     k++) {
			const struct fathom_point *at = &result->curves[i].points[k];
			wrong |= check_product(path, at, at->latency_cycles, at->latency_ns) |
				 check_product(path, at, at->cycles_per_access, at->ns_per_access);
		}
	return wrong;
}

static int check_result(struct fathom_result *result, const char *path, const char *before,
			bool by_hand)
{
	struct fathom_error error = {0};
	int wrong = check_products(path, result);
	for (size_t i = 0; i < result->warnings.count; i++)
		if (strcmp(result->warnings.items[i].id, "contradiction") == 0)
			wrong |= complain(path, "contradiction", result->warnings.items[i].where);
	if (by_hand)
		return wrong;
	wrong |= check_written(result, path, "changes when it is read", before);
	if (result->clock_count)
		return wrong;
	if (fathom_fit(result, NULL, &error) || invariants_verify(result, &error))
		return complain_of(path, "does not hold when fitted again", &error);
	return wrong | check_written(result, path, "changes when it is fitted again", before);
}

static int check_file(const char *path, bool by_hand)
{
	struct fathom_error error = {0};
	struct fathom_result *result;
	size_t length = 0;
	char *text = read_file(path, &length);
	if (!text)
		return complain(path, "cannot be opened", "");
	int wrong = fathom_result_read(text, length, NULL, &result, &error);
	if (wrong) {
		complain_of(path, "is refused", &error);
	} else {
		wrong = check_result(result, path, text, by_hand);
		fathom_result_free(result);
	}
	free(text);
	return wrong;
}

int main(int argc, char **argv)
{
	int wrong = argc < 2;
	bool by_hand = false;
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--made-by-hand") == 0)
			by_hand = true;
		else if (check_file(argv[i], by_hand))
			wrong = 1;
	return wrong;
}
