// @ts-check
import { accessor } from './glb.js';
import { worldOf } from './world.js';
import { joinNodes } from './join.js';
import { compose, identity, multiply, transform } from './math.js';

/** @typedef {import('./glb.js').Glb} Glb */
/** @typedef {import('./math.js').Vec3} Vec3 */

/**
 * @typedef {object} Place a node
 * @property {number} index
 * @property {string} name
 * @property {string} kind plain, bone, hardpoint, eye or marker
 * @property {number} parent −1 for none
 * @property {number[]} children
 * @property {number[]} t
 * @property {number[]} r
 * @property {number[]} s
 * @property {Float64Array | null} matrix in place of t, r and s
 * @property {number} mesh −1 for none
 * @property {number} bearer the node that has its mesh: itself, or one at the root
 * @property {boolean} lent it has its mesh for another node
 * @property {number} skin −1 for none
 * @property {number[] | null} weights of morph targets
 * @property {number[]} lods
 * @property {number} level of detail that it is of its parent or of another node; 0 for the best
 * @property {boolean} hidden
 * @property {any} light
 * @property {Float64Array} world
 */

/**
 * @typedef {object} Prim a primitive
 * @property {number} mode as WebGL counts
 * @property {Float32Array} positions
 * @property {Float32Array | null} normals
 * @property {Float32Array[]} uvs
 * @property {Float32Array | null} colors four a vertex
 * @property {{joints: Uint32Array, weights: Float32Array}[]} skin
 * @property {{positions: Float32Array | null, normals: Float32Array | null}[]} targets
 * @property {Uint32Array | null} indices
 * @property {number} material −1 for none
 */

/**
 * @typedef {object} Shape a mesh
 * @property {string} name
 * @property {Prim[]} prims
 * @property {number[]} weights
 */

/**
 * @typedef {object} Drawn a mesh in its place
 * @property {Place} node
 * @property {Shape} mesh
 */

// Kinds of nodes that are not what a player sees: collision surfaces, lines and places for other things.
const besideKinds = ['hull', 'wire', 'mount'];

/** A scene of a GLB, posed as its animations want it. */
export class Scene {
  /** @param {Glb} glb */
  constructor(glb) {
    this.glb = glb;
    const doc = glb.json;
    const lights = doc.extensions?.KHR_lights_punctual?.lights || [];
    const joints = new Set((doc.skins || []).flatMap((/** @type {any} */ s) => s.joints));
    /** @type {Place[]} */
    this.nodes = (doc.nodes || []).map((/** @type {any} */ n, /** @type {number} */ index) => {
      const own = n.extras?.usher?.asset || {};
      const light = n.extensions?.KHR_lights_punctual;
      return {
        index, name: n.name || `node ${index}`, parent: -1, children: n.children || [],
        kind: own.kind || (joints.has(index) ? 'bone' : n.camera !== undefined ? 'eye' : light ? 'marker' : 'plain'),
        t: n.translation || [0, 0, 0], r: n.rotation || [0, 0, 0, 1], s: n.scale || [1, 1, 1],
        matrix: n.matrix ? new Float64Array(n.matrix) : null, mesh: n.mesh ?? -1, bearer: index, lent: false, skin: n.skin ?? -1, weights: n.weights || null,
        lods: (n.extensions?.MSFT_lod?.ids || []).slice(), level: own.lodLevel || 0, hidden: n.extensions?.KHR_node_visibility?.visible === false,
        light: light ? lights[light.light] : null, world: identity(),
      };
    });
    for (const n of this.nodes) for (const c of n.children) this.nodes[c].parent = n.index;
    joinNodes(this.nodes, (doc.nodes || []).map((/** @type {any} */ n) => n.extras?.usher?.asset || {}));
    /** @type {Set<number>} */
    const inside = new Set();
    for (const n of this.nodes) for (const l of n.lods) inside.add(l);
    this.roots = doc.scenes?.[doc.scene || 0]?.nodes || [];
    /** Nodes of the file that the model does not show by itself: collision hulls, spare parts. */
    this.spare = this.nodes.filter((n) => n.parent < 0 && !this.roots.includes(n.index) && !inside.has(n.index)).map((n) => n.index);
    /** Whether there is more to see than the model itself. */
    this.more = this.spare.length > 0 || this.nodes.some((n) => besideKinds.includes(n.kind));
    /** @type {Shape[]} */
    this.meshes = (doc.meshes || []).map((/** @type {any} */ m, /** @type {number} */ i) => ({
      name: m.name || `mesh ${i}`, weights: m.weights || [], prims: m.primitives.map((/** @type {any} */ p) => this.prim(p)),
    }));
    this.skins = (doc.skins || []).map((/** @type {any} */ s) => ({
      joints: /** @type {number[]} */ (s.joints), inverse: s.inverseBindMatrices === undefined ? null : accessor(glb, s.inverseBindMatrices).data,
    }));
    /** What the scene is to whoever walks in it. */
    this.world = worldOf(this.nodes, doc.nodes || []);
    this.levels = Math.max(1, ...this.nodes.map((n) => n.lods.length + 1));
    this.level = 0;
    this.spares = false;
    this.pose();
  }

