// @ts-check
import { byId, cut, h, byteCount, kindSign } from './dom.js';
import { factTable } from './facts.js';
import { showDifference } from './difference.js';
import { VirtualList } from './list.js';
import { getBytes, getJSON, urlOf } from './source.js';
import { Stage } from './stage.js';
import { showSound } from './sound.js';

/** @typedef {any} Change */

/** Before and after: what differs between two states, side by side. */
export class Changes {
  /**
   * @param {(n: number) => void} pick
   * @param {any} usher
   */
  constructor(pick, usher) {
    this.pick = pick;
    this.usher = usher;
    this.comparing = false;
    /** @type {any} */
    this.data = null;
    this.on = -1;
    /** @type {(() => void)[]} */
    this.stops = [];
    this.turn = 0;
  }

  /** @param {any} data */
  begin(data) {
    this.comparing = true;
    const tree = byId('tree');
    this.host = h('div', { class: 'fill', tabindex: 0, 'aria-label': 'what differs' });
    tree.before(this.host);
    const mode = (/** @type {boolean} */ all) => {
      tree.hidden = !all;
      this.host.hidden = all;
      buttons[0].setAttribute('aria-pressed', String(!all));
      buttons[1].setAttribute('aria-pressed', String(all));
    };
    const buttons = [h('button', { type: 'button', onclick: () => mode(false) }, 'what differs'), h('button', { type: 'button', onclick: () => mode(true) }, 'everything')];
    byId('modes').append(...buttons);
    this.list = new VirtualList(this.host, 22, (i) => this.row(i));
    this.host.addEventListener('keydown', (/** @type {KeyboardEvent} */ e) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
      const next = this.on + (step || 0);
      if (!step || next < 0 || next >= this.data.changes.length) return;
      e.preventDefault();
      this.list?.reveal(next);
      this.pick(next);
    });
    mode(false);
    this.take(data);
  }

  async reload() {
    if (!this.comparing) return;
    this.take(await getJSON('api/changes'));
    if (this.on >= 0) this.show(this.on);
  }

  /** @param {any} data */
  take(data) {
    this.data = data;
    this.list?.setCount(data.changes.length);
    const counts = Object.entries(data.counts).map(([k, n]) => `${n} ${k}`).join(', ');
    this.sum = data.busy ? 'comparing …' : data.error || counts || 'the two are the same';
    if (this.on < 0 && !location.hash) {
      byId('view').replaceChildren(h('p', { class: 'note' }, `${data.old} and ${data.new}: ${this.sum}`));
      byId('foot').replaceChildren(h('code', {}, `$ ${data.command}`));
      if (!data.busy && data.changes.length) this.pick(0);
    }
    if (data.busy) setTimeout(() => this.reload(), 300);
  }

  /** @param {number} i */
  row(i) {
    const c = this.data.changes[i];
    return h('div', { class: i === this.on ? 'row on' : 'row', title: c.path, 'data-change': i, onclick: () => this.pick(i) },
      h('span', { class: `status ${c.status}` }, c.status), kindSign({ place: 'entry', kind: c.kind }), h('span', { class: 'name' }, cut(c.path)));
  }

  leave() {
    for (const s of this.stops) s();
    this.stops = [];
    this.on = -1;
    this.turn++; // what is still on its way comes too late
  }

  /** @param {number} n */
  async show(n) {
    const c = this.data?.changes[n];
    if (!c) return;
    this.leave();
    this.on = n;
    this.list?.redraw();
    await this.present(c);
  }

  /**
   * Shows one change: before and after, and what differs.
   * @param {Change} c
   */
  async present(c) {
    this.usher.state = 'loading';
    const { turn } = this;
    byId('trail').replaceChildren(`${c.path} – ${c.status}`);
    byId('tabs').replaceChildren();
    byId('right').replaceChildren(h('h2', {}, c.path), factTable(/** @type {[string, any][]} */ (
      [['became', c.status], ['was called', c.from], ['format', c.format], ['size', c.oldSize === c.newSize ? byteCount(c.newSize) : `${byteCount(c.oldSize)} → ${byteCount(c.newSize)}`], ['all in all', this.sum]]
        .filter((x) => x[1]))), h('div', { id: 'more' }));
    const pair = h('div', { class: 'pair' });
    const details = h('pre', { class: 'details', tabindex: 0, 'aria-label': 'what differs' }, [c.note, c.error, ...(c.details || []), c.more > 0 ? `${c.more} more` : ''].filter(Boolean).join('\n'));
    byId('view').replaceChildren(pair, details);
    const command = c.command || this.data?.command;
    byId('foot').replaceChildren(command ? h('code', {}, `$ ${command}`) : '');
    const show = { model: () => this.models(pair, c), picture: () => this.pictures(pair, c), sound: () => this.sounds(pair, c) }[/** @type {string} */ (c.show)];
    try {
      if (show) await show();
      else await this.others(pair, c);
      if (turn === this.turn) this.usher.state = 'ready';
    } catch (e) {
      if (turn !== this.turn) return;
      details.prepend(`${/** @type {Error} */ (e).message}\n`);
      this.usher.state = 'failed';
    }
  }

  /**
   * @param {HTMLElement} pair
   * @param {Change} c
   * @returns {[HTMLElement, number][]} the sides that there are, with their nodes
   */
  sides(pair, c) {
    /** @type {[HTMLElement, number][]} */
    const out = [];
    for (const [title, id] of /** @type {[string, number][]} */ ([['before', c.old], ['after', c.new]])) {
      const gone = c.status === (title === 'before' ? 'added' : 'removed');
      const el = h('div', {}, h('h3', {}, gone ? `${title}: not there` : title));
      pair.append(el);
      if (id >= 0) out.push([el, id]);
    }
    return out;
  }

  /**
   * Two models and one camera.
   * @param {HTMLElement} pair
   * @param {Change} c
   */
  async models(pair, c) {
    const sides = this.sides(pair, c);
    const stages = sides.map(([el]) => new Stage(el));
    this.stops.push(...stages.map((s) => () => s.stop()));
    const info = await getJSON(`api/camera/${sides[0][1]}`).catch(() => null);
    await Promise.all(stages.map(async (s, i) => {
      s.poster.src = urlOf(`api/thumb/${sides[i][1]}?size=512`);
      await s.load(await getBytes(`api/model/${sides[i][1]}`), info);
    }));
    if (!pair.isConnected) return;
    const all = stages.map((s) => s.bounds());
    const together = { min: [0, 1, 2].map((k) => Math.min(...all.map((b) => b.min[k]))), max: [0, 1, 2].map((k) => Math.max(...all.map((b) => b.max[k]))) };
    for (const s of stages) {
      s.camera.frame(/** @type {any} */ (together));
      s.draw();
      s.camera.moved = () => {
        for (const other of stages) {
          if (other !== s) other.camera.restore(s.camera.keep());
          other.soon();
        }
      };
    }
    this.usher.shown = { stages };
    await this.heat(pair, c);
  }

  /**
   * @param {HTMLElement} pair
   * @param {Change} c
   */
  async pictures(pair, c) {
    for (const [el, id] of this.sides(pair, c)) {
      const img = h('img', { src: urlOf(`api/thumb/${id}?size=512`), alt: '' });
      el.append(h('div', { class: 'fill picture checker' }, img));
      await img.decode();
    }
    await this.heat(pair, c);
  }

  /**
   * Where the two differ.
   * @param {HTMLElement} pair
   * @param {Change} c
   */
  async heat(pair, c) {
    if (c.old < 0 || c.new < 0 || !c.heat) return;
    const img = h('img', { src: urlOf(c.heat), alt: 'where the two differ' });
    const el = h('div', {}, h('h3', {}, 'where they differ'), h('div', { class: 'fill picture heat' }, img));
    const legend = h('p', { class: 'legend' }, 'the same', h('span', { class: 'scale', role: 'img', 'aria-label': 'dark where they are the same, red, yellow, white the more they differ' }), 'far apart');
    await img.decode().then(() => { pair.classList.add('three'); pair.append(el, legend); }, () => {});
  }

  /**
   * @param {HTMLElement} pair
   * @param {Change} c
   */
  async sounds(pair, c) {
    for (const [el, id] of this.sides(pair, c)) {
      const shown = showSound(el, { id });
      this.stops.push(shown.stop);
      await shown.ready;
    }
  }

  /**
   * What has no picture is told in lines: those of a text, or all that is known as JSON.
   * @param {HTMLElement} pair
   * @param {Change} c
   */
  async others(pair, c) {
    if (c.old >= 0 && c.new >= 0 && c.status !== 'renamed' && c.kind !== 'archive') {
      const shown = await showDifference(pair, c).catch(() => null);
      if (shown) {
        this.stops.push(shown.stop);
        const details = /** @type {HTMLElement} */ (pair.nextElementSibling);
        details.textContent = [c.note, c.error].filter(Boolean).join('\n'); // the lines say the rest
        return;
      }
    }
    for (const [el, id] of this.sides(pair, c)) el.append(h('p', { class: 'note' }, h('a', { href: `#n=${id}` }, 'look at this one')));
  }
}
