// @ts-check

/**
 * The ends of the edges of a primitive's triangles, each edge once.
 * @param {import('./scene.js').Prim} p
 */
export function edgesOf(p) {
  const seen = new Set();
  /** @type {number[]} */
  const list = [];
  const vertices = p.positions.length / 3;
  const corners = p.indices ? p.indices.length : vertices;
  const corner = (/** @type {number} */ i) => (p.indices ? p.indices[i] : i);
  for (let i = 0; i + 3 <= corners; i += 3) {
    for (let k = 0; k < 3; k++) {
      const a = corner(i + k);
      const b = corner(i + ((k + 1) % 3));
      const key = Math.min(a, b) * vertices + Math.max(a, b);
      if (!seen.has(key)) { seen.add(key); list.push(a, b); }
    }
  }
  return list;
}
