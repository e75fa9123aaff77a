// SPDX-License-Identifier: MIT
// The description of the model that `sinew publish` writes into the page.

export interface ClipAbout {
  name: string;
  start: number; // seconds
  end: number;
  frames: number;
  rate: number; // frames per second
}

export interface About {
  title: string;
  source: string; // name of the file, without its folder
  version: string;
  method: "dqs" | "lbs";
  joints: number; // nodes 0 .. joints - 1 of the model are its joints
  bones: boolean; // false: the joints are markers without bones
  anchor: number; // the joint that the camera follows, or -1
  vertices: number;
  triangles: number;
  influence_sets: number;
  clips: ClipAbout[];
}

/** The model and what is said of it, as the page holds them. */
export interface Payload {
  about: About;
  model: ArrayBuffer;
}
