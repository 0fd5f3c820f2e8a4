// Elements from data. Text becomes text nodes and never markup: nothing here parses HTML.

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes))
		if (value !== null && value !== undefined && value !== false)
			node.setAttribute(name, value === true ? '' : String(value));
	node.append(...children.flat(3).filter((child) => child !== null && child !== undefined &&
		child !== false));
	return node;
}

export function element(name, attributes = {}, ...children) {
	return fill(document.createElement(name), attributes, children);
}

export function drawing(name, attributes = {}, ...children) {
	return fill(document.createElementNS(SVG, name), attributes, children);
}

let identifiers = 0;

export function identifier(prefix) {
	identifiers += 1;
	return `${prefix}-${identifiers}`;
}
