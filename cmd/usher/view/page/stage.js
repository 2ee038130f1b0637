// @ts-check
import { h } from './dom.js';
import { decodeImages, parseGLB } from './glb.js';
import { Scene } from './scene.js';
import { Buffers } from './buffers.js';
import { Painter } from './draw.js';
import { Camera } from './camera.js';
import { clipsOf, poseAt } from './animate.js';
import { drawOverlay } from './overlay.js';

/** @typedef {import('./animate.js').Clip} Clip */

/** A model on a canvas of its own: drawn when something has changed, not all the time. */
export class Stage {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.canvas = h('canvas', { tabindex: 0, 'aria-label': 'the model; drag to turn, wheel to come near' });
    this.over = h('canvas', { class: 'over' });
    this.poster = h('img', { class: 'poster', alt: '' });
    this.say = h('div', { class: 'say' });
    this.box = h('div', { class: 'stage' }, this.canvas, this.over, this.poster, this.say);
    host.append(this.box);
    this.camera = new Camera();
    this.painter = new Painter(this.canvas);
    /** @type {import('./draw.js').Ways} */
    this.ways = { wire: 'none', show: 0, lamps: false, exposure: 1, all: false };
    /** @type {import('./overlay.js').Marks} */
    this.marks = { skeleton: false, points: false, bounds: false, grid: false, chosen: '' };
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {Buffers | null} */
    this.buffers = null;
    /** @type {Clip[]} */
    this.clips = [];
    /** @type {Clip | null} */
    this.clip = null;
    this.time = 0;
    this.speed = 1;
    this.playing = false;
    /** @type {import('./flip.js').Flip[]} */
    this.flips = [];
    this.flipping = false;
    this.last = 0;
    this.frames = 0;
    this.pending = 0;
    /** @type {(time: number) => void} */
    this.ticked = () => {};
    /** @type {(what: any) => void} */
    this.picked = () => {};
    this.camera.moved = () => this.soon();
    this.camera.attach(this.canvas, (x, y) => this.click(x, y));
    this.resized = new ResizeObserver(() => this.soon());
    this.resized.observe(this.box);
  }

  /**
   * Shows a model.
   * @param {ArrayBuffer} glb
   * @param {import('./camera.js').CameraInfo | null} info where the camera stands
   */
  async load(glb, info) {
    const file = parseGLB(glb);
    const scene = new Scene(file);
    const images = await decodeImages(file);
    if (!this.painter) return; // it was closed meanwhile
    this.buffers?.free();
    this.scene = scene;
    this.buffers = new Buffers(this.painter.gl, scene, images);
    this.clips = clipsOf(scene);
    this.clip = null;
    this.flips = [];
    this.flipping = false;
    this.box1 = scene.bounds();
    if (info) this.camera.take(info, this.box1);
    else this.camera.frame(this.box1);
    this.draw();
    this.poster.remove();
  }

  /** The bounds of what is shown. */
  bounds() { return this.box1 || { min: [0, 0, 0], max: [1, 1, 1] }; }

  soon() {
    if (this.pending) return;
    this.pending = requestAnimationFrame((now) => {
      this.pending = 0;
      if (this.playing && this.clip) {
        if (this.last) this.seek(this.time + ((now - this.last) / 1000) * this.speed, true);
        this.last = now;
        this.soon();
      } else this.last = 0;
      if (this.flipping) this.turn(now / 1000);
      const way = this.camera.walking && this.camera.walk.since(now);
      if (way) this.camera.step(way);
      this.draw();
    });
  }

  /**
   * Lets textures move, or rest at their first picture.
   * @param {boolean} on
   */
  flip(on) {
    this.flipping = on;
    if (!on) this.turn(0);
    this.soon();
  }

  /**
   * Shows the pictures of a time.
   * @param {number} seconds
   */
  turn(seconds) {
    for (const x of this.flips) {
      const i = Math.floor(seconds * x.fps) % x.frames.length;
      if (i !== x.shown) this.buffers?.replace(x.image, x.frames[i]);
      x.shown = i;
    }
    if (this.flipping) this.soon();
  }

  /**
   * Poses the model as an animation has it.
   * @param {number} time seconds
   * @param {boolean} [around] begins again after the end
   */
  seek(time, around) {
    if (!this.scene) return;
    const d = this.clip ? this.clip.duration : 0;
    this.time = d > 0 && around ? ((time % d) + d) % d : Math.max(0, Math.min(d, time));
    poseAt(this.scene, this.clip, this.time);
    this.ticked(this.time);
    this.soon();
  }

  /** @param {Clip | null} clip */
  choose(clip) {
    this.clip = clip;
    this.seek(0);
  }

  /** @param {boolean} on */
  play(on) {
    this.playing = on;
    this.last = 0;
    this.soon();
  }

  draw() {
    if (!this.scene || !this.buffers || !this.painter) return;
    const scale = devicePixelRatio || 1;
    const w = Math.max(1, Math.round(this.box.clientWidth * scale));
    const ht = Math.max(1, Math.round(this.box.clientHeight * scale));
    for (const c of [this.canvas, this.over]) {
      if (c.width !== w || c.height !== ht) { c.width = w; c.height = ht; }
    }
    const eye = this.camera.matrices(w / ht);
    this.painter.draw(this.scene, this.buffers, eye, this.ways);
    drawOverlay(this.over, this.scene, eye, this.marks, this.bounds());
    this.frames++;
  }

  /**
   * Draws at a size of its own and returns the pixels, rows from below: for tests and for pictures to keep.
   * @param {number} size
   */
  pixels(size) {
    const { gl } = this.painter;
    const [w, ht] = [this.canvas.width, this.canvas.height];
    this.canvas.width = this.canvas.height = size;
    this.painter.draw(/** @type {Scene} */ (this.scene), /** @type {Buffers} */ (this.buffers), this.camera.matrices(1), this.ways);
    const out = new Uint8Array(4 * size * size);
    gl.readPixels(0, 0, size, size, gl.RGBA, gl.UNSIGNED_BYTE, out);
    const error = gl.getError();
    [this.canvas.width, this.canvas.height] = [w, ht];
    this.draw();
    if (error) throw new Error(`WebGL error ${error}`);
    return out;
  }

  /** @returns {Promise<Blob | null>} what is seen, as a PNG */
  picture() {
    this.draw();
    return new Promise((ok) => this.canvas.toBlob(ok));
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  click(x, y) {
    if (!this.scene || !this.buffers) return;
    const scale = devicePixelRatio || 1;
    const eye = this.camera.matrices(this.canvas.width / this.canvas.height);
    const what = this.painter.pick(this.scene, this.buffers, eye, this.ways, Math.round(x * scale), Math.round(y * scale));
    this.marks.chosen = what ? what.node.name : '';
    this.picked(what);
    this.draw();
  }

  stop() {
    cancelAnimationFrame(this.pending);
    this.resized.disconnect();
    this.buffers?.free();
    this.painter.free();
    this.scene = null;
    this.playing = this.flipping = false;
  }
}
