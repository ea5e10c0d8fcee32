// View: a canvas that shows a frame. WebGL2 in linear light: sky and ground, shadows of the first
// sun, lit solids, cloth and spheres with depth, then what is see-through from far to near, then
// bloom and tone.

import {Camera} from './camera.js';
import {attribute, Buffers, constant, Program, ShadowMap, Target} from './gl.js';
import {listen} from './input.js';
import {PROGRAMS} from './shaders.js';
import {missingMeshes} from './solids.js';
import {BALL, Stage} from './stage.js';
import {add, cross, dot, inverse, lookFrom, orthographic, scale, sub, times, unit} from './vector.js';

const SKY_PART = 0.42, SLOW = 150, MOST_PLANES = 8, SHADOW_SIDE = 2048, BLOOM_LEVELS = 5;
const TONES = {linear: 0, filmic: 1, natural: 2};
const NO_TURN = [0, 0, 0, 1];

const isSoftware = (gl) => {
  const about = gl.getExtension('WEBGL_debug_renderer_info');
  return /swiftshader|llvmpipe|software/i.test(about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : '');
};

export class View {
  // onChange: called when the camera was moved by hand. keys: where keys are listened to.
  constructor(canvas, {onChange = () => {}, keys = canvas} = {}) {
    this.canvas = canvas, this.camera = new Camera(), this.onChange = onChange;
    this.meshes = new Map(), this.nets = new Map(), this.frame = null, this.stage = null;
    this.moved = false, this.waiting = false, this.scale = 1;
    this.connect();
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => (this.connect(), this.refresh()));
    listen(this, keys);
    this.watcher = new ResizeObserver(() => this.redraw());
    this.watcher.observe(canvas);
  }

  connect() {
    const gl = this.canvas.getContext('webgl2', {alpha: false, antialias: false, depth: false});
    if (!gl) throw new Error('this browser has no WebGL2, which the view needs');
    this.gl = gl;
    this.format = gl.getExtension('EXT_color_buffer_float') ? gl.RGBA16F : gl.RGBA8;
    this.soft = isSoftware(gl);
    this.samples = this.soft ? 0 : Math.min(4, gl.getParameter(gl.MAX_SAMPLES));
    this.programs = {}, this.buffers = new Buffers(gl), this.target = null, this.levels = [];
    for (const [name, text] of Object.entries(PROGRAMS)) this.programs[name] = new Program(gl, text);
    this.shadow = new ShadowMap(gl, this.soft ? SHADOW_SIDE / 2 : SHADOW_SIDE);
  }

  // A frame of decode(). Returns the hashes of meshes that it needs and that never came.
  setFrame(frame) {
    for (const solid of frame.solids ?? []) this.meshes.set(solid.hash, solid);
    if (frame.solids) this.nets.clear();
    const first = this.frame === null;
    this.frame = frame;
    if (first || !this.moved) this.camera.set(frame.camera);
    this.refresh();
    return frame.shapes.flatMap((shape) => missingMeshes(shape.form, this.meshes));
  }

  refresh() {
    if (!this.frame) return;
    this.stage = new Stage(this.frame, this.nets, this.meshes);
    this.sorted = null;
    this.fresh = true;
    this.redraw();
  }

  // Another scene: its camera counts again.
  reset() {
    this.moved = false, this.frame = null, this.stage = null;
    this.meshes.clear(), this.nets.clear();
  }

  resetCamera() {
    this.moved = false;
    if (this.frame) this.camera.set(this.frame.camera);
    this.redraw();
    this.onChange();
  }

  // Everything in the picture; direction: from where, or as it is.
  fit(direction) {
    if (!this.stage) return;
    const {middle, radius} = this.stage.box;
    this.camera.fit(middle, radius, this.aspect, direction);
    this.cameraMoved();
  }

  cameraMoved() {
    this.moved = true, this.sorted = null;
    this.redraw();
    this.onChange();
  }

  get aspect() {
    return Math.max(this.canvas.clientWidth, 1) / Math.max(this.canvas.clientHeight, 1);
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame((now) => {
      this.waiting = false;
      if (this.gl.isContextLost()) return;
      this.spare(now);
      this.draw();
    });
  }

  // A machine that cannot keep up draws fewer pixels, until the picture rests.
  spare(now) {
    const took = now - (this.before ?? now);
    this.before = now;
    this.slow = took > SLOW && took < 2000 ? (this.slow ?? 0) + 1 : took < SLOW / 2 ? 0 : this.slow;
    if (this.slow > 4 && this.scale > 0.3) this.scale /= 1.5, this.slow = 0;
  }

  // ---- places ----

  matrices() {
    const box = this.stage.box, {from, to, distance} = this.camera;
    const away = Math.hypot(...sub(box.middle, to)) + box.radius;
    const far = this.stage.planes.length > 0 ? Math.max(away, 40 * distance, 200) : 1.2 * away;
    const m = this.camera.matrices(this.aspect, far);
    return {...m, all: times(m.screen, m.eye), from};
  }

  // Where a place of the world is in the canvas, in CSS pixels; depth below 0: behind the eye.
  project(place) {
    const {all} = this.matrices(), p = [...place, 1], q = [0, 0, 0, 0];
    for (let r = 0; r < 4; ++r)
      for (let k = 0; k < 4; ++k) q[r] += all[4 * k + r] * p[k];
    return {x: (0.5 + 0.5 * q[0] / q[3]) * this.canvas.clientWidth,
            y: (0.5 - 0.5 * q[1] / q[3]) * this.canvas.clientHeight, depth: q[3]};
  }

  // The particle that is seen at a place of the canvas: {system, name, row, place}, or null.
  pick(x, y, slack = 6) {
    if (!this.stage) return null;
    const {all} = this.matrices(), w = this.canvas.clientWidth, h = this.canvas.clientHeight;
    const focal = this.focal(h);
    let best = null, nearest = Infinity;
    for (const {points, system, count} of this.stage.splats)
      for (let i = 0; i < count; ++i) {
        const px = points[4 * i], py = points[4 * i + 1], pz = points[4 * i + 2];
        const q = all[3] * px + all[7] * py + all[11] * pz + all[15];
        if (!(q > 0)) continue;
        const sx = (0.5 + 0.5 * (all[0] * px + all[4] * py + all[8] * pz + all[12]) / q) * w - x;
        const sy = (0.5 - 0.5 * (all[1] * px + all[5] * py + all[9] * pz + all[13]) / q) * h - y;
        const away = Math.hypot(sx, sy), radius = points[4 * i + 3] * focal / q;
        if (away > radius + slack) continue;
        const depth = (all[2] * px + all[6] * py + all[10] * pz + all[14]) / q;
        const rank = away <= radius ? depth : 2 + away; // what is hit comes before what is near
        if (rank < nearest) nearest = rank, best = {system, row: i, place: [px, py, pz]};
      }
    return best && {...best, name: this.frame.systems[best.system].name};
  }

  // Pixels per metre at distance 1, or anywhere without perspective.
  focal(height) {
    return height / 2 / this.camera.half(this.aspect);
  }

  // ---- drawing ----

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2) * this.scale;
    const width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
    const height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    if (this.target && this.target.width === width && this.target.height === height) return;
    const {gl, format, samples} = this;
    this.canvas.width = width, this.canvas.height = height;
    for (const old of [this.target, ...this.levels]) old?.free();
    this.target = new Target(gl, width, height, {format, samples, depth: true});
    this.levels = [this.target];
    for (let i = 1, w = width, h = height; i <= BLOOM_LEVELS; ++i) {
      w = Math.max(1, (w + 1) >> 1), h = Math.max(1, (h + 1) >> 1);
      this.levels.push(new Target(gl, w, h, {format}));
    }
  }

  // The frame's lights, or a sun over the left shoulder.
  lights(m) {
    const {lights, ambient} = this.frame;
    if (lights.length > 0)
      return {ambient, list: lights.map((l) => ({...l, at: l.point ? l.at : unit(l.toward)}))};
    const toward = unit(add(this.camera.up, add(scale(m.right, -0.45), scale(m.back, 0.35))));
    const light = (1 - SKY_PART) / Math.max(dot(toward, this.camera.up), 0.2);
    return {ambient: [SKY_PART, SKY_PART, SKY_PART], plain: true,
            list: [{point: false, at: toward, color: [light, light, light], shadows: true}]};
  }

  uniforms(m) {
    const {frame, stage, camera} = this, {ambient, list, plain} = this.lights(m);
    const ground = frame.ground.visible && stage.planes.length > 0, {fade} = frame.ground;
    const far = fade >= 0 ? fade : Math.max(20, 4 * camera.distance);
    const eye = list.map((l) => (l.point ? sub(l.at, m.from) : l.at))
                    .map((p) => [dot(p, m.right), dot(p, m.up), dot(p, m.back)]);
    return {uEye: m.from, uUp: camera.up, uHorizon: frame.sky.horizon, uZenith: frame.sky.zenith,
            uGlow: frame.sky.glow, uAmbient: ambient, uLights: list.length,
            uLightAt: list.flatMap((l) => l.at), uLightEye: eye.flat(),
            uLightColor: list.flatMap((l) => l.color), uLightPoint: list.map((l) => +l.point),
            uHaze: far > 0 ? 1 / (far * far) : 0, uGround: frame.ground.colors.flat(), uHasGround: ground,
            uFlat: frame.dimension === 2, uOrtho: camera.height > 0, uToEye: m.eye, uScreen: m.screen,
            uWorldToScreen: m.all, uFocal: this.focal(this.canvas.height), uShadows: false,
            uPlainLight: Boolean(plain), sun: list[0]?.shadows && !list[0].point ? list[0].at : null, ground};
  }

  draw() {
    if (!this.stage) return;
    const {gl} = this;
    this.resize();
    const m = this.matrices(), u = this.uniforms(m);
    gl.enable(gl.DEPTH_TEST), gl.depthFunc(gl.LEQUAL), gl.depthMask(true);
    gl.disable(gl.BLEND);
    this.drawShadow(u);
    this.target.bind();
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.activeTexture(gl.TEXTURE0 + 1);
    gl.bindTexture(gl.TEXTURE_2D, this.shadow.image);
    gl.activeTexture(gl.TEXTURE0);
    this.drawBackdrop(m, u);
    this.drawSolids('solid', u);
    this.drawSplats(u, true);
    this.drawLines(u, false);
    this.drawLines(u, true);
    this.drawSplats(u, false, m);
    this.finish();
    this.buffers.sweep();
    this.fresh = false;
  }

  drawShadow(u) {
    const {gl, stage} = this, lit = stage.splats.filter((s) => s.lit && !s.add);
    gl.activeTexture(gl.TEXTURE0 + 1);
    gl.bindTexture(gl.TEXTURE_2D, null);
    u.uShadow = 1, u.uSift = false;
    if (!u.sun || stage.solids.length + lit.length === 0 || u.uFlat) return;
    const {middle, radius} = stage.box, back = unit(u.sun);
    const right = unit(cross(Math.abs(back[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0], back));
    const eye = lookFrom(middle, right, cross(back, right), back);
    const screen = orthographic(2 * radius, 2 * radius, -radius, 3 * radius); // also of the ground behind
    const light = {...u, uToEye: eye, uScreen: screen, uWorldToScreen: times(screen, eye), uOrtho: true,
                   uFocal: this.shadow.side / (2 * radius), uShadows: false, uLights: 0};
    this.shadow.bind();
    gl.enable(gl.POLYGON_OFFSET_FILL), gl.polygonOffset(2, 4);
    this.drawSolids('shadow', light);
    for (const balls of lit) this.drawBalls(balls, {...light, uSift: true}, balls.points, balls.color, 'shade');
    gl.disable(gl.POLYGON_OFFSET_FILL);
    u.uShadows = true, u.uShadowMatrix = light.uWorldToScreen, u.uPlainLight = false;
    u.uShadowFromEye = times(light.uWorldToScreen, inverse(u.uToEye)), u.uShadowSoft = 0.02 * radius;
  }

  drawBackdrop(m, u) {
    const {gl, camera, stage} = this;
    const half = camera.half(this.aspect);
    const planes = u.ground ? stage.planes.slice(0, MOST_PLANES) : [];
    const sides = planes.map(({normal, offset}) => {
      const side = dot(normal, m.from) >= offset || u.uFlat ? 1 : -1; // the eye is above
      return [...scale(normal, side), side * offset];
    });
    const {square} = this.frame.ground;
    this.programs.backdrop.use({...u, uRight: scale(m.right, half * this.aspect), uLift: scale(m.up, half),
                                uForward: scale(m.back, -1), uPlanes: planes.length,
                                uPlane: sides.length > 0 ? sides.flat() : [0, 0, 0, 0],
                                uSquares: square > 0 ? 1 / square : 0});
    gl.depthFunc(gl.ALWAYS);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.depthFunc(gl.LEQUAL);
  }

  drawSolids(program, u) {
    for (const solid of this.stage.solids)
      this.drawSolid(this.programs[program].use({...u, uGain: solid.gain, uRoughness: solid.roughness,
                                                 uGloss: solid.gloss}), solid);
  }

  drawSolid(program, solid) {
    const {gl, buffers} = this, {name, net, poses} = solid;
    if (net && !net.arrays)
      net.arrays = {places: new Float32Array(net.positions), normals: new Float32Array(net.normals),
                    triangles: new Uint32Array(net.triangles)};
    const from = net ? net.arrays : solid, kept = net && buffers.all.has(`${name}/place`);
    const fresh = net ? !kept : this.fresh, put = (part, data) => buffers.put(`${name}/${part}`, fresh ? data : null);
    put('place', from.places);
    attribute(gl, 0, 3);
    put('normal', from.normals);
    if (from.normals instanceof Int8Array) attribute(gl, 1, 3, {type: gl.BYTE, scaled: true, stride: 4});
    else attribute(gl, 1, 3);
    this.colors(4, name, solid.color, 0, solid.gain);
    buffers.put(`${name}/corner`, fresh ? from.triangles : null, gl.ELEMENT_ARRAY_BUFFER);
    let count = 1;
    if (poses) {
      buffers.put(`${name}/pose`, poses);
      attribute(gl, 2, 3, {stride: 28, divisor: 1});
      attribute(gl, 3, 4, {stride: 28, offset: 12, divisor: 1});
      count = poses.length / 7;
    } else constant(gl, 2, [0, 0, 0]), constant(gl, 3, NO_TURN);
    gl.drawElementsInstanced(gl.TRIANGLES, from.triangles.length, gl.UNSIGNED_INT, 0, count);
  }

  // One colour (bytes, or linear light where gain is below 0), or one for each.
  colors(at, name, color, divisor, gain = 1) {
    const {gl} = this;
    if (Array.isArray(color)) {
      constant(gl, at, gain < 0 ? color : color.map((c) => c / 255));
      return;
    }
    this.buffers.put(`${name}/color`, this.fresh || divisor === 1 ? color : null);
    attribute(gl, at, 4, {type: gl.UNSIGNED_BYTE, scaled: true, divisor});
  }

  drawSplats(u, opaque, m) {
    const {gl, stage} = this, all = stage.splats.filter((s) => s.opaque === opaque);
    if (all.length === 0) return;
    if (opaque) {
      if (this.samples > 0) gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE);
      for (const splats of all) this.drawBalls(splats, u, splats.points, splats.color, '');
      gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);
      return;
    }
    gl.enable(gl.BLEND), gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA), gl.depthMask(false);
    if (!this.sorted) this.sorted = all.map((s) => sortByDepth(s, m)).sort((a, b) => b.depth - a.depth);
    for (const {splats, points, color, drift} of this.sorted) this.drawBalls(splats, u, points, color, '', drift);
    gl.depthMask(true), gl.disable(gl.BLEND);
  }

  // drift: of particles that are streaks.
  drawBalls(splats, u, points, color, suffix, drift = null) {
    const {gl} = this, name = splats.name + suffix;
    const program = this.programs[splats.profile === BALL ? 'ball' : 'splat'];
    program.use({...u, uGain: splats.gain, uProfile: splats.profile, uOpaque: splats.opaque,
                             uAdd: splats.add, uLit: splats.lit, uDrift: splats.drift?.step ?? 0});
    this.buffers.put(`${name}/point`, points);
    attribute(gl, 0, 4, {divisor: 1});
    this.colors(1, name, color, 1);
    for (const at of [2, 3, 4]) gl.disableVertexAttribArray(at);
    if (drift) {
      this.buffers.put(`${name}/drift`, drift);
      attribute(gl, 2, 3, {type: gl.BYTE, divisor: 1});
    } else constant(gl, 2, [0, 0, 0]);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, splats.count);
  }

  // clear: trails, which one sees through.
  drawLines(u, clear) {
    const {gl, buffers} = this;
    if (clear) gl.enable(gl.BLEND), gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA), gl.depthMask(false);
    for (const lines of this.stage.lines) {
      if (Boolean(lines.clear) !== clear) continue;
      this.programs.line.use({...u, uGain: lines.gain, uWidth: lines.width, uRound: lines.round, uOpaque: !clear, uAdd: Boolean(lines.add)});
      buffers.put(`${lines.name}/place`, lines.places);
      attribute(gl, 0, 3, {stride: 24, divisor: 1});
      attribute(gl, 1, 3, {stride: 24, offset: 12, divisor: 1});
      this.colors(2, lines.name, lines.color, 1);
      for (const at of [3, 4]) gl.disableVertexAttribArray(at);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, lines.count);
    }
    gl.disable(gl.BLEND), gl.depthMask(true);
  }

  // Bloom and tone, into the canvas.
  finish() {
    const {gl, frame, levels, programs} = this;
    this.target.resolve();
    gl.disable(gl.DEPTH_TEST), gl.activeTexture(gl.TEXTURE0);
    for (let at = 0; at < 5; ++at) gl.disableVertexAttribArray(at);
    const pass = (program, from, to, values) => {
      gl.bindFramebuffer(gl.FRAMEBUFFER, to ? to.flat : null);
      gl.viewport(0, 0, to ? to.width : this.canvas.width, to ? to.height : this.canvas.height);
      gl.bindTexture(gl.TEXTURE_2D, from.image);
      program.use({...values, uImage: 0});
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    };
    if (frame.bloom > 0) {
      for (let i = 1; i < levels.length; ++i) pass(programs.shrink, levels[i - 1], levels[i], {});
      gl.enable(gl.BLEND), gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE);
      for (let i = levels.length - 1; i > 0; --i)
        pass(programs.mix, levels[i], levels[i - 1], {uWeight: i > 1 ? 0.6 : frame.bloom});
      gl.disable(gl.BLEND);
    }
    pass(programs.tone, this.target, null, {uExposure: frame.exposure, uTone: TONES[frame.tone] ?? 1});
  }
}

