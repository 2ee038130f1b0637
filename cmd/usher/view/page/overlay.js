// @ts-check
import { multiply, transform } from './math.js';

/** @typedef {import('./scene.js').Scene} Scene */
/** @typedef {import('./math.js').Vec3} Vec3 */

/**
 * @typedef {object} Marks what is drawn over a scene
 * @property {boolean} skeleton
 * @property {boolean} points hardpoints and mounts
 * @property {boolean} bounds
 * @property {boolean} grid
 * @property {string} chosen name of the node that was clicked
 */

const axisColors = ['#e8604c', '#6cc24a', '#4c8fe8'];

/**
 * Draws lines and names over a scene.
 * @param {HTMLCanvasElement} canvas
 * @param {Scene} scene
 * @param {{view: Float64Array, projection: Float64Array}} eye
 * @param {Marks} marks
 * @param {{min: Vec3, max: Vec3}} box
 */
export function drawOverlay(canvas, scene, eye, marks, box) {
  const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const { width, height } = canvas;
  c.clearRect(0, 0, width, height);
  const all = multiply(eye.projection, eye.view);
  const size = Math.hypot(...[0, 1, 2].map((k) => box.max[k] - box.min[k])) || 1;

  /** @param {Vec3 | number[]} p @returns {[number, number] | null} */
  function project(p) {
    const [x, y] = transform(all, p);
    const w = all[3] * p[0] + all[7] * p[1] + all[11] * p[2] + all[15];
    return w > 1e-6 ? [(x / w * 0.5 + 0.5) * width, (0.5 - y / w * 0.5) * height] : null;
  }

  /** @param {any} a @param {any} b @param {string} color @param {number} [wide] */
  function line(a, b, color, wide = 1) {
    const [p, q] = [project(a), project(b)];
    if (!p || !q) return;
    c.strokeStyle = color;
    c.lineWidth = wide;
    c.beginPath();
    c.moveTo(...p);
    c.lineTo(...q);
    c.stroke();
  }

  const placeOf = (/** @type {{world: Float64Array}} */ n) => [n.world[12], n.world[13], n.world[14]];

  /** @param {{world: Float64Array, name: string}} n @param {number} long @param {string} label */
  function axes(n, long, label) {
    const at = placeOf(n);
    for (let k = 0; k < 3; k++) {
      const d = [n.world[4 * k], n.world[4 * k + 1], n.world[4 * k + 2]];
      const l = Math.hypot(...d) || 1;
      line(at, at.map((x, i) => x + (d[i] / l) * long), axisColors[k], 2);
    }
    const p = project(at);
    if (!p || !label) return;
    c.font = `${12 * (devicePixelRatio || 1)}px system-ui, sans-serif`;
    c.lineWidth = 3;
    c.strokeStyle = '#000a';
    c.strokeText(label, p[0] + 5, p[1] - 5);
    c.fillStyle = '#fff';
    c.fillText(label, p[0] + 5, p[1] - 5);
  }

  if (marks.grid) {
    const step = 10 ** Math.round(Math.log10(size / 8));
    const from = [0, 2].map((k) => Math.floor(box.min[k] / step) - 1);
    const to = [0, 2].map((k) => Math.ceil(box.max[k] / step) + 1);
    const y = box.min[1];
    for (let i = from[0]; i <= to[0]; i++) line([i * step, y, from[1] * step], [i * step, y, to[1] * step], i ? '#ffffff33' : '#4c8fe8aa');
    for (let i = from[1]; i <= to[1]; i++) line([from[0] * step, y, i * step], [to[0] * step, y, i * step], i ? '#ffffff33' : '#e8604caa');
    axes({ world: new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, from[0] * step, y, to[1] * step, 1]), name: '' }, step, `${step} m`);
  }
  if (marks.bounds) {
    const corner = (/** @type {number} */ i) => [0, 1, 2].map((k) => (i & (1 << k) ? box.max[k] : box.min[k]));
    for (let i = 0; i < 8; i++) for (let k = 0; k < 3; k++) if (!(i & (1 << k))) line(corner(i), corner(i | (1 << k)), '#f0b050');
  }
  for (const n of scene.nodes) {
    if (marks.skeleton && n.kind === 'bone') {
      const parent = n.parent >= 0 ? scene.nodes[n.parent] : null;
      if (parent && parent.kind === 'bone') line(placeOf(parent), placeOf(n), '#f0d050', 2);
      const p = project(placeOf(n));
      if (p) { c.fillStyle = '#f0d050'; c.fillRect(p[0] - 2, p[1] - 2, 4, 4); }
    }
    if (marks.points && (n.kind === 'hardpoint' || n.kind === 'mount' || n.kind === 'marker' || n.kind === 'eye')) axes(n, size * 0.05, n.name);
    if (marks.chosen && n.name === marks.chosen) axes(n, size * 0.12, n.name);
  }
}
