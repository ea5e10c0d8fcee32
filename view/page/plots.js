// Probes as plots that grow: a canvas for the columns of each unit, a line for each of them.

import {make, shown} from './element.js';

const COLORS = ['#7cc4ff', '#ffb86b', '#8fe3a8', '#e29bff', '#ff7a85', '#ffe27a', '#7af0e0', '#b0b8ff'];

// Round places for at most `most` ticks.
export function ticks(low, high, most) {
  const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? rough, out = [];
  for (let t = Math.ceil(low / step) * step; t <= high + 1e-9 * step && out.length < 50; t += step) out.push(Math.abs(t) < 1e-9 * step ? 0 : t);
  return out;
}

function extent(lists) {
  let low = Infinity, high = -Infinity;
  for (const list of lists)
    for (const v of list)
      if (typeof v === 'number') low = Math.min(low, v), high = Math.max(high, v);
  if (!(low <= high)) return [0, 1];
  if (low === high) return [low - Math.abs(low) * 0.1 - 1e-9, high + Math.abs(high) * 0.1 + 1e-9];
  return [low - 0.05 * (high - low), high + 0.05 * (high - low)];
}

// Momenta and places do not share an axis.
function byUnit(probe) {
  const axis = (column) => column.unit || column.name, axes = [...new Set(probe.columns.map(axis))];
  return axes.map((name) => ({...probe, key: `${probe.name}/${name}`, first: name === axes[0],
                              columns: probe.columns.filter((c) => axis(c) === name)}));
}

export class Plots {
  constructor(element) {
    this.element = element, this.boxes = new Map();
    this.none = make('p', {class: 'empty'}, 'The scene has no probes. A probe measures something while it runs; they show here.');
    element.replaceChildren(this.none);
  }

  update(probes) {
    const all = probes.flatMap(byUnit);
    this.none.hidden = all.length > 0;
    for (const [key, box] of this.boxes)
      if (!all.some((p) => p.key === key)) box.all.remove(), this.boxes.delete(key);
    for (const probe of all) {
      if (!this.boxes.has(probe.key)) this.boxes.set(probe.key, this.box(probe));
      this.draw(this.boxes.get(probe.key), probe);
    }
  }

  box(probe) {
    const canvas = make('canvas', {role: 'img', 'aria-label': `plot of ${probe.name}`}), keys = make('div', {class: 'keys'});
    const all = make('div', {class: 'plot'}, probe.first ? make('h3', {}, probe.name, make('span', {}, probe.type)) : null, canvas, keys);
    this.element.append(all);
    return {all, canvas, keys, hidden: new Set()};
  }

  draw(box, probe) {
    const shownColumns = probe.columns.filter((c) => !box.hidden.has(c.name));
    this.keys(box, probe);
    const {canvas} = box, ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    if (w === 0) return;
    canvas.width = w * ratio, canvas.height = h * ratio;
    const pen = canvas.getContext('2d'), left = 44, bottom = 16;
    const [t0, t1] = [probe.times[0] ?? 0, Math.max(probe.times.at(-1) ?? 1, (probe.times[0] ?? 0) + 1e-6)];
    const [y0, y1] = extent(shownColumns.map((c) => c.values));
    const x = (t) => left + (t - t0) / (t1 - t0) * (w - left - 8), y = (v) => 6 + (y1 - v) / (y1 - y0) * (h - bottom - 8);
    pen.scale(ratio, ratio);
    pen.font = '10px system-ui', pen.fillStyle = '#9aa6b6', pen.strokeStyle = '#ffffff14', pen.lineWidth = 1;
    pen.textAlign = 'right', pen.textBaseline = 'middle';
    for (const v of ticks(y0, y1, 4)) this.line(pen, left, y(v), w - 8, y(v)), pen.fillText(shown(v, 3), left - 5, y(v));
    pen.textAlign = 'center', pen.textBaseline = 'alphabetic';
    for (const t of ticks(t0, t1, 5)) pen.fillText(shown(t, 3), x(t), h - 4);
    for (const column of shownColumns) this.curve(pen, probe, column, x, y);
  }

  line(pen, x0, y0, x1, y1) {
    pen.beginPath(), pen.moveTo(x0, y0), pen.lineTo(x1, y1), pen.stroke();
  }

  curve(pen, probe, column, x, y) {
    pen.strokeStyle = COLORS[probe.columns.indexOf(column) % COLORS.length], pen.lineWidth = 1.5;
    pen.beginPath();
    let down = false;
    column.values.forEach((v, i) => {
      if (typeof v !== 'number') down = false;
      else pen[down ? 'lineTo' : 'moveTo'](x(probe.times[i]), y(v)), down = true;
    });
    pen.stroke();
  }

  // The names, with the newest value; a click hides a line.
  keys(box, probe) {
    box.keys.replaceChildren(...probe.columns.map((column, i) => {
      const dot = make('i');
      dot.style.background = box.hidden.has(column.name) ? '#555' : COLORS[i % COLORS.length];
      const toggle = () => {
        if (!box.hidden.delete(column.name)) box.hidden.add(column.name);
        this.draw(box, probe);
      };
      return make('span', {onclick: toggle}, dot, `${column.name} ${shown(column.values.at(-1) ?? '', 4)} ${column.unit}`);
    }));
  }
}
