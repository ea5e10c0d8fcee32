// The same by the WebAssembly module: node hashes.mjs SITE FRAMES SCENE...
import {readFileSync} from 'node:fs';
import {basename, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [site, frames, ...scenes] = process.argv.slice(2);
const {Mote} = await import(pathToFileURL(resolve(site, 'module.js')));
const mote = await Mote.open(readFileSync(resolve(site, 'playground.wasm')));
const sumOf = (bytes) => bytes.reduce((sum, byte) => BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n), 0xcbf29ce484222325n);
for (const path of scenes) {
  const name = basename(path, '.json5'), scene = mote.load(name, readFileSync(path, 'utf8'));
  if (scene.error !== undefined) throw new Error(`${path}: ${scene.error}\n${scene.messages}`);
  for (let frame = 0; frame <= Number(frames); ++frame) {
    if (frame === 0) mote.start();
    else mote.step();
    console.log(`${name} ${frame} ${mote.hash()}`);
  }
  console.log(`${name} picture ${sumOf(mote.picture(320, 180)).toString(16).padStart(16, '0')}`);
}
