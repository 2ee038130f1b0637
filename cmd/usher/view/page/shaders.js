// @ts-check
// The programs of the graphics card. The light is that of convert/show/render: from above, over the left shoulder of whoever
// looks.

export const vertexShader = `#version 300 es
precision highp float;
precision highp int;
layout(location=0) in vec3 position;
layout(location=1) in vec3 normal;
layout(location=2) in vec2 uvBase;
layout(location=3) in vec2 uvGlow;
layout(location=4) in vec4 color;
layout(location=5) in uvec4 joints0;
layout(location=6) in vec4 weights0;
layout(location=7) in uvec4 joints1;
layout(location=8) in vec4 weights1;
layout(location=9) in vec2 uvBaked;
uniform mat4 world;
uniform mat3 worldNormals;
uniform mat4 view;
uniform mat4 projection;
uniform mat3 mapBase;
uniform mat3 mapGlow;
uniform bool skinned;
uniform highp sampler2D jointMatrices;
uniform float lift;
out vec3 vPlace;
out vec3 vWorld;
out vec3 vNormal;
out vec2 vBase;
out vec2 vGlow;
out vec2 vBaked;
out vec4 vColor;

mat4 joint(uint i) {
  int at = int(i) * 4;
  int wide = textureSize(jointMatrices, 0).x;
  ivec2 p = ivec2(at % wide, at / wide);
  return mat4(texelFetch(jointMatrices, p, 0), texelFetch(jointMatrices, p + ivec2(1, 0), 0),
    texelFetch(jointMatrices, p + ivec2(2, 0), 0), texelFetch(jointMatrices, p + ivec2(3, 0), 0));
}

void main() {
  vec4 place = world * vec4(position, 1.0);
  vec3 n = worldNormals * normal;
  if (skinned) {
    mat4 m = mat4(0.0);
    float total = 0.0;
    for (int k = 0; k < 4; k++) {
      if (weights0[k] != 0.0) { m += weights0[k] * joint(joints0[k]); total += weights0[k]; }
      if (weights1[k] != 0.0) { m += weights1[k] * joint(joints1[k]); total += weights1[k]; }
    }
    if (total != 0.0) {
      place = vec4((m * vec4(position, 1.0)).xyz, 1.0);
      n = mat3(m) * normal;
    }
  }
  vec4 seen = view * place;
  vWorld = place.xyz;
  vPlace = seen.xyz;
  vNormal = mat3(view) * n;
  vBase = (mapBase * vec3(uvBase, 1.0)).xy;
  vGlow = (mapGlow * vec3(uvGlow, 1.0)).xy;
  vBaked = uvBaked;
  vColor = color;
  gl_Position = projection * seen;
  gl_Position.z -= lift * gl_Position.w;
  gl_PointSize = 4.0;
}
`;

/** How many lights of a level reach one thing. */
export const mostLights = 16;