// Particles from far to near, with their mean depth: a counting sort by 16 bits.
function sortByDepth(splats, {back, from}) {
  const {points, color, count} = splats, keys = new Float32Array(count);
  let low = Infinity, high = -Infinity, sum = 0;
  for (let i = 0; i < count; ++i) {
    const d = (from[0] - points[4 * i]) * back[0] + (from[1] - points[4 * i + 1]) * back[1] +
        (from[2] - points[4 * i + 2]) * back[2];
    keys[i] = d, sum += d;
    if (d < low) low = d;
    if (d > high) high = d;
  }
  const depth = sum / count, drift = splats.drift?.bytes ?? null;
  if (splats.add) return {splats, points, color, drift, depth}; // light has no order
  const many = 65536, starts = new Uint32Array(many + 1), bins = new Uint16Array(count);
  const step = (many - 1) / Math.max(high - low, 1e-9);
  for (let i = 0; i < count; ++i) {
    bins[i] = (high - keys[i]) * step;
    ++starts[bins[i] + 1];
  }
  for (let b = 0; b < many; ++b) starts[b + 1] += starts[b];
  const sorted = new Float32Array(4 * count), plain = Array.isArray(color);
  const inks = plain ? null : new Uint32Array(count), drifts = drift && new Int8Array(3 * count);
  const words = plain ? null : new Uint32Array(color.buffer, color.byteOffset, count);
  for (let i = 0; i < count; ++i) {
    const to = starts[bins[i]]++;
    for (let k = 0; k < 4; ++k) sorted[4 * to + k] = points[4 * i + k];
    if (!plain) inks[to] = words[i];
    for (let k = 0; drift && k < 3; ++k) drifts[3 * to + k] = drift[3 * i + k];
  }
  return {splats, points: sorted, color: plain ? color : new Uint8Array(inks.buffer), drift: drifts, depth};
}

