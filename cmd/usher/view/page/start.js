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

// What somebody can do on the desk, and how.
const works = [
  ['see what a file holds', 'click on it in the tree; the page has textures, models, sounds, tables and texts of the folder in which usher was started'],
  ['take something out', 'export …: as PNG, GLB, WAV, CSV, JSON; Ctrl and a click in the tree choose several'],
  ['put something in', 'drop the edited PNG, GLB, WAV or CSV onto its entry: before and after stand beside each other'],
  ['edit in place', 'texts with edit, cells of tables with Enter, names with rename …'],
  ['edit in another program', 'open in …: each time you save there, the change is taken'],
  ['work on another file', 'drop it here: it is copied into this folder, unless it is there'],
  ['keep it', 'save writes NAME.new beside the original; save patch writes the changes alone, to be given away'],
];

/**
 * What somebody sees who has named nothing yet.
 * @param {World[]} worlds
 * @param {boolean} desk the page may write
 */
export function startOf(worlds, desk) {
  const rows = (/** @type {string[][]} */ list) => list.map(([a, b]) => h('tr', {}, h('th', { scope: 'row' }, a), h('td', {}, b)));
  const about = desk
    ? [h('p', {}, 'It takes the assets of four old worlds out, and puts them back in. What you change here is kept beside the original until you save it, even when usher is closed in between.'), h('table', {}, h('caption', {}, 'On this page'), rows(works))]
    : [h('p', {}, 'It takes the assets of four old worlds out, and puts them back in. This page shows the folder in which usher was started: put usher into a folder of a game, or type ', h('code', {}, 'usher view FOLDER'), '. It only looks, and changes nothing; ', h('code', {}, 'usher desk'), ' is the page to work in.')];
  return h('section', { class: 'start' },
    h('h2', {}, 'What usher does'),
    about,
    h('table', {}, h('caption', {}, 'Drag onto the program, and get beside it'), rows(drops)),
    h('p', {}, 'Nothing is overwritten. What nobody edited comes back byte for byte.'),
    h('table', {}, h('caption', {}, 'Files that it reads'), rows(worlds.map((w) => [w.name, w.extensions.join(' ')]))));
}
