// @ts-check
import { choice, h } from './dom.js';
import { getJSON } from './source.js';

/** @typedef {import('./source.js').Facts} Facts */

/**
 * Asks who plays an animation. Where its folder has one model alone, that one does.
 * @param {Facts} f
 * @param {number} player the one that was chosen before; −1 for none
 * @param {(id: number) => void} change
 * @returns {Promise<{bar: HTMLElement, player: number}>}
 */
export async function playerChoice(f, player, change) {
  const { models, here } = await getJSON(`api/players/${f.id}`);
  const now = player < 0 && here === 1 ? models[0].id : player;
  const options = [{ value: '-1', label: models.length ? 'nobody' : 'there is no model here: open its folder as well' },
    ...models.map((/** @type {{id: number, name: string}} */ m) => ({ value: String(m.id), label: m.name }))];
  return { bar: h('div', { class: 'bar' }, choice('played by', options, String(now), (v) => change(Number(v)))), player: now };
}
