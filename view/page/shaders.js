// The programs of the view. Light, sky, ground and tone follow the renderer (src/render: light.c,
// backdrop.c, post.c), so that the page looks like its pictures.

const VERSION = '#version 300 es\nprecision highp float;\nprecision highp int;\n';
const BALL = '#define BALL\n';

// What every program that shades knows.
const LIGHT = `
uniform vec3 uEye, uUp, uHorizon, uZenith, uGlow, uAmbient;
uniform int uLights;
uniform vec3 uLightAt[8], uLightColor[8];
uniform bool uLightPoint[8];
uniform float uHaze;       // 1 / fade^2; 0: none
uniform vec3 uGround[2];
uniform bool uHasGround, uFlat, uOrtho;
uniform highp sampler2DShadow uShadow;
uniform mat4 uShadowMatrix;
uniform bool uShadows;

vec3 skyAt(vec3 d, float level) {
  float up = clamp(uOrtho ? level : dot(d, uUp), 0.0, 1.0);
  vec3 c = mix(uHorizon, uZenith, up * (2.0 - up));
  if (uLights > 0 && !uLightPoint[0]) {
    float k = max(dot(d, uLightAt[0]), 0.0);
    c += uOrtho ? vec3(0) : uGlow * (0.35 * pow(k, 8.0) + 0.65 * pow(k, 200.0));
  }
  return c;
}

float sunlight(vec3 place, vec3 normal) {
  if (!uShadows) return 1.0;
  vec4 p = uShadowMatrix * vec4(place + normal * 0.002 * length(place - uEye), 1);
  vec3 q = p.xyz / p.w * 0.5 + 0.5;
  if (any(lessThan(q, vec3(0))) || any(greaterThan(q, vec3(1)))) return 1.0;
  vec2 texel = 1.5 / vec2(textureSize(uShadow, 0));
  float sum = 0.0;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      sum += texture(uShadow, vec3(q.xy + texel * vec2(i, j), q.z - 0.0015));
  return sum / 9.0;
}

void lightReach(int i, vec3 place, out vec3 toward, out vec3 color) {
  toward = uLightAt[i], color = uLightColor[i];
  if (!uLightPoint[i]) return;
  toward -= place;
  float d2 = max(dot(toward, toward), 1e-6);
  color /= d2, toward *= inversesqrt(d2);
}

float lobe(vec3 n, vec3 toward, vec3 eye, float roughness) {
  float r2 = roughness * roughness, k = 2.0 / (r2 * r2) - 1.0;
  vec3 h = normalize(toward + eye);
  float across = dot(n, h), f = 1.0 - dot(h, eye);
  if (across <= 0.0) return 0.0;
  return (0.04 + 0.96 * f * f * f * f * f) * 0.125 * (k + 8.0) * pow(across, k);
}

void lightOn(vec3 place, vec3 n, vec3 eye, float roughness, out vec3 diffuse, out vec3 shine) {
  diffuse = uAmbient * (0.8 + 0.2 * dot(n, uUp)), shine = vec3(0);
  for (int i = 0; i < uLights; ++i) {
    vec3 toward, color;
    lightReach(i, place, toward, color);
    float facing = dot(n, toward);
    if (facing <= 0.0) continue;
    float through = facing * (i == 0 ? sunlight(place, n) : 1.0);
    diffuse += color * through;
    if (roughness > 0.0) shine += color * through * lobe(n, toward, eye, roughness);
  }
}

float clearness(vec3 place) {
  vec3 d = place - uEye;
  float r2 = dot(d, d) * uHaze;
  return 1.0 / (1.0 + r2 * r2);
}

vec3 shade(vec3 place, vec3 n, vec3 color, float roughness, float gloss) {
  vec3 d = normalize(place - uEye), diffuse, shine;
  lightOn(place, n, -d, roughness, diffuse, shine);
  vec3 r = reflect(d, n), sky = skyAt(r, 0.5);
  if (uHasGround) sky = mix(sky, uGround[0], clamp(0.5 - 4.0 * dot(r, uUp), 0.0, 1.0));
  float f = 1.0 - clamp(dot(n, -d), 0.0, 1.0);
  float mirror = (0.04 + 0.5 * f * f * f * f * f) * (1.0 - 0.7 * roughness);
  vec3 lit = color * diffuse + gloss * (shine + mirror * sky);
  return uHaze > 0.0 ? mix(skyAt(d, 0.5), lit, clearness(place)) : lit;
}
`;

