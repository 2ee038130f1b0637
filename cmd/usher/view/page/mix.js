// @ts-check
// How the colours of a surface meet those behind it, where that is not by alpha alone: as scene.Mix names it.

/** @type {Record<string, {number: number, words: string}>} */
const mixes = { add: { number: 1, words: 'adds light' }, screen: { number: 2, words: 'adds light' }, modulate: { number: 3, words: 'darkens or brightens' }, backdrop: { number: 0, words: 'shows the sky' } };

/**
 * @param {any} material of a GLB
 * @returns {string} add, screen, modulate, backdrop; empty for by its alpha
 */
export function mixOf(material) {
  const said = shownOf(material).mix;
  return Object.hasOwn(mixes, said || '') ? said : '';
}

/**
 * What a material's or node's own format shows and does not read. Values that editors break are in a text.
 * @param {any} thing of a GLB
 * @returns {any}
 */
export function shownOf(thing) {
  const own = thing.extras?.usher || {};
  try {
    return { ...own.readonly, ...(own.json && JSON.parse(own.json).readonly) };
  } catch {
    return own.readonly || {}; // somebody wrote into it
  }
}

/**
 * What people call it; empty for none.
 * @param {string} mix
 */
export function mixWords(mix) { return mixes[mix]?.words || ''; }

/**
 * Sets the graphics card up, and returns what the programs call it.
 * @param {WebGL2RenderingContext} gl
 * @param {string} mix
 */
export function blend(gl, mix) {
  const [from, to] = { add: [gl.ONE, gl.ONE], screen: [gl.ONE, gl.ONE_MINUS_SRC_COLOR], modulate: [gl.DST_COLOR, gl.SRC_COLOR] }[mix] || [gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA];
  gl.blendFuncSeparate(from, to, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  return mixes[mix]?.number || 0;
}
