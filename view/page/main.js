// The page of `mote view`: what the program says goes to the shell, and what somebody asks for to the program.

import {decode} from './decode.js';
import {make} from './element.js';
import {at, note, Shell} from './shell.js';
import {Socket} from './socket.js';

const address = new URL('socket', location.href);
address.protocol = 'ws:';

const shell = new Shell({
  head: [make('strong', {id: 'name'}, 'mote'), make('span', {id: 'facts'}), make('span', {id: 'link', role: 'status'})],
  tools: ['picture', 'video'],
  onPlots: () => shell.plots.update(probes),
  ask: {
    play: (on) => socket.ask('play', {on}), step: (number) => socket.ask('step', {number}),
    seek: (number) => socket.ask('seek', {number}), restart: () => socket.ask('restart'),
    speed: (number) => socket.ask('speed', {number}),
    set: (key, text) => socket.ask('set', {key, text}), unset: () => socket.ask('unset'),
    check: (text) => socket.ask('check', {text}), use: (text) => socket.ask('use', {text}),
    save: (text) => socket.ask('save', {text}), reload: () => socket.ask('reload'),
    pick: (hit) => socket.ask('pick', hit ? {key: hit.name, number: hit.row, place: hit.place} : {}),
    picture: () => socket.ask('picture', {camera: shell.camera}), video: () => socket.ask('video', {camera: shell.camera}),
  },
});

// ---- what the program says ----

let state = null, probes = [], lastNote = '', showing = '';

function showState(now) {
  state = now;
  document.title = `${now.name} · mote`;
  at('name').textContent = now.name;
  shell.showFacts(now.particles, now.source === 'scene' ? now.step : 0);
  at('video').classList.toggle('on', now.filming);
  shell.timeline.update(now);
  if (now.note !== lastNote && now.note) note(now.note, {bad: true});
  lastNote = now.note;
}

function offer({name}) {
  const href = `file/${encodeURIComponent(name)}`;
  note('ready: ', {link: make('a', {href, download: name}, name), stay: 60000});
}

const HEARD = {
  state: showState,
  controls: (now) => shell.controls.update(now),
  scene: (now) => {
    shell.editor.setScene(now);
    if (now.outcome === 'saved') note('saved');
  },
  messages: (now) => {
    shell.editor.setMessages(now.text);
    if (now.outcome === 'set' && /error:/.test(now.text)) note(now.text, {bad: true});
    if (now.outcome === 'used' && !/error:/.test(now.text)) note('running it');
  },
  probes: (now) => {
    probes = now.probes;
    if (!at('plots').hidden) shell.plots.update(probes);
  },
  picked: (now) => shell.showPicked(now),
  note: (now) => note(now.text, {bad: true}),
  file: offer,
  hash: () => {},
};

const socket = new Socket(address, {
  frame: (buffer) => {
    try {
      const frame = decode(buffer);
      if (showing !== state?.name) showing = state?.name, shell.view.reset();
      if (shell.show(frame)) socket.ask('meshes');
      window.shownFrame = frame.index;
    } catch (error) {
      note(error.message, {bad: true});
    }
    requestAnimationFrame(() => socket.ask('ready'));
  },
  text: (now) => HEARD[now.is]?.(now),
  open: () => {
    at('link').textContent = '';
    socket.ask('hello');
  },
  lost: () => (at('link').textContent = 'connection lost …'),
});

window.mote = {view: shell.view, socket}; // for those who look inside
