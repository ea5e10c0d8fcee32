// A decoded frame as lists of what is drawn: particles, lines, solids with their instances, planes;
// and the box around all of it.

import {makeSolid, planeOf} from './solids.js';
import {add, length, rotate, scale, sub} from './vector.js';

const PROFILES = {gaussian: 0, soft: 1, disc: 2, sphere: 3, liquid: 3};
export const BALL = 3;

class Box {
  constructor() {
    this.low = [Infinity, Infinity, Infinity], this.high = [-Infinity, -Infinity, -Infinity];
  }

  // Points with `stride` numbers each; radius: the fourth, where there is one.
  add(points, stride) {
    const {low, high} = this;
    for (let i = 0; i < points.length; i += stride)
      for (let k = 0; k < 3; ++k) {
        const at = points[i + k], r = stride === 4 ? points[i + 3] : 0;
        if (at - r < low[k]) low[k] = at - r;
        if (at + r > high[k]) high[k] = at + r;
      }
  }

  get empty() {
    return !(this.low[0] <= this.high[0]);
  }

  get middle() {
    return this.empty ? [0, 0, 0] : scale(add(this.low, this.high), 0.5);
  }

  get radius() {
    return this.empty ? 1 : Math.max(length(sub(this.high, this.low)) / 2, 1e-6);
  }
}

function isOpaque(color) {
  if (Array.isArray(color)) return color[3] === 255;
  for (let i = 3; i < color.length; i += 4)
    if (color[i] !== 255 && color[i] !== 0) return false;
  return true;
}

function particles(system, number) {
  const profile = PROFILES[system.profile] ?? BALL;
  return {name: `p${number}`, system: number, count: system.count, points: system.points, color: system.color,
          gain: system.gain, profile, add: system.add, lit: system.lit, drift: profile === BALL ? null : system.drift ?? null, // balls are drawn sharp
          opaque: profile === BALL && !system.add && isOpaque(system.color)};
}

// Colours of rows, one after another.
function gatherColors(color, rows) {
  if (Array.isArray(color)) return color;
  const out = new Uint8Array(4 * rows.length);
  for (let i = 0; i < rows.length; ++i)
    for (let k = 0; k < 4; ++k) out[4 * i + k] = color[4 * rows[i] + k];
  return out;
}

function links(system, mesh, number) {
  const {links: ends} = mesh, {points} = system, count = ends.length / 2;
  const places = new Float32Array(6 * count), firsts = new Uint32Array(count);
  for (let i = 0; i < ends.length; ++i)
    for (let k = 0; k < 3; ++k) places[3 * i + k] = points[4 * ends[i] + k];
  for (let i = 0; i < count; ++i) firsts[i] = ends[2 * i];
  return {name: `l${number}`, count, places, color: gatherColors(system.color, firsts), gain: system.gain,
          width: system.line, round: true};
}

// As wide as the particle, unless the look has a width, and as opaque as the piece and the particle are.
function trail(system, number) {
  const {ends, rows, opacity} = system.trail, count = rows.length, color = new Uint8Array(4 * count);
  const own = Array.isArray(system.color) ? () => 0 : (row) => 4 * row;
  for (let i = 0; i < count; ++i) {
    const from = own(rows[i]);
    for (let k = 0; k < 3; ++k) color[4 * i + k] = system.color[from + k];
    color[4 * i + 3] = opacity[i] * system.color[from + 3] / 255;
  }
  const width = system.line > 0 ? system.line : 2 * (system.points[3] || 0.01);
  return {name: `t${number}`, count, places: ends, color, gain: system.gain, width, round: false, clear: true,
          add: system.add};
}

