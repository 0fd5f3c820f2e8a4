// The parts of the page, in their order: what the command shows of the result, by the names of its
// parts, or what a function makes. One that has nothing to show is not there.

import {download, measurement} from './details.js';
import {dots} from './fleet.js';
import {hasViews, viewsOf} from './views.js';

const shown = (id, title, ...ids) => ({id, title, has: (views) => hasViews(views, ids),
	make: (result, {views}) => viewsOf(views, ids)});
const warnings = shown('warnings', 'Warnings', 'warnings', 'missing', 'conditions');
const data = {id: 'download', title: 'Data', has: () => true, make: download};

const SECTIONS = [
	shown('levels', 'Levels', 'survey', 'levels'),
	shown('latency', 'Latency', 'latency', 'readings'),
	shown('settling', 'What caches keep', 'settling'),
	shown('cores', 'Core to core', 'cores'),
	shown('sharing', 'Shared caches', 'sharing'),
	shown('contention', 'Contention', 'contention'),
	shown('nodes', 'Memory of NUMA nodes', 'nodes'),
	shown('loaded', 'Latency under load', 'loaded'),
	shown('distribution', 'Single accesses', 'distribution'),
	shown('predictions', 'What data structures cost', 'predictions'),
	warnings,
	shown('overlap', 'Memory-level parallelism', 'overlap', 'lanes'),
	shown('bandwidth', 'Bandwidth', 'bandwidth'),
	shown('translation', 'Address translation', 'parts', 'pages', 'tlbs', 'walks', 'places'),
	shown('patterns', 'Orders and prefetch', 'patterns', 'orders', 'effects', 'laps'),
	shown('frequency', 'Core clock', 'frequency', 'clock-sizes'),
	shown('numbers', 'Numbers to know', 'numbers'),
	shown('models', 'Models tried', 'models'),
	shown('machine', 'Machine', 'machine'),
	{id: 'measurement', title: 'Measurement', has: () => true, make: measurement},
	data,
];

const FLEET = [
	shown('fleet', 'Fleet', 'fleet'),
	shown('outliers', 'Outliers', 'outliers', 'causes'),
	{id: 'dots', title: 'Every node', has: (views) => hasViews(views, ['usual']), make: dots},
	shown('changes', 'Changes', 'changes', 'vanished', 'appeared'),
	shown('groups', 'Groups', 'groups', 'usual'),
	shown('remarks', 'To look after', 'disturbed', 'missing', 'damaged', 'superseded'),
	warnings,
	data,
];

const COMPARISON = [shown('verdicts', 'Verdicts', 'verdicts'), warnings, data];

// Those that have something to show of it.
export function sectionsOf({result, views}) {
	return ({comparison: COMPARISON, fleet: FLEET}[result.kind] ?? SECTIONS)
		.filter((section) => section.has(views));
}
