// SPDX-License-Identifier: MIT
// The bar below the picture, the keys, and the information.

import { icon } from "./icons";
import type { Viewer } from "./viewer";

const speeds = [0.1, 0.25, 0.5, 1, 2];

function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

function switchButton(id: string, picture: string, available: boolean, toggle: () => void): HTMLButtonElement {
  const button = element<HTMLButtonElement>(id);
  button.innerHTML = icon(picture) + button.innerHTML;
  button.hidden = !available;
  button.addEventListener("click", (event) => {
    toggle();
    if (event.detail > 0) button.blur(); // so that the space bar still plays after a click
  });
  return button;
}

function fillSelect(select: HTMLSelectElement, texts: string[], chosen: number, pick: (index: number) => void): void {
  texts.forEach((text, k) => select.add(new Option(text, String(k), k === chosen, k === chosen)));
  select.addEventListener("change", () => {
    pick(select.selectedIndex);
    select.blur();
  });
}

export class Bar {
  private readonly play: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private readonly bones: HTMLButtonElement;
  private readonly wire: HTMLButtonElement;
  private readonly follow: HTMLButtonElement;
  private readonly scrubber = element<HTMLInputElement>("scrubber");
  private readonly speed = element<HTMLSelectElement>("speed");
  private readonly clips = element<HTMLSelectElement>("clip");
  private readonly time = element("time");
  private readonly frame = element("frame");
  private readonly info = element<HTMLDialogElement>("about-dialog");

  constructor(private readonly viewer: Viewer) {
    const moving = viewer.duration > 0;
    this.play = switchButton("play", "play", moving, () => viewer.play(!viewer.playing));
    this.loop = switchButton("loop", "loop", moving, () => {
      viewer.loop = !viewer.loop;
      this.show();
    });
    const over = viewer.character.meshes.length > 0;
    this.bones = switchButton("bones", "bones", viewer.hasSkeleton && over, () => viewer.setSkeleton(!viewer.skeleton));
    this.wire = switchButton("wire", "wire", over, () => viewer.setWireframe(!viewer.wireframe));
    this.follow = switchButton("follow", "follow", viewer.canFollow, () => viewer.setFollow(!viewer.following));
    switchButton("full", "full", document.fullscreenEnabled === true, () => this.fullScreen());
    switchButton("info", "info", true, () => this.info.showModal());
    switchButton("close", "close", true, () => this.info.close());
    this.info.addEventListener("click", (event) => {
      if (event.target === this.info) this.info.close();
    });
    this.methods();
    this.timeControls(moving);
    addEventListener("keydown", (event) => this.key(event));
    viewer.onChange = () => this.show();
    this.fillInfo();
    this.show();
    element("bar").hidden = false;
  }

  private methods(): void {
    element("method").hidden = !this.viewer.hasSkin;
    for (const method of ["dqs", "lbs"] as const)
      element(method).addEventListener("click", (event) => {
        this.viewer.setMethod(method);
        if (event.detail > 0) element(method).blur();
      });
  }

  private timeControls(moving: boolean): void {
    const viewer = this.viewer;
    for (const id of ["scrubber", "clock", "speed"]) element(id).hidden = !moving;
    this.scrubber.addEventListener("input", () => {
      viewer.playing = false;
      viewer.seek((Number(this.scrubber.value) / 1000) * viewer.duration);
    });
    this.clips.hidden = viewer.character.clips.length < 2;
    fillSelect(this.clips, viewer.character.clips.map((clip) => clip.name), 0, (k) => {
      viewer.choose(k);
      this.fillInfo();
    });
    fillSelect(this.speed, speeds.map((s) => `${s}×`), speeds.indexOf(1), (k) => (viewer.speed = speeds[k]));
  }

  private changeSpeed(by: number): void {
    const k = Math.min(Math.max(this.speed.selectedIndex + by, 0), speeds.length - 1);
    this.speed.selectedIndex = k;
    this.viewer.speed = speeds[k];
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.info.open) return;
    const target = event.target as HTMLElement;
    if (target instanceof HTMLSelectElement || (event.key === " " && target instanceof HTMLButtonElement)) return;
    const viewer = this.viewer;
    const far = event.shiftKey ? 10 : 1;
    const actions: Record<string, () => void> = {
      " ": () => viewer.play(!viewer.playing),
      arrowleft: () => viewer.step(-far),
      arrowright: () => viewer.step(far),
      arrowup: () => this.changeSpeed(1),
      arrowdown: () => this.changeSpeed(-1),
      home: () => viewer.seek(0),
      end: () => viewer.seek(viewer.duration),
      s: () => viewer.setSkeleton(!viewer.skeleton),
      w: () => viewer.setWireframe(!viewer.wireframe),
      d: () => viewer.setMethod(viewer.method === "dqs" ? "lbs" : "dqs"),
      f: () => viewer.setFollow(!viewer.following),
      l: () => this.loop.click(),
      i: () => this.info.showModal(),
    };
    const action = actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private fullScreen(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void document.documentElement.requestFullscreen();
  }

  private show(): void {
    const viewer = this.viewer;
    const label = viewer.playing ? "Pause" : "Play";
    if (this.play.getAttribute("aria-label") !== label) {
      this.play.innerHTML = icon(viewer.playing ? "pause" : "play");
      this.play.setAttribute("aria-label", label);
      this.play.title = `${label} (space)`;
    }
    const pressed = (button: HTMLElement, on: boolean) => button.setAttribute("aria-pressed", String(on));
    pressed(this.loop, viewer.loop);
    pressed(this.bones, viewer.skeleton);
    pressed(this.wire, viewer.wireframe);
    pressed(this.follow, viewer.following);
    pressed(element("dqs"), viewer.method === "dqs");
    pressed(element("lbs"), viewer.method === "lbs");
    if (!viewer.clip) return;
    this.clips.selectedIndex = viewer.character.clip;
    const part = viewer.duration > 0 ? viewer.seconds / viewer.duration : 0;
    this.scrubber.value = String(1000 * part);
    this.scrubber.style.setProperty("--part", `${100 * part}%`);
    this.scrubber.setAttribute("aria-valuetext", `${viewer.seconds.toFixed(2)} seconds, frame ${viewer.frame}`);
    this.time.textContent = `${viewer.seconds.toFixed(2)} s`;
    this.frame.textContent = `${viewer.frame} / ${viewer.clip.frames - 1}`;
  }

  private fillInfo(): void {
    const { about, clip } = this.viewer;
    const number = (value: number) => value.toLocaleString("en");
    const rows: [string, string][] = [["File", about.source]];
    if (about.vertices > 0) rows.push(["Mesh", `${number(about.vertices)} vertices, ${number(about.triangles)} triangles`]);
    if (about.joints > 0) rows.push([about.bones ? "Skeleton" : "Markers", `${number(about.joints)} ${about.bones ? "joints" : "markers"}`]);
    if (about.influence_sets > 0) rows.push(["Skin", `${number(about.influence_sets)} influence sets`]);
    if (clip) rows.push(["Clip", `${clip.name}: ${number(clip.frames)} frames, ${this.viewer.duration.toFixed(2)} s at ${+clip.rate.toFixed(2)} frames per second`]);
    const list = element("facts");
    list.replaceChildren();
    for (const [name, value] of rows) {
      const term = document.createElement("dt");
      const text = document.createElement("dd");
      term.textContent = name;
      text.textContent = value;
      list.append(term, text);
    }
    element("made").textContent = `Made with Sinew ${about.version}`;
  }
}
