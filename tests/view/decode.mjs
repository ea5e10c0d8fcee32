// decode.mjs PROGRAM SOURCE: what the page's own code reads from a message, against the frame that
// it was made from, and what it says to messages that are damaged. PROGRAM is the C test, which
// writes both.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [, , program, source] = process.argv;
const page = (name) => import(pathToFileURL(join(resolve(source), 'view/page', name)));
const {decode} = await page('decode.js');
const {Stage} = await page('stage.js');
const {Camera} = await page('camera.js');

const folder = mkdtempSync(join(tmpdir(), 'mote-view-'));
execFileSync(resolve(program), ['writes_files'], {cwd: folder});
const file = readFileSync(join(folder, 'view-message.bin'));
const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.length);
const truth = JSON.parse(readFileSync(join(folder, 'view-message.json'), 'utf8'));
rmSync(folder, {recursive: true});

function systemsAreTheFrames(frame) {
  assert.equal(frame.time, truth.time);
  assert.equal(frame.systems.length, truth.systems.length);
  truth.systems.forEach((want, n) => {
    const got = frame.systems[n];
    assert.equal(got.name, want.name);
    assert.equal(got.count, want.count);
    const step = got.position.step ?? [0, 0, 0];
    for (let i = 0; i < want.count; ++i) {
      for (let k = 0; k < 3; ++k) {
        const slack = 0.51 * step[k] + 1e-6 * Math.abs(want.position[3 * i + k]) + 1e-9;
        assert.ok(Math.abs(got.points[4 * i + k] - want.position[3 * i + k]) <= slack);
        const at = Array.isArray(got.color) ? got.color[k] : got.color[4 * i + k];
        const root = Math.sqrt(want.color[3 * i + k] / got.gain);
        assert.ok(Math.abs(at / 255 - root) <= 0.51 / 255, `colour ${at / 255}, not ${root}`);
      }
      assert.ok(Math.abs(got.points[4 * i + 3] / want.radius[i] - 1) < 1e-6);
      const alpha = Array.isArray(got.color) ? got.color[3] : got.color[4 * i + 3];
      assert.ok(Math.abs(alpha / 255 - want.opacity[i]) <= 0.51 / 255);
    }
  });
}