const FULL = VERSION + `
out vec2 vAt;
void main() {
  vAt = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
  gl_Position = vec4(vAt * 2.0 - 1.0, 1, 1);
}`;

// Sky, and the planes as ground: a checker filtered over the pixel's footprint.
const BACKDROP = VERSION + LIGHT + `
in vec2 vAt;
out vec4 color;
uniform vec3 uRight, uLift, uForward; // uRight, uLift: to the picture's edge, at distance 1
uniform mat4 uWorldToScreen;
uniform int uPlanes;
uniform vec4 uPlane[8]; // normal toward the eye, offset
uniform float uSquares; // per m; 0: plain
uniform bool uPlainLight;

float waveIntegral(float x) { return 1.0 - abs(2.0 * fract(0.5 * x) - 1.0); }

float waveMean(float x, float w) {
  w = max(w, 1e-3);
  x -= 2.0 * floor(0.5 * x);
  return w > 100.0 ? 0.0 : (waveIntegral(x + 0.5 * w) - waveIntegral(x - 0.5 * w)) / w;
}

float checker(vec3 p, vec3 n, vec3 width) {
  vec3 a = abs(n);
  vec2 at, w;
  if (a.x >= a.y && a.x >= a.z) at = p.yz, w = width.yz;
  else if (a.y >= a.z) at = p.zx, w = width.zx;
  else at = p.xy, w = width.xy;
  return 0.5 - 0.5 * waveMean(at.x * uSquares, w.x * uSquares) * waveMean(at.y * uSquares, w.y * uSquares);
}

void main() {
  vec2 s = vAt * 2.0 - 1.0;
  vec3 across = s.x * uRight + s.y * uLift;
  vec3 origin = uOrtho ? uEye + across : uEye, ray = uOrtho ? uForward : normalize(uForward + across);
  color = vec4(skyAt(ray, 0.5 + 0.5 * s.y), 1);
  gl_FragDepth = 1.0;
  float best = 1e30, most = 0.0;
  int plane = -1;
  for (int i = 0; i < uPlanes; ++i) {
    float height = dot(uPlane[i].xyz, origin) - uPlane[i].w, fall = -dot(uPlane[i].xyz, ray);
    if (uFlat) { // two dimensions: solid ground below the line
      vec3 p = origin - ray * (origin.z / ray.z);
      float h = dot(uPlane[i].xyz, p) - uPlane[i].w;
      most = max(most, clamp(0.5 - h / max(fwidth(h), 1e-9), 0.0, 1.0));
    } else if (fall > 1e-7 && height > 0.0 && height / fall < best) best = height / fall, plane = i;
  }
  if (uFlat) { color.rgb = mix(color.rgb, uGround[0], most); return; }
  vec3 p = origin + min(best, 1e7) * ray, width = fwidth(p);
  if (plane < 0) return;
  vec3 n = uPlane[plane].xyz, diffuse = vec3(1), shine;
  float part = uSquares > 0.0 ? checker(p, n, width) : 0.0, clear = uHaze > 0.0 ? clearness(p) : 1.0;
  if (!uPlainLight) lightOn(p, n, -ray, 0.0, diffuse, shine);
  color.rgb = mix(color.rgb, mix(uGround[0], uGround[1], part) * diffuse, clear);
  vec4 clip = uWorldToScreen * vec4(p, 1);
  gl_FragDepth = clamp(clip.z / clip.w * 0.5 + 0.5, 0.0, 1.0);
}`;

// Solids by instances: poses are position and quaternion.
const SOLID_VERTEX = VERSION + `
layout(location = 0) in vec3 aPlace;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec3 aPosition;
layout(location = 3) in vec4 aTurn;
layout(location = 4) in vec4 aColor;
uniform mat4 uWorldToScreen;
uniform float uGain;
out vec3 vPlace, vNormal, vColor;
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void main() {
  vPlace = aPosition + turned(aTurn, aPlace), vNormal = turned(aTurn, aNormal);
  vColor = uGain < 0.0 ? aColor.rgb : aColor.rgb * aColor.rgb * uGain;
  gl_Position = uWorldToScreen * vec4(vPlace, 1);
}`;

