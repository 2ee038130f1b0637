// @ts-check

/**
 * The eight largest weights of each corner, in two sets.
 * @param {import('./scene.js').Prim} p
 */
export function strongest(p) {
  const n = p.positions.length / 3;
  const out = [0, 1].map(() => ({ joints: new Uint32Array(4 * n), weights: new Float32Array(4 * n) }));
  for (let i = 0; i < n; i++) {
    const all = p.skin.flatMap((s) => [0, 1, 2, 3].map((k) => ({ j: s.joints[4 * i + k], w: s.weights[4 * i + k] }))).sort((a, b) => b.w - a.w).slice(0, 8);
    const total = all.reduce((t, x) => t + x.w, 0) || 1;
    all.forEach((x, k) => { out[k >> 2].joints[4 * i + (k & 3)] = x.j; out[k >> 2].weights[4 * i + (k & 3)] = x.w / total; });
  }
  return out;
}
