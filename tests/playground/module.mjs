// The module as the page uses it: node module.mjs SITE. Every scene that comes along is read, begun and
// drawn; wrong, hostile and too large ones are refused with the program's own words.
import assert from 'node:assert';
import {readdirSync, readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const site = resolve(process.argv[2]), load = (name) => import(pathToFileURL(resolve(site, name)));
const {Mote} = await load('module.js'), {decode} = await load('view/decode.js'), {readMessages} = await load('view/editor.js');
const wasm = await WebAssembly.compile(readFileSync(resolve(site, 'playground.wasm')));
const scene = (name) => readFileSync(resolve(site, 'scenes', `${name}.json5`), 'utf8');
const mote = await Mote.open(wasm);

// ---- all scenes ----
const listed = JSON.parse(readFileSync(resolve(site, 'scenes.json'), 'utf8'));
assert.deepEqual(listed.map(({name}) => `${name}.json5`).sort(), readdirSync(resolve(site, 'scenes')).sort());
for (const {name, about, group} of listed) {
  assert.ok(about.length > 10 && group.length > 3, `${name} has no description`);
  const found = mote.load(name, scene(name));
  assert.equal(found.error, undefined, `${name}: ${found.error} ${found.messages}`);
  assert.equal(found.refused, undefined, `${name}: ${found.refused}`);
  mote.start();
  const frame = decode(mote.message(true));
  assert.equal(frame.index, 0);
  assert.ok(frame.systems.length + frame.shapes.length > 0, `${name} shows nothing`);
}


// ---- what a message says, and where ----
const wrong = mote.load('mine', '{ mote: 1,\n  world: { fsp: 30 },\n  systems: [{ name: "a", solver: { integrator: "rk5" } }],\n}');
const [first, second] = readMessages(wrong.messages, 'mine');
assert.deepEqual([first.line, first.column, first.length, first.kind], [2, 12, 3, 'error']);
assert.match(first.text, /unknown key `fsp`/);
assert.match(first.hint, /did you mean `fps`/);
assert.match(wrong.messages, /\n {11}\^~~\n/);
assert.equal(second.line, 3);
assert.match(mote.load('mine', '{ mote: 1, include: "/etc/passwd" }').messages, /cannot read \/etc\/passwd/);

// ---- sliders: params, and what the tables know of the objects ----
const galaxy = mote.load('galaxy', scene('galaxy'), ['stars=100', 'world.fps=25']);
const items = galaxy.groups.flatMap((group) => group.items), item = (key) => items.find((i) => i.key === key);
assert.deepEqual(galaxy.groups[0].items.map(({key, value}) => [key, value]), [['stars', 100], ['mass', 6], ['soft', 0.5]]);
assert.equal(galaxy.fps, 25);
assert.deepEqual([item('world.fps').value, item('emitters.1.burst').value, item('emitters.1.from.radius').unit], [25, 5000, 'm']);
assert.ok(items.length > 30 && items.every(({doc, name}) => doc?.length > 3 || ['stars', 'mass', 'soft'].includes(name)));

// ---- a slider changes the running world, and the way it goes; one of a solver takes a new start ----
mote.load('hail', scene('hail'));
mote.start(), mote.step();
const before = mote.step().particles;
assert.equal(mote.change('emitters.0.rate', '0').live, true);
assert.ok(mote.step().particles <= before, 'nothing is born any more');
for (const [key, value] of [['world.fps', '25'], ['emitters.0.rate', 'much'], ['emitters.0.rate', '-1'], ['emitters.99.rate', '1'], ['nothing', '1'], ['', '']])
  assert.equal(mote.change(key, value).live, false, `${key}=${value}`);

// ---- a particle's columns ----
{
  const {systems} = decode(mote.message(false)), {name, points} = systems.find(({count}) => count > 0);
  const picked = mote.pick(name, points.slice(0, 3)), place = picked.columns.find((c) => c.name === 'position').values;
  assert.ok(picked.there && picked.system === name.split('/')[0]);
  place.forEach((value, k) => assert.ok(Math.abs(value - points[k]) < 1e-3, `${place}`));
  assert.equal(mote.step().picked.id, picked.id);
  assert.deepEqual(mote.pick('', [0, 0, 0]), {system: '', id: 0, there: false});
}

// ---- too large for a page: the forecast, not a crash ----
for (const spacing of [0.004, 0.0004, 1e-9]) {
  const large = mote.load('dam-break', scene('dam-break'), [`spacing=${spacing}`]);
  assert.match(large.refused ?? large.messages, /would fit|must be|too/, `spacing ${spacing}`);
  assert.doesNotMatch(large.refused ?? '', /--anyway/);
}

// ---- pictures are PNG files of the wanted size ----
mote.load('first', scene('first'));
mote.start(), mote.step();
const png = mote.picture(64, 48), head = new DataView(png.buffer);
assert.equal(head.getUint32(0), 0x89504e47);
assert.deepEqual([head.getUint32(16), head.getUint32(20)], [64, 48]);

// ---- probes ----
mote.load('sloshing', scene('sloshing'));
const {probes} = mote.start();
assert.ok(probes.length > 0 && probes.every((p) => p.times.length === 1 && p.values.length === p.columns.length));

// ---- text that is broken anywhere is answered, never a trap ----
const text = scene('campfire');
let seed = 1;
const random = (most) => (seed = (seed * 48271) % 2147483647) % most;
for (let i = 0; i < 300; ++i) {
  const at = random(text.length), piece = ['', '{', '"', '\0', '[[[[', '1e999', '\ud800', '=x^9^9^9', '-'][random(9)];
  const answer = mote.load('broken', text.slice(0, at) + piece + text.slice(at + random(40)));
  assert.equal(typeof (answer.error ?? answer.name), 'string');
}

console.log(`${listed.length} scenes`);
