// @ts-check

/** @typedef {import('./scene.js').Scene} Scene */
/** @typedef {import('./scene.js').Drawn} Drawn */
/** @typedef {import('./scene.js').Prim} Prim */
/** @typedef {import('./buffers.js').Buffers} Buffers */
/** @typedef {import('./buffers.js').Look} Look */

/** @typedef {{d: Drawn, p: Prim, look: Look, unseen: boolean, window: boolean, far: number}} Item with window the sky is seen through it */

/**
 * @typedef {object} Run triangles of a primitive that are drawn one behind the other
 * @property {Item} item
 * @property {WebGLBuffer | null} corners their numbers; null for all of the primitive as it is
 * @property {number} first corner
 * @property {number} count of corners
 */

// Of more triangles, or of more changes between primitives, each primitive is drawn at once: a picture in time is worth
// more than the order of leaves in a forest.
const mostTriangles = 30000;
const mostRuns = 400;

/** Puts translucent triangles in order, the farthest first: what is behind shows through what is before it. */
export class Veils {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    /** @type {WeakMap<Drawn["node"], Map<Prim, WebGLBuffer>>} */
    this.buffers = new WeakMap();
  }

  /**
   * @param {Scene} scene
   * @param {Buffers} buffers
   * @param {Item[]} items what is translucent
   * @param {Float64Array} view
   * @returns {Run[]}
   */
  runs(scene, buffers, items, view) {
    const sizes = items.map((x) => (x.p.mode === 4 ? Math.floor((x.p.indices ? x.p.indices.length : x.p.positions.length / 3) / 3) : 1));
    const total = sizes.reduce((a, b) => a + b, 0);
    const whole = (/** @type {Item} */ item) => ({ item, corners: null, first: 0, count: 0 });
    if (total === 0 || total > mostTriangles) return [...items].sort((a, b) => b.far - a.far).map(whole);
    const depth = new Float64Array(total);
    const owner = new Uint32Array(total);
    /** @type {number[]} */
    const begins = [];
    let at = 0;
    items.forEach((x, i) => {
      begins.push(at);
      this.depths(scene, x, view, depth.subarray(at, at + sizes[i]));
      owner.fill(i, at, at + sizes[i]);
      at += sizes[i];
    });
    const order = Array.from({ length: total }, (_, i) => i).sort((a, b) => depth[a] - depth[b] || a - b);
    const sorted = items.map((x, i) => (x.p.mode === 4 ? new Uint32Array(3 * sizes[i]) : null));
    const filled = new Uint32Array(items.length);
    /** @type {Run[]} */
    const runs = [];
    for (const t of order) {
      const i = owner[t];
      const { p } = items[i];
      const last = runs[runs.length - 1];
      if (last?.item === items[i]) last.count += 3;
      else runs.push({ item: items[i], corners: null, first: filled[i], count: 3 });
      const out = sorted[i];
      if (!out) continue;
      for (let k = 0; k < 3; k++) {
        const c = 3 * (t - begins[i]) + k;
        out[filled[i]++] = p.indices ? p.indices[c] : c;
      }
    }
    const of = new Map(items.map((x, i) => [x, sorted[i] ? this.store(buffers, x, sorted[i]) : null]));
    if (runs.length > mostRuns) return [...items].sort((a, b) => b.far - a.far).map((item) => ({ item, corners: of.get(item) || null, first: 0, count: item.p.mode === 4 ? 3 * sizes[items.indexOf(item)] : 0 }));
    for (const r of runs) r.corners = of.get(r.item) || null;
    return runs;
  }

  /**
   * How far in front of the eye the triangles of a primitive are: the smaller, the farther. Lines and points are one.
   * @param {Scene} scene
   * @param {Item} item
   * @param {Float64Array} view
   * @param {Float64Array} out
   */
  depths(scene, { p, d }, view, out) {
    const place = scene.placer(p, d);
    const known = new Float64Array(p.positions.length / 3).fill(NaN);
    const z = (/** @type {number} */ i) => {
      if (Number.isNaN(known[i])) {
        const at = place(i);
        known[i] = view[2] * at[0] + view[6] * at[1] + view[10] * at[2] + view[14];
      }
      return known[i];
    };
    const corner = (/** @type {number} */ i) => (p.indices ? p.indices[i] : i);
    if (p.mode !== 4) {
      out[0] = 3 * z(corner(0));
      return;
    }
    for (let t = 0; t < out.length; t++) out[t] = z(corner(3 * t)) + z(corner(3 * t + 1)) + z(corner(3 * t + 2));
  }

  /**
   * @param {Buffers} buffers
   * @param {Item} item
   * @param {Uint32Array} corners
   */
  store(buffers, { d, p }, corners) {
    const { gl } = this;
    const of = this.buffers.get(d.node) || new Map();
    this.buffers.set(d.node, of);
    let b = of.get(p);
    gl.bindVertexArray(buffers.load(p).array); // which an element buffer belongs to
    if (b) {
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, b);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, corners, gl.DYNAMIC_DRAW);
    } else of.set(p, (b = buffers.buffer(gl.ELEMENT_ARRAY_BUFFER, corners)));
    gl.bindVertexArray(null);
    return b;
  }
}
