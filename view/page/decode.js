// A message of view/message.h as typed arrays. Everything is checked before it is used: a message
// that is not as it must be throws an Error with one sentence.

const HEAD = 16, VERSION = 1, KIND_FRAME = 1;
const TYPES = {u8: Uint8Array, i8: Int8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array};

class Damage extends Error {}

function fail(what) {
  throw new Damage(`message: ${what}`);
}

class Blocks {
  constructor(buffer, start, size) {
    Object.assign(this, {buffer, start, size});
  }

  // A view of the block, without a copy; `count` numbers, where that is known.
  read(block, types, count) {
    if (block === null || typeof block !== 'object') fail('a block is missing');
    const Type = types.includes(block.type) ? TYPES[block.type] : fail('a block has a wrong type');
    const {at, count: n} = block;
    const good = Number.isInteger(at) && Number.isInteger(n) && at >= 0 && n >= 0 && at % 8 === 0 &&
        at + n * Type.BYTES_PER_ELEMENT <= this.size && (count === undefined || n === count);
    if (!good) fail('a block is not where it should be');
    return new Type(this.buffer, this.start + at, n);
  }

  // Rows, all below `limit`, in groups.
  rows(block, group, limit) {
    const rows = this.read(block, ['u32']);
    if (rows.length % group !== 0) fail('a list of corners has a wrong length');
    for (let i = 0; i < rows.length; ++i)
      if (rows[i] >= limit) fail('a corner names a point that is not there');
    return rows;
  }

  // Places in metres. Planar ones become x, y, z, radius of each; others x, y, z.
  points(block, count, out, planar) {
    const values = this.read(block, ['u16', 'f32'], 3 * count), stride = planar ? 4 : 3;
    const fixed = block.type === 'u16';
    for (let k = 0; k < 3; ++k) {
      const low = fixed ? finite(block.low?.[k]) : 0, step = fixed ? finite(block.step?.[k]) : 1;
      const first = planar ? k * count : k, jump = planar ? 1 : 3;
      for (let i = 0, o = k; i < count; ++i, o += stride)
        out[o] = low + step * values[first + i * jump];
    }
    return out;
  }
}

function finite(value) {
  return Number.isFinite(value) ? value : fail('a number is missing');
}

function counted(value) {
  return Number.isInteger(value) && value >= 0 && value < 2 ** 31 ? value : fail('a count is missing');
}

function list(value) {
  return Array.isArray(value) ? value : fail('a list is missing');
}

function vector(value, size) {
  if (!Array.isArray(value) || value.length !== size || !value.every(Number.isFinite))
    fail('a vector is missing');
  return value;
}

function readSystem(blocks, s) {
  const count = counted(s.count), system = {...s, count, points: new Float32Array(4 * count)};
  if (count === 0) return {...system, color: [255, 255, 255, 255], gain: 1};
  blocks.points(s.position, count, system.points, true);
  if (typeof s.radius === 'number') {
    for (let i = 0; i < count; ++i) system.points[4 * i + 3] = s.radius;
  } else {
    const radius = blocks.read(s.radius, ['f32'], count);
    for (let i = 0; i < count; ++i) system.points[4 * i + 3] = radius[i];
  }
  system.color = Array.isArray(s.color) ? vector(s.color, 4)
                                        : blocks.read(s.color, ['u8'], 4 * count);
  system.gain = finite(s.gain);
  if (s.drift) system.drift = {bytes: blocks.read(s.drift, ['i8'], 3 * count), step: finite(s.drift.step)};
  if (s.trail) system.trail = readTrail(blocks, s.trail, count);
  return system;
}

// Pieces between two places of a particle, with its row and their opacity.
function readTrail(blocks, {ends, rows, opacity}, count) {
  const pieces = counted(ends?.count) / 6;
  if (!Number.isInteger(pieces)) fail('a trail has a wrong length');
  const of = blocks.rows(rows, 1, count);
  if (of.length !== pieces) fail('a trail has a wrong length');
  return {ends: blocks.points(ends, 2 * pieces, new Float32Array(6 * pieces), false), rows: of,
          opacity: blocks.read(opacity, ['u8'], pieces)};
}

function readMesh(blocks, m, systems) {
  const system = systems[m.system] ?? fail('links of a system that is not there');
  return {name: m.name, system: m.system, links: blocks.rows(m.links, 2, system.count),
          triangles: blocks.rows(m.triangles, 3, system.count)};
}

// A mesh with vertices of its own; `normals` where they are sent.
function readSolid(blocks, s) {
  const count = counted(s.vertices?.count) / 3;
  if (!Number.isInteger(count)) fail('a list of vertices has a wrong length');
  const vertices = blocks.points(s.vertices, count, new Float32Array(3 * count), false);
  const normals = s.normals ? blocks.read(s.normals, ['i8'], 4 * count) : null;
  return {...s, vertices, normals, triangles: blocks.rows(s.triangles, 3, count)};
}

function readShape(blocks, s) {
  const poses = blocks.read(s.poses, ['f32']);
  if (poses.length % 7 !== 0) fail('a list of poses has a wrong length');
  if (typeof s.form?.type !== 'string' || typeof s.look !== 'object') fail('a shape has no form');
  vector(s.look.color, 3);
  return {...s, poses, names: list(s.names)};
}

function readHead(buffer) {
  if (buffer.byteLength < HEAD) fail('it is too short');
  const view = new DataView(buffer);
  if (view.getUint32(0, false) !== 0x6d6f7465) fail('it does not begin with "mote"');
  if (view.getUint16(4, true) !== VERSION) fail(`it is of version ${view.getUint16(4, true)}`);
  if (view.getUint16(6, true) !== KIND_FRAME) fail(`it is of kind ${view.getUint16(6, true)}`);
  const text = view.getUint32(8, true), data = view.getUint32(12, true);
  if (text % 8 !== 0 || HEAD + text + data !== buffer.byteLength) fail('its length is wrong');
  return {text, data};
}

function readFrame(buffer) {
  const {text, data} = readHead(buffer);
  const json = new TextDecoder('utf-8', {fatal: true}).decode(new Uint8Array(buffer, HEAD, text));
  const frame = JSON.parse(json), blocks = new Blocks(buffer, HEAD + text, data);
  for (const key of ['from', 'to', 'up']) vector(frame.camera?.[key], 3);
  for (const key of ['horizon', 'zenith', 'glow']) vector(frame.sky?.[key], 3);
  for (const key of ['index', 'time', 'dt', 'exposure', 'bloom']) finite(frame[key]);
  frame.systems = list(frame.systems).map((s) => readSystem(blocks, s));
  frame.meshes = list(frame.meshes).map((m) => readMesh(blocks, m, frame.systems));
  frame.surfaces = list(frame.surfaces).map((s) => readSolid(blocks, s));
  frame.shapes = list(frame.shapes).map((s) => readShape(blocks, s));
  frame.solids = frame.solids ? list(frame.solids).map((s) => readSolid(blocks, s)) : null;
  return frame;
}

// buffer: an ArrayBuffer, which the arrays go on using.
export function decode(buffer) {
  try {
    return readFrame(buffer);
  } catch (error) {
    if (error instanceof Damage) throw error;
    fail(`it is damaged: ${error.message}`); // no text, no JSON, or something is not what it should be
  }
}
