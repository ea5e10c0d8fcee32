// The page around a view, the same for `mote view` and the playground: panels, tabs, notes, legends, the particle that
// is looked at, buttons and keys. Where the frames come from, and what is done when somebody asks, is the host's.

import {Controls} from './controls.js';
import {View} from './draw.js';
import {Editor} from './editor.js';
import {icon, make, shown} from './element.js';
import {Plots} from './plots.js';
import {Timeline} from './timeline.js';

const TABS = {controls: 'controls', plots: 'plots', particle: 'particle', editor: 'scene'};
const NARROW = 720; // px

// Buttons of the view: [title, label, sign]; without a sign the name is written on it.
const TOOLS = {
  fit: ['show everything (F)', 'show everything', 'fit'],
  home: ["the scene's camera (0)", "the scene's camera", 'home'],
  picture: ['a picture by the renderer, from here', 'picture', 'picture'],
  video: ['record a video by the renderer, from here', 'video', 'record'],
  share: ['put this scene and its values into the address, and copy it', 'share', null],
  fold: ['controls (H)', 'controls', 'menu'],
};

export const at = (id) => document.getElementById(id);

function tool(id) {
  const [title, label, sign] = TOOLS[id];
  return make('button', {id, title, 'aria-label': label}, sign ? icon(sign) : id);
}

function layout(head, tools) {
  const section = (id) => make('section', {id, role: 'tabpanel', hidden: true});
  document.body.prepend(
      make('canvas', {id: 'view', tabIndex: 0, 'aria-label': 'the scene: arrow keys turn it, + and - zoom, F shows all of it'}),
      make('div', {id: 'ring', hidden: true}), make('header', {id: 'head', class: 'panel'}, ...head),
      make('div', {id: 'legends', 'aria-label': 'what colours mean'}), make('div', {id: 'notes', role: 'alert'}),
      make('nav', {id: 'tools', class: 'panel', 'aria-label': 'view'}, ...['fit', 'home', ...tools, 'fold'].map(tool)),
      make('footer', {id: 'timeline', class: 'panel'}),
      make('aside', {id: 'side', class: 'panel'}, make('div', {id: 'tabs', role: 'tablist'}), ...Object.keys(TABS).map(section)));
  at('fold').setAttribute('aria-controls', 'side');
}

// What goes well goes away by itself, what went wrong stays longer.
export function note(text, {bad = false, link = null, stay = bad ? 40000 : 9000} = {}) {
  const box = make('div', {class: bad ? 'note bad' : 'note'}, make('span', {}, text, link), make('button', {'aria-label': 'close', onclick: () => box.remove()}, icon('close')));
  while (at('notes').childElementCount > 3) at('notes').firstElementChild.remove();
  at('notes').append(box);
  setTimeout(() => box.remove(), stay);
}

export class Shell {
  // head: elements at the top left; tools: names of TOOLS; ask: play(on), step(by), seek(frame), restart(), speed(factor),
  // set(key, text), unset(), check(text), use(text), save(text), reload(), pick({name, row, place} or null), and one for each of
  // the tools; onPlots: called when the plots come into sight.
  constructor({head, tools, ask, onPlots}) {
    layout(head, tools);
    this.ask = ask, this.onPlots = onPlots, this.picked = null, this.legendKey = '';
    this.view = new View(at('view'), {onChange: () => this.ring()});
    this.timeline = new Timeline(at('timeline'), ask);
    this.controls = new Controls(at('controls'), ask);
    this.plots = new Plots(at('plots'));
    this.editor = new Editor(at('editor'), ask);
    this.tabs = new Map(Object.entries(TABS).map(([id, text]) => [id, make('button', {role: 'tab', 'aria-controls': id, onclick: () => this.select(id)}, text)]));
    at('tabs').append(...this.tabs.values());
    this.listen({fit: () => this.view.fit(), home: () => this.view.resetCamera(), fold: () => this.fold(),
                 ...Object.fromEntries(tools.map((id) => [id, () => ask[id]()]))});
    this.showPicked({});
    this.select('controls');
    this.fold(innerWidth < NARROW);
  }

