// @ts-check
import { h } from './dom.js';
import { web } from './source.js';

/** @typedef {{name: string, extensions: string[]}} World */
/** @typedef {{name: string, path: string, game?: boolean}} Place */

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
  ['see what a file holds', 'click on it in the tree: textures, models, sounds, tables and texts are shown as what they are'],
  ['take something out', 'export …: as PNG, GLB, WAV, CSV, JSON; Ctrl and a click in the tree choose several'],
  ['put something in', 'drop the edited PNG, GLB, WAV or CSV onto its entry: before and after stand beside each other'],
  ['edit in place', 'texts with edit, cells of tables with Enter, names with rename …'],
  ['edit in another program', 'open in …: each time you save there, the change is taken'],
  ['work on another file', 'drop it here: it is copied into this folder, unless it is there'],
  ['keep it', 'save writes NAME.new beside the original; save patch writes the changes alone, to be given away'],
];

/** @param {string[][]} list */
const rows = (list) => list.map(([a, b]) => h('tr', {}, h('th', { scope: 'row' }, a), h('td', {}, b)));

/** @param {World[]} worlds */
const readOf = (worlds) => h('table', {}, h('caption', {}, 'Files that it reads'), rows(worlds.map((w) => [w.name, w.extensions.join(' ')])));

// What a browser alone does otherwise.
const ofPrograms = ['edit in another program', 'work on another file', 'keep it'];
const worksWithout = [
  ['keep it', 'save hands out NAME.new as a download, or writes it into the folder that you have opened; save patch hands out the changes alone'],
  ['go on tomorrow', 'what you open and change stays in this browser until you close it with close'],
];

/**
 * Places to open, by a click.
 * @param {string} title
 * @param {Place[]} places
 */
function placesOf(title, places) {
  if (!places.length) return '';
  const open = (/** @type {string} */ path) => dispatchEvent(new CustomEvent('place', { detail: path }));
  return h('table', { class: 'places' }, h('caption', {}, title), places.map((p) => h('tr', {},
    h('th', { scope: 'row' }, h('button', { type: 'button', 'data-action': 'place', onclick: () => open(p.path) }, p.name)), h('td', {}, p.path))));
}

/**
 * What somebody sees who has named nothing yet.
 * @param {World[]} worlds
 * @param {boolean} desk the page may write
 * @param {Place[]} places
 */
export function startOf(worlds, desk, places) {
  const without = web();
  if (without) return startWithout(without, worlds);
  const about = desk
    ? [h('p', {}, 'It takes the assets of four old worlds out, and puts them back in. What you change here is kept beside the original until you save it, even when usher is closed in between.'),
      placesOf('Games on this machine', places.filter((p) => p.game)), placesOf('Opened last', places.filter((p) => !p.game)), h('table', {}, h('caption', {}, 'On this page'), rows(works))]
    : [h('p', {}, 'It takes the assets of four old worlds out, and puts them back in. This page shows the folder in which usher was started: put usher into a folder of a game, or type ', h('code', {}, 'usher view FOLDER'), '. It only looks, and changes nothing; ', h('code', {}, 'usher desk'), ' is the page to work in.')];
  return h('section', { class: 'start' },
    h('h2', {}, 'What usher does'),
    ...about,
    h('table', {}, h('caption', {}, 'Drag onto the program, and get beside it'), rows(drops)),
    h('p', {}, 'Nothing is overwritten. What nobody edited comes back byte for byte.'),
    readOf(worlds));
}

/**
 * The same where the page runs without a server.
 * @param {import('./source.js').Web} without
 * @param {World[]} worlds
 */
function startWithout(without, worlds) {
  const last = h('p', {});
  without.lastFolders().then((list) => last.replaceChildren(...list.map(([name, open]) => h('button', { type: 'button', onclick: () => open().then((found) => found && dispatchEvent(new CustomEvent('came', { detail: found }))) }, `open ${name} again`))));
  return h('section', { class: 'start' },
    h('div', { class: 'drop-here' }, h('h2', {}, 'Drop files of a game here, or a whole folder'), h('p', {}, 'or choose them above. Nothing leaves this machine: usher itself is in the page, and works without a network.'), last),
    h('table', {}, h('caption', {}, 'On this page'), rows([...works.filter(([what]) => !ofPrograms.includes(what)), ...worksWithout])),
    h('p', {}, 'Your files stay as they are. What nobody edited comes back byte for byte.'),
    readOf(worlds));
}
