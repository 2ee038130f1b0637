// @ts-check
// What is translucent is mixed as light, as glTF asks and as convert/show/render does it: a card mixes so in targets that hold
// sRGB, and a canvas is none.

const vertices = `#version 300 es
out vec2 at;
void main() {
  at = vec2((gl_VertexID & 1) << 1, gl_VertexID & 2);
  gl_Position = vec4(2.0 * at - 1.0, 0.0, 1.0);
}
`;

const fragments = `#version 300 es
precision highp float;
uniform sampler2D light; // times alpha
uniform float scale;
uniform vec3 fog;
in vec2 at;
out vec4 result;
float encode(float x) { return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055; }
void main() {
  vec4 c = texture(light, at);
  vec3 l = clamp(c.rgb / max(c.a, 1e-4), 0.0, 1.0);
  result = c.a * vec4(min(scale * vec3(encode(l.r), encode(l.g), encode(l.b)) + fog, 1.0), 1.0);
}
`;

/**
 * @param {WebGL2RenderingContext} gl
 * @param {string} vertex
 * @param {string} fragment
 */
export function link(gl, vertex, fragment) {
  const p = /** @type {WebGLProgram} */ (gl.createProgram());
  for (const [type, text] of /** @type {[number, string][]} */ ([[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]])) {
    const s = /** @type {WebGLShader} */ (gl.createShader(type));
    gl.shaderSource(s, text);
    gl.compileShader(s);
    if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(s) || 'a shader does not compile');
    gl.attachShader(p, s);
  }
  gl.linkProgram(p);
  if (!gl.getProgramParameter(p, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(p) || 'the shaders do not fit');
  return p;
}

/** The target that a scene is drawn into, on its way to the canvas. */
export class Light {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    this.program = link(gl, vertices, fragments);
    this.scale = gl.getUniformLocation(this.program, 'scale');
    this.fog = gl.getUniformLocation(this.program, 'fog');
    this.samples = Math.min(4, gl.getParameter(gl.MAX_SAMPLES));
    this.drawn = gl.createFramebuffer();
    this.mixed = gl.createFramebuffer();
    this.color = gl.createRenderbuffer();
    this.depth = gl.createRenderbuffer();
    this.texture = gl.createTexture();
    this.width = 0;
    this.height = 0;
  }

  /**
   * Draws go into the target from now on.
   * @param {number} width
   * @param {number} height
   */
  begin(width, height) {
    const { gl } = this;
    if (width !== this.width || height !== this.height) this.resize(width, height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.drawn);
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    const { gl } = this;
    [this.width, this.height] = [width, height];
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.drawn);
    for (const [buffer, format, point] of /** @type {[WebGLRenderbuffer, number, number][]} */ ([[this.color, gl.SRGB8_ALPHA8, gl.COLOR_ATTACHMENT0], [this.depth, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]])) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorageMultisample(gl.RENDERBUFFER, this.samples, format, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, point, gl.RENDERBUFFER, buffer);
    }
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.mixed);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.texture, 0);
  }

  /** Brings what was drawn into the texture. */
  resolve() {
    const { gl } = this;
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.drawn);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, this.mixed);
    gl.blitFramebuffer(0, 0, this.width, this.height, 0, 0, this.width, this.height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  /**
   * Brings what was drawn onto the canvas.
   * @param {{scale: number, fog: number[]} | null} tint
   */
  end(tint) {
    const { gl } = this;
    this.resolve();
    for (const state of [gl.DEPTH_TEST, gl.BLEND, gl.CULL_FACE, gl.POLYGON_OFFSET_FILL]) gl.disable(state);
    gl.useProgram(this.program);
    gl.uniform1f(this.scale, tint ? tint.scale : 1);
    gl.uniform3fv(this.fog, tint ? tint.fog : [0, 0, 0]);
    gl.bindVertexArray(null);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.bindTexture(gl.TEXTURE_2D, null);
  }

  free() { this.gl.deleteTexture(this.texture); }
}
