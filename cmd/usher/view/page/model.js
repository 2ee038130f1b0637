// @ts-check
import { byId, choice, counted, h, plain, toggle } from './dom.js';
import { getBytes, getJSON, site, urlOf, web } from './source.js';
import { textureStem, wornBy } from './facts.js';
import { flipsOf } from './flip.js';
import { mixWords } from './mix.js';
import { playerChoice } from './player.js';
import { Stage } from './stage.js';

/** @typedef {import('./source.js').Facts} Facts */

/**
 * Shows a model, or an animation on the model that plays it.
 * @param {HTMLElement} host
 * @param {Facts} f
 * @param {any} kept
 * @param {(id: number) => void} go
 */
export function showModel(host, f, kept, go) {
  const stop = new AbortController();
  /** @type {Stage} */
  let stage;
  try {
    stage = new Stage(host);
  } catch (e) {
    host.append(h('img', { class: 'fill', src: urlOf(`api/thumb/${f.id}?size=512`), alt: f.name }));
    return { ready: Promise.reject(e) };
  }
  const moves = f.kind === 'animation' && !site();
  if (moves) stage.poster.remove();
  else stage.poster.src = urlOf(`api/thumb/${f.id}?size=512`);
  const motion = h('div', { class: 'bar' });
  const looks = h('div', { class: 'bar' });
  let player = kept?.player ?? -1;
  host.append(motion, looks);
  /** @param {any} was */
  async function load(was) {
    const query = player < 0 ? '' : `?player=${player}`;
    const [glb, info] = await Promise.all([
      getBytes(`api/model/${f.id}${query}`, stop.signal), query ? null : getJSON(`api/camera/${f.id}`, stop.signal).catch(() => null),
    ]);
    await stage.load(glb, info);
    if (stop.signal.aborted) return;
    if (was?.camera) stage.camera.restore(was.camera);
    for (const bar of [motion, looks]) bar.replaceChildren();
    const seen = stage.scene && stage.scene.drawn().length > 0;
    if (seen) {
      motionControls(motion, stage, was || (moves ? { clip: stage.clips[0]?.name, playing: true } : null));
      lookControls(looks, stage, f, info, go);
      flipControls(looks, stage, f, stop.signal);
    }
    tell(stage, f, info, go);
    if (!seen) stage.say.textContent = nothing(f, info);
    stage.draw();
  }
  async function begin() {
    if (!moves) return load(kept);
    const choice = await playerChoice(f, player, (id) => { player = id; load(null); });
    player = choice.player;
    motion.before(choice.bar);
    return load(kept);
  }
  return {
    ready: begin(),
    stage,
    keep: () => ({ camera: stage.camera.keep(), clip: stage.clip?.name, playing: stage.playing, player }),
    stop: () => { stop.abort(); stage.stop(); },
  };
}

/**
 * Why there is nothing to be seen.
 * @param {Facts} f
 * @param {any} info
 */
function nothing(f, info) {
  if (f.kind === 'animation') return 'an animation: choose who plays it';
  return ['nothing to be seen: it has no shape of its own, or what it shows was not found' + (web() ? '; “open a folder …” takes the whole game' : ''), ...(info?.why || [])].join('\n');
}

/**
 * @param {HTMLElement} bar
 * @param {Stage} stage
 * @param {any} kept
 */
function motionControls(bar, stage, kept) {
  if (stage.clips.length === 0) return;
  const slider = h('input', { type: 'range', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'time' });
  const time = h('span', { class: 'note' });
  const play = toggle('play', false, (on) => stage.play(on));
  const options = [{ value: '-1', label: 'at rest' }, ...stage.clips.map((c, i) => ({ value: String(i), label: `${c.name} (${c.duration.toFixed(2)} s)` }))];
  const pick = (/** @type {string} */ v) => {
    stage.choose(stage.clips[Number(v)] || null);
    slider.max = String(stage.clip ? stage.clip.duration : 1);
  };
  const clip = choice('animation', options, '-1', pick);
  stage.ticked = (t) => {
    slider.value = String(t);
    time.textContent = `${t.toFixed(2)} s`;
  };
  slider.addEventListener('input', () => {
    if (!stage.clip) { clip.querySelector('select').value = '0'; pick('0'); }
    stage.seek(Number(slider.value));
  });
  bar.append(clip, play, slider, time, choice('speed', ['0.1', '0.25', '0.5', '1', '2'].map((v) => ({ value: v, label: `${v} ×` })), '1', (v) => { stage.speed = Number(v); }));
  play.addEventListener('click', () => {
    if (!stage.clip && stage.playing) { clip.querySelector('select').value = '0'; pick('0'); stage.play(true); }
  });
  const again = stage.clips.findIndex((c) => c.name === kept?.clip);
  if (again >= 0) {
    clip.querySelector('select').value = String(again);
    pick(String(again));
    if (kept.playing) play.click();
  }
}

