/* What structures are called. */
#include "fathom.h"
#include "model/predict/structure.h"

static const struct structure *structure_at(int number)
{
	for (int i = 0; structures[i]; i++)
		if (i == number)
			return structures[i];
	return NULL;
}

const char *fathom_predict_structure(int number)
{
	const struct structure *one = structure_at(number);
	return one ? one->name : NULL;
}

const char *fathom_predict_words(int number)
{
	const struct structure *one = structure_at(number);
	return one ? one->words : NULL;
}
