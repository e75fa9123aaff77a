// SPDX-License-Identifier: MIT
// The skeleton: an octahedron for a bone, thickest near its start, and a sphere for a joint.

import * as THREE from "three";
import type { Character } from "./character";

const boneColor = 0xe0912f;
const jointColor = 0xfff4e2;

function octahedron(): THREE.BufferGeometry {
  // From the origin to (0, 1, 0); the waist has radius 1 and is scaled by the bone's own.
  const waist = [
    [1, 0.16, 0],
    [0, 0.16, 1],
    [-1, 0.16, 0],
    [0, 0.16, -1],
  ];
  const corners: number[] = [];
  for (let k = 0; k < 4; ++k) {
    const a = waist[k];
    const b = waist[(k + 1) % 4];
    corners.push(0, 0, 0, ...a, ...b, 0, 1, 0, ...b, ...a);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(corners), 3));
  geometry.computeVertexNormals();
  return geometry;
}

interface Bone {
  joint: number;
  end: THREE.Object3D | THREE.Vector3; // another joint, or a tip in the frame of its own
}

export class Bones {
  readonly group = new THREE.Group();
  private readonly bones: Bone[] = [];
  private readonly octahedra: THREE.InstancedMesh;
  private readonly spheres: THREE.InstancedMesh;

  /** `over`: drawn through the surface; otherwise there is no surface. */
  constructor(private readonly character: Character, linked: boolean, private readonly size: number, over: boolean) {
    if (linked) this.link();
    const look = (color: number) =>
      new THREE.MeshStandardMaterial({ color, roughness: 0.55, flatShading: true, depthTest: true });
    this.octahedra = new THREE.InstancedMesh(octahedron(), look(boneColor), Math.max(1, this.bones.length));
    const material = look(linked ? jointColor : boneColor);
    material.flatShading = false;
    this.spheres = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 16, 12), material, character.joints.length);
    for (const mesh of [this.octahedra, this.spheres]) {
      mesh.frustumCulled = false;
      mesh.castShadow = mesh.receiveShadow = !over;
      this.group.add(mesh);
    }
    this.octahedra.visible = this.bones.length > 0;
  }

  private link(): void {
    const joints = this.character.joints;
    const numbers = new Map<THREE.Object3D, number>(joints.map((joint, j) => [joint, j]));
    for (const [j, joint] of joints.entries()) {
      const above = joint.parent ? numbers.get(joint.parent) : undefined;
      if (above !== undefined) this.bones.push({ joint: above, end: joint });
      const tip = joint.userData.tip as number[] | undefined;
      if (tip) this.bones.push({ joint: j, end: new THREE.Vector3().fromArray(tip) });
    }
  }

  update(): void {
    if (!this.group.visible) return;
    const joints = this.character.joints;
    const thickest = 0.017 * this.size;
    const radii = new Array<number>(joints.length).fill(this.bones.length > 0 ? 0.4 * thickest : 0.6 * thickest);
    const start = new THREE.Vector3();
    const end = new THREE.Vector3();
    const matrix = new THREE.Matrix4();
    const rotation = new THREE.Quaternion();
    const scale = new THREE.Vector3();
    this.bones.forEach((bone, k) => {
      const joint = joints[bone.joint];
      start.setFromMatrixPosition(joint.matrixWorld);
      if (bone.end instanceof THREE.Vector3) end.copy(bone.end).applyMatrix4(joint.matrixWorld);
      else end.setFromMatrixPosition(bone.end.matrixWorld);
      const length = end.sub(start).length();
      const radius = Math.min(0.1 * length, thickest);
      if (length > 1e-5 * this.size) {
        rotation.setFromUnitVectors(THREE.Object3D.DEFAULT_UP, end.divideScalar(length));
        radii[bone.joint] = Math.min(radii[bone.joint], 0.6 * radius);
      }
      this.octahedra.setMatrixAt(k, matrix.compose(start, rotation, scale.set(radius, length, radius)));
    });
    joints.forEach((joint, j) => {
      start.setFromMatrixPosition(joint.matrixWorld);
      this.spheres.setMatrixAt(j, matrix.compose(start, rotation.identity(), scale.setScalar(radii[j])));
    });
    this.octahedra.instanceMatrix.needsUpdate = this.spheres.instanceMatrix.needsUpdate = true;
  }
}
