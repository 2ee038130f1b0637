// @ts-check
// What a scene is on the graphics card: corners, edges and textures.
import { edgesOf } from './edges.js';
import { mixOf } from './mix.js';
import { strongest } from './weights.js';

/** @typedef {import('./scene.js').Scene} Scene */
/** @typedef {import('./scene.js').Prim} Prim */

/**
 * @typedef {object} Look a material, ready to draw with
 * @property {string} name
 * @property {number[]} factor
 * @property {number[]} emissive
 * @property {boolean} unlit
 * @property {number} alpha 0 opaque, 1 mask, 2 blend
 * @property {string} mix
 * @property {boolean} unseen
 * @property {number} cutoff
 * @property {boolean} air
 * @property {boolean} doubleSided
 * @property {TextureUse | null} base
 * @property {TextureUse | null} glow
 * @property {TextureUse | null} baked light that falls on it
 * @property {boolean} lacking it has a texture that is not in the file
 */

/** @typedef {{texture: WebGLTexture, set: number, map: Float32Array, image: number}} TextureUse */

/**
 * @typedef {object} Loaded a primitive on the graphics card
 * @property {WebGLVertexArrayObject} array
 * @property {WebGLBuffer} positions
 * @property {WebGLBuffer | null} normals
 * @property {WebGLVertexArrayObject | null} edges
 * @property {number} edgeCount
 * @property {number} count
 * @property {boolean} indexed
 * @property {boolean} moved
 */

const wraps = { 10497: 'REPEAT', 33071: 'CLAMP_TO_EDGE', 33648: 'MIRRORED_REPEAT' };

/** The objects of one scene on the graphics card. */
export class Buffers {
  /**
   * @param {WebGL2RenderingContext} gl
   * @param {Scene} scene
   * @param {(ImageBitmap | null)[]} images
   */
  constructor(gl, scene, images) {
    this.gl = gl;
    this.scene = scene;
    this.images = images;
    /** @type {(WebGLBuffer | WebGLTexture | WebGLVertexArrayObject)[]} */
    this.made = [];
    /** @type {Map<string, WebGLTexture>} */
    this.textures = new Map();
    /** @type {Map<Prim, Loaded>} */
    this.prims = new Map();
    this.looks = (scene.glb.json.materials || []).map((/** @type {any} */ m) => this.look(m));
    this.plainLook = this.look({});
    /** @type {WebGLTexture | null} */
    this.joints = null;
  }

  /**
   * @param {any} m
   * @returns {Look}
   */
  look(m) {
    const pbr = m.pbrMetallicRoughness || {};
    const strength = m.extensions?.KHR_materials_emissive_strength?.emissiveStrength ?? 1;
    const base = this.use(pbr.baseColorTexture);
    const glow = this.use(m.emissiveTexture);
    const baked = this.use(m.extensions?.MOZ_lightmap);
    if (baked) this.gl.texParameteri(this.gl.TEXTURE_2D, this.gl.TEXTURE_MIN_FILTER, this.gl.LINEAR); // a texel of smaller levels is of several surfaces
    const lacking = Boolean(pbr.baseColorTexture) && !base;
    const factor = (pbr.baseColorFactor || [1, 1, 1, 1]).slice();
    if (lacking) factor.splice(0, 3, 0.5, 0.5, 0.5);
    const said = mixOf(m);
    const mix = base || glow || said === 'backdrop' ? said : ''; // what has no picture hides what is behind it
    if (mix && glow) factor.splice(0, 3, 0, 0, 0); // light is not lit itself
    return {
      name: m.name || '', factor, lacking, base, glow, baked, mix, unlit: mix === 'modulate' || Boolean(m.extensions?.KHR_materials_unlit),
      unseen: mix === 'backdrop',
      emissive: m.emissiveTexture && !glow ? [0, 0, 0] : (m.emissiveFactor || [0, 0, 0]).map((/** @type {number} */ x) => x * strength),
      alpha: mix ? 2 : { MASK: 1, BLEND: 2 }[/** @type {string} */ (m.alphaMode)] || 0, cutoff: m.alphaCutoff ?? 0.5, doubleSided: Boolean(m.doubleSided),
      air: Boolean(m.extras?.usher?.asset?.air),
    };
  }

