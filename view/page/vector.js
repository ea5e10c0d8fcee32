// Vectors, quaternions and matrices (column by column, as WebGL takes them).

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) =>
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
export const unit = (a) => scale(a, 1 / (length(a) || 1));

// v turned about a unit axis (Rodrigues).
export function turn(v, axis, angle) {
  const c = Math.cos(angle), s = Math.sin(angle), along = scale(axis, dot(axis, v));
  return add(along, add(scale(sub(v, along), c), scale(cross(axis, v), s)));
}

// v turned by the unit quaternion [x, y, z, w].
export function rotate(q, v) {
  const t = scale(cross(q, v), 2);
  return add(v, add(scale(t, q[3]), cross(q, t)));
}

export function times(a, b) {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; ++c)
    for (let r = 0; r < 4; ++r)
      for (let k = 0; k < 4; ++k) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  return out;
}

// World to eye: right, up and back are the rows.
export function lookFrom(eye, right, up, back) {
  return new Float32Array([right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2],
                           back[2], 0, -dot(right, eye), -dot(up, eye), -dot(back, eye), 1]);
}

// Of a matrix by lookFrom.
export function inverse(m) {
  const at = [0, 1, 2].map((k) => -(m[4 * k] * m[12] + m[4 * k + 1] * m[13] + m[4 * k + 2] * m[14]));
  return new Float32Array([m[0], m[4], m[8], 0, m[1], m[5], m[9], 0, m[2], m[6], m[10], 0, ...at, 1]);
}

// half: slope of the picture's upper edge.
export function perspective(half, aspect, near, far) {
  const f = 1 / half, d = 1 / (near - far);
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (near + far) * d, -1, 0, 0,
                           2 * near * far * d, 0]);
}

export function orthographic(width, height, near, far) {
  const d = 1 / (near - far);
  return new Float32Array([2 / width, 0, 0, 0, 0, 2 / height, 0, 0, 0, 0, 2 * d, 0, 0, 0,
                           (near + far) * d, 1]);
}
