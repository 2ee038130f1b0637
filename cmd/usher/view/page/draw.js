// @ts-check
import { fragmentShader, vertexShader } from './shaders.js';
import { determinant, forNormals, multiply, transform, turnOf, viewFrom } from './math.js';
import { setLamps } from './lamps.js';
import { Light, link } from './light.js';
import { blend } from './mix.js';
import { Veils } from './veils.js';
import { tintAt } from './world.js';

/** @typedef {import('./scene.js').Scene} Scene */
/** @typedef {import('./scene.js').Drawn} Drawn */
/** @typedef {import('./buffers.js').Buffers} Buffers */
/** @typedef {import('./buffers.js').Look} Look */
/** @typedef {import('./veils.js').Item} Item */

/**
 * @typedef {object} Ways how a scene is drawn
 * @property {string} wire none, over or only
 * @property {number} show 0 as it is, 1 normals, 3 without textures
 * @property {boolean} lamps lit by the lights of the scene
 * @property {number} exposure
 * @property {boolean} all what is there for other purposes as well, such as hulls
 */

/** @typedef {{view: Float64Array, projection: Float64Array, around: Float64Array, at: import('./math.js').Vec3}} Eye around is a projection for a sky */

/** Draws scenes on one canvas. */
export class Painter {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    const gl = canvas.getContext('webgl2', { antialias: true, alpha: true, premultipliedAlpha: true });
    if (!gl) throw new Error('this browser has no WebGL 2: the picture is all there is');
    this.gl = gl;
    this.canvas = canvas;
    this.veils = new Veils(gl);
    this.light = new Light(gl);
    /** @type {Light | null} what backdrops show */
    this.sky = null;
    const p = link(gl, vertexShader, fragmentShader);
    this.program = p;
    /** @type {Record<string, WebGLUniformLocation | null>} */
    this.at = {};
    const n = gl.getProgramParameter(p, gl.ACTIVE_UNIFORMS);
    for (let i = 0; i < n; i++) {
      const name = gl.getActiveUniform(p, i)?.name || '';
      this.at[name.replace('[0]', '')] = gl.getUniformLocation(p, name);
    }
    this.blank = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.blank);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 255, 255, 255]));
  }

  /** @param {string} name @param {ArrayLike<number>} m */
  matrix4(name, m) { this.gl.uniformMatrix4fv(this.at[name], false, m instanceof Float32Array ? m : new Float32Array(m)); }

  /** @param {string} name @param {number} i */
  int(name, i) { this.gl.uniform1i(this.at[name], i); }

  /**
   * Draws what a scene shows.
   * @param {Scene} scene
   * @param {Buffers} buffers
   * @param {Eye} eye
   * @param {Ways} ways
   */
  draw(scene, buffers, eye, ways) {
    const list = this.sorted(scene, buffers, eye, ways);
    const windows = list.some((x) => x.window);
    if (windows) this.drawSky(scene, buffers, eye, ways);
    const tint = tintAt(scene.world, scene.nodes, eye.at);
    const mixed = windows || tint !== null || list.some((x) => x.look.alpha === 2 || x.unseen); // else the canvas itself will do, in half the time
    if (mixed) this.light.begin(this.canvas.width, this.canvas.height);
    this.pass(scene, buffers, eye, ways, list, mixed);
    if (mixed) this.light.end(tint);
  }

  /**
   * Draws the sky as the eye would see it from where it is built, far from the rest of the level.
   * @param {Scene} scene
   * @param {Buffers} buffers
   * @param {Eye} eye
   * @param {Ways} ways
   */
  drawSky(scene, buffers, eye, ways) {
    const { world } = /** @type {import('./scene.js').Place} */ (scene.world.sky);
    const there = { ...eye, projection: eye.around, view: viewFrom(multiply(turnOf(eye.view), turnOf(world)), world.subarray(12, 15)) };
    this.sky ||= new Light(this.gl);
    this.sky.begin(this.canvas.width, this.canvas.height);
    this.pass(scene, buffers, there, ways, this.sorted(scene, buffers, there, ways).filter((x) => !x.window), true);
    this.sky.resolve();
  }

  /**
   * Draws a list into the target.
   * @param {Scene} scene
   * @param {Buffers} buffers
   * @param {Eye} eye
   * @param {Ways} ways
   * @param {Item[]} list
   * @param {boolean} mixed the target mixes light
   */
  pass(scene, buffers, eye, ways, list, mixed) {
    const { gl } = this;
    this.begin(eye);
    this.int('asLight', mixed ? 1 : 0);
    this.int('lamps', ways.lamps ? 1 : 0);
    gl.uniform1f(this.at.exposure, ways.exposure);
    const veiled = (/** @type {Item} */ x) => x.look.alpha === 2 && !x.window;
    for (const x of list) if (!veiled(x)) this.prim(scene, buffers, x, ways);
    for (const r of this.veils.runs(scene, buffers, list.filter(veiled), eye.view)) this.prim(scene, buffers, r.item, ways, r);
    if (ways.wire !== 'none') for (const x of list) this.wire(scene, buffers, x, ways);
    gl.depthMask(true); // or the next clear leaves the depths as they are
    gl.bindVertexArray(null);
  }

  /** @param {Eye} eye */
  begin(eye) {
    const { gl } = this;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.useProgram(this.program);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.depthMask(true);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.disable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.int('base', 0);
    this.int('glow', 1);
    this.int('jointMatrices', 2);
    this.int('baked', 3);
    this.int('sky', 4);
    this.matrix4('view', eye.view);
    this.matrix4('projection', eye.projection);
    gl.uniform1f(this.at.lift, 0);
    gl.vertexAttrib4f(4, 1, 1, 1, 1);
    for (const k of [5, 7]) gl.vertexAttribI4ui(k, 0, 0, 0, 0); // else every draw fails: they are floats by default
    for (const k of [6, 8]) gl.vertexAttrib4f(k, 0, 0, 0, 0);
    for (const unit of [0, 1, 2, 3, 4]) {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, unit === 4 && this.sky ? this.sky.texture : this.blank);
    }
    gl.activeTexture(gl.TEXTURE0);
  }

  /**
   * What is opaque first, then what is translucent.
   * @param {Scene} scene
   * @param {Buffers} buffers
   * @param {Eye} eye
   * @param {Ways} ways
   */
  sorted(scene, buffers, eye, ways) {
    const list = [];
    for (const d of scene.drawn()) {
      for (const p of d.mesh.prims) {
        const look = buffers.looks[p.material] || buffers.plainLook;
        const window = look.unseen && scene.world.sky !== null && !ways.all;
        const unseen = (look.unseen && !window) || (look.alpha === 2 && look.factor[3] === 0 && !window) || (look.alpha === 1 && look.factor[3] < look.cutoff);
        if ((unseen && !ways.all) || p.positions.length === 0) continue;
        const middle = scene.placer(p, d)(0);
        list.push({ d, p, look, unseen, window, far: -transform(eye.view, middle)[2] });
      }
    }
    return list.sort((a, b) => (a.look.alpha === 2 ? 1 : 0) - (b.look.alpha === 2 ? 1 : 0));
  }

  /**
   * @param {Scene} scene
   * @param {Buffers} buffers
   * @param {Drawn} d
   * @param {import('./scene.js').Prim} p
   */
  place(scene, buffers, d, p) {
    const { gl } = this;
    const x = buffers.load(p);
    if (p.targets.length > 0) {
      const m = scene.morphed(p, d);
      if (m.moved || x.moved) {
        buffers.move(x, m.positions, m.normals);
        x.moved = m.moved;
      }
    }
    const skinned = d.node.skin >= 0 && p.skin.length > 0;
    this.int('skinned', skinned ? 1 : 0);
    if (skinned) buffers.setJoints(scene.jointMatrices(d.node.skin));
    this.matrix4('world', d.node.world);
    gl.uniformMatrix3fv(this.at.worldNormals, false, forNormals(d.node.world));
    gl.frontFace(!skinned && determinant(d.node.world) < 0 ? gl.CW : gl.CCW);
    return x;
  }

  /**
   * @param {Scene} scene
   * @param {Buffers} buffers
   * @param {Item} item
   * @param {Ways} ways
   * @param {import('./veils.js').Run} [run] those of its triangles that are drawn; all without it
   */
  prim(scene, buffers, { d, p, look, unseen, window }, ways, run) {
    const { gl } = this;
    const x = this.place(scene, buffers, d, p);
    const blended = (look.alpha === 2 || unseen) && !window;
    const only = ways.wire === 'only';
    gl.colorMask(!only, !only, !only, !only);
    if (blended && !only) gl.enable(gl.BLEND);
    else gl.disable(gl.BLEND);
    gl.depthMask(!blended || only);
    if (look.doubleSided || unseen) gl.disable(gl.CULL_FACE);
    else gl.enable(gl.CULL_FACE);
    const bare = !look.base && !look.glow && !p.colors && look.factor[0] === 1 && look.factor[1] === 1 && look.factor[2] === 1;
    const f = bare || ways.show === 3 ? [0.5, 0.5, 0.5, look.factor[3]] : look.factor;
    gl.uniform4fv(this.at.factor, f);
    gl.uniform3fv(this.at.emissive, look.emissive);
    gl.uniform4fv(this.at.plain, [0.2, 0.7, 0.35, 0.35]);
    this.int('show', window ? 5 : unseen ? 2 : ways.show);
    this.int('unlit', look.unlit ? 1 : 0);
    this.int('alphaMode', look.alpha);
    this.int('mixing', blend(gl, look.mix));
    gl.uniform1f(this.at.cutoff, look.cutoff);
    this.int('air', look.air ? 1 : 0);
    this.int('smoothNormals', p.normals && p.mode === 4 ? 1 : 0);
    if (p.mode !== 4) this.int('unlit', 1);
    for (const [unit, use, has, map] of /** @type {[number, any, string, string][]} */ ([[0, look.base, 'hasBase', 'mapBase'], [1, look.glow, 'hasGlow', 'mapGlow'], [3, look.baked, 'hasBaked', '']])) {
      this.int(has, use ? 1 : 0);
      if (map) gl.uniformMatrix3fv(this.at[map], false, use ? use.map : new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1]));
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, use ? use.texture : this.blank);
    }
    gl.activeTexture(gl.TEXTURE0);
    if (ways.lamps) setLamps(gl, this.at, scene, d);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(ways.wire === 'none' ? 0 : 1, ways.wire === 'none' ? 0 : 1);
    gl.bindVertexArray(x.array);
    if (run?.corners) {
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, run.corners);
      gl.drawElements(p.mode, run.count, gl.UNSIGNED_INT, 4 * run.first);
    } else if (x.indexed) gl.drawElements(p.mode, x.count, gl.UNSIGNED_INT, 0);
    else gl.drawArrays(p.mode, 0, x.count);
    gl.colorMask(true, true, true, true);
  }

  /**
   * The edges of a primitive, where nothing hides them.
   * @param {Scene} scene
   * @param {Buffers} buffers
   * @param {{d: Drawn, p: import('./scene.js').Prim}} item
   * @param {Ways} ways
   */
  wire(scene, buffers, { d, p }, ways) {
    if (p.mode !== 4) return;
    const { gl } = this;
    this.place(scene, buffers, d, p);
    const x = buffers.edges(p);
    gl.disable(gl.BLEND);
    gl.depthMask(false);
    this.int('show', 2);
    gl.uniform4fv(this.at.plain, ways.wire === 'only' ? [0.75, 0.85, 0.95, 1] : [0.05, 0.08, 0.1, 1]);
    gl.bindVertexArray(x.edges);
    gl.drawElements(gl.LINES, x.edgeCount, gl.UNSIGNED_INT, 0);
  }

  /**
   * What is seen at a place of the canvas: the number of a mesh in its place, −1 for nothing.
   * @param {Scene} scene
   * @param {Buffers} buffers
   * @param {Eye} eye
   * @param {Ways} ways
   * @param {number} px from the left
   * @param {number} py from the top
   */
  pick(scene, buffers, eye, ways, px, py) {
    const { gl } = this;
    this.begin(eye);
    const list = this.sorted(scene, buffers, eye, ways);
    this.int('show', 4);
    gl.disable(gl.CULL_FACE);
    list.forEach(({ d, p }, i) => {
      const x = this.place(scene, buffers, d, p);
      const k = i + 1;
      gl.uniform4fv(this.at.plain, [(k & 255) / 255, ((k >> 8) & 255) / 255, ((k >> 16) & 255) / 255, 1]);
      gl.bindVertexArray(x.array);
      if (x.indexed) gl.drawElements(p.mode, x.count, gl.UNSIGNED_INT, 0);
      else gl.drawArrays(p.mode, 0, x.count);
    });
    const out = new Uint8Array(4);
    gl.readPixels(px, this.canvas.height - 1 - py, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out);
    gl.bindVertexArray(null);
    const i = out[0] + (out[1] << 8) + (out[2] << 16) - 1;
    return list[i] ? { node: list[i].d.node, mesh: list[i].d.mesh, prim: list[i].p, look: list[i].look } : null;
  }

  /** Lets go of the graphics card. */
  free() {
    for (const x of [this.light, this.sky]) x?.free();
    this.gl.deleteTexture(this.blank);
    this.gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
}

