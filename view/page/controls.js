// Sliders from parameter tables: groups of items with key, name, type, value, min, max, unit and
// what it means, which shows on hover.

import {make, shown} from './element.js';

const WAIT = 120; // ms that a slider rests before what it says is asked for

// A range for a slider: the table's where it is one that a hand can use, else around the value.
export function rangeOf({value, fallback, min = -Infinity, max = Infinity, type}) {
  const base = Math.abs(value) || Math.abs(typeof fallback === 'number' ? fallback : 0) || 1;
  const usable = max - min > 0 && max - min <= 1000 * base;
  let low = usable ? Number(min) : value < 0 ? -4 * base : 0, high = usable ? Number(max) : 4 * base;
  low = Math.max(low, Number(min)), high = Math.min(high, Number(max));
  const whole = type === 'count';
  return {low, high, step: whole ? 1 : Number(((high - low) / 400).toPrecision(1)) || 'any'};
}

const title = ({doc, unit, key, min, max, live}) => [
  doc, unit && `unit: ${unit}`, Number.isFinite(min) && Number.isFinite(max) ? `from ${shown(min)} to ${shown(max)}` : null,
  key, live ? 'changes the running world' : 'starts anew',
].filter(Boolean).join('\n');

export class Controls {
  // ask: {set(key, text), unset()}
  constructor(element, ask) {
    this.element = element, this.ask = ask, this.inputs = new Map(), this.open = new Map(), this.shape = '';
    this.timers = new Map();
  }

  // Values come back from elsewhere; what is being changed here is left alone.
  update({groups, changed}) {
    const shape = JSON.stringify(groups.map((g) => [g.list, g.object, g.part, g.row, g.items.map((i) => [i.key, i.given])]));
    if (shape !== this.shape) this.build(groups), this.shape = shape;
    for (const item of groups.flatMap((g) => g.items)) this.inputs.get(item.key)?.(item.value);
    if (this.reset) this.reset.disabled = !changed;
  }

  build(groups) {
    this.inputs.clear();
    if (groups.length === 0) {
      this.reset = null;
      this.element.replaceChildren(make('p', {class: 'empty'}, 'A run that was made has no controls: view its scene to change it.'));
      return;
    }
    this.reset = make('button', {title: 'all as the scene says', onclick: () => this.ask.unset()}, 'reset');
    this.element.replaceChildren(make('div', {class: 'bar'}, make('span', {class: 'space'}), this.reset),
                                 ...groups.map((g) => this.group(g)));
  }

  group(g) {
    const given = g.items.filter((i) => i.given), rest = g.items.filter((i) => !i.given);
    const key = `${g.list}/${g.object}/${g.part}/${g.row}`, name = [g.object || g.list, g.part].filter(Boolean).join(' · ');
    const more = make('div', {hidden: true}, ...rest.map((i) => this.item(i)));
    const show = make('button', {class: 'more', onclick: () => (more.hidden = false, show.remove())}, `${rest.length} more …`);
    const box = make('details', {class: 'group', open: this.open.get(key) ?? (g.list === 'params' || given.length > 0 && g.list !== 'world')},
                     make('summary', {title: g.doc}, make('span', {}, name), make('span', {class: 'kind'}, g.row || (g.object && g.list))),
                     ...given.map((i) => this.item(i)), rest.length > 0 ? show : null, more);
    box.addEventListener('toggle', () => this.open.set(key, box.open));
    return box;
  }

  item(item) {
    const makers = {bool: this.check, choice: this.choice, vector: this.three, color: this.three};
    const {row, put} = (makers[item.type] ?? this.number).call(this, item);
    this.inputs.set(item.key, (value) => {
      if (!row.contains(document.activeElement) || document.activeElement.type === 'range' && !this.timers.has(item.key)) put(value);
    });
    row.title = title(item);
    put(item.value);
    return row;
  }

  // Not at every pixel of a drag.
  send(key, text) {
    clearTimeout(this.timers.get(key));
    this.timers.set(key, setTimeout(() => (this.timers.delete(key), this.ask.set(key, text)), WAIT));
  }

  label(item) {
    return make('label', {}, item.name, item.live ? null : make('span', {class: 'again', title: 'starts anew'}, '↺'));
  }

  number(item) {
    const range = rangeOf(item);
    const slide = make('input', {type: 'range', min: range.low, max: range.high, step: range.step, 'aria-label': item.name});
    const exact = make('input', {type: 'number', step: 'any', 'aria-label': `${item.name}, as a number`});
    const row = make('div', {class: 'item'}, this.label(item),
                     make('span', {class: 'number'}, exact, make('span', {class: 'unit'}, item.unit ?? '')), slide);
    const changed = (text) => {
      row.classList.add('changed');
      this.send(item.key, text);
    };
    slide.addEventListener('input', () => (exact.value = shown(Number(slide.value)), changed(String(Number(slide.value)))));
    exact.addEventListener('change', () => {
      if (exact.value !== '') put(Number(exact.value)), changed(exact.value); // also beyond the slider's end
    });
    const put = (value) => {
      const number = typeof value === 'number' ? value : Number(value);
      if (number > Number(slide.max)) slide.max = number;
      if (number < Number(slide.min)) slide.min = number;
      slide.value = number, exact.value = Number.isFinite(number) ? Number(number.toPrecision(6)) : '';
    };
    return {row, put};
  }

  check(item) {
    const box = make('input', {type: 'checkbox', 'aria-label': item.name, onchange: () => this.send(item.key, String(box.checked))});
    return {row: make('div', {class: 'item'}, this.label(item), box), put: (value) => (box.checked = value)};
  }

  choice(item) {
    const box = make('select', {'aria-label': item.name, onchange: () => this.send(item.key, box.value)},
                     ...item.choices.map((name) => make('option', {value: name}, name)));
    return {row: make('div', {class: 'item'}, this.label(item), box), put: (value) => (box.value = value)};
  }

  three(item) {
    const send = () => this.send(item.key, `[${boxes.map((b) => Number(b.value)).join(', ')}]`);
    const boxes = ['x', 'y', 'z'].map((axis) => make('input', {type: 'number', step: 'any', 'aria-label': `${item.name}, ${axis}`, onchange: send}));
    const row = make('div', {class: 'item'}, this.label(item), make('span', {class: 'unit'}, item.unit ?? ''),
                     make('div', {class: 'three'}, ...boxes));
    return {row, put: (value) => boxes.forEach((b, k) => (b.value = Number(Number(value[k]).toPrecision(6))))};
  }
}
