// The parts of the page, in their order. One that has nothing to show is not there. A new kind of
// result is a module with two functions, and a line here.

import {bandwidth, hasBandwidth} from './bandwidth.js';
import {speedups, verdicts} from './comparison.js';
import {download, hasMachine, hasWarnings, machine, measurement, warnings} from './details.js';
import {frequency, hasFrequency} from './frequency.js';
import {hasLatency, latency} from './latency.js';
import {levels} from './levels.js';
import {hasNumbers, numbers} from './numbers.js';
import {hasOverlap, overlap} from './overlap.js';
import {hasPatterns, patterns} from './patterns.js';
import {hasTranslation, translation} from './translation.js';

const SECTIONS = [
	{id: 'levels', title: 'Levels', has: (result) => result.levels?.length > 0, make: levels},
	{id: 'latency', title: 'Latency', has: hasLatency, make: latency},
	{id: 'warnings', title: 'Warnings', has: hasWarnings, make: warnings},
	{id: 'overlap', title: 'Overlap', has: hasOverlap, make: overlap},
	{id: 'bandwidth', title: 'Bandwidth', has: hasBandwidth, make: bandwidth},
	{id: 'translation', title: 'Address translation', has: hasTranslation, make: translation},
	{id: 'patterns', title: 'Orders and prefetch', has: hasPatterns, make: patterns},
	{id: 'frequency', title: 'Core clock', has: hasFrequency, make: frequency},
	{id: 'numbers', title: 'Numbers to know', has: hasNumbers, make: numbers},
	{id: 'machine', title: 'Machine', has: hasMachine, make: machine},
	{id: 'measurement', title: 'Measurement', has: () => true, make: measurement},
	{id: 'download', title: 'Data', has: () => true, make: download},
];

const COMPARISON = [
	{id: 'verdicts', title: 'Verdicts', has: () => true, make: verdicts},
	{id: 'speedups', title: 'Speed-up', has: (result) =>
		result.runs.some((run) => run.points.length > 0), make: speedups},
	{id: 'warnings', title: 'Warnings', has: hasWarnings, make: warnings},
	{id: 'download', title: 'Data', has: () => true, make: download},
];

// Those that have something to show of it.
export function sectionsOf(result) {
	return (result.kind === 'comparison' ? COMPARISON : SECTIONS)
		.filter((section) => section.has(result));
}