const SOLID_FRAGMENT = VERSION + LIGHT + `
in vec3 vPlace, vNormal, vColor;
out vec4 color;
uniform float uRoughness, uGloss;
void main() {
  vec3 n = normalize(vNormal);
  if (dot(n, vPlace - uEye) > 0.0 && !uOrtho) n = -n; // cloth has two sides
  color = vec4(shade(vPlace, n, vColor, uRoughness, uGloss), 1);
}`;

const SHADOW_FRAGMENT = VERSION + 'void main() {}';

// Particles: squares that face the eye. BALL: lit spheres with a depth of their own.
const SPLAT_VERTEX = `
layout(location = 0) in vec4 aPoint; // place, radius
layout(location = 1) in vec4 aColor;
layout(location = 2) in vec3 aDrift; // while the shutter is open, by steps of uDrift
uniform mat4 uToEye, uScreen, uShadowFromEye;
uniform float uDrift, uGain, uFocal, uShadowSoft; // uFocal: pixels per metre at distance 1, or at all without perspective
uniform bool uOrtho, uLit, uShadows, uLightPoint[8];
uniform int uProfile, uLights; // uProfile: 0 gaussian, 1 soft, 2 disc, 3 sphere
uniform vec3 uAmbient, uLightEye[8], uLightColor[8];
uniform highp sampler2DShadow uShadow;
out vec2 vAt;
flat out vec3 vCenter, vInk;
flat out float vAlpha, vPixels, vRadius, vSun, vHalf;
const float REACH[4] = float[](1.6, 1.0, 1.0, 1.0);
// The profile's integral through the middle, times two, over that of all of it: what a streak adds.
const float ALONG[4] = float[](1.596, 2.037, 1.273, 0.0);

// How much of the first sun comes to a place of the eye's.
float sunlight(vec3 place) {
  if (!uShadows || !uLit) return 1.0;
  vec4 p = uShadowFromEye * vec4(place + uLightEye[0] * uShadowSoft, 1);
  vec3 q = p.xyz / p.w * 0.5 + 0.5;
  vec2 texel = 3.0 / vec2(textureSize(uShadow, 0));
  float sum = 0.0;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j) sum += textureLod(uShadow, vec3(q.xy + texel * vec2(i, j), q.z - 0.002), 0.0);
  return sum / 9.0;
}

// Light in smoke comes from all sides.
vec3 lightIn(vec3 place, float sun) {
  vec3 light = 0.7 * uAmbient;
  for (int i = 0; i < uLights; ++i) {
    vec3 toward = uLightEye[i] - place;
    float fall = uLightPoint[i] ? 1.0 / max(dot(toward, toward), 1e-6) : 1.0;
    light += uLightColor[i] * fall * 0.75 * (i == 0 ? sun : 1.0);
  }
  return light;
}

void main() {
  vec4 eye = uToEye * vec4(aPoint.xyz, 1);
  float pixel = (uOrtho ? 1.0 : max(-eye.z, 1e-6)) / uFocal, radius = aPoint.w;
  float least = pixel * (uProfile < 2 ? 1.0 : 0.7), grown = max(radius, least);
  vAlpha = aColor.a * (radius / grown) * (radius / grown); // light stays what it is
  bool none = !(radius > 0.0) || !(aColor.a > 0.0) || (!uOrtho && eye.z > -1e-5);
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  float reach = REACH[uProfile] + (uProfile > 1 ? pixel / grown : 0.0);
  vec2 way = 0.5 * uDrift * (mat3(uToEye) * aDrift).xy, axis = vec2(1, 0);
  float half_ = length(way);
  if (half_ > 0.02 * grown) axis = way / half_;
  else half_ = 0.0;
  vHalf = half_ / grown, vAlpha /= 1.0 + ALONG[uProfile] * vHalf; // as much light on a longer way
  vAt = corner * vec2(reach + vHalf, reach), vRadius = grown, vCenter = eye.xyz, vPixels = grown / pixel;
  vInk = aColor.rgb * aColor.rgb * uGain, vSun = sunlight(vCenter);
#ifndef BALL
  if (uLit) vInk *= lightIn(vCenter, vSun);
#endif
  vec2 place = grown * (vAt.x * axis + vAt.y * vec2(-axis.y, axis.x));
  gl_Position = none ? vec4(2, 2, 2, 1) : uScreen * vec4(eye.xyz + vec3(place, 0), 1);
}`;

