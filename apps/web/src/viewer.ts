// SPDX-License-Identifier: MIT
// Puts character and stage together and runs the clock: the interface of the page.

import * as THREE from "three";
import type { About } from "./about";
import { Bones } from "./bones";
import { measureRoom } from "./bounds";
import { Character } from "./character";
import { installSkinning, type Method } from "../../three/src/skinning";
import { Stage } from "./stage";
import { Wire } from "./wire";

export class Viewer {
  playing = false;
  loop = true;
  speed = 1;
  following = false;
  wireframe = false;
  onChange: () => void = () => {};

  private time = 0;
  private dirty = true;
  private last = 0;
  private readonly wire: Wire;
  private bones: Bones | null = null;
  private readonly anchor: THREE.Object3D | null;
  private readonly at = new THREE.Vector3();
  private readonly middle = new THREE.Vector3();

  private constructor(readonly about: About, readonly character: Character, private readonly stage: Stage) {
    this.wire = new Wire(character);
    this.anchor = character.joints[about.anchor] ?? null;
    stage.scene.add(character.root);
    stage.onChange = () => (this.dirty = true);
    this.arrange();
    if (this.hasSkeleton) this.makeBones();
    requestAnimationFrame((now) => this.tick(now));
  }

  static async open(canvas: HTMLCanvasElement, about: About, model: ArrayBuffer): Promise<Viewer> {
    installSkinning();
    const stage = new Stage(canvas);
    stage.resize(window.innerWidth, window.innerHeight);
    return new Viewer(about, await Character.load(model, about), stage);
  }

  get clip() {
    return this.character.clips[this.character.clip];
  }
  get seconds(): number {
    return this.time - (this.clip?.start ?? 0);
  }
  get duration(): number {
    return this.clip ? this.clip.end - this.clip.start : 0;
  }
  get frame(): number {
    return this.clip ? Math.min(Math.round(this.seconds * this.clip.rate), this.clip.frames - 1) : 0;
  }
  get hasSkeleton(): boolean {
    return this.character.joints.length > 0;
  }
  get hasSkin(): boolean {
    return this.character.skinned;
  }
  get canFollow(): boolean {
    return this.anchor !== null && this.clip !== undefined;
  }
  get skeleton(): boolean {
    return this.bones?.group.visible ?? false;
  }
  get method(): Method {
    return this.character.method;
  }

  play(on: boolean): void {
    if (on && this.duration > 0 && this.seconds >= this.duration - 1e-6) this.time = this.clip.start;
    this.playing = on && this.duration > 0;
    this.changed();
  }
  /** Seconds from the start of the clip. */
  seek(seconds: number): void {
    this.time = (this.clip?.start ?? 0) + Math.min(Math.max(seconds, 0), this.duration);
    this.changed();
  }
  /** Stops, and goes to another frame. */
  step(frames: number): void {
    if (!this.clip) return;
    this.playing = false;
    const count = this.clip.frames;
    const next = this.frame + frames;
    this.seek((this.loop ? ((next % count) + count) % count : next) / this.clip.rate);
  }
  choose(clip: number): void {
    this.character.choose(clip);
    this.arrange();
    this.changed();
  }
  setMethod(method: Method): void {
    this.character.method = method;
    this.changed();
  }
  setSkeleton(on: boolean): void {
    if (this.bones) this.bones.group.visible = on || this.character.meshes.length === 0;
    this.changed();
  }
  setWireframe(on: boolean): void {
    this.wireframe = on;
    this.wire.show(on);
    this.changed();
  }
  setFollow(on: boolean): void {
    this.following = on && this.canFollow;
    this.changed();
  }
  setDark(dark: boolean): void {
    this.stage.setDark(dark);
  }
  resize(width: number, height: number): void {
    this.stage.resize(width, height);
  }

  private changed(): void {
    this.dirty = true;
    this.onChange();
  }

  /** Room, ground and camera for the clip. One that goes far is followed rather than seen from afar. */
  private arrange(): void {
    const room = measureRoom(this.character, this.anchor);
    room.around.getCenter(this.middle);
    this.following = this.canFollow && room.travel > 0.8 * room.around.getSize(new THREE.Vector3()).y;
    this.time = this.clip?.start ?? 0;
    this.character.pose(this.time);
    this.place(this.at);
    this.stage.arrange(room, this.following, this.at);
    this.setDark(matchMedia("(prefers-color-scheme: dark)").matches);
  }

  private makeBones(): void {
    const box = new THREE.Box3();
    for (const joint of this.character.joints) box.expandByPoint(new THREE.Vector3().setFromMatrixPosition(joint.matrixWorld));
    const over = this.character.meshes.length > 0;
    this.bones = new Bones(this.character, this.about.bones, box.getSize(new THREE.Vector3()).length(), over);
    this.bones.group.visible = !over;
    (over ? this.stage.over : this.stage.scene).add(this.bones.group);
  }

  private place(out: THREE.Vector3): THREE.Vector3 {
    return this.anchor ? out.setFromMatrixPosition(this.anchor.matrixWorld) : out.set(0, 0, 0);
  }

  private advance(seconds: number): void {
    if (!this.playing) return;
    const next = this.seconds + seconds * this.speed;
    if (next < this.duration) {
      this.time = this.clip.start + next;
    } else if (this.loop) {
      this.time = this.clip.start + (next % this.duration);
    } else {
      this.time = this.clip.end;
      this.playing = false;
    }
    this.changed();
  }

  private tick(now: number): void {
    requestAnimationFrame((next) => this.tick(next));
    const passed = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    this.advance(passed);
    this.stage.controls.update();
    if (!this.dirty) return;
    this.dirty = false;
    this.character.pose(this.time);
    const before = this.at.clone();
    this.place(this.at);
    if (this.following) this.stage.keepUp(before, this.at);
    this.bones?.update();
    this.stage.draw(this.at.x + this.middle.x, this.at.z + this.middle.z);
  }
}
