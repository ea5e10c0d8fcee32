// Shapes as triangles: a maker for each row of the shapes, by its parameters. What a maker returns
// has positions, normals, triangles and the edges that a wire frame shows.

import {add, cross, dot, length, rotate, sub, unit} from './vector.js';

const AROUND = 48, RINGS = 24, ENDLESS = 60;

class Net {
  constructor() {
    this.positions = [], this.normals = [], this.triangles = [], this.edges = [];
  }

  vertex(p, n) {
    this.positions.push(...p), this.normals.push(...n);
    return this.positions.length / 3 - 1;
  }

  // A sheet of (across + 1) x (along + 1) vertices; at(i, j) gives place and normal.
  sheet(across, along, at) {
    const first = this.positions.length / 3, row = across + 1;
    for (let j = 0; j <= along; ++j)
      for (let i = 0; i <= across; ++i) this.vertex(...at(i / across, j / along));
    for (let j = 0; j < along; ++j)
      for (let i = 0; i < across; ++i) {
        const a = first + j * row + i, b = a + 1, c = a + row, d = c + 1;
        this.triangles.push(a, c, b, b, c, d);
      }
    return this;
  }

  disc(radius, y, side) {
    const middle = this.vertex([0, y, 0], [0, side, 0]);
    const rim = circle(radius, y).map((p) => this.vertex(p, [0, side, 0]));
    for (let i = 0; i < AROUND; ++i) {
      const a = rim[i], b = rim[i + 1];
      this.triangles.push(...(side > 0 ? [middle, b, a] : [middle, a, b]));
    }
    return this;
  }

  ring(points) {
    for (let i = 0; i + 1 < points.length; ++i) this.edges.push(...points[i], ...points[i + 1]);
    return this;
  }

  // Another net, posed.
  join(net, position, orientation) {
    const first = this.positions.length / 3;
    const place = (p) => add(position, rotate(orientation, p));
    for (let i = 0; i < net.positions.length; i += 3)
      this.vertex(place(net.positions.slice(i, i + 3)),
                  rotate(orientation, net.normals.slice(i, i + 3)));
    for (const corner of net.triangles) this.triangles.push(first + corner);
    for (let i = 0; i < net.edges.length; i += 3)
      this.edges.push(...place(net.edges.slice(i, i + 3)));
    return this;
  }
}

function circle(radius, y) {
  return Array.from({length: AROUND + 1}, (_, i) => {
    const a = 2 * Math.PI * i / AROUND;
    return [radius * Math.cos(a), y, radius * Math.sin(a)];
  });
}

const upright = (points) => points.map(([x, y, z]) => [x, z, y]);
const aside = (points) => points.map(([x, y, z]) => [y, x, z]);

// A ball drawn apart along y by `length`.
function capsule(radius, length) {
  const net = new Net().sheet(AROUND, RINGS + 1, (u, v) => {
    const j = Math.round(v * (RINGS + 1)), upper = j <= RINGS / 2; // the equator is there twice
    const a = 2 * Math.PI * u, b = Math.PI * (0.5 - (upper ? j : j - 1) / RINGS), c = Math.cos(b);
    const n = [c * Math.cos(a), Math.sin(b), c * Math.sin(a)];
    return [[radius * n[0], radius * n[1] + (upper ? length : -length) / 2, radius * n[2]], n];
  });
  return net.ring(circle(radius, length / 2));
}

function box(size) {
  const half = size.map((s) => (s > 0 ? s / 2 : ENDLESS)), net = new Net();
  for (let axis = 0; axis < 3; ++axis)
    for (const side of [-1, 1]) {
      const b = (axis + 1) % 3, c = (axis + 2) % 3, n = [0, 0, 0];
      n[axis] = side;
      const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]) => {
        const p = [0, 0, 0];
        p[axis] = side * half[axis], p[b] = u * half[b], p[c] = v * half[c];
        return p;
      });
      const [p, q, r, s] = corners.map((corner) => net.vertex(corner, n));
      net.triangles.push(...(side > 0 ? [p, q, r, p, r, s] : [p, r, q, p, s, r]));
      if (side > 0 || axis === 1) net.ring([...corners, corners[0]]);
    }
  return net;
}

