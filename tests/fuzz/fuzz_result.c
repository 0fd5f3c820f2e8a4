/* Whatever the text: a result that is read is whole, can be written in every format, and comes back
 * from its own JSON as it was. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fathom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static char *write_result(const struct fathom_result *result, const char *format, size_t *length)
{
	char *text = NULL;
	require(fathom_result_write(result, format, NULL, &text, length, NULL) == 0);
	return text;
}

static void check_curves(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		for (size_t k = 0; k < curve->point_count; k++) {
			uint64_t size_bytes = curve->points[k].spec.size_bytes;
			require(size_bytes > 0 && size_bytes <= INT64_MAX);
			require(k == 0 || size_bytes >= curve->points[k - 1].spec.size_bytes);
		}
	}
}

static void check_writing(const struct fathom_result *result)
{
	struct fathom_result *again = NULL;
	size_t first_length, second_length, length;
	char *first = write_result(result, "json", &first_length);
	require(fathom_result_read(first, first_length, NULL, &again, NULL) == 0);
	char *second = write_result(again, "json", &second_length);
	require(first_length == second_length && memcmp(first, second, first_length) == 0);
	free(write_result(result, "csv", &length));
	free(write_result(result, "text", &length));
	free(first);
	free(second);
	fathom_result_free(again);
}

static void try(const uint8_t *data, size_t size, const struct fathom_input *input)
{
	struct fathom_result *result = NULL;
	struct fathom_error error = {0};
	if (fathom_result_read((const char *)data, size, input, &result, &error)) {
		require(error.status == FATHOM_BAD_INPUT ||
			(input && error.status == FATHOM_USAGE));
		require(error.text && !result);
		fathom_error_clear(&error);
		return;
	}
	check_curves(result);
	check_writing(result);
	fathom_result_free(result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct fathom_input input = {"2,1", "K", "us"};
	try(data, size, NULL);
	try(data, size, &input);
	return 0;
}
