/* Objects and arrays inside an object of a document. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "document/read_fields.h"

/* Takes `path` over. */
static int read_member(const struct place *place, json_t *object, char *path,
		       int (*read)(const struct place *place, void *target), void *target)
{
	struct place inner = {object, path, place->error};
	int failed = path ? read(&inner, target) : error_no_memory(place->error);
	free(path);
	return failed;
}

int fields_read_object(const struct place *place, const char *name,
		       int (*read)(const struct place *place, void *target), void *target)
{
	json_t *object = json_object_get(place->object, name);
	if (!object || json_is_null(object))
		return 0;
	if (!json_is_object(object))
		return fields_refuse(place, name, "is not an object");
	return read_member(place, object, text_format("%s%s.", place->path, name), read, target);
}

/* NULL and 0: there is none. */
static int find_array(const struct place *place, const char *name, json_t **array, size_t *count)
{
	*array = json_object_get(place->object, name);
	if (json_is_null(*array))
		*array = NULL;
	if (*array && !json_is_array(*array))
		return fields_refuse(place, name, "is not an array");
	*count = json_array_size(*array);
	return 0;
}

int fields_read_array(const struct place *place, const char *name, size_t item_bytes,
		      int (*read)(const struct place *place, void *item), void **items,
		      size_t *count)
{
	json_t *array;
	size_t wanted = 0;
	if (find_array(place, name, &array, &wanted))
		return -1;
	if (wanted == 0)
		return 0;
	*items = calloc(wanted, item_bytes);
	if (!*items)
		return error_no_memory(place->error);
	for (size_t i = 0; i < wanted; i++) {
		json_t *object = json_array_get(array, i);
		if (!json_is_object(object))
			return fields_refuse(place, name, "holds what is not an object");
		++*count; /* a part of it is to be freed, too */
		if (read_member(place, object, text_format("%s%s[%zu].", place->path, name, i),
				read, (char *)*items + i * item_bytes))
			return -1;
	}
	return 0;
}

int fields_read_numbers(const struct place *place, const char *name, double **numbers,
			size_t *count)
{
	json_t *array;
	size_t wanted = 0;
	if (find_array(place, name, &array, &wanted))
		return -1;
	if (wanted == 0)
		return 0;
	double *made = calloc(wanted, sizeof(*made));
	if (!made)
		return error_no_memory(place->error);
	for (size_t i = 0; i < wanted; i++) {
		const json_t *json = json_array_get(array, i);
		const char *wrong = json_is_null(json) ? NULL : fields_take_number(json, &made[i]);
		if (wrong) {
			free(made);
			return error_set(place->error, FATHOM_BAD_INPUT, NULL,
					 "'%s%s' holds what %s", place->path, name, wrong);
		}
		if (json_is_null(json))
			made[i] = NAN;
	}
	*numbers = made;
	*count = wanted;
	return 0;
}
