// @ts-check
import { orthographic, perspective, scaled, sum, viewAxes, viewFrom } from './math.js';
import { Walk } from './walk.js';

/** @typedef {import('./math.js').Vec3} Vec3 */

/**
 * @typedef {object} CameraInfo as convert/show/render tells of its own
 * @property {number[]} eye
 * @property {number} azimuth
 * @property {number} elevation
 * @property {number} fieldOfView
 */

/** A camera that goes around a point, or walks. */
export class Camera {
  constructor() {
    /** @type {Vec3} */
    this.target = [0, 0, 0];
    this.distance = 3;
    this.azimuth = 0.61;
    this.elevation = 0.44;
    this.fieldOfView = Math.PI / 6;
    this.size = 1; // of what is looked at
    this.flat = false;
    /** @type {() => void} */
    this.moved = () => {};
    this.walking = false;
    this.pace = 0; // metres a second; 0 goes by the size
    this.walk = new Walk();
  }

  /** @returns {Vec3} the direction from what is looked at to the eye */
  back() {
    const c = Math.cos(this.elevation);
    return [Math.sin(this.azimuth) * c, Math.sin(this.elevation), Math.cos(this.azimuth) * c];
  }

  /** @returns {Vec3} */
  eye() { return sum(this.target, scaled(this.back(), this.distance)); }

  /**
   * Stands where another camera stood, and looks at the middle of bounds.
   * @param {CameraInfo} info
   * @param {{min: Vec3, max: Vec3}} bounds
   */
  take(info, bounds) {
    this.azimuth = info.azimuth;
    this.elevation = info.elevation;
    this.fieldOfView = info.fieldOfView || this.fieldOfView;
    this.measure(bounds);
    const back = this.back();
    const middle = [0, 1, 2].map((k) => (bounds.min[k] + bounds.max[k]) / 2);
    const away = [0, 1, 2].reduce((d, k) => d + (info.eye[k] - middle[k]) * back[k], 0);
    this.distance = Math.max(away, this.size * 1e-3);
    this.target = /** @type {Vec3} */ ([0, 1, 2].map((k) => info.eye[k] - back[k] * this.distance));
  }