const SPLAT_FRAGMENT = `
in vec2 vAt;
flat in vec3 vCenter, vInk;
flat in float vAlpha, vPixels, vRadius, vSun, vHalf;
uniform mat4 uScreen;
uniform int uProfile, uLights;
uniform bool uOpaque, uAdd, uSift, uLightPoint[8];
uniform vec3 uAmbient, uLightEye[8], uLightColor[8]; // uLightEye: direction or place, for the eye
out vec4 color;

vec3 lightOn(vec3 place, vec3 n) {
  vec3 light = uAmbient;
  for (int i = 0; i < uLights; ++i) {
    vec3 toward = uLightEye[i], tint = uLightColor[i] * (i == 0 ? vSun : 1.0);
    if (uLightPoint[i]) {
      toward -= place;
      float d2 = max(dot(toward, toward), 1e-6);
      tint /= d2, toward *= inversesqrt(d2);
    }
    light += tint * max(dot(n, toward), 0.0);
  }
  return light;
}

void main() {
  vec2 off = vec2(max(abs(vAt.x) - vHalf, 0.0), vAt.y); // from the nearest place of a streak
  float d2 = dot(off, off), w = clamp((1.0 - sqrt(d2)) * vPixels + 0.5, 0.0, 1.0);
  if (uProfile == 0) w = d2 < 2.56 ? exp(-2.0 * d2) : 0.0;
  if (uProfile == 1) w = d2 < 1.0 ? (1.0 - d2) * (1.0 - d2) : 0.0;
  vec3 ink = vInk;
  float alpha = w * vAlpha;
#ifdef BALL
  vec3 n = vec3(vAt, sqrt(max(1.0 - d2, 0.0))), place = vCenter + n * vRadius;
  vec4 clip = uScreen * vec4(place, 1);
  gl_FragDepth = clamp(clip.z / clip.w * 0.5 + 0.5, 0.0, 1.0);
  ink *= lightOn(place, n);
#endif
  if (uSift) { // a shadow of what is see-through: by chance, as opaque as it is
    float chance = fract(sin(dot(gl_FragCoord.xy + vCenter.xy * 91.0, vec2(12.9898, 78.233))) * 43758.5453);
    if (alpha < 0.02 || alpha < chance) discard;
    color = vec4(0);
  } else if (uOpaque) {
    if (alpha < 0.5) discard;
    color = vec4(ink, alpha);
  } else {
    if (alpha < 0.0005) discard;
    color = vec4(ink * alpha, uAdd ? 0.0 : alpha);
  }
}`;

// Links, edges and trails: a band between two points that faces the eye.
const LINE_VERTEX = VERSION + `
layout(location = 0) in vec3 aFrom;
layout(location = 1) in vec3 aTo;
layout(location = 2) in vec4 aColor;
uniform mat4 uToEye, uScreen;
uniform float uGain, uFocal, uWidth; // uWidth: m; below 0: pixels
uniform bool uOrtho;
out vec3 vPlace, vInk, vSide, vFront;
out float vAt, vAlpha;
void main() {
  vec3 a = (uToEye * vec4(aFrom, 1)).xyz, b = (uToEye * vec4(aTo, 1)).xyz;
  if (!uOrtho) { // what is behind the eye is cut off
    float near = -1e-3;
    if (a.z > near && b.z < near) a = mix(b, a, (near - b.z) / (a.z - b.z));
    if (b.z > near && a.z < near) b = mix(a, b, (near - a.z) / (b.z - a.z));
  }
  vec3 p = gl_VertexID > 1 ? b : a, toward = uOrtho ? vec3(0, 0, 1) : -normalize(p);
  float pixel = (uOrtho ? 1.0 : max(-p.z, 1e-6)) / uFocal;
  float wanted = uWidth < 0.0 ? -0.5 * uWidth * pixel : 0.5 * uWidth, half_ = max(wanted, 0.5 * pixel);
  vAlpha = aColor.a * wanted / half_;
  vAt = float(gl_VertexID & 1) * 2.0 - 1.0;
  vec3 side = normalize(cross(b - a, toward) + vec3(1e-12, 0, 0));
  vPlace = p + side * vAt * half_, vSide = side, vFront = normalize(cross(side, b - a));
  vInk = aColor.rgb * aColor.rgb * uGain;
  gl_Position = uScreen * vec4(vPlace, 1);
}`;

