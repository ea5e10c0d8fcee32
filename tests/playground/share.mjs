// Scenes in addresses: node share.mjs SITE. There and back, and everything that anybody could write there.
import assert from 'node:assert';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const {pack, unpack, LARGEST_TEXT, LONGEST_ADDRESS} = await import(pathToFileURL(resolve(process.argv[2], 'share.js')));
const known = ['galaxy', 'flag'];

for (const given of [
  {scene: 'galaxy', settings: []},
  {scene: 'flag', settings: ['wind=7.5', 'stiffness=-1e-3', 'on=true', 'world.gravity=[0, -1.6, 0]', 'systems.0.solver.integrator=rk4']},
  {text: '{ mote: 1 } // grüße, 世界 🌍 \u0000', name: 'mine', settings: ['a.b=1']},
  {text: '', name: 'shared', settings: []},
  {text: 'x'.repeat(LARGEST_TEXT), name: 'long', settings: []},
]) {
  const packed = await pack(given);
  assert.match(packed, /^[A-Za-z0-9_=&%.-]+$/);
  assert.deepEqual(await unpack(packed, known), given);
}
assert.equal(await unpack('', known), null);
assert.ok((await pack({text: 'x'.repeat(9000), name: 'mine'})).length < 200);
await assert.rejects(pack({text: 'x'.repeat(LARGEST_TEXT + 1), name: 'long'}), /more than/);
await assert.rejects(pack({scene: 'flag', settings: ['a=b c']}), /cannot be put/);

const bomb = await pack({text: 'x'.repeat(LARGEST_TEXT), name: 'long'});
const stream = new Blob(['x'.repeat(50 * LARGEST_TEXT)]).stream().pipeThrough(new CompressionStream('deflate'));
const large = Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url');
for (const [fragment, reason] of [
  ['scene=../../etc/passwd', /no scene/],
  ['scene=__proto__', /no scene/],
  ['scene=galaxy&scene=flag', /unknown part/],
  ['scene=galaxy&text=AAAA', /or two/],
  ['set=a=1', /names no scene/],
  ['javascript:alert(1)', /unknown part/],
  ['scene=galaxy&onload=1', /unknown part/],
  ['scene=galaxy&set=stars', /no setting/],
  ['scene=galaxy&set=stars=1.2.3', /no setting/],
  ['scene=galaxy&set=stars=1e9999', /no setting/],
  ['scene=galaxy&set=stars=<img>', /no setting/],
  ['scene=galaxy&set=a=[1, 2]', /no setting/],
  ['scene=galaxy&set=a=[1, 2, x]', /no setting/],
  ['scene=galaxy&set=include=/etc/passwd', /no setting/],
  ['scene=galaxy&set=a="b"', /no setting/],
  [`scene=galaxy${'&set=a=1'.repeat(65)}`, /more than 64/],
  ['scene=%E0%A4%A', /broken escape/],
  ['text=*', /base64url/],
  ['text=AAAA', /damaged/],
  ['text=A', /damaged/],
  [`text=${bomb.split('text=')[1].slice(0, -8)}`, /damaged/],
  [`text=${large}`, /unpacks to more/],
  ['name=a b&text=AwA', /its name/],
  ['x'.repeat(LONGEST_ADDRESS + 1), /too long/],
])
  await assert.rejects(unpack(fragment, known), reason, fragment.slice(0, 60));

const notUtf8 = new Blob([new Uint8Array([0xff, 0xfe, 0x80])]).stream().pipeThrough(new CompressionStream('deflate'));
const odd = Buffer.from(await new Response(notUtf8).arrayBuffer()).toString('base64url');
await assert.rejects(unpack(`text=${odd}`, known), /no UTF-8/);
