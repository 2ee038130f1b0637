// @ts-check
import { identity, transform } from './math.js';
import { shownOf } from './mix.js';

/** @typedef {import('./math.js').Vec3} Vec3 */
/** @typedef {import('./scene.js').Place} Place */
/** @typedef {{low: Vec3, high: Vec3, fog: number[], scale: number}} Tint colours are seen times scale, and fog added */

/**
 * @typedef {object} World
 * @property {Place | null} sky where the sky is built: backdrops show what is seen from there
 * @property {Place | null} start where a player starts
 * @property {{node: Place, tint: Tint}[]} tints zones in which all that is seen has another colour
 */

/**
 * @param {Place[]} nodes
 * @param {any[]} list the nodes of the file
 * @returns {World}
 */
export function worldOf(nodes, list) {
  const first = (/** @type {string} */ role) => nodes[list.findIndex((n) => shownOf(n).role === role)] || null;
  return { sky: first('sky'), start: first('start'), tints: nodes.map((node, i) => ({ node, tint: shownOf(list[i]).tint })).filter((x) => x.tint) };
}

/**
 * How colours are seen from a place; null for as they are.
 * @param {World} world
 * @param {Place[]} nodes
 * @param {Vec3} eye
 * @returns {Tint | null}
 */
export function tintAt(world, nodes, eye) {
  const found = world.tints.find(({ node, tint }) => {
    const above = node.parent < 0 ? identity() : nodes[node.parent].world;
    const [a, b] = [transform(above, tint.low), transform(above, tint.high)];
    return eye.every((x, k) => x > Math.min(a[k], b[k]) && x < Math.max(a[k], b[k]));
  });
  return found ? found.tint : null;
}
