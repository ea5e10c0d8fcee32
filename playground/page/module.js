// The WebAssembly module: texts in, answers out. Works in a worker and in node.

const NOT_THERE = 44, BAD_HANDLE = 8, DONE = 0; // errno of WASI

// What the C library asks of its system. A page has a clock and nothing else: no files, no
// environment, no arguments.
function systemFor(memory) {
  const view = () => new DataView(memory().buffer);
  const calls = {
    clock_time_get(clock, precision, out) {
      view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return DONE;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true), view().setUint32(size, 0, true);
      return DONE;
    },
    environ_get: () => DONE,
    fd_prestat_get: () => BAD_HANDLE,
    path_open: () => NOT_THERE,
    proc_exit(code) {
      throw new Error(`the module has ended with ${code}`);
    },
  };
  return new Proxy(calls, {get: (own, name) => own[name] ?? (() => BAD_HANDLE)});
}

export class Mote {
  // bytes: of playground.wasm, or a compiled module.
  static async open(bytes) {
    const mote = new Mote();
    const module = bytes instanceof WebAssembly.Module ? bytes : await WebAssembly.compile(bytes);
    const system = systemFor(() => mote.exports.memory), wanted = {};
    for (const {module: from, name} of WebAssembly.Module.imports(module))
      (wanted[from] ??= {})[name] = system[name];
    const instance = await WebAssembly.instantiate(module, wanted);
    mote.exports = instance.exports;
    mote.exports._initialize?.();
    return mote;
  }

  // Texts with a zero behind each, where the module reads them.
  write(texts) {
    const bytes = new TextEncoder().encode(texts.map((text) => `${text.replaceAll('\0', '\ufffd')}\0`).join(''));
    const at = this.exports.text_room(bytes.length);
    if (at === 0) throw new Error('out of memory');
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
  }

  // A copy of the last answer.
  bytes() {
    const at = this.exports.answer_bytes(), size = this.exports.answer_size();
    return new Uint8Array(this.exports.memory.buffer, at, size).slice();
  }

  json() {
    return JSON.parse(new TextDecoder().decode(this.bytes()));
  }

  // Calls an export that fails with an answer {error}.
  ask(name, ...values) {
    if (this.exports[name](...values) === 0) return;
    const {error} = this.json();
    throw new Error(error);
  }

  // {messages, error} or what the scene is: name, frames, fps, params, ...; settings: "key=value".
  load(name, text, settings = []) {
    this.write([name, text, ...settings]);
    this.exports.scene_load(settings.length);
    return this.json();
  }

  // {live}: does the world have the value, and goes on?
  change(key, text) {
    this.write([key, text]);
    this.ask('scene_change');
    return this.json();
  }

  warnings() {
    this.ask('scene_warnings');
    return this.json().warnings;
  }

  // To the scene's start, or by one frame: {frame, time, particles, substeps, seconds, picked, probes}.
  start() {
    this.ask('run_start');
    return this.json();
  }

  step() {
    this.ask('run_step');
    return this.json();
  }

  hash() {
    return BigInt.asUintN(64, this.exports.frame_hash()).toString(16).padStart(16, '0');
  }

  // The frame as a message of view/message.h.
  message(meshes) {
    this.ask('frame_message', meshes ? 1 : 0);
    return this.bytes().buffer;
  }

  // The particle of a system that is nearest to a place: {system, id, there, columns}.
  pick(system, [x, y, z]) {
    this.write([system]);
    this.ask('frame_pick', x, y, z);
    return this.json();
  }

  // A PNG by the renderer; 0: the scene's size.
  picture(width = 0, height = 0) {
    this.ask('frame_picture', width, height);
    return this.bytes();
  }
}
