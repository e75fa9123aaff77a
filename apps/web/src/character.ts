// SPDX-License-Identifier: MIT
// The meshes, joints and clips of the model, posed at one time of one clip.

import * as THREE from "three";
import { GLTFLoader, type GLTF } from "three/examples/jsm/loaders/GLTFLoader.js";
import type { About, ClipAbout } from "./about";
import { MorphedMesh } from "./morphs";
import { settleSigns } from "../../three/src/signs";
import { BlendedSkeleton, type Method } from "../../three/src/skinning";

const clay = new THREE.Color().setRGB(0.36, 0.375, 0.4, THREE.LinearSRGBColorSpace);

/** A file without materials leaves the look to the viewer: that of Sinew's own pictures, not the loader's white metal. */
function hasOwnMaterial(gltf: GLTF, mesh: THREE.Mesh): boolean {
  const place = gltf.parser.associations.get(mesh) as { meshes?: number; primitives?: number } | undefined;
  if (place?.meshes === undefined) return true;
  return gltf.parser.json.meshes[place.meshes].primitives[place.primitives ?? 0].material !== undefined;
}

/** Both sides are seen, and surfaces without normals are smooth, as in Sinew's own pictures. */
function dress(mesh: THREE.Mesh, own: boolean): void {
  const bare = !mesh.geometry.hasAttribute("normal");
  if (bare) mesh.geometry.computeVertexNormals();
  for (const material of [mesh.material].flat()) {
    material.side = THREE.DoubleSide;
    if (!(material instanceof THREE.MeshStandardMaterial)) continue;
    if (bare) material.flatShading = false;
    if (own) continue;
    material.metalness = 0;
    material.roughness = 0.7;
    if (!material.vertexColors) material.color.copy(clay);
  }
}

export class Character {
  readonly root: THREE.Group;
  readonly joints: THREE.Object3D[] = [];
  readonly meshes: THREE.Mesh[] = [];
  readonly clips: ClipAbout[];
  method: Method;
  clip = 0;

  private readonly mixer: THREE.AnimationMixer;
  private readonly animations: THREE.AnimationClip[];
  private readonly morphed: MorphedMesh[] = [];
  private readonly scaled: THREE.Object3D[] = [];
  private action: THREE.AnimationAction | null = null;

  private constructor(gltf: GLTF, about: About) {
    this.root = gltf.scene;
    this.method = about.method;
    this.animations = gltf.animations;
    this.clips = about.clips.slice(0, gltf.animations.length);
    this.mixer = new THREE.AnimationMixer(this.root);
    const skeletons = new Set<THREE.Skeleton>();
    const geometries = new Set<THREE.BufferGeometry>();
    this.root.traverse((node) => {
      if (!(node instanceof THREE.Mesh)) return;
      this.meshes.push(node);
      node.castShadow = node.receiveShadow = true;
      node.frustumCulled = false; // its bounds are those of the rest pose
      dress(node, hasOwnMaterial(gltf, node));
      if (node.geometry.morphAttributes.position) this.morphed.push(new MorphedMesh(node));
      if (!(node instanceof THREE.SkinnedMesh)) return;
      if (!geometries.has(node.geometry)) settleSigns(node.geometry, node.skeleton.bones);
      geometries.add(node.geometry);
      if (!skeletons.has(node.skeleton)) new BlendedSkeleton(node.skeleton, () => this.method);
      skeletons.add(node.skeleton);
    });
    this.findScaled();
    this.choose(0);
  }

  static async load(model: ArrayBuffer, about: About): Promise<Character> {
    const gltf = await new GLTFLoader().parseAsync(model, "");
    const character = new Character(gltf, about);
    for (let j = 0; j < about.joints; ++j)
      character.joints.push((await gltf.parser.getDependency("node", j)) as THREE.Object3D);
    return character;
  }

  get skinned(): boolean {
    return this.meshes.some((mesh) => mesh instanceof THREE.SkinnedMesh);
  }

  choose(clip: number): void {
    this.action?.stop();
    this.clip = clip;
    this.action = this.animations.length > 0 ? this.mixer.clipAction(this.animations[clip]).play() : null;
  }

  /** Everything as it is at a time of the clip. */
  pose(time: number): void {
    if (this.action) this.action.time = time;
    this.mixer.update(0);
    // Pieces that are shown for a frame have scale 0 at all others: they need not be drawn.
    for (const node of this.scaled) node.visible = node.scale.x !== 0 || node.scale.y !== 0 || node.scale.z !== 0;
    this.root.updateMatrixWorld(true);
    for (const mesh of this.morphed) mesh.update();
  }

  private findScaled(): void {
    const names = new Set<string>();
    for (const animation of this.animations)
      for (const track of animation.tracks)
        if (track.name.endsWith(".scale")) names.add(track.name.slice(0, -".scale".length));
    if (names.size === 0) return;
    this.root.traverse((node) => {
      if (names.has(node.name) || names.has(node.uuid)) this.scaled.push(node);
    });
  }
}
