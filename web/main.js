import {hasCharts} from './charts.js';
import {readData} from './data.js';
import {element} from './dom.js';
import {head} from './head.js';
import {sectionsOf} from './sections.js';
import {followSystem} from './theme.js';

function navigation(sections) {
	return element('nav', {'aria-label': 'Parts of the report'}, element('ul', {},
		sections.map(({id, title}) => element('li', {}, element('a', {href: `#${id}`}, title)))));
}

function main() {
	const data = readData();
	const {result} = data;
	const sections = sectionsOf(data);
	const compares = result.kind === 'comparison';
	const report = element('main', {id: 'report'});
	document.title = `fathom: ${compares || result.kind === 'fleet' ? result.kind
		: result.machine?.hostname ?? result.machine?.cpu_model ?? 'report'}`;
	document.getElementById('page').append(head(result, data), navigation(sections), report);
	if (!hasCharts())
		report.append(element('p', {role: 'note'}, 'This fathom was built without uPlot, because ' +
			'npm could not fetch it: tables take the place of charts.'));
	for (const {id, title, make} of sections)
		report.append(element('section', {id, 'aria-labelledby': `${id}-title`},
			element('h2', {id: `${id}-title`}, title),
			...[make(result, data)].flat(4).filter(Boolean)));
	followSystem();
}

main();
