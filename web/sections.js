// The parts of the page, in their order. One that has nothing to show is not there. A new kind of
// result is a module with two functions, and a line here.

import {bandwidth, hasBandwidth} from './bandwidth.js';
import {clocks, hasClocks} from './clocks.js';
import {hasSpeedups, speedups} from './comparison.js';
import {download, measurement} from './details.js';
import {hasLatency, latency} from './latency.js';
import {hasOverlap, overlap} from './overlap.js';
import {hasPatterns, patterns} from './patterns.js';
import {hasTranslation, translation} from './translation.js';
import {hasViews, viewsOf} from './views.js';

// A section that is what the command shows, and nothing else.
const shown = (id, title, ...ids) => ({id, title, has: (result, {views}) => hasViews(views, ids),
	make: (result, {views}) => viewsOf(views, ids)});
const warnings = shown('warnings', 'Warnings', 'warnings', 'missing', 'conditions');

const SECTIONS = [
	shown('levels', 'Levels', 'survey', 'levels'),
	{id: 'latency', title: 'Latency', has: hasLatency, make: latency},
	warnings,
	{id: 'overlap', title: 'Memory-level parallelism', has: hasOverlap, make: overlap},
	{id: 'bandwidth', title: 'Bandwidth', has: hasBandwidth, make: bandwidth},
	{id: 'translation', title: 'Address translation', has: hasTranslation, make: translation},
	{id: 'patterns', title: 'Orders and prefetch', has: hasPatterns, make: patterns},
	{id: 'frequency', title: 'Core clock', has: hasClocks, make: clocks},
	shown('numbers', 'Numbers to know', 'numbers'),
	shown('machine', 'Machine', 'machine'),
	{id: 'measurement', title: 'Measurement', has: () => true, make: measurement},
	{id: 'download', title: 'Data', has: () => true, make: download},
];

const COMPARISON = [
	shown('verdicts', 'Verdicts', 'verdicts'),
	{id: 'speedups', title: 'Speed-up', has: hasSpeedups, make: speedups},
	warnings,
	{id: 'download', title: 'Data', has: () => true, make: download},
];

// Those that have something to show of it.
export function sectionsOf(data) {
	return (data.result.kind === 'comparison' ? COMPARISON : SECTIONS)
		.filter((section) => section.has(data.result, data));
}
