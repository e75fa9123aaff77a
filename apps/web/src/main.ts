// SPDX-License-Identifier: MIT
// The program of the page: called by its shell with the unpacked model.

import type { Payload } from "./about";
import { Bar } from "./bar";
import { Viewer } from "./viewer";

async function open({ about, model }: Payload): Promise<Viewer> {
  const canvas = document.getElementById("picture") as HTMLCanvasElement;
  const viewer = await Viewer.open(canvas, about, model);
  new Bar(viewer);
  addEventListener("resize", () => viewer.resize(innerWidth, innerHeight));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => viewer.setDark(event.matches));
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) viewer.play(true);
  return viewer;
}

declare global {
  interface Window {
    openSinew: (payload: Payload) => Promise<Viewer>;
  }
}
window.openSinew = open;
