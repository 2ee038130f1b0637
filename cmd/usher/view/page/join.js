// @ts-check
// Brings together what a GLB holds apart.

/** @typedef {import('./scene.js').Place} Place */

/**
 * Finds the node that has the mesh of another one, and the part that a level of detail belongs to: the mesh of a node
 * with a skin may stand at the root; a lower level stands below its part, or beside it where one of the two moves on its
 * own.
 * @param {Place[]} nodes
 * @param {any[]} records what usher notes of each node
 */
export function joinNodes(nodes, records) {
  for (const n of nodes) {
    const owner = nodes[records[n.index].meshOfNode];
    if (!owner || owner === n || owner.mesh >= 0) continue;
    owner.bearer = n.index;
    n.lent = true;
  }
  for (const n of nodes) {
    if (n.level === 0) continue;
    const { lodOf, lodBelow } = records[n.index];
    const above = lodBelow && n.parent >= 0 && nodes[n.parent].level === 0 ? nodes[n.parent] : undefined;
    const owner = above || nodes.find((o) => o.parent === n.parent && o.name === lodOf && o.level === 0);
    if (owner && !owner.lods.includes(n.index)) owner.lods[n.level - 1] = n.index;
  }
  for (const n of nodes) n.lods = n.lods.filter((l) => l !== undefined);
}
