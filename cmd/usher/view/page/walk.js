// @ts-check

/** @typedef {import('./math.js').Vec3} Vec3 */

/** @type {Record<string, Vec3>} right, up and back in turn */
const ways = { w: [0, 0, -1], s: [0, 0, 1], a: [-1, 0, 0], d: [1, 0, 0], q: [0, -1, 0], e: [0, 1, 0] };

/** The keys that are held down to walk. */
export class Walk {
  constructor() {
    /** @type {Set<string>} */
    this.held = new Set();
    this.running = false;
    this.last = 0;
  }

  /**
   * @param {KeyboardEvent} e
   * @returns {boolean} whether it is a key to walk with
   */
  down(e) {
    const key = e.key.toLowerCase();
    this.running = e.shiftKey;
    if (!ways[key] || e.ctrlKey || e.metaKey || e.altKey) return false;
    if (this.held.size === 0) this.last = performance.now() - 16;
    this.held.add(key);
    return true;
  }

  /** @param {KeyboardEvent} e */
  up(e) {
    this.running = e.shiftKey;
    this.held.delete(e.key.toLowerCase());
  }

  rest() { this.held.clear(); }

  /**
   * How far the keys lead since they were asked last, in seconds at a walk; nothing while none is held.
   * @param {number} now milliseconds
   * @returns {Vec3 | null}
   */
  since(now) {
    if (this.held.size === 0) return null;
    const seconds = Math.max(0, Math.min(0.1, (now - this.last) / 1000)) * (this.running ? 4 : 1);
    this.last = now;
    /** @type {Vec3} */
    const sum = [0, 0, 0];
    for (const key of this.held) ways[key].forEach((x, k) => { sum[k] += x * seconds; });
    return sum;
  }
}