function looksAreTheScenes({systems: [dots, sheet, rope], legends, meshes}) {
  assert.deepEqual([dots.profile, dots.add, dots.particles], ['soft', true, true]);
  assert.deepEqual([sheet.triangles, sheet.particles], [true, false]);
  assert.deepEqual([rope.lines, rope.particles], [true, false]);
  assert.ok(Math.abs(rope.line - 0.03) < 1e-6 && Math.abs(rope.gain - 4) < 1e-6);
  assert.equal(legends.length, 1);
  assert.deepEqual([legends[0].title, legends[0].low, legends[0].high], ['place (m)', -1, 1]);
  assert.match(legends[0].colors[0], /^#[0-9a-f]{6}$/);
  const [cloth, line] = meshes;
  assert.equal(cloth.triangles.length, 3 * 2 * 4 * 3); // 5 x 4 points: 4 x 3 cells of 2 triangles
  assert.equal(line.links.length, 2 * 5);
  assert.deepEqual([...line.links.slice(0, 4)], [0, 1, 1, 2]);
}

function shapesStandWhereTheyStood(frame) {
  const seen = [];
  for (const shape of frame.shapes)
    shape.names.forEach((name, n) => {
      seen.push(name);
      truth.shapes[name].forEach((want, k) => assert.ok(Math.abs(shape.poses[7 * n + k] - want) < 1e-5));
    });
  assert.deepEqual(seen.sort(), Object.keys(truth.shapes).sort());
  const boxes = frame.shapes.find((shape) => shape.names.includes('a')); // one form, two poses
  assert.deepEqual([boxes.names, boxes.form.size], [['a', 'b'], [1, 2, 3]]);
  const stage = new Stage(frame, new Map(), new Map());
  assert.equal(stage.planes.length, 1);
  assert.deepEqual([stage.planes[0].normal.map(Math.round), stage.planes[0].offset], [[0, 1, 0], -1]);
  assert.equal(stage.solids.filter((s) => s.net).length, 2);
  assert.ok(stage.box.high[0] > 9.4);
}

// Piece by piece from now back, of every dot; fainter the older, from 1 towards `faint`.
function trailsGoWhereTheDotsWere(frame) {
  const {trail} = frame.systems.find(({name}) => name === 'dots'), [now, ...before] = truth.earlier, count = now.id.length;
  assert.equal(trail.rows.length, 2 * count);
  trail.rows.forEach((row, i) => {
    const back = Math.floor(i / count), from = before[back], to = back === 0 ? now : before[back - 1];
    const placeOf = (table) => table.position.slice(3 * table.id.indexOf(now.id[row]), 3 * table.id.indexOf(now.id[row]) + 3);
    [...placeOf(from), ...placeOf(to)].forEach((want, k) => assert.ok(Math.abs(trail.ends[6 * i + k] - want) < 1e-4, `piece ${i}: ${trail.ends[6 * i + k]} is not ${want}`));
    assert.ok(Math.abs(trail.opacity[i] / 255 - (1 - 0.75 * (back + 0.5) / 3)) < 0.003);
  });
  const lines = new Stage(frame, new Map(), new Map()).lines.find(({clear}) => clear);
  assert.deepEqual([lines.count, lines.add], [2 * count, true]);
}

// What the dots move while the shutter is open: between the places of two frames it is that part of the way.
function streaksAreAsLongAsTheShutterIsOpen(frame) {
  const {drift} = frame.systems.find(({name}) => name === 'dots'), [now, before] = truth.earlier, fall = 9.81 * frame.dt * frame.dt;
  now.id.forEach((id, row) => {
    const then = before.id.indexOf(id), way = (k) => now.position[3 * row + k] - before.position[3 * then + k];
    [0, 1, 2].forEach((k) => {
      const want = 0.5 * (way(k) - (k === 1 ? 0.5 * fall : 0)); // it has become faster since the middle of the way
      assert.ok(Math.abs(drift.bytes[3 * row + k] * drift.step - want) <= 0.6 * drift.step + 0.1 * 0.5 * fall, `${drift.bytes[3 * row + k] * drift.step} is not ${want}`);
    });
  });
  assert.ok(frame.systems.filter(({drift: some}) => some).length === 1, 'the others are no particles');
}

// The eye is turned about `up`; the horizon stays level.
function camerasTurn() {
  const camera = new Camera();
  camera.set({from: [0, 0, 5], to: [0, 0, 0], up: [0, 1, 0], fov: 40, height: 0, orbit: 90, dolly: 2});
  assert.ok(Math.hypot(camera.from[0] - 10, camera.from[1], camera.from[2]) < 1e-9);
  camera.orbit(0.3, 0.2);
  assert.ok(Math.abs(camera.distance - 10) < 1e-9);
  assert.ok(Math.abs(camera.axes().right[1]) < 1e-9);
}

// A small generator of our own: the same damage every time.
function* numbers(seed) {
  for (let s = seed;;) yield (s = (s * 1103515245 + 12345) % 2147483648) / 2147483648;
}

function damageIsAnError() {
  const draw = numbers(7), next = () => draw.next().value;
  for (const end of [0, 3, 15, 16, 40, bytes.byteLength - 8])
    assert.throws(() => decode(bytes.slice(0, end)), Error);
  let refused = 0;
  for (let i = 0; i < 3000; ++i) {
    const copy = new Uint8Array(bytes.slice(0)), most = i % 2 ? 4000 : copy.length;
    for (let n = 0; n < 3; ++n) copy[Math.floor(next() * most)] = Math.floor(next() * 256);
    try {
      decode(copy.buffer);
    } catch (error) {
      assert.match(error.message, /^message: /, error.stack);
      ++refused;
    }
  }
  assert.ok(refused > 500, `${refused} were refused`);
  for (const [from, to] of [['"at": 0', '"at": 4'], ['"count": 50', '"count": 51'], ['"u32"', '"u64"']]) {
    const text = Buffer.from(bytes.slice(0)), at = text.indexOf(from);
    assert.ok(at > 0);
    text.write(to, at);
    assert.throws(() => decode(text.buffer.slice(text.byteOffset, text.byteOffset + text.length)), /message: /);
  }
}

const frame = decode(bytes.slice(0));
systemsAreTheFrames(frame);
looksAreTheScenes(frame);
shapesStandWhereTheyStood(frame);
trailsGoWhereTheDotsWere(frame);
streaksAreAsLongAsTheShutterIsOpen(frame);
camerasTurn();
damageIsAnError();
console.log('the page reads what was written');
