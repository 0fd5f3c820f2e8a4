/* The artefact of a line with a fixed home: all pairs exchange a line that lives in the memory of
 * one node, so that the pairs of another node read as far as those between the nodes. */
#pragma once

#include <stdbool.h>

#include "model/cores/core_levels.h"

/* Of a class whose groups are one half of the CPUs, joined, and the other half in as many pieces as
 * that was joined of: no machine is built so. Joins the other half too, so that its pairs are of
 * the class that they are of by symmetry, and gives the number of the class and the first CPU of
 * the half where the home is. false: there is none. */
bool core_home_repair(struct core_levels *levels, size_t *class, size_t *home);
