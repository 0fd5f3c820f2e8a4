/* The writers of the table in formats.c, beside those of document/document.h. */
#pragma once

#include "document/document.h"

content_writer text_write; /* every kind */
/* Results and comparisons: one file that shows it and asks the network for nothing. */
content_writer html_write;
/* Results. */
content_writer markdown_write, prometheus_write, benchmark_write, gnuplot_write, hwloc_write,
	hgrm_write;