const LINE_FRAGMENT = VERSION + `
in vec3 vPlace, vInk, vSide, vFront;
in float vAt, vAlpha;
uniform bool uRound, uOpaque, uAdd;
uniform int uLights;
uniform bool uLightPoint[8];
uniform vec3 uAmbient, uLightEye[8], uLightColor[8];
out vec4 color;
void main() {
  vec3 n = vSide * vAt + vFront * sqrt(max(1.0 - vAt * vAt, 0.0)), light = uAmbient;
  if (dot(n, vPlace) > 0.0) n = vSide * vAt - vFront * sqrt(max(1.0 - vAt * vAt, 0.0));
  for (int i = 0; i < uLights; ++i) {
    vec3 toward = uLightPoint[i] ? normalize(uLightEye[i] - vPlace) : uLightEye[i];
    light += uLightColor[i] * max(dot(n, toward), 0.0);
  }
  vec3 ink = uRound ? vInk * light : vInk;
  color = uOpaque ? vec4(ink, 1) : vec4(ink * vAlpha, uAdd ? 0.0 : vAlpha);
}`;

const SHRINK = VERSION + `
in vec2 vAt;
out vec4 color;
uniform sampler2D uImage;
void main() { // 4 x 4 with the weights 1 3 3 1: four reads between texels
  vec2 t = 1.0 / vec2(textureSize(uImage, 0));
  color = 0.25 * (texture(uImage, vAt + t * vec2(-0.75, -0.75)) + texture(uImage, vAt + t * vec2(0.75, -0.75)) +
                  texture(uImage, vAt + t * vec2(-0.75, 0.75)) + texture(uImage, vAt + t * vec2(0.75, 0.75)));
}`;

const MIX = VERSION + `
in vec2 vAt;
out vec4 color;
uniform sampler2D uImage;
uniform float uWeight;
void main() { color = vec4(texture(uImage, vAt).rgb, uWeight); }`;

const TONE = VERSION + `
in vec2 vAt;
out vec4 color;
uniform sampler2D uImage;
uniform float uExposure;
uniform int uTone; // 0 linear, 1 filmic, 2 natural
float film(float x) { return min(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 1.0); }
void main() {
  vec3 c = max(texture(uImage, vAt).rgb * uExposure, vec3(0));
  if (uTone == 1) c = vec3(film(c.r), film(c.g), film(c.b));
  float most = min(max(c.r, max(c.g, c.b)), 1e6);
  if (uTone == 2 && most > 0.0) {
    vec3 part = min(c / most, 1.0);
    c = film(most) * mix(part, vec3(1), most > 1.0 ? (most - 1.0) / (most + 20.0) : 0.0);
  }
  c = clamp(c, 0.0, 1.0);
  c = mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
  float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  color = vec4(c + (grain - 0.5) / 255.0, 1);
}`;

export const PROGRAMS = {
  backdrop: [FULL, BACKDROP],
  solid: [SOLID_VERTEX, SOLID_FRAGMENT],
  shadow: [SOLID_VERTEX, SHADOW_FRAGMENT],
  splat: [VERSION + SPLAT_VERTEX, VERSION + SPLAT_FRAGMENT],
  ball: [VERSION + BALL + SPLAT_VERTEX, VERSION + BALL + SPLAT_FRAGMENT],
  line: [LINE_VERTEX, LINE_FRAGMENT],
  shrink: [FULL, SHRINK],
  mix: [FULL, MIX],
  tone: [FULL, TONE],
};