  /**
   * @param {any} info of a texture in a material
   * @returns {TextureUse | null}
   */
  use(info) {
    if (!info) return null;
    const doc = this.scene.glb.json;
    const t = doc.textures[info.index];
    const source = t.extensions?.EXT_texture_webp?.source ?? t.extensions?.EXT_texture_avif?.source ?? t.source;
    const image = this.images[source];
    if (!image) return null;
    const x = info.extensions?.KHR_texture_transform || {};
    const [sx, sy] = x.scale || [1, 1];
    const [ox, oy] = x.offset || [0, 0];
    const [c, s] = [Math.cos(x.rotation || 0), Math.sin(x.rotation || 0)];
    const map = new Float32Array([c * sx, -s * sx, 0, s * sy, c * sy, 0, ox, oy, 1]);
    return { texture: this.texture(source, t.sampler === undefined ? {} : doc.samplers[t.sampler], image), set: x.texCoord ?? info.texCoord ?? 0, map, image: source };
  }

  /**
   * @param {number} source
   * @param {any} sampler
   * @param {ImageBitmap} image
   */
  texture(source, sampler, image) {
    const key = `${source} ${sampler.wrapS} ${sampler.wrapT} ${sampler.magFilter} ${sampler.minFilter}`;
    const known = this.textures.get(key);
    const { gl } = this;
    const t = known || /** @type {WebGLTexture} */ (gl.createTexture());
    gl.bindTexture(gl.TEXTURE_2D, t);
    if (known) return known;
    this.made.push(t);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, image);
    gl.generateMipmap(gl.TEXTURE_2D);
    const wrap = (/** @type {number} */ w) => /** @type {any} */ (gl)[/** @type {any} */ (wraps)[w || 10497] || 'REPEAT'];
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, wrap(sampler.wrapS));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, wrap(sampler.wrapT));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, sampler.magFilter === 9728 ? gl.NEAREST : gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, sampler.minFilter || (sampler.magFilter === 9728 ? gl.NEAREST_MIPMAP_NEAREST : gl.LINEAR_MIPMAP_LINEAR));
    const some = gl.getExtension('EXT_texture_filter_anisotropic');
    if (some && sampler.magFilter !== 9728) gl.texParameterf(gl.TEXTURE_2D, some.TEXTURE_MAX_ANISOTROPY_EXT, 4);
    this.textures.set(key, t);
    return t;
  }

  /**
   * Puts another picture in the place of one of the file.
   * @param {number} source
   * @param {ImageBitmap} image
   */
  replace(source, image) {
    const { gl } = this;
    for (const [key, t] of this.textures) {
      if (!key.startsWith(`${source} `)) continue;
      gl.bindTexture(gl.TEXTURE_2D, t);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, image);
      gl.generateMipmap(gl.TEXTURE_2D);
    }
  }

  /**
   * @param {number} target
   * @param {any} data
   */
  buffer(target, data) {
    const { gl } = this;
    const b = /** @type {WebGLBuffer} */ (gl.createBuffer());
    this.made.push(b);
    gl.bindBuffer(target, b);
    gl.bufferData(target, data, gl.STATIC_DRAW);
    return b;
  }

  /**
   * @param {number} at
   * @param {number} size
   * @param {Float32Array | null | undefined} data
   */
  floats(at, size, data) {
    if (!data) return null;
    const { gl } = this;
    const b = this.buffer(gl.ARRAY_BUFFER, data);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, size, gl.FLOAT, false, 0, 0);
    return b;
  }

  /**
   * @param {Prim} p
   * @returns {Loaded}
   */
  load(p) {
    const known = this.prims.get(p);
    if (known) return known;
    const { gl } = this;
    const array = /** @type {WebGLVertexArrayObject} */ (gl.createVertexArray());
    this.made.push(array);
    gl.bindVertexArray(array);
    const look = this.looks[p.material] || this.plainLook;
    const positions = /** @type {WebGLBuffer} */ (this.floats(0, 3, p.positions));
    const normals = this.floats(1, 3, p.normals);
    if (look.base) this.floats(2, 2, p.uvs[look.base.set]);
    if (look.glow) this.floats(3, 2, p.uvs[look.glow.set]);
    if (look.baked) this.floats(9, 2, p.uvs[look.baked.set]);
    this.floats(4, 4, p.colors);
    this.skin(p);
    if (p.indices) this.buffer(gl.ELEMENT_ARRAY_BUFFER, p.indices);
    gl.bindVertexArray(null);
    const x = { array, positions, normals, edges: null, edgeCount: 0, count: p.indices ? p.indices.length : p.positions.length / 3, indexed: Boolean(p.indices), moved: false };
    this.prims.set(p, x);
    return x;
  }

  /**
   * Eight weights a corner at most: of more, the largest are taken.
   * @param {Prim} p
   */
  skin(p) {
    const { gl } = this;
    const sets = p.skin.length > 2 ? strongest(p) : p.skin;
    sets.forEach((s, k) => {
      this.buffer(gl.ARRAY_BUFFER, s.joints);
      gl.enableVertexAttribArray(5 + 2 * k);
      gl.vertexAttribIPointer(5 + 2 * k, 4, gl.UNSIGNED_INT, 0, 0);
      this.floats(6 + 2 * k, 4, s.weights);
    });
  }

  /**
   * Puts other corners in the place of those of a primitive.
   * @param {Loaded} x
   * @param {Float32Array} positions
   * @param {Float32Array | null} normals
   */
  move(x, positions, normals) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, x.positions);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, positions);
    if (x.normals && normals) {
      gl.bindBuffer(gl.ARRAY_BUFFER, x.normals);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, normals);
    }
  }

  /**
   * The edges of the triangles of a primitive, each once.
   * @param {Prim} p
   */
  edges(p) {
    const x = this.load(p);
    if (x.edges || p.mode !== 4) return x;
    const { gl } = this;
    const list = edgesOf(p);
    x.edges = /** @type {WebGLVertexArrayObject} */ (gl.createVertexArray());
    this.made.push(x.edges);
    gl.bindVertexArray(x.edges);
    gl.bindBuffer(gl.ARRAY_BUFFER, x.positions);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    this.skin(p);
    this.buffer(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(list));
    gl.bindVertexArray(null);
    x.edgeCount = list.length;
    return x;
  }

  /**
   * Puts matrices of joints where the programs read them.
   * @param {Float32Array} matrices
   */
  setJoints(matrices) {
    const { gl } = this;
    if (!this.joints) {
      this.joints = /** @type {WebGLTexture} */ (gl.createTexture());
      this.made.push(this.joints);
      gl.bindTexture(gl.TEXTURE_2D, this.joints);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    }
    const wide = Math.min(1024, matrices.length / 4);
    const high = Math.ceil(matrices.length / 4 / wide);
    const all = new Float32Array(4 * wide * high);
    all.set(matrices);
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, this.joints);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, wide, high, 0, gl.RGBA, gl.FLOAT, all);
    gl.activeTexture(gl.TEXTURE0);
  }

  /** Gives everything back. */
  free() {
    const { gl } = this;
    for (const x of this.made) {
      if (x instanceof WebGLBuffer) gl.deleteBuffer(x);
      else if (x instanceof WebGLTexture) gl.deleteTexture(x);
      else gl.deleteVertexArray(x);
    }
    for (const i of this.images) i?.close();
    this.made = [];
  }
}