// Normals of a cloth's particles: the faces' around it, by their areas.
function clothNormals(places, triangles) {
  const normals = new Float32Array(places.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    const ux = places[b] - places[a], uy = places[b + 1] - places[a + 1], uz = places[b + 2] - places[a + 2];
    const vx = places[c] - places[a], vy = places[c + 1] - places[a + 1], vz = places[c + 2] - places[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    for (const v of [a, b, c]) normals[v] += nx, normals[v + 1] += ny, normals[v + 2] += nz;
  }
  return normals;
}

function cloth(system, mesh, number) {
  const places = new Float32Array(3 * system.count);
  for (let i = 0; i < system.count; ++i)
    for (let k = 0; k < 3; ++k) places[3 * i + k] = system.points[4 * i + k];
  return {name: `c${number}`, places, normals: clothNormals(places, mesh.triangles), triangles: mesh.triangles,
          color: system.color, gain: system.gain, roughness: 0.6, gloss: 0.3, poses: null};
}

// A liquid's surface has the mean colour of its particles.
function surface(solid, system, number) {
  let color = system.color;
  if (!Array.isArray(color)) {
    const sum = [0, 0, 0, 0];
    for (let i = 0; i < color.length; ++i) sum[i & 3] += color[i];
    color = sum.map((s) => s / system.count);
  }
  return {name: `s${number}`, places: solid.vertices, normals: solid.normals, triangles: solid.triangles, color,
          gain: system.gain, roughness: 0.15, gloss: 0.9, poses: null};
}

// The edges of a shape at each of its poses, as lines.
function edges(shape, net, number) {
  const poses = shape.poses.length / 7, {edges: own} = net, places = new Float32Array(poses * own.length);
  for (let n = 0; n < poses; ++n) {
    const at = shape.poses.subarray(7 * n, 7 * n + 3), q = shape.poses.subarray(7 * n + 3, 7 * n + 7);
    for (let i = 0; i < own.length; i += 3)
      places.set(add(at, rotate(q, own.slice(i, i + 3))), n * own.length + i);
  }
  const color = shape.look.color.map((c) => 255 * Math.sqrt(Math.min(c, 1)));
  return {name: `e${number}`, count: places.length / 6, places, color: [...color, 255], gain: 1, width: -1.5,
          round: false};
}

export class Stage {
  // nets: made before, by their form; meshes: by their hashes.
  constructor(frame, nets, meshes) {
    this.splats = [], this.lines = [], this.solids = [], this.planes = [], this.box = new Box();
    frame.systems.forEach((system, i) => {
      this.box.add(system.points, 4);
      if (system.particles && system.count > 0) this.splats.push(particles(system, i));
      if (system.trail && system.trail.rows.length > 0) this.lines.push(trail(system, i));
    });
    frame.meshes.forEach((mesh, i) => this.addMesh(frame.systems[mesh.system], mesh, i));
    frame.surfaces.forEach((solid, i) => {
      const system = frame.systems[solid.system];
      if (system.triangles) this.solids.push(surface(solid, system, i));
    });
    frame.shapes.forEach((shape, i) => this.addShape(shape, i, nets, meshes));
  }

  addMesh(system, mesh, number) {
    if (system.triangles && mesh.triangles.length > 0) this.solids.push(cloth(system, mesh, number));
    if (system.lines && mesh.links.length > 0) this.lines.push(links(system, mesh, number));
  }

  addShape(shape, number, nets, meshes) {
    for (let n = 0; n < shape.poses.length; n += 7) {
      const pose = shape.poses.subarray(n, n + 7);
      const plane = planeOf(shape.form, pose.subarray(0, 3), pose.subarray(3));
      if (plane) this.planes.push(plane);
    }
    const key = JSON.stringify(shape.form);
    if (!nets.has(key)) {
      const net = makeSolid(shape.form, meshes);
      if (net) nets.set(key, net);
    }
    const net = nets.get(key), {look} = shape;
    if (!net) return;
    this.encloseShape(shape, net);
    const clear = look.wireframe || look.glass || net.triangles.length === 0;
    if (look.visible && clear) this.lines.push(edges(shape, net, number));
    else if (look.visible)
      this.solids.push({name: `f${key}`, net, poses: shape.poses, color: look.color, gain: -1,
                        roughness: look.roughness, gloss: look.gloss});
  }

  encloseShape(shape, net) {
    if (!net.box) {
      net.box = new Box();
      net.box.add(net.positions, 3);
    }
    if (net.box.empty || net.box.radius > 50) return;
    for (let n = 0; n < shape.poses.length; n += 7) {
      const at = shape.poses.subarray(n, n + 3), q = shape.poses.subarray(n + 3, n + 7);
      const middle = add(at, rotate(q, net.box.middle));
      const half = scale(sub(net.box.high, net.box.low), 0.5);
      for (let c = 0; c < 8; ++c) {
        const corner = [c & 1 ? half[0] : -half[0], c & 2 ? half[1] : -half[1], c & 4 ? half[2] : -half[2]];
        this.box.add(add(middle, rotate(q, corner)), 3);
      }
    }
  }
}
