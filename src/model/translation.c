#include "model/translation.h"

#include <stdlib.h>

static void free_one(struct fathom_translation *translation)
{
	for (size_t i = 0; i < translation->tlb_count; i++)
		free(translation->tlbs[i].evidence);
	for (size_t i = 0; i < translation->walk_count; i++) {
		free(translation->walks[i].level);
		free(translation->walks[i].evidence);
	}
	free(translation->tlbs);
	free(translation->walks);
	free(translation->splintered_evidence);
	free(translation->tlbs_missing);
	free(translation->walks_missing);
}

void translation_free(struct fathom_result *result)
{
	for (size_t i = 0; i < result->translation_count; i++)
		free_one(&result->translations[i]);
	for (size_t i = 0; i < result->decomposition_count; i++)
		free(result->decompositions[i].evidence);
	free(result->translations);
	free(result->page_differences);
	free(result->decompositions);
	result->translations = NULL;
	result->page_differences = NULL;
	result->decompositions = NULL;
	result->translation_count = 0;
	result->page_difference_count = 0;
	result->decomposition_count = 0;
}
