// The playground: the page of `mote view`, with the world in a worker instead of behind a socket.

import {Engine} from './engine.js';
import {Frames} from './frames.js';
import {pack, unpack} from './share.js';
import {decode} from './view/decode.js';
import {make} from './view/element.js';
import {at, note, Shell} from './view/shell.js';

const FIRST = 'demo', MOST_SAMPLES = 4000;

const get = async (path) => {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path} is not there (${answer.status}): was the whole folder copied?`);
  return answer;
};

const complain = (error) => error.message !== 'stopped' && note(error.message, {bad: true});

// A file for the one who looks.
function download(name, bytes, type) {
  const href = URL.createObjectURL(new Blob([bytes], {type}));
  make('a', {href, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
  note(`${name} is among your downloads`);
}

class Playground {
  constructor(scenes, module) {
    this.scenes = new Map(scenes.map((scene) => [scene.name, scene]));
    this.engine = new Engine(module, {onFrame: (frame, report) => this.arrive(frame, report), onEnd: (error) => this.ended(error)});
    this.checker = new Engine(module); // looks at what is typed, beside the run
    this.shell = new Shell({head: headOf(scenes), tools: ['picture', 'share'], onPlots: () => this.plot(), ask: this.does({
      play: (on) => this.play(on), step: (by) => this.step(by), seek: (number) => this.seek(number),
      restart: () => this.restart(this.playing), speed: (factor) => this.pace(factor),
      set: (key, text) => this.turn(key, text), unset: () => this.unset(),
      check: (text) => this.look(text), use: (text) => this.use(text),
      save: (text) => download(`${this.name}.json5`, text, 'text/plain'), reload: () => this.open(this.name, []),
      pick: (hit) => this.pick(hit), picture: () => this.picture(), share: () => this.share(),
    })});
    const {view, editor} = this.shell;
    this.view = view, this.editor = editor;
    editor.save.title = 'keep it as a file', editor.reload.title = 'the scene as it came';
    this.frames = new Frames(), this.settings = new Map(), this.probes = new Map();
    this.ticket = 0, this.speed = 1, this.playing = false, this.scene = null, this.report = null;
  }

  // What goes wrong in the end of a wish is said.
  does(wishes) {
    return Object.fromEntries(Object.entries(wishes).map(([name, work]) => [name, async (...values) => {
      try {
        return await work(...values);
      } catch (error) {
        complain(error);
      }
    }]));
  }

  // ---- which scene ----

  // What the address says, or the first scene.
  async visit() {
    let wanted = null, reason = null;
    try {
      wanted = await unpack(location.hash.slice(1), [...this.scenes.keys()]);
    } catch (error) {
      reason = error.message;
    }
    if (wanted?.text !== undefined) await this.take(wanted.name, wanted.text, wanted.settings);
    else if (!reason || !this.name) await this.open(wanted?.scene ?? FIRST, wanted?.settings ?? []);
    if (reason) note(`The address holds no scene that can be shown: ${reason}.`, {bad: true});
  }

  async open(name, settings) {
    const text = await (await get(`scenes/${name}.json5`)).text();
    await this.take(name, text, settings);
  }

  async take(name, text, settings) {
    const own = this.scenes.get(name);
    this.name = name, this.came = own ? text : null, this.text = text;
    this.settings = new Map(settings.map((setting) => setting.split('=')));
    at('scenes').value = own ? name : '';
    at('about').textContent = own?.about ?? 'A scene that somebody shared.';
    document.title = `${name} · mote playground`;
    this.editor.setScene({name, path: '', text, editable: true, file: true, outcome: 'reloaded'});
    this.editor.reload.hidden = !own;
    this.view.reset();
    await this.apply();
  }

  get list() {
    return [...this.settings].map((pair) => pair.join('='));
  }

  // ---- reading and starting ----

  // Reads the text with its settings, and runs it; what is wrong stays as it was.
  async apply(play = !matchMedia('(prefers-reduced-motion: reduce)').matches) {
    const ticket = ++this.ticket;
    const scene = await this.engine.load({name: this.name, text: this.text, settings: this.list});
    if (ticket !== this.ticket) return;
    this.editor.setMessages(scene.messages ?? '');
    this.scene = scene.error === undefined && !scene.refused ? scene : null;
    this.loaded = true;
    if (scene.groups) this.shell.controls.update({groups: scene.groups, changed: this.settings.size > 0});
    this.groups = scene.groups ?? this.groups, this.stale = false;
    if (scene.error !== undefined) note(`The scene has errors, which are marked in its text: ${scene.error}`, {bad: true});
    else if (scene.refused) note(`This scene does not fit into a page. ${scene.refused}`, {bad: true});
    else await this.restart(play);
    this.state();
  }

  // What is typed, looked at beside the run.
  async look(text) {
    const {messages = ''} = await this.checker.load({name: this.name, text, settings: []});
    if (text === this.editor.area.value) this.editor.setMessages(messages);
  }

  // Settings of things that the new text does not have are forgotten.
  async use(text) {
    const plain = await this.checker.load({name: this.name, text, settings: []});
    this.editor.setMessages(plain.messages ?? '');
    if (plain.error !== undefined) return note('The scene has errors; they are marked in its text.', {bad: true});
    const keys = plain.groups.flatMap(({items}) => items.map(({key}) => key));
    for (const key of this.settings.keys()) if (!keys.includes(key)) this.settings.delete(key);
    this.text = text;
    await this.apply();
  }

  // The running world takes it, or a new one begins.
  async turn(key, text) {
    const before = new Map(this.settings);
    this.settings.set(key, text);
    const {error, messages, groups} = await this.checker.load({name: this.name, text: this.text, settings: this.list});
    if (error !== undefined) {
      this.settings = before;
      return note(messages || error, {bad: true});
    }
    if (!await this.change(key, text)) return this.apply(true);
    this.stale = true; // the engine's scene is as it was: a new start reads it again
    this.shell.controls.update({groups, changed: true});
  }

  // False when it takes a new start.
  async change(key, text) {
    if (!this.scene || this.engine.fresh || this.failed) return false;
    return (await this.engine.ask('change', {key, text})).live;
  }

  async unset() {
    this.settings.clear();
    await this.apply(true);
  }

  // ---- the run ----

  async restart(play) {
    if (!this.scene) return;
    await this.engine.halt();
    if (this.engine.fresh || this.stale) await this.engine.load({name: this.name, text: this.text, settings: this.list});
    this.failed = false, this.playing = false, this.stale = false;
    this.frames.clear(), this.probes.clear();
    await this.pace(this.speed);
    await this.engine.ask('start');
    if (play) await this.play(true);
  }

  async pace(factor) {
    this.speed = factor;
    await this.engine.ask('speed', {factor});
  }

  // From where one has gone back to, what was kept is shown first.
  async play(on) {
    if (!this.scene) return;
    const atEnd = this.report?.frame >= this.scene.frames;
    if (on && (this.failed || atEnd)) return this.restart(true);
    this.playing = on;
    clearTimeout(this.replay);
    if (on && this.report.frame < this.frames.last) this.again();
    else await this.engine.ask(on ? 'play' : 'pause');
    this.state();
  }

  again() {
    const next = this.frames.beyond(this.report.frame, 1), wait = this.speed > 0 ? 1000 / (this.scene.fps * this.speed) : 0;
    if (next === null) return void this.play(true);
    this.show(next);
    this.replay = setTimeout(() => this.again(), wait);
  }

  async seek(number) {
    if (this.playing) await this.play(false);
    this.show(this.frames.near(number));
  }

  async step(by) {
    if (!this.scene) return;
    await this.play(false);
    const kept = this.frames.beyond(this.report.frame, by);
    if (kept) this.show(kept);
    else if (by > 0 && this.report.frame < this.scene.frames) await this.engine.ask('step');
    this.state();
  }

  ended(error) {
    this.playing = false, this.failed = error !== undefined;
    this.state();
    if (error !== undefined) note(error, {bad: true});
  }

  // A frame has come. The next one is wanted when this one is on the screen.
  arrive(buffer, report) {
    const {engine} = this, live = !this.report || this.report.frame >= this.frames.last || report.frame === 0;
    this.frames.put(report, buffer);
    this.measure(report.probes);
    if (live || this.playing) this.show({buffer, report});
    requestAnimationFrame(() => requestAnimationFrame(() => engine.taken()));
  }

  show(kept) {
    if (!kept) return;
    this.report = kept.report;
    if (this.shell.show(decode(kept.buffer))) this.engine.ask('meshes');
    this.shell.showPicked(kept.report.picked);
    this.state();
  }

  // Probes of one step, added to what they have measured.
  measure(probes) {
    for (const {name, type, columns, times, values} of probes) {
      if (!this.probes.has(name)) this.probes.set(name, {name, type, times: [], columns: columns.map((c) => ({...c, values: []}))});
      const table = this.probes.get(name);
      table.times.push(...times);
      table.columns.forEach((column, c) => times.forEach((_, i) => column.values.push(values[i * columns.length + c])));
      if (table.times.length > MOST_SAMPLES) for (const list of [table, ...table.columns].map((t) => t.times ?? t.values)) list.splice(0, MOST_SAMPLES / 2);
    }
    if (!at('plots').hidden) this.plot();
  }

  plot() {
    this.shell.plots.update([...this.probes.values()]);
  }

  // Its columns come with every frame from now on.
  async pick(hit) {
    if (hit && this.report?.frame !== this.frames.last) return note('Columns are there of the newest frame alone.');
    const {picked} = await this.engine.ask('pick', {name: hit?.name ?? '', place: hit?.place ?? [0, 0, 0]});
    if (this.report) this.report.picked = picked;
    this.shell.showPicked(picked);
  }

  state() {
    const {scene, report} = this;
    at('picture').disabled = !scene;
    for (const control of at('timeline').querySelectorAll('button, input')) control.disabled = !scene;
    if (!scene || !report) return void (at('facts').textContent = '');
    this.shell.showFacts(report.particles, report.seconds);
    this.shell.timeline.update({running: this.playing, frame: report.frame, time: report.time, first: 0, last: this.frames.last,
                                planned: scene.frames, fps: scene.fps, speed: this.speed});
  }

  // ---- taking it away ----

  async picture() {
    const {png} = await this.engine.ask('picture', {width: 0, height: 0});
    download(`${this.name}-${this.frames.last}.png`, png, 'image/png');
  }

  async share() {
    if (this.editor.area.value !== this.text) await this.use(this.editor.area.value);
    const packed = await pack({scene: this.came === this.text ? this.name : undefined, text: this.text, name: this.name, settings: this.list});
    history.replaceState(null, '', `#${packed}`);
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    note(`The address holds this scene now, in ${packed.length} characters${copied ? ', and was copied' : '; copy it from above'}.`);
  }
}

// ---- the page around it ----

function headOf(scenes) {
  const groups = new Map();
  for (const {name, group, about} of scenes) {
    if (!groups.has(group)) groups.set(group, make('optgroup', {label: group}));
    groups.get(group).append(make('option', {value: name, title: about}, name));
  }
  const menu = make('select', {id: 'scenes', 'aria-label': 'scene', title: 'the scenes that come with mote'}, make('option', {value: '', hidden: true}, 'shared'), ...groups.values());
  return [make('strong', {}, 'mote'), menu, make('span', {id: 'facts'}), make('p', {id: 'about'})];
}

async function main() {
  const [scenes, bytes] = await Promise.all([get('scenes.json').then((a) => a.json()), get('playground.wasm').then((a) => a.arrayBuffer())]);
  const playground = new Playground(scenes, await WebAssembly.compile(bytes));
  window.playground = playground; // for those who look inside
  const {open, visit} = playground.does({open: () => playground.open(at('scenes').value, []), visit: () => playground.visit()});
  at('scenes').addEventListener('change', open);
  addEventListener('hashchange', visit);
  await visit();
}

main().catch(complain);
