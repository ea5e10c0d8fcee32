// check_npm.mjs FILES FRAMES: FILES.glb by the validator of glTF, FILES.usda by tinyusdz and by three.js, beside
// the numbers of the run's frames.
import assert from 'node:assert';
import fs from 'node:fs';
import { createRequire } from 'node:module';

const [files, expected] = process.argv.slice(2);
const frames = JSON.parse(fs.readFileSync(expected));

function near(found, wanted, what) {
    assert.equal(found.length, wanted.length, what);
    const error = Math.max(...wanted.map((x, i) => Math.abs(x - found[i])));
    assert(error < 1e-5, `${what}: ${error}`);
}

const validator = createRequire(import.meta.url)('gltf-validator');
const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(files + '.glb')));
assert.deepEqual(report.issues.messages, []);
assert.equal(report.info.animationCount, 1);

// Time samples are texts to three.js: numbers in brackets.
const { USDAParser } = await import('three/examples/jsm/loaders/usd/USDAParser.js');
const root = new USDAParser().parseText(fs.readFileSync(files + '.usda', 'utf8'))['def Xform "mote"'];
const numbers = (text) => text.match(/-?\d[\d.]*(?:e[-+]?\d+)?/g).map(Number);
const samples = { 'Mesh "cloth"': 'point3f[] points', 'Points "water"': 'point3f[] points',
    'Mesh "water_surface"': 'point3f[] points', 'Mesh "crate"': 'double3 xformOp:translate' };
for (const [prim, attribute] of Object.entries(samples)) {
    const found = root[`def ${prim}`][`${attribute}.timeSamples`];
    assert.equal(Object.keys(found).length, frames.length, prim);
    frames.forEach((frame, i) => near(numbers(found[i]), frame[prim.split('"')[1]], `${prim} ${i}`));
}

// tinyusdz is written for browsers.
globalThis.window = {};
process.type = 'renderer';
const wasm = fs.readFileSync(new URL('node_modules/tinyusdz/tinyusdz.wasm', import.meta.url));
globalThis.fetch = async () => new Response(wasm, { headers: { 'Content-Type': 'application/wasm' } });
const { default: create } = await import('tinyusdz/tinyusdz.js');
const loader = new (await create({})).TinyUSDZLoaderNative();
assert(loader.loadFromBinary(new Uint8Array(fs.readFileSync(files + '.usda')), 'all.usda'), loader.error());
const meshes = [...Array(loader.numMeshes()).keys()].map((i) => loader.getMesh(i));
assert.deepEqual(meshes.map((m) => m.primName).sort(), ['cloth', 'crate', 'ground', 'water_surface']);
for (const mesh of meshes.filter((m) => m.primName in frames[0] && m.primName !== 'crate'))
    near(Array.from(mesh.points), frames[0][mesh.primName], mesh.primName);
console.log('all is well in gltf-validator, three.js and tinyusdz');