  // ---- hands ----

  listen(press) {
    for (const [id, work] of Object.entries(press)) at(id).addEventListener('click', () => work());
    at('view').addEventListener('pick', ({detail}) => {
      this.ask.pick(detail);
      if (detail) this.select('particle');
    });
    const keys = {' ': () => this.timeline.toggle(), '.': () => this.ask.step(1), ',': () => this.ask.step(-1), r: () => this.ask.restart(),
                  h: () => this.fold(), Escape: () => (document.activeElement?.blur?.(), at('view').focus())};
    addEventListener('keydown', (event) => {
      const writing = event.target.matches?.('textarea, select, input:not([type=range], [type=checkbox])');
      const pressing = event.target.tagName === 'BUTTON' && event.key === ' ';
      if (event.ctrlKey || event.altKey || event.metaKey || pressing || (writing && event.key !== 'Escape') || !keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
  }

  select(id) {
    for (const [name, tab] of this.tabs) {
      tab.setAttribute('aria-selected', name === id);
      at(name).hidden = name !== id;
    }
    at('side').classList.toggle('wide', id === 'editor');
    if (id === 'plots') this.onPlots();
  }

  fold(folded = !document.body.classList.contains('folded')) {
    document.body.classList.toggle('folded', folded);
    at('fold').setAttribute('aria-expanded', !folded);
  }

  // Where somebody looks from, for the renderer.
  get camera() {
    const {from, to, up, fov, height} = this.view.camera;
    return {from, to, up, fov, height};
  }

  // ---- what a frame brings ----

  // A decoded frame; true when meshes are wanting.
  show(frame) {
    const wanting = this.view.setFrame(frame).length > 0;
    this.showLegends(frame.legends);
    this.ring();
    return wanting;
  }

  showLegends(legends) {
    const key = JSON.stringify(legends);
    if (this.legendKey === key) return;
    this.legendKey = key;
    at('legends').replaceChildren(...legends.map(({title, low, high, colors}) => {
      const ramp = make('div', {class: 'ramp'}), ends = [low, (low + high) / 2, high];
      ramp.style.background = `linear-gradient(90deg, ${colors.join(', ')})`;
      return make('div', {class: 'legend'}, title, ramp, make('div', {class: 'ends'}, ...ends.map((end) => make('span', {}, shown(end, 4)))));
    }));
  }

  // seconds: of a step; 0: not known.
  showFacts(particles, seconds) {
    const step = seconds > 0 ? ` · ${shown(1000 * seconds, 3)} ms a frame` : '';
    at('facts').textContent = `${particles.toLocaleString('en')} particles${step}`;
  }

  // {system, id, there, columns}
  showPicked(now) {
    this.picked = now;
    const rows = (now.columns ?? []).map(({name, values, unit}) => make('tr', {}, make('td', {}, name), make('td', {}, values.map((v) => shown(v)).join(', ')), make('td', {}, unit)));
    const head = now.system ? `${now.system}, particle ${now.id}` : 'Click a particle to read its columns.';
    at('particle').replaceChildren(make('p', {class: now.system ? '' : 'empty'}, head), now.system && !now.there ? make('p', {class: 'empty'}, 'It is not there now.') : '',
                                   make('table', {}, make('tbody', {}, ...rows)));
    this.ring();
  }

  // Around the particle that is looked at.
  ring() {
    const place = this.picked?.there && this.picked.columns.find((c) => c.name === 'position')?.values;
    const spot = place && this.view.stage ? this.view.project(place) : null;
    at('ring').hidden = !spot || spot.depth <= 0;
    if (spot) at('ring').style.left = `${spot.x}px`, at('ring').style.top = `${spot.y}px`;
  }
}
