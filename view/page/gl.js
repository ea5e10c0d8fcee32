// A little of WebGL2 with less to write: programs with their uniforms, buffers that are kept, and
// pictures to draw into.

function compile(gl, type, text) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, text);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
    throw new Error(`WebGL: ${gl.getShaderInfoLog(shader)}`);
  return shader;
}

export class Program {
  constructor(gl, [vertex, fragment]) {
    this.gl = gl, this.id = gl.createProgram(), this.places = new Map();
    gl.attachShader(this.id, compile(gl, gl.VERTEX_SHADER, vertex));
    gl.attachShader(this.id, compile(gl, gl.FRAGMENT_SHADER, fragment));
    gl.linkProgram(this.id);
    if (!gl.getProgramParameter(this.id, gl.LINK_STATUS) && !gl.isContextLost())
      throw new Error(`WebGL: ${gl.getProgramInfoLog(this.id)}`);
    const count = gl.getProgramParameter(this.id, gl.ACTIVE_UNIFORMS) ?? 0;
    for (let i = 0; i < count; ++i) {
      const {name, type} = gl.getActiveUniform(this.id, i);
      this.places.set(name.replace('[0]', ''), {at: gl.getUniformLocation(this.id, name), type});
    }
  }

  // Values by name; those that the program does not have are passed over.
  use(values) {
    const {gl} = this;
    gl.useProgram(this.id);
    for (const [name, value] of Object.entries(values)) {
      const place = this.places.get(name);
      if (place) this.put(place, value);
    }
    return this;
  }

  put({at, type}, value) {
    const {gl} = this;
    if (type === gl.FLOAT_MAT4) gl.uniformMatrix4fv(at, false, value);
    else if (type === gl.FLOAT_VEC3) gl.uniform3fv(at, value);
    else if (type === gl.FLOAT_VEC4) gl.uniform4fv(at, value);
    else if (type === gl.FLOAT) gl.uniform1f(at, value);
    else if (Array.isArray(value)) gl.uniform1iv(at, value);
    else gl.uniform1i(at, value);
  }
}

// Buffers by name; those not asked for between two sweeps are freed.
export class Buffers {
  constructor(gl) {
    this.gl = gl, this.all = new Map();
  }

  // data: a typed array, or nothing: what was put there before.
  put(name, data, target = this.gl.ARRAY_BUFFER) {
    const {gl} = this;
    let kept = this.all.get(name);
    if (!kept) this.all.set(name, kept = {id: gl.createBuffer(), size: -1});
    gl.bindBuffer(target, kept.id);
    if (data && data.byteLength <= kept.size && data.byteLength * 4 >= kept.size)
      gl.bufferSubData(target, 0, data);
    else if (data) gl.bufferData(target, data, gl.DYNAMIC_DRAW), kept.size = data.byteLength;
    kept.used = true;
    return kept.id;
  }

  sweep() {
    for (const [name, kept] of this.all) {
      if (!kept.used) this.gl.deleteBuffer(kept.id), this.all.delete(name);
      kept.used = false;
    }
  }
}

// Attribute `at` from the buffer that is bound. divisor 1: one for every instance.
export function attribute(gl, at, size, {type = gl.FLOAT, scaled = false, stride = 0, offset = 0, divisor = 0} = {}) {
  gl.enableVertexAttribArray(at);
  gl.vertexAttribPointer(at, size, type, scaled, stride, offset);
  gl.vertexAttribDivisor(at, divisor);
}

export function constant(gl, at, values) {
  gl.disableVertexAttribArray(at);
  gl.vertexAttrib4f(at, values[0], values[1], values[2], values[3] ?? 1);
}

function texture(gl, format, width, height, filter) {
  const id = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, id);
  gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  return id;
}

// A picture of linear light; with `samples`, also a smooth one that is drawn into first.
export class Target {
  constructor(gl, width, height, {format, samples = 0, depth = false}) {
    Object.assign(this, {gl, width, height, made: []});
    this.image = this.keep('Texture', texture(gl, format, width, height, gl.LINEAR));
    this.flat = this.keep('Framebuffer', gl.createFramebuffer());
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.flat);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.image, 0);
    this.drawn = this.flat;
    if (samples > 0) {
      this.drawn = this.keep('Framebuffer', gl.createFramebuffer());
      gl.bindFramebuffer(gl.FRAMEBUFFER, this.drawn);
      this.attach(gl.COLOR_ATTACHMENT0, format, samples);
    }
    if (depth) this.attach(gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24, samples);
  }

  keep(kind, id) {
    this.made.push([kind, id]);
    return id;
  }

  attach(point, format, samples) {
    const {gl} = this, id = this.keep('Renderbuffer', gl.createRenderbuffer());
    gl.bindRenderbuffer(gl.RENDERBUFFER, id);
    gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, format, this.width, this.height);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, point, gl.RENDERBUFFER, id);
  }

  bind() {
    this.gl.bindFramebuffer(this.gl.FRAMEBUFFER, this.drawn);
    this.gl.viewport(0, 0, this.width, this.height);
  }

  resolve() {
    const {gl, width, height} = this;
    if (this.drawn === this.flat) return;
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.drawn);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, this.flat);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
  }

  free() {
    for (const [kind, id] of this.made) this.gl[`delete${kind}`](id);
  }
}

// A depth picture for shadows.
export class ShadowMap {
  constructor(gl, side) {
    this.gl = gl, this.side = side;
    this.image = texture(gl, gl.DEPTH_COMPONENT24, side, side, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL);
    this.id = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.id);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.image, 0);
    gl.drawBuffers([gl.NONE]);
  }

  bind() {
    this.gl.bindFramebuffer(this.gl.FRAMEBUFFER, this.id);
    this.gl.viewport(0, 0, this.side, this.side);
    this.gl.clear(this.gl.DEPTH_BUFFER_BIT);
  }
}
