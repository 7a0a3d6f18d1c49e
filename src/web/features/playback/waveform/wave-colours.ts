import type { MarkerColour } from '../playable-recording.ts';

/** The theme's colours as the canvas understands them. */
export interface WaveColours { played: string; rest: string; here: string; gap: string; window: string; label: string; markers: Record<MarkerColour, string> }

const tokens = { played: '--ink', rest: '--wave', here: '--focus', gap: '--warn', window: '--focus-soft', label: '--ink-2' } as const;

/** Resolves the tokens where the canvas stands: `light-dark()` has a value only as the colour of an element. */
export function readWaveColours(canvas: HTMLCanvasElement): WaveColours {
  const probe = document.createElement('i');
  // Where less motion is wished for, every change takes a moment (base.css): what was asked for first would be the answer to all.
  probe.style.transitionProperty = 'none';
  canvas.after(probe);
  const resolve = (token: string): string => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    played: resolve(tokens.played), rest: resolve(tokens.rest), here: resolve(tokens.here), gap: resolve(tokens.gap), window: resolve(tokens.window), label: resolve(tokens.label),
    markers: { blue: resolve('--tag-blue'), green: resolve('--tag-green'), amber: resolve('--tag-amber'), violet: resolve('--tag-violet'), grey: resolve('--tag-grey') },
  };
  probe.remove();
  return colours;
}

/** Calls back when the theme may have changed: the person's choice, the system's, contrast or forced colours. */
export function onThemeChange(callback: () => void, signal: AbortSignal): void {
  const observer = new MutationObserver(callback);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'class', 'style'] });
  signal.addEventListener('abort', () => observer.disconnect());
  for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)']) {
    matchMedia(query).addEventListener('change', callback, { signal });
  }
}
