// SPDX-License-Identifier: MIT
// The ground: a grid that fades with distance, and contact shadows.

import * as THREE from "three";

const gridVertex = /* glsl */ `
varying vec2 place;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const gridFragment = /* glsl */ `
varying vec2 place;
uniform vec2 middle;
uniform float spacing, reach, strength;
uniform vec3 ink;
// 1 on lines of a grid with unit cells, fading where the cells get too small to see.
float grid(vec2 p, vec2 pixel, float width) {
  vec2 d = abs(fract(p - 0.5) - 0.5) / pixel;
  vec2 line = clamp(0.5 * width + 0.5 - d, 0.0, 1.0) * clamp(1.3 - 3.0 * pixel, 0.0, 1.0);
  return max(line.x, line.y);
}
void main() {
  vec2 cell = place / spacing;
  vec2 pixel = max(fwidth(cell), vec2(1e-9));
  float lines = max(0.30 * grid(cell, pixel, 1.2), 0.09 * grid(cell * 10.0, pixel * 10.0, 1.0));
  float fade = 1.0 - smoothstep(0.1, 0.85, length(place - middle) / reach);
  gl_FragColor = vec4(ink, lines * fade * strength);
}`;

const blurFragment = /* glsl */ `
varying vec2 at;
uniform sampler2D map;
uniform vec2 step;
void main() {
  float sum = 0.0, all = 0.0;
  for (int k = -6; k <= 6; ++k) {
    float w = exp(-float(k * k) / 14.0);
    sum += w * texture2D(map, at + float(k) * step).r;
    all += w;
  }
  gl_FragColor = vec4(sum / all, 0.0, 0.0, 1.0);
}`;

const coverVertex = /* glsl */ `
varying vec2 at;
void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }`;

const darkFragment = /* glsl */ `
varying vec2 at;
uniform sampler2D fine, coarse;
uniform float strength;
void main() {
  float dark = 0.45 * texture2D(fine, at).r + 0.75 * texture2D(coarse, at).r;
  vec2 edge = smoothstep(vec2(0.0), vec2(0.08), at) * smoothstep(vec2(0.0), vec2(0.08), 1.0 - at);
  gl_FragColor = vec4(0.02, 0.022, 0.03, clamp(dark, 0.0, 0.8) * strength * edge.x * edge.y);
}`;
const darkVertex = /* glsl */ `
varying vec2 at;
void main() { at = uv; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`;

/** A spacing of 1, 2 or 5 times a power of ten, of which about four fit into a length. */
export function roundSpacing(length: number): number {
  const raw = Math.max(length, 1e-9) / 1.5;
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  return power * (raw / power >= 5 ? 5 : raw / power >= 2 ? 2 : 1);
}

const mapSize = 256;

/** Dark where something is near above the ground: depth seen from below, blurred twice. */
class ContactShadow {
  readonly plane: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  private readonly camera: THREE.OrthographicCamera;
  private readonly targets = [0, 1, 2].map(
    () => new THREE.WebGLRenderTarget(mapSize, mapSize, { depthBuffer: true, type: THREE.HalfFloatType }),
  );
  private readonly depth: THREE.MeshBasicMaterial;
  private readonly blur: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  private readonly flat = new THREE.Camera();

  constructor(width: number, height: number, strength: number) {
    this.camera = new THREE.OrthographicCamera(-width / 2, width / 2, width / 2, -width / 2, -0.02 * height, 0.3 * height);
    this.camera.rotation.x = Math.PI / 2; // looks up
    this.plane = new THREE.Mesh(
      new THREE.PlaneGeometry(width, width).rotateX(Math.PI / 2).scale(1, -1, 1),
      new THREE.ShaderMaterial({
        vertexShader: darkVertex,
        fragmentShader: darkFragment,
        uniforms: {
          fine: { value: this.targets[0].texture },
          coarse: { value: this.targets[2].texture },
          strength: { value: strength },
        },
        transparent: true,
        depthWrite: false,
        side: THREE.DoubleSide,
      }),
    );
    this.plane.renderOrder = -1;
    this.depth = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide });
    this.depth.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace(
        "#include <dithering_fragment>",
        "gl_FragColor = vec4(pow(1.0 - gl_FragCoord.z, 2.0), 0.0, 0.0, 1.0);",
      );
    };
    this.blur = new THREE.Mesh(
      new THREE.PlaneGeometry(2, 2),
      new THREE.ShaderMaterial({
        vertexShader: coverVertex,
        fragmentShader: blurFragment,
        uniforms: { map: { value: null }, step: { value: new THREE.Vector2() } },
        depthTest: false,
        depthWrite: false,
      }),
    );
    this.blur.frustumCulled = false;
  }

  set strength(value: number) {
    this.plane.material.uniforms.strength.value = value;
  }

  move(x: number, y: number, z: number): void {
    this.plane.position.set(x, y, z);
    this.camera.position.set(x, y, z);
  }

  update(renderer: THREE.WebGLRenderer, scene: THREE.Scene): void {
    const [first, second, third] = this.targets;
    const alpha = renderer.getClearAlpha();
    renderer.shadowMap.autoUpdate = false;
    scene.overrideMaterial = this.depth;
    renderer.setClearAlpha(0);
    renderer.setRenderTarget(first);
    renderer.clear();
    renderer.render(scene, this.camera);
    scene.overrideMaterial = null;
    this.pass(renderer, first, second, 1, 0);
    this.pass(renderer, second, first, 0, 1);
    this.pass(renderer, first, second, 4, 0);
    this.pass(renderer, second, third, 0, 4);
    renderer.setRenderTarget(null);
    renderer.setClearAlpha(alpha);
    renderer.shadowMap.autoUpdate = true;
  }

  private pass(
    renderer: THREE.WebGLRenderer,
    from: THREE.WebGLRenderTarget,
    to: THREE.WebGLRenderTarget,
    x: number,
    y: number,
  ): void {
    const { uniforms } = this.blur.material;
    uniforms.map.value = from.texture;
    uniforms.step.value.set(x / mapSize, y / mapSize);
    renderer.setRenderTarget(to);
    renderer.render(this.blur, this.flat);
  }
}

export class Ground {
  readonly group = new THREE.Group();
  private readonly grid: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  private readonly shadow: THREE.Mesh<THREE.PlaneGeometry, THREE.ShadowMaterial>;
  private readonly contact: ContactShadow;

  constructor(private readonly height: number, size: number, width: number) {
    const reach = 6 * size;
    this.grid = new THREE.Mesh(
      new THREE.PlaneGeometry(2 * reach, 2 * reach).rotateX(-Math.PI / 2),
      new THREE.ShaderMaterial({
        vertexShader: gridVertex,
        fragmentShader: gridFragment,
        uniforms: {
          middle: { value: new THREE.Vector2() },
          spacing: { value: roundSpacing(size) },
          reach: { value: reach },
          strength: { value: 1 },
          ink: { value: new THREE.Color() },
        },
        transparent: true,
        depthWrite: false,
      }),
    );
    this.shadow = new THREE.Mesh(
      new THREE.PlaneGeometry(2 * reach, 2 * reach).rotateX(-Math.PI / 2),
      new THREE.ShadowMaterial({ color: 0x05060a, opacity: 0.22, depthWrite: false }),
    );
    this.shadow.receiveShadow = true;
    this.shadow.renderOrder = -1;
    this.grid.renderOrder = -2;
    this.contact = new ContactShadow(width, size, 1);
    this.group.add(this.grid, this.shadow, this.contact.plane);
  }

  setDark(dark: boolean): void {
    const { uniforms } = this.grid.material;
    uniforms.ink.value.set(dark ? 0xb9c4d4 : 0x30353d);
    uniforms.strength.value = dark ? 0.42 : 0.8;
    this.shadow.material.opacity = dark ? 0.42 : 0.2;
    this.contact.strength = dark ? 1.1 : 0.85;
  }

  /** The ground goes along with what stands on it. */
  update(renderer: THREE.WebGLRenderer, scene: THREE.Scene, x: number, z: number): void {
    for (const mesh of [this.grid, this.shadow]) mesh.position.set(x, this.height, z);
    this.grid.material.uniforms.middle.value.set(x, z);
    this.contact.move(x, this.height, z);
    this.group.visible = false;
    this.contact.update(renderer, scene);
    this.group.visible = true;
  }
}
