// @ts-check
import { byId, choice, h, toggle } from './dom.js';
import { site, urlOf } from './source.js';

/** @typedef {import('./source.js').Facts} Facts */

/**
 * Shows a texture: any of its pictures, at any size, each channel alone.
 * @param {HTMLElement} host
 * @param {Facts} f
 * @param {any} kept
 */
export function showPicture(host, f, kept) {
  const info = f.picture;
  if (!info) return;
  const moves = info.fps > 0 && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  const s = Object.assign({ frame: 0, mip: 0, face: 0, zoom: 0, channel: 'rgba', playing: moves }, kept);
  const img = h('img', { alt: f.name, draggable: false });
  const box = h('div', { class: 'fill picture checker', tabindex: 0, role: 'region', 'aria-label': 'picture' }, img);
  const say = h('span', { class: 'note' });
  let timer = 0;
  /** @type {(e?: any) => void} */
  let arrived = () => {};
  const ready = new Promise((ok, bad) => { arrived = ok; img.addEventListener('error', () => bad(new Error('the picture cannot be shown'))); });

  const size = () => (info.frames[s.frame].mips[s.mip] || info.frames[s.frame].mips[0]);

  function fit() {
    const [w, ht] = size();
    const room = Math.min((box.clientWidth - 8) / w, (box.clientHeight - 8) / ht);
    const zoom = s.zoom || (room >= 1 ? Math.max(1, Math.floor(Math.min(room, 32))) : room);
    img.style.width = `${w * zoom}px`;
    img.style.height = `${ht * zoom}px`;
    say.textContent = `${w} × ${ht} at ${zoom >= 1 ? `${Number(zoom.toFixed(2))}:1` : `1:${Number((1 / zoom).toFixed(2))}`}`;
    return zoom;
  }

  function load() {
    s.mip = Math.min(s.mip, info ? info.frames[s.frame].mips.length - 1 : 0);
    img.src = urlOf(`api/image/${f.id}?frame=${s.frame}&mip=${s.mip}&face=${s.face}`);
    img.style.filter = s.channel === 'rgba' ? '' : `url(#channel-${s.channel})`;
    fit();
  }

  img.addEventListener('load', () => arrived());
  box.addEventListener('wheel', (/** @type {WheelEvent} */ e) => {
    if (!e.ctrlKey && !e.altKey) {
      e.preventDefault();
      const now = fit();
      s.zoom = Math.min(64, Math.max(1 / 16, e.deltaY < 0 ? now * 2 : now / 2));
      fit();
    }
  }, { passive: false });

  const bar = h('div', { class: 'bar' });
  const numbers = (/** @type {number} */ n, /** @type {(i: number) => string} */ label) => Array.from({ length: n }, (_, i) => ({ value: String(i), label: label(i) }));
  const mips = info.frames[0].mips;
  if (mips.length > 1 && !site()) bar.append(choice('mip', numbers(mips.length, (i) => `${i}: ${mips[i][0]} × ${mips[i][1]}`), String(s.mip), (v) => { s.mip = Number(v); s.face = 0; load(); }));
  const faces = info.frames[0].faces || 0;
  if (faces) bar.append(choice('face', numbers(faces + 1, (i) => ['+X', '−X', '+Y', '−Y', '+Z', '−Z'][i]), String(s.face), (v) => { s.face = Number(v); s.mip = 0; load(); }));
  if (info.frames.length > 1) {
    const slider = h('input', { type: 'range', min: 0, max: info.frames.length - 1, value: s.frame, 'aria-label': 'frame' });
    const number = h('span', { class: 'note' }, `frame ${s.frame + 1} of ${info.frames.length}`);
    const turn = (/** @type {number} */ i) => {
      s.frame = i;
      slider.value = String(i);
      number.textContent = `frame ${i + 1} of ${info.frames.length}`;
      load();
    };
    slider.addEventListener('input', () => turn(Number(slider.value)));
    const play = (/** @type {boolean} */ on) => {
      clearInterval(timer);
      s.playing = on;
      if (on) timer = setInterval(() => turn((s.frame + 1) % info.frames.length), 1000 / (info.fps || 10));
    };
    bar.append(toggle('play', s.playing, play, `${info.fps || 10} frames a second`), slider, number);
    if (s.playing) play(true);
  }
  bar.append(choice('channels', ['rgba', 'rgb', 'r', 'g', 'b', 'a'].map((c) => ({ value: c, label: c.toUpperCase() })), s.channel, (v) => { s.channel = v; load(); }));
  bar.append(toggle('chequerboard', true, (on) => box.classList.toggle('checker', on)));
  for (const [label, zoom] of /** @type {[string, number][]} */ ([['fit', 0], ['1:1', 1], ['4:1', 4], ['16:1', 16]])) {
    bar.append(h('button', { type: 'button', onclick: () => { s.zoom = zoom; fit(); } }, label));
  }
  bar.append(say);
  host.append(box, bar);
  load();
  const resized = new ResizeObserver(() => fit());
  resized.observe(box);
  if (info.palette) {
    const cells = info.palette.map((c, i) => { const el = h('span', { title: `${i}: ${c}` }); el.style.background = c; return el; });
    byId('more')?.append(h('h3', { class: 'part' }, `palette: ${info.palette.length}`), h('div', { class: 'palette checker' }, cells));
  }
  return { ready, keep: () => ({ ...s }), stop: () => { clearInterval(timer); resized.disconnect(); } };
}
