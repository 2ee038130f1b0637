// @ts-check
// Textures that move: their pictures, one after the other.
import { getBytes, getJSON, site } from './source.js';
import { textureStem, wornBy } from './facts.js';

/** @typedef {import('./source.js').Facts} Facts */

/**
 * @typedef {object} Flip a picture of a model that moves
 * @property {number} image its number in the file
 * @property {number} fps
 * @property {ImageBitmap[]} frames
 * @property {number} shown
 */

// Longer ones are cut: each picture is held as it is.
const mostFrames = 64;

/**
 * Finds the pictures of a model that move, where their textures lie.
 * @param {Facts} f
 * @param {any} doc of its GLB
 * @param {AbortSignal} signal
 * @returns {Promise<Flip[]>}
 */
export async function flipsOf(f, doc, signal) {
  if (site()) return [];
  /** @type {Flip[]} */
  const flips = [];
  for (const worn of await wornBy(f)) {
    const image = (doc.images || []).findIndex((/** @type {any} */ x) => textureStem(x.name || '') === textureStem(worn.texture));
    if (image < 0) continue;
    const { picture } = await getJSON(`api/node/${worn.id}`, signal);
    if (!picture || picture.frames.length < 2 || !(picture.fps > 0)) continue;
    const frames = await Promise.all(picture.frames.slice(0, mostFrames).map(async (/** @type {any} */ _, /** @type {number} */ i) => {
      const file = await getBytes(`api/image/${worn.id}?frame=${i}`, signal);
      return createImageBitmap(new Blob([file], { type: 'image/png' }), { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
    }));
    flips.push({ image, fps: picture.fps, frames, shown: -1 });
  }
  return flips;
}
