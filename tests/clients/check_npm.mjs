// check_npm.mjs FILES FRAMES: FILES.glb by the validator of glTF and by three.js, FILES.usda by tinyusdz and by
// three.js, beside what expected.py says.
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

// Every part with its places, velocities and colours at every frame. Points of a body are its own: what is looked
// at there is its pose, and that all have its colour.
const flat = (rows) => rows.flat();
const QUANTITIES = { position: 'position', velocity: '_velocity', color: 'color' };

// glTF by three.js: a mesh a frame, of what changes.
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');
const bytes = fs.readFileSync(files + '.glb');
const gltf = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
const things = {};
gltf.scene.traverse((thing) => {
    if (thing.geometry) (things[thing.name.replace(/_\d+$/, '')] ??= []).push(thing.geometry);
});
for (const part of ['water', 'cloth', 'water_surface']) {
    assert.equal(things[part].length, frames.length, part);
    frames.forEach((frame, i) => {
        for (const [wanted, name] of Object.entries(QUANTITIES)) {
            const found = things[part][i].getAttribute(name);
            const rows = [...Array(found.count).keys()].flatMap((k) => [found.getX(k), found.getY(k), found.getZ(k)]);
            near(rows, flat(frame[part][wanted]), `glb ${part} ${wanted} ${i}`);
        }
    });
}
for (const part of ['crate', 'ground']) {
    const color = things[part][0].getAttribute('color');
    for (let k = 0; k < color.count; ++k)
        near([color.getX(k), color.getY(k), color.getZ(k)], frames[0][part].color[0], `glb ${part} color`);
}
const tracks = Object.fromEntries(gltf.animations[0].tracks.map((t) => [t.name, t.values]));
frames.forEach((frame, i) => near([...tracks['crate.position'].slice(3 * i, 3 * i + 3)], frame.crate.pose.position,
    `glb crate ${i}`));

// Time samples are texts to three.js's parser of USDA: numbers in brackets.
const { USDAParser } = await import('three/examples/jsm/loaders/usd/USDAParser.js');
const root = new USDAParser().parseText(fs.readFileSync(files + '.usda', 'utf8'))['def Xform "mote"'];
const numbers = (text) => text.match(/-?\d[\d.]*(?:e[-+]?\d+)?/g).map(Number);
const SAMPLES = { position: 'point3f[] points', velocity: 'vector3f[] velocities', color: 'color3f[] primvars:displayColor' };
const sampled = (prim, attribute) => root[`def ${prim}`][`${attribute}.timeSamples`];
for (const prim of ['Mesh "cloth"', 'Points "water"', 'Mesh "water_surface"']) {
    for (const [wanted, attribute] of Object.entries(SAMPLES)) {
        const found = sampled(prim, attribute);
        assert.equal(Object.keys(found).length, frames.length, prim);
        frames.forEach((frame, i) => near(numbers(found[i]), flat(frame[prim.split('"')[1]][wanted]), `${prim} ${wanted} ${i}`));
    }
}
const places = sampled('Mesh "crate"', 'double3 xformOp:translate');
frames.forEach((frame, i) => near(numbers(places[i]), frame.crate.pose.position, `usda crate ${i}`));
for (const part of ['crate', 'ground']) {
    const found = numbers(Object.values(sampled(`Mesh "${part}"`, SAMPLES.color))[0]);
    for (let k = 0; k < found.length; k += 3) near(found.slice(k, k + 3), frames[0][part].color[0], `usda ${part} color`);
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
for (const mesh of meshes.filter((m) => !['crate', 'ground'].includes(m.primName)))
    near(Array.from(mesh.points), flat(frames[0][mesh.primName].position), mesh.primName);
console.log('all is well in gltf-validator, three.js and tinyusdz');