export const fragmentShader = `#version 300 es
precision highp float;
in vec3 vPlace;
in vec3 vWorld;
in vec3 vNormal;
in vec2 vBase;
in vec2 vGlow;
in vec2 vBaked;
in vec4 vColor;
uniform vec4 factor;
uniform vec3 emissive;
uniform bool hasBase;
uniform bool hasGlow;
uniform bool hasBaked;
uniform sampler2D base;
uniform sampler2D glow;
uniform sampler2D baked; // light: mid grey leaves colours as they are
uniform sampler2D sky; // what is seen through backdrops, as large as the target
uniform bool smoothNormals;
uniform bool unlit;
uniform int alphaMode;
uniform int mixing; // 0 by alpha, 1 add, 2 screen, 3 modulate
uniform float cutoff;
uniform bool air; // around a planet: its alpha is the mean over a ball
uniform int show; // 0 as it is, 1 normals, 2 one colour, 3 without textures, 4 the number of the surface, 5 the sky
uniform vec4 plain;
uniform bool lamps;
uniform int lampCount;
uniform vec4 lampPlace[${mostLights}]; // w: 0 sun, 1 point, 2 spot
uniform vec4 lampColor[${mostLights}]; // w: range
uniform vec4 lampAxis[${mostLights}]; // w: cosine of the outer angle
uniform float lampInner[${mostLights}];
uniform float exposure;
uniform mat4 view;
uniform bool asLight; // the target holds sRGB and mixes light: see light.js
out vec4 result;

// Texels are blended as they are displayed, as the old worlds did it, and are light after that.
float decode(float x) { return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4); }
vec3 decode3(vec3 c) { return vec3(decode(c.r), decode(c.g), decode(c.b)); }
float encode(float x) { return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055; }
vec3 encode3(vec3 c) { return vec3(encode(c.r), encode(c.g), encode(c.b)); }
const float mid = 0.21404; // mid grey as light
vec3 displayed(vec3 c) { return asLight ? decode3(c) : c; }

vec3 shine(vec3 n) {
  vec3 sum = vec3(0.04);
  for (int i = 0; i < ${mostLights}; i++) {
    if (i >= lampCount) break;
    vec3 to = lampPlace[i].w == 0.0 ? -lampAxis[i].xyz : lampPlace[i].xyz - vWorld;
    float d = length(to);
    vec3 l = to / max(d, 1e-6);
    float f = 1.0;
    if (lampPlace[i].w > 0.0) {
      f = 1.0 / max(d * d, 1e-4);
      if (lampColor[i].w > 0.0) { float r = d / lampColor[i].w; f *= clamp(1.0 - r * r * r * r, 0.0, 1.0); }
      if (lampPlace[i].w > 1.5) f *= smoothstep(lampAxis[i].w, lampInner[i], dot(-l, lampAxis[i].xyz));
    }
    sum += lampColor[i].rgb * f * (0.25 + 0.75 * max(0.0, dot(n, l)));
  }
  return vec3(1.0) - exp(-sum * exposure);
}

// Air is densest beside the rim of its ball, and not there where one looks straight down: see convert/render.
float through(float c) { return c < 0.38 ? c * c / 0.1444 : (1.0 - c) / 0.62; }

void main() {
  if (show == 4) { result = plain; return; }
  if (show == 5) { result = texelFetch(sky, ivec2(gl_FragCoord.xy), 0); return; }
  if (show == 2) { result = vec4(displayed(plain.rgb), plain.a); return; }
  vec3 n = smoothNormals ? normalize(vNormal) : normalize(cross(dFdx(vPlace), dFdy(vPlace)));
  if (smoothNormals && !gl_FrontFacing) n = -n;
  if (show == 1) { result = vec4(displayed(n * 0.5 + 0.5), 1.0); return; }
  vec4 c = factor * vColor;
  if (hasBase && show != 3) { vec4 t = texture(base, vBase); c *= vec4(decode3(t.rgb), t.a); }
  if (alphaMode == 1 && c.a < cutoff) discard;
  if (!unlit) {
    if (hasBaked && !lamps) c.rgb *= decode3(texture(baked, vBaked).rgb) / mid;
    else if (lamps) c.rgb *= shine(normalize(transpose(mat3(view)) * n));
    else c.rgb *= 0.33 + 0.08 * n.y + 0.62 * max(0.0, dot(n, vec3(-0.4507, 0.6209, 0.6410)));
  }
  c.rgb += hasGlow ? emissive * decode3(texture(glow, vGlow).rgb) : emissive;
  if (air) c.a = min(c.a * through(abs(dot(n, normalize(vPlace)))) / 0.436, 1.0);
  float a = alphaMode == 2 ? c.a : 1.0;
  c.rgb = clamp(c.rgb, 0.0, 1.0);
  if (mixing == 3) { // half of the factor for what is behind it: the blending doubles it
    vec3 share = mix(vec3(0.5), min(c.rgb / (2.0 * mid), vec3(1.0)), a);
    result = vec4(share, dot(max(vec3(0.0), 1.0 - 2.0 * share), vec3(1.0 / 3.0)));
    return;
  }
  if (mixing > 0) { // on nothing it hides the background as much as it shines
    c.rgb *= a;
    a = max(c.r, max(c.g, c.b));
  }
  result = vec4(asLight ? c.rgb : encode3(c.rgb), a);
}
`;