function torus(radius, tube) {
  const net = new Net().sheet(AROUND, RINGS, (u, v) => {
    const a = 2 * Math.PI * u, b = 2 * Math.PI * v;
    const n = [Math.cos(b) * Math.cos(a), Math.sin(b), Math.cos(b) * Math.sin(a)];
    const out = radius + tube * Math.cos(b);
    return [[out * Math.cos(a), tube * Math.sin(b), out * Math.sin(a)], n];
  });
  return net.ring(circle(radius + tube, 0)).ring(circle(radius - tube, 0));
}

function cylinder(radius, height) {
  const net = new Net().sheet(AROUND, 1, (u, v) => {
    const a = 2 * Math.PI * u, n = [Math.cos(a), 0, Math.sin(a)];
    return [[radius * n[0], height * (v - 0.5), radius * n[2]], n];
  });
  net.disc(radius, height / 2, 1).disc(radius, -height / 2, -1);
  return net.ring(circle(radius, height / 2)).ring(circle(radius, -height / 2));
}

// Flat faces, and edges where two of them meet at an angle, or one ends.
function mesh(solid) {
  const net = new Net(), sides = new Map(), {vertices: v, triangles: t} = solid;
  const corner = (i) => [v[3 * i], v[3 * i + 1], v[3 * i + 2]];
  for (let i = 0; i < t.length; i += 3) {
    const [a, b, c] = [corner(t[i]), corner(t[i + 1]), corner(t[i + 2])];
    const n = unit(cross(sub(b, a), sub(c, a)));
    net.triangles.push(net.vertex(a, n), net.vertex(b, n), net.vertex(c, n));
    for (let k = 0; k < 3; ++k) {
      const [p, q] = [t[i + k], t[i + (k + 1) % 3]].sort((x, y) => x - y), key = p * 2 ** 26 + q;
      const other = sides.get(key);
      if (other === undefined) sides.set(key, {p, q, n});
      else if (dot(other.n, n) > 0.8) sides.delete(key);
    }
  }
  for (const {p, q} of sides.values()) net.edges.push(...corner(p), ...corner(q));
  return net;
}

const MAKERS = {
  sphere: (f) => capsule(f.radius, 0)
                     .ring(upright(circle(f.radius, 0))).ring(aside(circle(f.radius, 0))),
  box: (f) => box(f.size),
  capsule: (f) => capsule(f.radius, f.length).ring(circle(f.radius, -f.length / 2)),
  cylinder: (f) => cylinder(f.radius, f.height),
  torus: (f) => torus(f.radius, f.tube),
  convex: (f, meshes) => (meshes.has(f.mesh) ? mesh(meshes.get(f.mesh)) : null),
  mesh: (f, meshes) => (meshes.has(f.mesh) ? mesh(meshes.get(f.mesh)) : null),
  compound: (f, meshes) => f.parts.reduce((net, part) => {
    const made = makeSolid(part, meshes);
    return made ? net.join(made, part.position, part.orientation) : net;
  }, new Net()),
  inverted: (f, meshes) => {
    const inner = f.shape[0] && makeSolid(f.shape[0], meshes);
    if (!inner) return null;
    const net = new Net().join(inner, f.shape[0].position, f.shape[0].orientation);
    net.triangles = []; // a container: its edges alone
    return net;
  },
};

// meshes: by hash. NULL for planes, unknown shapes, and meshes that have not come yet.
export function makeSolid(form, meshes) {
  return MAKERS[form.type] ? MAKERS[form.type](form, meshes) : null;
}

// Hashes of the meshes that a form needs and that are not there.
export function missingMeshes(form, meshes, missing = []) {
  if (typeof form.mesh === 'string' && !meshes.has(form.mesh)) missing.push(form.mesh);
  for (const part of [...(form.parts ?? []), ...(form.shape ?? [])])
    missingMeshes(part, meshes, missing);
  return missing;
}

// The half-space of a plane with a pose: unit normal and offset along it; null for other shapes.
export function planeOf(form, position, orientation) {
  if (form.type !== 'plane') return null;
  const n = unit(rotate(orientation, form.normal));
  return length(form.normal) > 0 ? {normal: n, offset: form.offset + dot(n, position)} : null;
}