  /** @param {{min: Vec3, max: Vec3}} bounds */
  measure({ min, max }) { this.size = Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) || 1; }

  /**
   * Shows all of what lies in bounds.
   * @param {{min: Vec3, max: Vec3}} bounds
   */
  frame(bounds) {
    this.measure(bounds);
    this.target = /** @type {Vec3} */ ([0, 1, 2].map((k) => (bounds.min[k] + bounds.max[k]) / 2));
    this.distance = (this.size / 2 / Math.sin(this.fieldOfView / 2)) * 1.05;
  }

  /** @param {number} aspect */
  matrices(aspect) {
    const axes = viewAxes(this.azimuth, this.elevation);
    const far = this.distance + 2 * this.size;
    const near = Math.max(this.walking ? this.size * 1e-4 : Math.min(this.distance / 20, this.distance - this.size), far * 2e-5);
    // A narrow window shows as much as a square one.
    const fov = aspect < 1 ? 2 * Math.atan(Math.tan(this.fieldOfView / 2) / aspect) : this.fieldOfView;
    const projection = this.flat
      ? orthographic(Math.tan(fov / 2) * this.distance, aspect, -far, far)
      : perspective(fov, aspect, near, far);
    const at = this.eye();
    // The sky is near the place that it is seen from, however far away the eye is.
    const around = this.flat ? projection : perspective(fov, aspect, this.size * 2e-5, this.size);
    return { view: viewFrom(axes, at), projection, around, at };
  }

  /**
   * Lets the pointer and the keys move the camera.
   * @param {HTMLElement} el
   * @param {(x: number, y: number) => void} click
   */
  attach(el, click) {
    let dragging = 0;
    let [x, y, way] = [0, 0, 0];
    el.addEventListener('contextmenu', (e) => e.preventDefault());
    el.addEventListener('pointerdown', (e) => {
      el.setPointerCapture(e.pointerId);
      el.focus();
      dragging = e.button === 0 && !e.shiftKey ? 1 : 2;
      [x, y, way] = [e.clientX, e.clientY, 0];
    });
    el.addEventListener('pointermove', (e) => {
      if (!dragging) return;
      const [dx, dy] = [e.clientX - x, e.clientY - y];
      [x, y, way] = [e.clientX, e.clientY, way + Math.abs(dx) + Math.abs(dy)];
      if (dragging === 1) this.turn(-dx * 0.008, dy * 0.008);
      else this.slide(dx / el.clientHeight, dy / el.clientHeight);
    });
    el.addEventListener('pointerup', (e) => {
      if (dragging && way < 4) {
        const r = el.getBoundingClientRect();
        click(e.clientX - r.left, e.clientY - r.top);
      }
      dragging = 0;
    });
    el.addEventListener('wheel', (e) => {
      e.preventDefault();
      const f = Math.exp(Math.sign(e.deltaY) * 0.12);
      if (this.walking) this.step([0, 0, Math.sign(e.deltaY) / 30]);
      else this.distance = Math.min(this.size * 50, Math.max(this.size * 1e-3, this.distance * f));
      this.moved();
    }, { passive: false });
    el.addEventListener('keydown', (e) => {
      const turn = /** @type {Record<string, number[]>} */ ({ ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] })[e.key];
      if (this.walking && this.walk.down(e)) this.moved();
      else if (turn) this.turn(turn[0], turn[1]);
      else return;
      e.preventDefault();
    });
    el.addEventListener('keyup', (e) => this.walk.up(e));
    el.addEventListener('blur', () => this.walk.rest());
  }

  /**
   * @param {number} side
   * @param {number} up
   */
  turn(side, up) {
    const e = this.eye();
    this.azimuth += side;
    this.elevation = Math.max(-1.57, Math.min(1.57, this.elevation + up));
    if (this.walking) this.target = sum(e, scaled(this.back(), -this.distance)); // the eye stays, the head turns
    this.moved();
  }

  /**
   * @param {number} dx of the height of the picture
   * @param {number} dy
   */
  slide(dx, dy) {
    const axes = viewAxes(this.azimuth, this.elevation);
    const f = 2 * Math.tan(this.fieldOfView / 2) * this.distance;
    for (let k = 0; k < 3; k++) this.target[k] += f * (-dx * axes[4 * k] + dy * axes[4 * k + 1]);
    this.moved();
  }

  /**
   * Walks: right, up and back in turn, in seconds at a walk.
   * @param {Vec3} way
   */
  step(way) {
    const axes = viewAxes(this.azimuth, this.elevation);
    const f = this.pace || this.size * 0.24;
    for (let k = 0; k < 3; k++) this.target[k] += f * (way[0] * axes[4 * k] + way[1] * axes[4 * k + 1] + way[2] * axes[4 * k + 2]);
    this.moved();
  }

  /**
   * Stands where a player starts, and looks ahead.
   * @param {import('./math.js').Numbers} world of its node, which looks along Z
   */
  enter(world) {
    Object.assign(this, { azimuth: Math.atan2(-world[8], -world[10]), elevation: 0, distance: 0.1, fieldOfView: 1.29, pace: 6, flat: false });
    this.target = sum([world[12], world[13] + 0.5, world[14]], scaled(this.back(), -this.distance)); // eyes are above the middle
  }

  /** @returns {any} */
  keep() { return { target: this.target.slice(), distance: this.distance, azimuth: this.azimuth, elevation: this.elevation, fieldOfView: this.fieldOfView, flat: this.flat, walking: this.walking, pace: this.pace }; }

  /** @param {any} kept */
  restore(kept) { Object.assign(this, kept); }
}
