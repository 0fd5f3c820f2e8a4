#include "model/checks/intervals.h"

#include <string.h>

#include "base/text.h"
#include "document/table.h"

struct walk {
	interval_visit *visit;
	void *context;
};

static void *member_of(void *object, const struct field *field)
{
	return (char *)object + field->offset;
}

static bool is_number(const struct field *field, const char *doc)
{
	return (field->type == FIELD_NUMBER || field->type == FIELD_FITTED) &&
	       (!doc || strcmp(field->doc, doc) == 0);
}

static bool has_bounds(const struct field *field, size_t left)
{
	return left > 2 && is_number(field, NULL) && is_number(&field[1], DOC_LOW) &&
	       is_number(&field[2], DOC_HIGH);
}

static bool visit_object(const struct walk *walk, const struct table *table, void *object,
			 const struct interval_place *place);

/* The items of a list, the named ones of an array, or an object alone. */
static bool visit_inside(const struct walk *walk, const struct field *field, void *object,
			 const struct interval_place *place)
{
	bool list = field->type == FIELD_LIST, named = field->type == FIELD_BY_NAME;
	char *items = list ? *(char **)member_of(object, field) : member_of(object, field);
	size_t count = list ? field_count(field, object) : named ? field->length : 1;
	for (size_t i = 0; i < count; i++) {
		struct interval_place of = {place, field->name, list ? i : INTERVAL_NO_INDEX};
		struct interval_place one = {&of, named ? field->name_of((int)i) : NULL,
					     INTERVAL_NO_INDEX};
		if (visit_object(walk, field->of, items + i * field->of->size,
				 field->type == FIELD_MEMBERS ? place
				 : named                      ? &one
							      : &of))
			return true;
	}
	return false;
}

/* As deep as the tables are. */
static bool visit_object(const struct walk *walk, const struct table *table, void *object,
			 const struct interval_place *place)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];
		bool inside =
			field->of && (field->type == FIELD_LIST || field->type == FIELD_OBJECT ||
				      field->type == FIELD_MEMBERS || field->type == FIELD_BY_NAME);
		if (inside && visit_inside(walk, field, object, place))
			return true;
		if (has_bounds(field, table->count - i) &&
		    walk->visit(walk->context, place, field->name, member_of(object, field),
				member_of(object, &field[1]), member_of(object, &field[2])))
			return true;
	}
	return false;
}

bool intervals_each(struct fathom_result *result, interval_visit *visit, void *context)
{
	const struct walk walk = {visit, context};
	return visit_object(&walk, &result_table, result, NULL);
}

static void add_place(struct text *path, const struct interval_place *place)
{
	if (!place)
		return;
	add_place(path, place->outer);
	text_add(path, "%s", place->name);
	if (place->index != INTERVAL_NO_INDEX)
		text_add(path, "[%zu]", place->index);
	text_add(path, ".");
}

char *intervals_path(const struct interval_place *place, const char *field)
{
	struct text path = {0};
	add_place(&path, place);
	text_add(&path, "%s", field);
	return text_take(&path);
}
