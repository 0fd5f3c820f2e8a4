#include "model/predict/lacking.h"

#include <math.h>

#include "base/units.h"
#include "base/warnings.h"

/* Other guests may take lines of a cache that cores share; a host's own programs are in sight. */
static bool lacks_settled(const struct costs *costs, const struct fathom_machine *machine,
			  double size_bytes)
{
	return machine && machine->hypervisor && !costs->settled.count &&
	       costs_is_shared(costs, size_bytes / costs->line_bytes);
}

int lacking_warn(const struct costs *costs, struct fathom_result *result)
{
	double most = 0;
	char size[UNITS_TEXT_BYTES];
	for (size_t i = 0; i < result->prediction_count; i++)
		most = fmax(most, (double)result->predictions[i].size_bytes);
	if (lacks_settled(costs, result->machine, most) &&
	    warnings_add(
		    &result->warnings, "predict-settled", NULL,
		    "'fathom latency --settled -o FILE' measures it, and '--with FILE' adds it",
		    "what neighbours take of the last cache is not known: past L2 it may be "
		    "slower"))
		return -1;
	units_format_size((uint64_t)costs->most_bytes, size);
	if (most > 1.5 * costs->most_bytes &&
	    warnings_add(&result->warnings, "predict-beyond", NULL,
			 "measure larger sizes with 'fathom latency --max-size'",
			 "the latency curve ends at %s: larger structures are taken to cost no "
			 "more",
			 size))
		return -1;
	return costs->translation.count
		       ? 0
		       : warnings_add(
				 &result->warnings, "predict-translation", NULL,
				 "'fathom pages', or a survey, measures it",
				 "what translation costs is not known apart: structures that go "
				 "to one line a page are predicted too cheap at large sizes");
}

void lacking_forget(struct fathom_warnings *warnings)
{
	static const char *const ids[] = {
		"predict-beyond", "predict-translation", "predict-settled",
		"predict-clock",  "predict-not-run",     "predict-machine",
		"predict-pages",  "predict-now",         "predict-disturbed"};
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		warnings_remove(warnings, ids[i]);
}
