// SPDX-License-Identifier: MIT
// Camera, lights and rendering.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Room } from "./bounds";
import { Ground } from "./ground";

const fieldOfView = 30;

/** The library's tone curve: colours as they are up to a knee, then rolled off towards 1, slowly losing saturation. */
function installToneCurve(): void {
  const chunks = THREE.ShaderChunk as Record<string, string>;
  chunks.tonemapping_pars_fragment = chunks.tonemapping_pars_fragment.replace(
    "vec3 CustomToneMapping( vec3 color ) { return color; }",
    /* glsl */ `vec3 CustomToneMapping(vec3 color) {
      const float knee = 0.72;
      float peak = max(color.r, max(color.g, color.b));
      if (peak <= knee) return color;
      float rolled = knee + (1.0 - knee) * (1.0 - exp(-(peak - knee) / (1.0 - knee)));
      vec3 scaled = color * (rolled / peak);
      return mix(scaled, vec3(rolled), 0.6 * (1.0 - rolled / peak));
    }`,
  );
}

/** The part of the picture's height that the bar covers, below 880 pixels in two rows. */
function covered(): number {
  return Math.min((innerWidth <= 880 ? 112 : 76) / innerHeight, 0.35);
}

/** A bright ceiling, a dim floor and a broad soft box in front: what the surfaces mirror. */
function surroundings(renderer: THREE.WebGLRenderer): THREE.Texture {
  const scene = new THREE.Scene();
  const sky = new THREE.Mesh(
    new THREE.SphereGeometry(10, 32, 16),
    new THREE.ShaderMaterial({
      side: THREE.BackSide,
      vertexShader: "varying vec3 d; void main() { d = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
      fragmentShader: /* glsl */ `
        varying vec3 d;
        void main() {
          vec3 n = normalize(d);
          vec3 light = mix(vec3(0.30, 0.28, 0.26), vec3(0.66, 0.70, 0.76), smoothstep(-0.6, 0.8, n.y));
          float box = smoothstep(0.55, 1.0, dot(n, normalize(vec3(0.6, 0.7, 0.5))));
          gl_FragColor = vec4(light + 1.1 * box, 1.0);
        }`,
    }),
  );
  scene.add(sky);
  const maker = new THREE.PMREMGenerator(renderer);
  const texture = maker.fromScene(scene, 0.04).texture;
  maker.dispose();
  sky.geometry.dispose();
  sky.material.dispose();
  return texture;
}

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  readonly over = new THREE.Scene(); // drawn through everything
  readonly camera = new THREE.PerspectiveCamera(fieldOfView, 1, 0.01, 100);
  readonly controls: OrbitControls;
  onChange: () => void = () => {};

  private readonly key = new THREE.DirectionalLight(0xfff6ea, 2.9);
  private readonly toKey = new THREE.Vector3(0.45, 1, 0.55).normalize();
  private ground: Ground | null = null;
  private size = 1;
  private readonly follow = new THREE.Vector3();

  constructor(canvas: HTMLCanvasElement) {
    installToneCurve();
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: "high-performance" });
    this.renderer.setClearAlpha(0);
    this.renderer.autoClear = false;
    this.renderer.toneMapping = THREE.CustomToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene.environment = this.over.environment = surroundings(this.renderer);
    this.scene.environmentIntensity = 0.95;
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(1024, 1024);
    this.key.shadow.radius = 7;
    const rim = new THREE.DirectionalLight(0xdfe8ff, 0.9);
    rim.position.set(-0.8, 0.5, -1);
    this.scene.add(this.key, this.key.target, rim);
    const front = new THREE.DirectionalLight(0xffffff, 1.6);
    front.position.set(0.6, 1, 0.8);
    this.over.add(front);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxPolarAngle = Math.PI * 0.95;
    this.controls.addEventListener("change", () => this.onChange());
  }

  /** Sets ground, shadow and camera up for what needs this room; `near` frames it where it is, not its whole way. */
  arrange(room: Room, near: boolean, anchor: THREE.Vector3): void {
    const around = room.around.getSize(new THREE.Vector3());
    this.size = Math.max(around.length(), 1e-6);
    this.ground?.group.removeFromParent();
    this.ground = new Ground(room.whole.min.y, this.size, 2.2 * Math.max(around.x, around.z, 0.3 * around.y));
    this.scene.add(this.ground.group);
    const shadow = this.key.shadow;
    const reach = 0.75 * this.size;
    Object.assign(shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * this.size, far: 5 * this.size });
    shadow.camera.updateProjectionMatrix();
    shadow.normalBias = 0.006 * this.size;
    shadow.bias = -0.0004;
    this.camera.near = this.size / 100;
    this.camera.far = this.size * 60;
    this.controls.minDistance = 0.15 * this.size;
    this.controls.maxDistance = 20 * this.size;
    const box = near ? room.around.clone().translate(anchor.clone().setY(0)) : room.whole;
    this.frame(box);
  }

  setDark(dark: boolean): void {
    this.ground?.setDark(dark);
    this.onChange();
  }

  resize(width: number, height: number): void {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.onChange();
  }

  /** Moves the camera along with a point. */
  keepUp(from: THREE.Vector3, to: THREE.Vector3): void {
    this.follow.subVectors(to, from).setY(0);
    this.camera.position.add(this.follow);
    this.controls.target.add(this.follow);
  }

  draw(x: number, z: number): void {
    this.ground?.update(this.renderer, this.scene, x, z);
    this.key.target.position.set(x, this.controls.target.y, z);
    this.key.position.copy(this.toKey).multiplyScalar(2.5 * this.size).add(this.key.target.position);
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    if (this.over.children.length > 1) {
      this.renderer.clearDepth();
      this.renderer.render(this.over, this.camera);
    }
  }

  /** Three quarters from the front, all of the box in the picture, above the bar. */
  private frame(box: THREE.Box3): void {
    const direction = new THREE.Vector3(Math.sin(0.6) * Math.cos(0.26), Math.sin(0.26), Math.cos(0.6) * Math.cos(0.26));
    const target = box.getCenter(new THREE.Vector3());
    const right = new THREE.Vector3().crossVectors(THREE.Object3D.DEFAULT_UP, direction).normalize();
    const up = new THREE.Vector3().crossVectors(direction, right);
    const slope = Math.tan((fieldOfView * Math.PI) / 360);
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const p = new THREE.Vector3(
        corner & 1 ? box.max.x : box.min.x,
        corner & 2 ? box.max.y : box.min.y,
        corner & 4 ? box.max.z : box.min.z,
      ).sub(target);
      const depth = p.dot(direction);
      distance = Math.max(
        distance,
        depth + (1.12 * Math.abs(p.dot(up))) / (slope * (1 - covered())),
        depth + (1.12 * Math.abs(p.dot(right))) / (slope * this.camera.aspect),
      );
    }
    // The middle of the box is to be seen in the middle of what the bar leaves free.
    target.addScaledVector(up, -covered() * distance * slope);
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }
}
