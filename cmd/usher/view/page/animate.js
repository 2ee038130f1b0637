// @ts-check
import { accessor } from './glb.js';
import { slerp, unit } from './math.js';

/** @typedef {import('./scene.js').Scene} Scene */

/**
 * @typedef {object} Channel
 * @property {number} node
 * @property {string} path translation, rotation, scale or weights
 * @property {string} interpolation STEP, LINEAR or CUBICSPLINE
 * @property {Float32Array} times seconds
 * @property {Float32Array} values
 * @property {number} width numbers of one value
 */

/**
 * @typedef {object} Clip an animation
 * @property {string} name
 * @property {number} duration seconds
 * @property {Channel[]} channels
 */

/**
 * @param {Scene} scene
 * @returns {Clip[]}
 */
export function clipsOf(scene) {
  const { glb } = scene;
  return (glb.json.animations || []).map((/** @type {any} */ a, /** @type {number} */ i) => {
    /** @type {Channel[]} */
    const channels = [];
    for (const c of a.channels) {
      const s = a.samplers[c.sampler];
      const times = /** @type {Float32Array} */ (accessor(glb, s.input).data);
      const values = /** @type {Float32Array} */ (accessor(glb, s.output).data);
      const interpolation = s.interpolation || 'LINEAR';
      if (c.target.node === undefined || times.length === 0) continue;
      const width = values.length / times.length / (interpolation === 'CUBICSPLINE' ? 3 : 1);
      channels.push({ node: c.target.node, path: c.target.path, interpolation, times, values, width });
    }
    const duration = Math.max(0, ...channels.map((c) => c.times[c.times.length - 1]));
    return { name: a.name || `animation ${i}`, duration, channels };
  });
}

/**
 * The value of a channel at a time.
 * @param {Channel} c
 * @param {number} time seconds
 * @returns {number[]}
 */
export function sample(c, time) {
  const { times, values, width } = c;
  const cubic = c.interpolation === 'CUBICSPLINE';
  const value = (/** @type {number} */ key, part = 1) => {
    const at = cubic ? (3 * key + part) * width : key * width;
    return Array.from(values.subarray(at, at + width));
  };
  let high = times.length - 1;
  if (time <= times[0]) return value(0);
  if (time >= times[high]) return value(high);
  let low = 0;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  if (c.interpolation === 'STEP') return value(low);
  const span = times[high] - times[low];
  const f = (time - times[low]) / span;
  const a = value(low);
  const b = value(high);
  if (!cubic) return c.path === 'rotation' ? slerp(a, b, f) : a.map((x, i) => x + f * (b[i] - x));
  const out = value(low, 2);
  const into = value(high, 0);
  const [f2, f3] = [f * f, f * f * f];
  const p = a.map((x, i) => (2 * f3 - 3 * f2 + 1) * x + (f3 - 2 * f2 + f) * span * out[i] + (3 * f2 - 2 * f3) * b[i] + (f3 - f2) * span * into[i]);
  return c.path === 'rotation' ? unit(p) : p;
}

/**
 * Poses a scene as an animation has it at a time.
 * @param {Scene} scene
 * @param {Clip | null} clip nothing puts everything where it rests
 * @param {number} time seconds
 */
export function poseAt(scene, clip, time) {
  for (const n of scene.nodes) {
    const rest = scene.glb.json.nodes[n.index];
    n.t = rest.translation || [0, 0, 0];
    n.r = rest.rotation || [0, 0, 0, 1];
    n.s = rest.scale || [1, 1, 1];
    n.weights = rest.weights || null;
  }
  for (const c of clip ? clip.channels : []) {
    const n = scene.nodes[c.node];
    const v = sample(c, time);
    if (c.path === 'translation') n.t = v;
    else if (c.path === 'rotation') n.r = v;
    else if (c.path === 'scale') n.s = v;
    else if (c.path === 'weights') n.weights = v;
  }
  scene.pose();
}
