// SPDX-License-Identifier: MIT
// Icons as strokes in a box of 24.

const strokes: Record<string, string> = {
  play: '<path d="M8 5.5v13l10.5-6.5z" fill="currentColor"/>',
  pause: '<path d="M8 5.5v13M16 5.5v13" stroke-width="3.2"/>',
  loop: '<path d="M17 3.5l3 3-3 3M4 11.5v-1a4 4 0 0 1 4-4h12M7 20.5l-3-3 3-3M20 12.5v1a4 4 0 0 1-4 4H4"/>',
  bones: '<circle cx="12" cy="4.5" r="2"/><path d="M12 6.500v8M6 9.500h12M12 14.500l-4 6M12 14.500l4 6"/>',
  wire: '<path d="M12 3l8.500 5v8L12 21l-8.500-5V8zM3.500 8L12 13l8.500-5M12 13v8M12 3v10"/>',
  follow: '<circle cx="12" cy="12" r="3"/><path d="M12 2.500v4M12 17.500v4M2.500 12h4M17.500 12h4"/><circle cx="12" cy="12" r="7"/>',
  full: '<path d="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5"/>',
  info: '<circle cx="12" cy="12" r="8.500"/><path d="M12 11v5.500M12 7.600v.1" stroke-width="2.200"/>',
  close: '<path d="M6 6l12 12M18 6L6 18"/>',
};

export function icon(name: keyof typeof strokes): string {
  return `<svg viewBox="0 0 24 24" aria-hidden="true">${strokes[name]}</svg>`;
}
