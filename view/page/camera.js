// The camera of the view: the scene's own at first, then wherever it is dragged to. Angles are kept
// about the scene's `up`, so that the horizon stays level.

import {add, cross, dot, length, lookFrom, orthographic, perspective, scale, sub, turn, unit} from './vector.js';

const STEEPEST = 0.995; // of the view along `up`
const NARROW = 1.5; // width / height below which a picture shows as much across as one so wide

export class Camera {
  constructor() {
    this.set({from: [3, 2, 4], to: [0, 0.5, 0], up: [0, 1, 0], fov: 40, height: 0});
  }

  // A camera of a message: orbit and dolly become part of `from`.
  set({from, to, up, fov, height, orbit, dolly}) {
    const axis = unit(up);
    let arm = sub(from, to);
    if (orbit) arm = turn(arm, axis, orbit * Math.PI / 180);
    if (dolly > 0) arm = scale(arm, dolly);
    this.to = [...to], this.up = axis, this.from = add(to, arm);
    this.fov = fov, this.height = height;
  }

  get distance() {
    return length(sub(this.from, this.to));
  }

  // right, up and back, orthonormal.
  axes() {
    const back = unit(sub(this.from, this.to)), right = unit(cross(this.up, back));
    return {right, up: cross(back, right), back};
  }

  // dx, dy: radians.
  orbit(dx, dy) {
    const arm = turn(sub(this.from, this.to), this.up, -dx), {right} = this.axes();
    const level = turn(right, this.up, -dx), raised = turn(arm, level, -dy);
    const steep = Math.abs(dot(unit(raised), this.up)) > STEEPEST;
    this.from = add(this.to, steep ? arm : raised);
  }

  // dx, dy: parts of the picture's height.
  pan(dx, dy) {
    const {right, up} = this.axes(), tall = this.tall();
    const way = add(scale(right, -dx * tall), scale(up, dy * tall));
    this.from = add(this.from, way), this.to = add(this.to, way);
  }

  zoom(factor) {
    if (this.height > 0) this.height *= factor;
    this.from = add(this.to, scale(sub(this.from, this.to), factor));
  }

  // Metres from the bottom to the top of the picture, at `to`.
  tall() {
    return this.height > 0 ? this.height
                           : 2 * this.distance * Math.tan(this.fov * Math.PI / 360);
  }

  // Half of the picture's height: m without perspective, else the slope of its upper edge.
  half(aspect) {
    const own = this.height > 0 ? this.height / 2 : Math.tan(this.fov * Math.PI / 360);
    return own * Math.max(1, NARROW / aspect);
  }

  // Looks along -direction at a ball; `direction` keeps what it is without one.
  fit(middle, radius, aspect, direction) {
    const arm = unit(direction ?? sub(this.from, this.to));
    const half = Math.tan(this.fov * Math.PI / 360) * Math.max(1, NARROW / aspect) * Math.min(1, aspect);
    const far = Math.max(radius, 1e-6) * Math.sqrt(1 + 1 / (half * half));
    if (this.height > 0) this.height = 2.1 * radius / Math.min(1, aspect) / Math.max(1, NARROW / aspect);
    this.to = [...middle], this.from = add(middle, scale(arm, 1.03 * far));
  }

  // Matrices for a picture of this width / height; far: how far things can be from `to`.
  matrices(aspect, far) {
    const {right, up, back} = this.axes(), reach = this.distance + far;
    const near = Math.max(this.distance - far, reach / 20000, 1e-5);
    const eye = lookFrom(this.from, right, up, back);
    const half = this.half(aspect);
    const screen = this.height > 0 ? orthographic(2 * half * aspect, 2 * half, -reach, reach)
                                   : perspective(half, aspect, near, reach);
    return {eye, screen, right, up, back, from: this.from};
  }
}
