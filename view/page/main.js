// The page of `mote view`: connection, view, time line, and what is at the side.

import {Controls} from './controls.js';
import {decode} from './decode.js';
import {View} from './draw.js';
import {Editor} from './editor.js';
import {icon, make, shown} from './element.js';
import {Plots} from './plots.js';
import {Socket} from './socket.js';
import {Timeline} from './timeline.js';

const at = (id) => document.getElementById(id);
const address = new URL('socket', location.href);
address.protocol = 'ws:';

// ---- notes ----

function note(text, {bad = false, link = null, stay = 9000} = {}) {
  const box = make('div', {class: bad ? 'note bad' : 'note'}, make('span', {}, text, link), make('button', {'aria-label': 'close', onclick: () => box.remove()}, icon('close')));
  at('notes').append(box);
  setTimeout(() => box.remove(), stay);
}

function offer({name}) {
  const href = `file/${encodeURIComponent(name)}`;
  note('ready: ', {link: make('a', {href, download: name}, name), stay: 60000});
}

// ---- tabs ----

const TABS = {controls: 'controls', plots: 'plots', particle: 'particle', editor: 'scene'};
const tabs = new Map(Object.entries(TABS).map(([id, text]) => [id, make('button', {role: 'tab', 'aria-controls': id, onclick: () => select(id)}, text)]));
at('tabs').append(...tabs.values());

function select(id) {
  for (const [name, tab] of tabs) {
    tab.setAttribute('aria-selected', name === id);
    at(name).hidden = name !== id;
  }
  at('side').classList.toggle('wide', id === 'editor');
  if (id === 'plots') plots.update(probes);
}

function fold(folded) {
  document.body.classList.toggle('folded', folded);
  at('fold').setAttribute('aria-expanded', !folded);
}

// ---- parts ----

let state = null, picked = null, probes = [], lastNote = '', spent = '';

const view = new View(at('view'), {onChange: () => ring()});
const timeline = new Timeline(at('timeline'), {
  play: (on) => socket.ask('play', {on}), step: (number) => socket.ask('step', {number}),
  seek: (number) => socket.ask('seek', {number}), restart: () => socket.ask('restart'),
  speed: (number) => socket.ask('speed', {number}),
});
const controls = new Controls(at('controls'), {set: (key, text) => socket.ask('set', {key, text}), unset: () => socket.ask('unset')});
const plots = new Plots(at('plots'));
const editor = new Editor(at('editor'), {
  check: (text) => socket.ask('check', {text}), use: (text) => socket.ask('use', {text}),
  save: (text) => socket.ask('save', {text}), reload: () => socket.ask('reload'),
});

function camera() {
  const {from, to, up, fov, height} = view.camera;
  return {from, to, up, fov, height};
}

// ---- the particle that is looked at ----

function ring() {
  const place = picked?.there && picked.columns.find((c) => c.name === 'position')?.values;
  const spot = place && view.stage ? view.project(place) : null;
  at('ring').hidden = !spot || spot.depth <= 0;
  if (spot) at('ring').style.left = `${spot.x}px`, at('ring').style.top = `${spot.y}px`;
}

function showPicked(now) {
  picked = now;
  const rows = (now.columns ?? []).map(({name, values, unit}) => make('tr', {}, make('td', {}, name), make('td', {}, values.map((v) => shown(v)).join(', ')), make('td', {}, unit)));
  const head = now.system ? `${now.system}, particle ${now.id}` : 'Click a particle to read its columns.';
  at('particle').replaceChildren(make('p', {class: now.system ? '' : 'empty'}, head), now.system && !now.there ? make('p', {class: 'empty'}, 'It is not there now.') : '',
                                 make('table', {}, make('tbody', {}, ...rows)));
  ring();
}

// ---- what the program says ----