  /**
   * @param {any} p
   * @returns {Prim}
   */
  prim(p) {
    const { glb } = this;
    const floats = (/** @type {string} */ name) => (p.attributes[name] === undefined ? null : /** @type {Float32Array} */ (accessor(glb, p.attributes[name]).data));
    const positions = floats('POSITION') || new Float32Array(0);
    const uvs = [];
    for (let k = 0; p.attributes[`TEXCOORD_${k}`] !== undefined; k++) uvs.push(/** @type {Float32Array} */ (floats(`TEXCOORD_${k}`)));
    let colors = floats('COLOR_0');
    if (colors && accessor(glb, p.attributes.COLOR_0).size === 3) {
      const wide = new Float32Array((colors.length / 3) * 4);
      for (let i = 0; i < colors.length / 3; i++) wide.set([colors[3 * i], colors[3 * i + 1], colors[3 * i + 2], 1], 4 * i);
      colors = wide;
    }
    const skin = [];
    for (let k = 0; p.attributes[`JOINTS_${k}`] !== undefined; k++) {
      skin.push({ joints: /** @type {Uint32Array} */ (accessor(glb, p.attributes[`JOINTS_${k}`], true).data), weights: /** @type {Float32Array} */ (floats(`WEIGHTS_${k}`)) });
    }
    const targets = (p.targets || []).map((/** @type {any} */ t) => ({
      positions: t.POSITION === undefined ? null : accessor(glb, t.POSITION).data, normals: t.NORMAL === undefined ? null : accessor(glb, t.NORMAL).data,
    }));
    return {
      mode: p.mode ?? 4, positions, normals: floats('NORMAL'), uvs, colors, skin, targets, material: p.material ?? -1,
      indices: p.indices === undefined ? null : /** @type {Uint32Array} */ (accessor(glb, p.indices, true).data),
    };
  }

  /** Brings every node to its place. */
  pose() {
    const place = (/** @type {number} */ i, /** @type {Float64Array} */ parent) => {
      const n = this.nodes[i];
      n.world = multiply(parent, n.matrix || compose(n.t, n.r, n.s));
      for (const c of n.children) place(c, n.world);
      for (const l of n.lods) if (this.nodes[l].parent < 0) place(l, parent);
    };
    const top = identity();
    for (const i of [...this.roots, ...this.spare]) place(i, top);
  }

  /**
   * What is drawn: a level of detail of every node, unless the node is hidden. A scene of nothing but hulls, wires and
   * mounts shows them.
   * @returns {Drawn[]}
   */
  drawn() {
    const list = this.shapes(this.spares);
    return list.length || this.spares ? list : this.shapes(true);
  }

  /**
   * @param {boolean} beside whether what a player does not see is drawn
   * @returns {Drawn[]}
   */
  shapes(beside) {
    /** @type {Drawn[]} */
    const out = [];
    const take = (/** @type {Place} */ n) => {
      const node = this.nodes[n.bearer];
      if (node.mesh >= 0 && (beside || !besideKinds.includes(n.kind))) out.push({ node, mesh: this.meshes[node.mesh] });
    };
    const walk = (/** @type {number} */ i) => {
      const n = this.nodes[i];
      if (n.hidden || n.lent) return;
      if (this.level > 0 && n.lods.length > 0) {
        const l = this.nodes[n.lods[Math.min(this.level, n.lods.length) - 1]];
        take(l);
        for (const c of l.children) walk(c);
      } else take(n);
      for (const c of n.children) if (this.nodes[c].level === 0) walk(c);
    };
    for (const i of this.roots) if (this.nodes[i].level === 0) walk(i);
    if (beside) for (const i of this.spare) walk(i);
    return out;
  }

