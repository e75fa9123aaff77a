// SPDX-License-Identifier: MIT
// Bounds of a character over its whole clip.

import * as THREE from "three";
import type { Character } from "./character";

export interface Room {
  whole: THREE.Box3; // over the clip
  around: THREE.Box3; // about the anchor, which walks
  travel: number; // how far the anchor walks from its mean
}

const instants = 25;
const points = 3000; // of all meshes at an instant

function addVisible(character: Character, box: THREE.Box3): void {
  const total = character.meshes.reduce((sum, mesh) => sum + mesh.geometry.getAttribute("position").count, 0);
  const stride = Math.max(1, Math.ceil(total / points));
  const point = new THREE.Vector3();
  for (const mesh of character.meshes) {
    let shown = true;
    mesh.traverseAncestors((node) => (shown &&= node.visible));
    if (!shown) continue;
    const count = mesh.geometry.getAttribute("position").count;
    for (let v = 0; v < count; v += stride) {
      mesh.getVertexPosition(v, point);
      box.expandByPoint(point.applyMatrix4(mesh.matrixWorld));
    }
  }
  if (character.meshes.length > 0) return;
  for (const joint of character.joints) {
    box.expandByPoint(point.setFromMatrixPosition(joint.matrixWorld));
    const tip = joint.userData.tip as number[] | undefined;
    if (tip) box.expandByPoint(point.fromArray(tip).applyMatrix4(joint.matrixWorld));
  }
}

export function measureRoom(character: Character, anchor: THREE.Object3D | null): Room {
  const room: Room = { whole: new THREE.Box3(), around: new THREE.Box3(), travel: 0 };
  const clip = character.clips[character.clip];
  const places: THREE.Vector3[] = [];
  for (let k = 0; k < (clip ? instants : 1); ++k) {
    character.pose(clip ? clip.start + ((clip.end - clip.start) * k) / (instants - 1) : 0);
    const now = new THREE.Box3();
    addVisible(character, now);
    if (now.isEmpty()) continue;
    room.whole.union(now);
    const at = anchor ? new THREE.Vector3().setFromMatrixPosition(anchor.matrixWorld) : new THREE.Vector3();
    places.push(at.setY(0));
    room.around.union(now.translate(at.clone().negate()));
  }
  if (room.whole.isEmpty()) {
    room.whole.set(new THREE.Vector3(-0.5, 0, -0.5), new THREE.Vector3(0.5, 1, 0.5));
    room.around.copy(room.whole);
  }
  const spread = new THREE.Box3().setFromPoints(places);
  room.travel = spread.isEmpty() ? 0 : spread.getSize(new THREE.Vector3()).length();
  return room;
}
