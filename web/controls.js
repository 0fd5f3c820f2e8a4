// What a reader can switch: one of several, or on and off. All are form controls, so that keys and
// screen readers work as everywhere.

import {element, identifier} from './dom.js';

// options: [{value, label}]; calls change(value).
export function choice(label, options, value, change) {
	const name = identifier('choice');
	const inputs = options.map((option) => {
		const id = identifier('option');
		const input = element('input', {type: 'radio', name, id, value: option.value,
			checked: option.value === value});
		input.addEventListener('change', () => change(option.value));
		return [input, element('label', {for: id}, option.label)];
	});
	return element('fieldset', {class: 'choice'}, element('legend', {}, label), inputs);
}

export function toggle(label, checked, change) {
	const input = element('input', {type: 'checkbox', checked});
	input.addEventListener('change', () => change(input.checked));
	return element('label', {class: 'toggle'}, input, ' ', label);
}

export function button(label, press, attributes = {}) {
	const made = element('button', {type: 'button', ...attributes}, label);
	made.addEventListener('click', press);
	return made;
}

// The browser's own way to save a file; the data never leaves the machine.
export function save(name, type, text) {
	const url = URL.createObjectURL(new Blob([text], {type}));
	const link = element('a', {href: url, download: name});
	document.body.append(link);
	link.click();
	link.remove();
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