/**
 * @param {HTMLElement} bar
 * @param {Stage} stage
 * @param {Facts} f
 * @param {any} info
 * @param {(id: number) => void} go
 */
function lookControls(bar, stage, f, info, go) {
  const { scene, ways, marks, camera } = stage;
  if (!scene) return;
  const now = () => stage.draw();
  bar.append(choice('wireframe', [['none', 'off'], ['over', 'over'], ['only', 'alone']].map(([value, label]) => ({ value, label })), ways.wire, (v) => { ways.wire = v; now(); }));
  bar.append(choice('show', [['0', 'as it is'], ['3', 'no textures'], ['1', 'normals']].map(([value, label]) => ({ value, label })), '0', (v) => { ways.show = Number(v); now(); }));
  if (scene.levels > 1) {
    const options = Array.from({ length: scene.levels }, (_, i) => ({ value: String(i), label: String(i) }));
    bar.append(choice('level', options, '0', (v) => { scene.level = Number(v); tell(stage, f, info, go); now(); }));
  }
  const has = (/** @type {string[]} */ kinds) => scene.nodes.some((n) => kinds.includes(n.kind));
  if (has(['bone'])) bar.append(toggle('skeleton', false, (on) => { marks.skeleton = on; now(); }));
  if (has(['hardpoint', 'mount', 'marker', 'eye'])) bar.append(toggle('points', false, (on) => { marks.points = on; now(); }, 'hardpoints, mounts, lights, cameras'));
  bar.append(toggle('grid', false, (on) => { marks.grid = on; now(); }), toggle('bounds', false, (on) => { marks.bounds = on; now(); }));
  if (scene.more) bar.append(toggle('hulls', false, (on) => { scene.spares = on; ways.all = on; now(); }, 'what the model has beside what is seen: collision hulls, wires, mounts, spare parts'));
  else if (stage.buffers?.looks.some((/** @type {import('./buffers.js').Look} */ l) => l.unseen || (l.alpha > 0 && l.factor[3] === 0))) bar.append(toggle('unseen', false, (on) => { ways.all = on; now(); }));
  if (scene.nodes.some((n) => n.light)) {
    const exposure = h('input', { type: 'range', min: -6, max: 6, step: 'any', value: 0, 'aria-label': 'exposure', title: 'how bright the lights are' });
    exposure.addEventListener('input', () => { ways.exposure = 2 ** Number(exposure.value); now(); });
    bar.append(toggle('lights', false, (on) => { ways.lamps = on; now(); }, 'the lights of the scene'), exposure);
  }
  /** @type {any} */
  let outside = null;
  bar.append(toggle('walk', camera.walking, (on) => {
    if (outside) camera.restore(outside);
    outside = on && scene.world.start ? camera.keep() : null;
    if (outside) camera.enter(scene.world.start?.world || []);
    camera.walking = on;
    stage.canvas.focus();
    now();
  }, 'W A S D Q E walk, Shift runs, the pointer turns the head'));
  bar.append(toggle('orthographic', camera.flat, (on) => { camera.flat = on; now(); }, 'O'));
  const turn = (/** @type {number} */ a, /** @type {number} */ e) => () => { camera.azimuth = a; camera.elevation = e; camera.frame(stage.bounds()); now(); };
  const front = turn(0, 0);
  const side = turn(Math.PI / 2, 0);
  const top = turn(0, Math.PI / 2 - 1e-3);
  const all = () => { camera.frame(stage.bounds()); now(); };
  for (const [label, title, act] of /** @type {[string, string, () => void][]} */ ([['front', '1', front], ['side', '3', side], ['top', '7', top], ['all', 'F', all]])) {
    bar.append(h('button', { type: 'button', title, onclick: act }, label));
  }
  stage.canvas.addEventListener('keydown', (/** @type {KeyboardEvent} */ e) => {
    const act = /** @type {Record<string, () => void>} */ ({ 1: front, 3: side, 7: top, f: all, o: () => { camera.flat = !camera.flat; now(); } })[e.key];
    if (act) act();
  });
  const save = h('button', {
    type: 'button',
    onclick: async () => {
      const blob = await stage.picture();
      if (!blob) return;
      const a = h('a', { href: URL.createObjectURL(blob), download: `${f.name}.png` });
      a.click();
      setTimeout(() => URL.revokeObjectURL(a.href), 1000);
    },
  }, 'screenshot');
  bar.append(save);
}