function showLegends(legends) {
  const key = JSON.stringify(legends);
  if (spent === key) return;
  spent = key;
  at('legends').replaceChildren(...legends.map(({title, low, high, colors}) => {
    const ramp = make('div', {class: 'ramp'});
    ramp.style.background = `linear-gradient(90deg, ${colors.join(', ')})`;
    return make('div', {class: 'legend'}, title, ramp, make('div', {class: 'ends'}, make('span', {}, shown(low, 4)), make('span', {}, shown((low + high) / 2, 4)), make('span', {}, shown(high, 4))));
  }));
}

function showState(now) {
  state = now;
  document.title = `${now.name} · mote`;
  at('name').textContent = now.name;
  const step = now.step > 0 && now.source === 'scene' ? ` · ${shown(1000 * now.step, 3)} ms a frame` : '';
  at('facts').textContent = `${now.particles.toLocaleString('en')} particles${step}`;
  at('video').classList.toggle('on', now.filming);
  timeline.update(now);
  if (now.note !== lastNote && now.note) note(now.note, {bad: true, stay: 30000});
  lastNote = now.note;
}

const HEARD = {
  state: showState,
  controls: (now) => controls.update(now),
  scene: (now) => {
    editor.setScene(now);
    if (now.outcome === 'saved') note('saved');
  },
  messages: (now) => {
    editor.setMessages(now.text);
    if (now.outcome === 'set' && /error:/.test(now.text)) note(now.text, {bad: true});
    if (now.outcome === 'used' && !/error:/.test(now.text)) note('running it');
  },
  probes: (now) => {
    probes = now.probes;
    if (!at('plots').hidden) plots.update(probes);
  },
  picked: showPicked,
  note: (now) => note(now.text, {bad: true}),
  file: offer,
  hash: () => {},
};

let showing = '';
const socket = new Socket(address, {
  frame: (buffer) => {
    try {
      const frame = decode(buffer);
      if (showing !== state?.name) showing = state?.name, view.reset();
      if (view.setFrame(frame).length > 0) socket.ask('meshes');
      showLegends(frame.legends);
      window.shownFrame = frame.index;
    } catch (error) {
      note(error.message, {bad: true});
    }
    requestAnimationFrame(() => (socket.ask('ready'), ring()));
  },
  text: (now) => HEARD[now.is]?.(now),
  open: () => {
    at('link').textContent = '';
    socket.ask('hello');
  },
  lost: () => (at('link').textContent = 'connection lost …'),
});

// ---- hands ----

for (const [id, sign] of Object.entries({fit: 'fit', home: 'home', picture: 'picture', video: 'record', fold: 'menu'}))
  at(id).append(icon(sign));

at('view').addEventListener('pick', ({detail}) => {
  socket.ask('pick', detail ? {key: detail.name, number: detail.row, place: detail.place} : {});
  if (detail) select('particle');
});
at('fit').addEventListener('click', () => view.fit());
at('home').addEventListener('click', () => view.resetCamera());
at('picture').addEventListener('click', () => socket.ask('picture', {camera: camera()}));
at('video').addEventListener('click', () => socket.ask('video', {camera: camera()}));
at('fold').addEventListener('click', () => fold(!document.body.classList.contains('folded')));

const KEYS = {
  ' ': () => timeline.toggle(), '.': () => socket.ask('step', {number: 1}), ',': () => socket.ask('step', {number: -1}),
  r: () => socket.ask('restart'), h: () => fold(!document.body.classList.contains('folded')),
  Escape: () => (document.activeElement?.blur?.(), at('view').focus()),
};
document.addEventListener('keydown', (event) => {
  const writing = /^(TEXTAREA|SELECT|INPUT)$/.test(event.target.tagName) && event.target.type !== 'range' && event.target.type !== 'checkbox';
  const pressing = event.target.tagName === 'BUTTON' && event.key === ' ';
  if (event.ctrlKey || event.altKey || event.metaKey || pressing || (writing && event.key !== 'Escape') || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});

select('controls');
if (window.innerWidth < 720) fold(true);
window.mote = {view, socket};
