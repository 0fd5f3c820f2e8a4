#include "accuracy_documents.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"

#define CORE_CACHES       2
#define TLBS              2
#define CACHE_TOLERANCE   0.30
#define ENTRIES_TOLERANCE 0.15
#define MOST_SWEEPS       64

struct documented {
	char file[64];
	double core_bytes[CORE_CACHES]; /* caches of one core */
	double last_bytes;              /* of which a guest has a share that is not known */
	double tlb_entries[TLBS];
};

struct totals {
	char kinds[MOST_SWEEPS][16]; /* of the levels of each sweep, a letter each */
	size_t sweeps;
	size_t documents, caches_wanted, caches_found, false_caches;
	size_t tlbs_wanted, tlbs_found, false_tlbs;
};

static int read_documented(FILE *file, struct documented *documented, struct fathom_error *error)
{
	int found = fscanf(file,
			   " %63[^,],\"%*[^\"]\",\"%*[^\"]\",%lf,%*[^,],%lf,%*[^,],%lf,%*[^,],%lf,"
			   "%lf,%*[^\n]",
			   documented->file, &documented->core_bytes[0], &documented->core_bytes[1],
			   &documented->last_bytes, &documented->tlb_entries[0],
			   &documented->tlb_entries[1]);
	if (found == EOF)
		return 0;
	return found == 6 ? 1
			  : error_set(error, FATHOM_BAD_INPUT, NULL,
				      "a line of the documents' truth is damaged");
}

static int read_result(const char *name, struct fathom_result **result, struct fathom_error *error)
{
	struct text path = {0}, content = {0};
	char part[65536];
	size_t got;
	text_add(&path, "%s/%s", DOCUMENTS, name);
	FILE *file = path.data ? fopen(path.data, "r") : NULL;
	text_free(&path);
	if (!file)
		return error_set(error, FATHOM_FAILED, NULL, "'%s' cannot be read", name);
	while ((got = fread(part, 1, sizeof(part), file)) > 0)
		text_add_bytes(&content, part, got);
	fclose(file);
	int status = content.data
			     ? fathom_result_read(content.data, content.length, NULL, result, error)
			     : error_no_memory(error);
	text_free(&content);
	return status;
}

/* ---- judging ---- */

static bool near(double found, double truth, double tolerance)
{
	return fabs(found / truth - 1) <= tolerance;
}

static bool is_cache(const struct fathom_level *level)
{
	return level->kind == FATHOM_LEVEL_CACHE && isfinite(level->size_bytes);
}

/* The caches of a core, and any one share of the last. */
static void judge_caches(const struct documented *documented, const struct fathom_result *result,
			 struct totals *totals)
{
	bool found[CORE_CACHES + 1] = {false};
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		size_t which = 0;
		if (!is_cache(level))
			continue;
		while (which < CORE_CACHES &&
		       !near(level->size_bytes, documented->core_bytes[which], CACHE_TOLERANCE))
			which++;
		bool possible = which < CORE_CACHES ||
				(level->size_bytes > documented->core_bytes[CORE_CACHES - 1] &&
				 level->size_bytes < documented->last_bytes);
		totals->false_caches += !possible || found[which];
		found[which] = found[which] || possible;
	}
	totals->caches_wanted += CORE_CACHES + 1;
	for (size_t i = 0; i <= CORE_CACHES; i++)
		totals->caches_found += found[i];
}

static void judge_tlbs(const struct documented *documented, const struct fathom_result *result,
		       struct totals *totals)
{
	bool found[TLBS] = {false};
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		size_t which = 0;
		if (level->kind != FATHOM_LEVEL_TLB || !isfinite(level->entries))
			continue;
		while (which < TLBS &&
		       !near(level->entries, documented->tlb_entries[which], ENTRIES_TOLERANCE))
			which++;
		totals->false_tlbs += which == TLBS || found[which];
		if (which < TLBS)
			found[which] = true;
	}
	totals->tlbs_wanted += TLBS;
	totals->tlbs_found += (size_t)found[0] + found[1];
}

static void judge(const struct documented *documented, const struct fathom_result *result,
		  struct totals *totals)
{
	static const char letters[FATHOM_LEVEL_KIND_COUNT] = {'c', 't', 'm', 'u'};
	totals->documents++;
	judge_caches(documented, result, totals);
	judge_tlbs(documented, result, totals);
	if (result->survey || totals->sweeps == MOST_SWEEPS)
		return;
	char *kinds = totals->kinds[totals->sweeps++];
	for (size_t i = 0; i < result->level_count && i + 1 < sizeof(totals->kinds[0]); i++)
		kinds[i] = letters[result->levels[i].kind];
}

/* ---- printing ---- */

static void print_levels(const char *name, const struct fathom_result *result)
{
	printf("  %-40s", name);
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		char size[UNITS_TEXT_BYTES] = "";
		if (isfinite(level->size_bytes))
			units_format_size((uint64_t)level->size_bytes, size);
		printf("%s%s%s%s", i ? ", " : "", level->name, *size ? " " : "", size);
		if (level->kind == FATHOM_LEVEL_TLB && isfinite(level->entries))
			printf(" (%.0f entries)", level->entries);
	}
	printf("\n");
}

static void print_totals(const struct totals *totals)
{
	size_t most = 0;
	for (size_t i = 0; i < totals->sweeps; i++) {
		size_t alike = 0;
		for (size_t k = 0; k < totals->sweeps; k++)
			alike += strcmp(totals->kinds[i], totals->kinds[k]) == 0;
		most = alike > most ? alike : most;
	}
	printf("\n  sweeps with the same number and kinds of levels    %zu of %zu\n", most,
	       totals->sweeps);
	printf("  caches found (L1, L2, a share of L3)               %zu of %zu, %zu false\n",
	       totals->caches_found, totals->caches_wanted, totals->false_caches);
	printf("  TLBs found, entries within %.0f %%                    %zu of %zu, %zu false\n",
	       ENTRIES_TOLERANCE * 100, totals->tlbs_found, totals->tlbs_wanted,
	       totals->false_tlbs);
}

static int fit_one(const struct documented *documented, struct totals *totals,
		   struct fathom_error *error)
{
	struct fathom_result *result = NULL;
	int status = read_result(documented->file, &result, error);
	if (!status)
		status = fathom_fit(result, NULL, error);
	if (!status) {
		print_levels(documented->file, result);
		judge(documented, result, totals);
	}
	fathom_result_free(result);
	return status;
}

int accuracy_documents(struct fathom_error *error)
{
	struct totals totals = {0};
	struct documented documented;
	int status;
	FILE *file = fopen(DOCUMENTS "/truth.csv", "r");
	if (!file)
		return error_set(error, FATHOM_FAILED, NULL, "'%s' cannot be read",
				 DOCUMENTS "/truth.csv");
	for (int c = 0; c != '\n' && c != EOF;)
		c = fgetc(file);
	while ((status = read_documented(file, &documented, error)) == 1)
		if (fit_one(&documented, &totals, error)) {
			fclose(file);
			return -1;
		}
	fclose(file);
	print_totals(&totals);
	return status;
}