/**
 * @param {HTMLElement} bar
 * @param {Stage} stage
 * @param {Facts} f
 * @param {AbortSignal} signal
 */
async function flipControls(bar, stage, f, signal) {
  const { scene } = stage;
  if (!scene) return;
  const flips = await flipsOf(f, scene.glb.json, signal).catch(() => []); // what cannot be read says so elsewhere
  if (flips.length === 0 || stage.scene !== scene) return;
  stage.flips = flips;
  bar.append(toggle('moving textures', false, (on) => stage.flip(on)));
}

/**
 * Says what there is to know of a model.
 * @param {Stage} stage
 * @param {Facts} f
 * @param {any} info
 * @param {(id: number) => void} go
 */
function tell(stage, f, info, go) {
  const { scene, buffers } = stage;
  if (!scene || !buffers) return;
  const { min, max } = stage.bounds();
  const sides = [0, 1, 2].map((k) => Number((max[k] - min[k]).toPrecision(3)));
  const n = scene.count();
  const facts = [`${counted(n.triangles, 'triangle', 'triangles')}, ${counted(n.vertices, 'vertex', 'vertices')}`, `${sides.join(' × ')} m`, ...(info?.notes || [])];
  stage.say.textContent = facts.join('\n');
  stage.picked = (what) => {
    stage.say.textContent = what
      ? plain(`${what.node.name}: mesh ${what.mesh.name}, material ${what.look.name || '–'}, ${counted(Math.floor((what.prim.indices || what.prim.positions).length / 3), 'triangle', 'triangles')}`)
      : facts.join('\n');
  };
  const list = buffers.looks.map((/** @type {import('./buffers.js').Look} */ l, /** @type {number} */ i) => materialOf(l, i, buffers, f, go));
  byId('more')?.replaceChildren(...(list.length ? [h('h3', { class: 'part' }, `materials: ${list.length}`), ...list] : []));
}

/**
 * A material, whose swatch opens the texture.
 * @param {import('./buffers.js').Look} l
 * @param {number} i
 * @param {import('./buffers.js').Buffers} buffers
 * @param {Facts} f
 * @param {(id: number) => void} go
 */
function materialOf(l, i, buffers, f, go) {
  const swatch = h('canvas', { width: 26, height: 26, class: 'swatch' });
  const image = l.base && buffers.images[l.base.image];
  const c = swatch.getContext('2d');
  if (image) c.drawImage(image, 0, 0, 26, 26);
  else {
    c.fillStyle = `rgb(${l.factor.slice(0, 3).map((x) => Math.round(255 * x ** (1 / 2.2))).join(' ')})`;
    c.fillRect(0, 0, 26, 26);
  }
  const name = l.name || `material ${i}`;
  const words = [mixWords(l.mix) || ['', 'cut out', 'translucent'][l.alpha], l.unlit ? 'unlit' : '', l.doubleSided ? 'two sides' : '', l.lacking ? 'texture missing' : ''].filter(Boolean).join(', ');
  const label = h('span', {}, name, words ? h('small', {}, ` ${words}`) : '');
  if (!image) return h('div', { class: 'material' }, swatch, label);
  const open = () => openTexture(image, buffers.scene.glb.json.images[/** @type {any} */ (l.base).image].name || name, f, go);
  return h('div', { class: 'material' }, h('button', { type: 'button', class: 'open', 'aria-label': `the texture of ${name}`, onclick: open }, swatch), label);
}

/**
 * Opens a texture where it lies; one that lies in no file of its own is shown large.
 * @param {ImageBitmap} image
 * @param {string} name
 * @param {Facts} f
 * @param {(id: number) => void} go
 */
async function openTexture(image, name, f, go) {
  const uses = site() ? [] : await wornBy(f).catch(() => []);
  const found = uses.find((x) => textureStem(x.texture) === textureStem(name));
  if (found) { go(found.id); return; }
  const canvas = h('canvas', { width: image.width, height: image.height });
  canvas.getContext('2d').drawImage(image, 0, 0);
  const link = h('a', { download: `${textureStem(name) || 'texture'}.png` }, 'PNG');
  canvas.toBlob((/** @type {Blob | null} */ b) => { if (b) link.href = URL.createObjectURL(b); });
  const box = h('dialog', { class: 'large', 'aria-label': name, onclose: () => { URL.revokeObjectURL(link.href); box.remove(); } },
    h('div', { class: 'bar' }, h('b', {}, name), ` ${image.width} × ${image.height}`, h('span', { class: 'gap' }), link, h('button', { type: 'button', onclick: () => box.close() }, 'close')),
    h('div', { class: 'checker' }, canvas));
  document.body.append(box);
  box.showModal();
}
