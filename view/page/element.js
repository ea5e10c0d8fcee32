// Elements of the page in one line: make('button', {class: 'on', title: '...'}, 'text', child).

export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== 'list') element[key] = value;
    else if (value !== false && value !== undefined) element.setAttribute(key === 'class' ? 'class' : key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// Signs of buttons, drawn in a square of 16.
const ICONS = {
  play: 'M4 2.5v11l9-5.5z', pause: 'M4 2.5h3v11H4zM9 2.5h3v11H9z', restart: 'M3 2.5h2v11H3zM13 2.5v11L6 8z',
  back: 'M11 3v10L5 8z', step: 'M5 3v10l6-5z', record: 'M8 3a5 5 0 100 10A5 5 0 008 3z',
  fit: 'M2 2h5v2H4v3H2zM9 2h5v5h-2V4H9zM2 9h2v3h3v2H2zM12 9h2v5H9v-2h3z', home: 'M8 2l6.5 6H13v6H9.5v-4h-3v4H3V8H1.500z',
  picture: 'M2 3h12v10H2zM3.500 11.500h9l-3-4-2.200 2.700L5.600 8.500zM5.500 5a1.200 1.200 0 100 2.400 1.200 1.200 0 000-2.400z',
  menu: 'M2 3.500h12v1.600H2zM2 7.200h12v1.600H2zM2 10.900h12v1.600H2z', close: 'M3 4.200L4.200 3 8 6.800 11.800 3 13 4.200 9.200 8l3.800 3.800-1.200 1.200L8 9.200 4.200 13 3 11.800 6.800 8z',
};

export function icon(name) {
  const space = 'http://www.w3.org/2000/svg', svg = document.createElementNS(space, 'svg');
  const path = document.createElementNS(space, 'path');
  for (const [key, value] of [['viewBox', '0 0 16 16'], ['width', 16], ['height', 16], ['fill', 'currentColor'], ['fill-rule', 'evenodd'], ['aria-hidden', 'true']])
    svg.setAttribute(key, value);
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

// A number for people: as many digits as say something.
export function shown(value, digits = 5) {
  if (typeof value !== 'number') return value === '' ? '–' : String(value);
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(3).replace(/\.?0+e/, 'e').replace('e+', 'e');
  return String(Number(value.toPrecision(digits)));
}