  /**
   * The matrices of a skin's joints, one after the other.
   * @param {number} index
   */
  jointMatrices(index) {
    const skin = this.skins[index];
    const out = new Float32Array(16 * skin.joints.length);
    skin.joints.forEach((/** @type {number} */ j, /** @type {number} */ k) => {
      const m = skin.inverse ? multiply(this.nodes[j].world, skin.inverse.subarray(16 * k, 16 * k + 16)) : this.nodes[j].world;
      out.set(m, 16 * k);
    });
    return out;
  }

  /**
   * The corners of a primitive with its morph targets added, where they weigh anything.
   * @param {Prim} p
   * @param {Drawn} d
   * @returns {{positions: Float32Array, normals: Float32Array | null, moved: boolean}}
   */
  morphed(p, d) {
    const weights = d.node.weights || d.mesh.weights;
    let { positions, normals } = p;
    let moved = false;
    p.targets.forEach((t, i) => {
      const w = weights[i] || 0;
      if (!w) return;
      if (!moved) {
        positions = positions.slice();
        normals = normals && normals.slice();
        moved = true;
      }
      if (t.positions) for (let k = 0; k < positions.length; k++) positions[k] += w * t.positions[k];
      if (t.normals && normals) for (let k = 0; k < normals.length; k++) normals[k] += w * t.normals[k];
    });
    return { positions, normals, moved };
  }

  /**
   * Calls f for the corners of what is drawn, as it is posed.
   * @param {(p: Vec3) => void} f
   * @param {number} [most] of each primitive
   */
  eachPoint(f, most = 4000) {
    for (const d of this.drawn()) {
      for (const p of d.mesh.prims) {
        const at = this.placer(p, d);
        const n = p.positions.length / 3;
        const step = Math.max(1, Math.floor(n / most));
        for (let i = 0; i < n; i += step) f(at(i));
      }
    }
  }

  /**
   * Returns what brings the corners of a primitive to their places in the scene.
   * @param {Prim} p
   * @param {Drawn} d
   * @returns {(i: number) => Vec3}
   */
  placer(p, d) {
    const { positions } = this.morphed(p, d);
    const still = d.node.world;
    const of = (/** @type {number} */ i) => positions.subarray(3 * i, 3 * i + 3);
    if (d.node.skin < 0 || p.skin.length === 0) return (i) => transform(still, of(i));
    const matrices = this.jointMatrices(d.node.skin);
    return (i) => {
      /** @type {Vec3} */
      const out = [0, 0, 0];
      let total = 0;
      for (const s of p.skin) {
        for (let k = 0; k < 4; k++) {
          const w = s.weights[4 * i + k];
          if (!w) continue;
          const j = s.joints[4 * i + k];
          const v = transform(matrices.subarray(16 * j, 16 * j + 16), of(i));
          for (let c = 0; c < 3; c++) out[c] += w * v[c];
          total += w;
        }
      }
      return total ? out : transform(still, of(i));
    };
  }

  /** @returns {{min: Vec3, max: Vec3}} around what is drawn */
  bounds() {
    /** @type {Vec3} */
    const min = [Infinity, Infinity, Infinity];
    /** @type {Vec3} */
    const max = [-Infinity, -Infinity, -Infinity];
    this.eachPoint((p) => {
      for (let c = 0; c < 3; c++) {
        if (p[c] < min[c]) min[c] = p[c];
        if (p[c] > max[c]) max[c] = p[c];
      }
    });
    return min[0] <= max[0] ? { min, max } : { min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5] };
  }

  /** @returns {{triangles: number, vertices: number}} of what is drawn; primitives that share vertices count them once */
  count() {
    let triangles = 0;
    let vertices = 0;
    for (const d of this.drawn()) {
      const shared = new Set(d.mesh.prims.map((p) => p.positions));
      for (const positions of shared) vertices += positions.length / 3;
      for (const p of d.mesh.prims) if (p.mode === 4) triangles += Math.floor((p.indices ? p.indices.length : p.positions.length / 3) / 3);
    }
    return { triangles, vertices };
  }
}
