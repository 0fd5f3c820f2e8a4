// Light or dark: as the system says, until the reader says otherwise. Paper is light. Charts are
// pictures in the colours of the moment, and so are told of a change.

export const LINES = 8;
const watchers = [];
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const root = document.documentElement;

function tell() {
	for (const watcher of watchers)
		watcher();
}

export function watchTheme(watcher) {
	watchers.push(watcher);
}

export function isDark() {
	return root.dataset.theme ? root.dataset.theme === 'dark' : systemDark.matches;
}

export function setTheme(name) {
	if (name === 'system')
		delete root.dataset.theme;
	else
		root.dataset.theme = name;
	tell();
}

function setPrint(on) {
	root.toggleAttribute('data-print', on);
	tell();
}

// The colours of page.css, as they are now.
export function colours() {
	const style = getComputedStyle(root);
	const colour = (name) => style.getPropertyValue(`--${name}`).trim();
	return {
		text: colour('text'), quiet: colour('quiet'), grid: colour('grid'), paper: colour('paper'),
		lines: Array.from({length: LINES}, (_, index) => colour(`line-${index + 1}`)),
	};
}

export function followSystem() {
	systemDark.addEventListener('change', tell);
	addEventListener('beforeprint', () => setPrint(true));
	addEventListener('afterprint', () => setPrint(false));
}
