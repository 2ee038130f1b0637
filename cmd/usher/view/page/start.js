// @ts-check
import { h } from './dom.js';

/** @typedef {{name: string, extensions: string[]}} World */

// What becomes of what somebody drags onto the program.
const drops = [
  ['a model, an animation', 'NAME.glb, for Blender'],
  ['a picture, a sound, a table', 'NAME.png, NAME.wav, NAME.json'],
  ['an archive', 'a folder NAME with all that is in it, to edit'],
  ['such a folder, or an edited GLB, PNG or WAV', 'NAME.new, in the format that it came from'],
  ['any other folder', 'this page, of that folder'],
];

/**
 * What somebody sees who has named nothing yet.
 * @param {World[]} worlds
 */
export function startOf(worlds) {
  const rows = (/** @type {string[][]} */ list) => list.map(([a, b]) => h('tr', {}, h('th', { scope: 'row' }, a), h('td', {}, b)));
  return h('section', { class: 'start' },
    h('h2', {}, 'What usher does'),
    h('p', {}, 'It takes the assets of four old worlds out, and puts them back in. This page shows the folder in which usher was started: put usher into a folder of a game, or type ', h('code', {}, 'usher view FOLDER'), '. It only looks, and changes nothing.'),
    h('table', {}, h('caption', {}, 'Drag onto the program, and get beside it'), rows(drops)),
    h('p', {}, 'Nothing is overwritten. What nobody edited comes back byte for byte.'),
    h('table', {}, h('caption', {}, 'Files that it reads'), rows(worlds.map((w) => [w.name, w.extensions.join(' ')]))));
}
