#include <math.h>
#include <string.h>

#include "model/fleet/fleet_numbers.h"
#include "views/fleet/fleet.h"
#include "views/rounding.h"

#define LETTERS      26
#define MOST_LETTERS 6   /* of a name: 321,272,406 groups */
#define SPREADS      8.0 /* standard deviations */
#define LEAST        0.02
#define MOST_BYTES   0x1p63 /* of a size that is shown */

struct rounded fleet_group_name(size_t group)
{
	char last_first[MOST_LETTERS];
	struct rounded name = {{0}};
	size_t count = 0;
	for (size_t rest = group + 1; rest > 0 && count < MOST_LETTERS; rest = (rest - 1) / LETTERS)
		last_first[count++] = (char)('A' + (rest - 1) % LETTERS);
	for (size_t i = 0; i < count; i++)
		name.text[i] = last_first[count - 1 - i];
	return name;
}

void fleet_add_value(struct text *text, double value, const char *unit)
{
	static const struct {
		const char *unit, *shown;
		double times;
	} units[] = {{"Hz", " GHz", 1e-9}, {"bytes/s", " GB/s", 1e-9}};
	if (!isfinite(value)) {
		text_add(text, "-");
		return;
	}
	if (unit && strcmp(unit, "bytes") == 0) {
		text_add(text, "%s",
			 value < 0 ? "-" : rounding_size((uint64_t)fmin(value, MOST_BYTES)).text);
		return;
	}
	for (size_t i = 0; unit && i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(unit, units[i].unit) != 0)
			continue;
		text_add(text, "%s%s", rounding_number(value * units[i].times).text,
			 units[i].shown);
		return;
	}
	text_add(text, "%s%s%s", rounding_number(value).text, unit && *unit ? " " : "",
		 unit ? unit : "");
}

void fleet_add_words(struct text *text, const struct fathom_fleet *fleet, size_t group,
		     const char *name)
{
	const struct fathom_fleet_group *of =
		group < fleet->group_count ? &fleet->groups[group] : NULL;
	for (size_t i = 0; name && of && i < of->number_count; i++)
		if (of->numbers[i].name && strcmp(of->numbers[i].name, name) == 0) {
			text_add(text, "%s", view_known(of->numbers[i].words));
			return;
		}
	for (int i = 0; name && i < FLEET_SETTINGS; i++)
		if (strcmp(fleet_settings[i].name, name) == 0) {
			text_add(text, "%s", fleet_settings[i].words);
			return;
		}
	for (const char *c = view_known(name); *c; c++)
		text_add(text, "%c", *c == '_' ? ' ' : *c);
}

void fleet_add_share(struct text *text, double share)
{
	if (isfinite(share))
		text_add(text, "%s%s", share < 0 ? "\u2212" : "+",
			 rounding_percent(fabs(share)).text);
	else
		text_add(text, "-");
}

void fleet_view_left_out(struct view *view, size_t count)
{
	if (count)
		view_say(view, VIEW_NOTE, "and %zu more: --all shows %s", count,
			 count == 1 ? "it" : "them");
}

double fleet_reach(const struct fathom_fleet *fleet, size_t group, size_t number)
{
	const struct fathom_fleet_number *of = &fleet->groups[group].numbers[number];
	double most = fmax(LEAST, SPREADS * of->spread), reach = LEAST;
	for (size_t i = 0; i < fleet->node_count; i++)
		if (fleet->nodes[i].group == group && isfinite(fleet->nodes[i].values[number]))
			reach = fmax(reach, fabs(fleet->nodes[i].values[number] / of->centre - 1));
	return fmin(reach, most);
}
