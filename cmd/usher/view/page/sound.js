// @ts-check
import { h } from './dom.js';
import { getJSON, urlOf } from './source.js';

/** @typedef {import('./source.js').Facts} Facts */

/**
 * Shows a sound: its waveform, to hear and to seek in.
 * @param {HTMLElement} host
 * @param {{id: number}} f
 */
export function showSound(host, f) {
  const canvas = h('canvas', { class: 'wave', 'aria-label': 'waveform' });
  const audio = h('audio', { controls: true, preload: 'auto', src: urlOf(`api/sound/${f.id}`) });
  const say = h('span', { class: 'note' });
  const loop = h('input', { type: 'checkbox' });
  host.append(canvas, h('div', { class: 'bar' }, audio), h('div', { class: 'bar' }, h('label', {}, loop, 'repeat the loop'), say));
  /** @type {any} */
  let info = null;
  let frame = 0;

  function draw() {
    if (!info) return;
    const scale = devicePixelRatio || 1;
    const w = canvas.width = Math.round(canvas.clientWidth * scale);
    const ht = canvas.height = Math.round(canvas.clientHeight * scale);
    const c = canvas.getContext('2d');
    const style = getComputedStyle(host);
    const lanes = info.peaks ? info.peaks.length : 0;
    for (let l = 0; l < lanes; l++) {
      const middle = ((l + 0.5) * ht) / lanes;
      const half = ht / lanes / 2;
      const p = info.peaks[l];
      const n = p.length / 2;
      c.fillStyle = style.getPropertyValue('--edge');
      c.fillRect(0, middle, w, 1);
      c.fillStyle = style.getPropertyValue('--mark');
      let [under, above] = [p[0], p[1]]; // of the column before: neighbours touch
      for (let x = 0; x < w; x++) {
        const a = Math.floor((x * n) / w);
        const b = Math.max(a + 1, Math.floor(((x + 1) * n) / w));
        let low = 1;
        let high = -1;
        for (let i = a; i < b; i++) { low = Math.min(low, p[2 * i]); high = Math.max(high, p[2 * i + 1]); }
        const [top, bottom] = [Math.max(high, under), Math.min(low, above)];
        c.fillRect(x, middle - half * top, 1, Math.max(1, half * (top - bottom)));
        [under, above] = [low, high];
      }
    }
    c.fillStyle = '#f0b050';
    for (const edge of info.loops.flat()) c.fillRect((edge / info.seconds) * w, 0, 2, ht);
    c.fillStyle = '#3a9a62';
    for (const q of info.cues) c.fillRect((q.seconds / info.seconds) * w, 0, 1, ht);
    c.fillStyle = style.getPropertyValue('--text');
    c.fillRect((audio.currentTime / info.seconds) * w, 0, 2, ht);
    say.textContent = `${audio.currentTime.toFixed(2)} of ${info.seconds.toFixed(2)} s, ${info.rate} Hz, ${info.channels} channel${info.channels > 1 ? 's' : ''}, ${info.bits} bits${info.loops.length ? `, ${info.loops.length} loop(s)` : ''}`;
  }

  function tick() {
    const l = info?.loops[0];
    if (l && loop.checked && audio.currentTime >= l[1]) audio.currentTime = l[0];
    draw();
    if (!audio.paused) frame = requestAnimationFrame(tick);
  }

  audio.addEventListener('play', tick);
  for (const e of ['seeked', 'pause', 'timeupdate']) audio.addEventListener(e, draw);
  canvas.addEventListener('pointerdown', (/** @type {PointerEvent} */ e) => {
    const r = canvas.getBoundingClientRect();
    if (info) audio.currentTime = ((e.clientX - r.left) / r.width) * info.seconds;
    draw();
  });
  const resized = new ResizeObserver(draw);
  resized.observe(canvas);
  async function load() {
    info = await getJSON(`api/peaks/${f.id}`);
    draw();
  }
  return { ready: load(), audio, stop: () => { audio.pause(); audio.removeAttribute('src'); cancelAnimationFrame(frame); resized.disconnect(); } };
}
