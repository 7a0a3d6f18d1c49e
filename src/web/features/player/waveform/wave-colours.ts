import { colourProbeStyle, themeQueries } from '#base/theme-colours.ts';
import type { MarkerColour } from '#web/features/player/playable-recording.ts';

/** The theme's colours in a form that a canvas accepts. */
export interface WaveColours {
  played: string;
  rest: string;
  here: string;
  gap: string;
  window: string;
  label: string;
  markers: Record<MarkerColour, string>;
}

const tokens = {
  played: '--ink',
  rest: '--wave',
  here: '--focus',
  gap: '--warn',
  window: '--focus-soft',
  label: '--ink-2',
} as const;
const markerTokens = {
  blue: '--tag-blue',
  green: '--tag-green',
  amber: '--tag-amber',
  violet: '--tag-violet',
  grey: '--tag-grey',
} as const;

/** One element per token, so that the browser computes all styles in one pass. */
function probeFor(token: string): HTMLElement {
  const probe = document.createElement('i');
  Object.assign(probe.style, colourProbeStyle(token));
  return probe;
}

/** Resolves the tokens at the canvas. */
export function readWaveColours(canvas: HTMLCanvasElement): WaveColours {
  const probes = document.createElement('span');
  probes.hidden = true;
  const place = <Name extends string>(
    wanted: Readonly<Record<Name, string>>,
  ): (() => Record<Name, string>) => {
    const placed = Object.entries<string>(wanted).map(([name, token]) => [name, probeFor(token)] as const);
    probes.append(...placed.map(([, probe]) => probe));
    return () =>
      Object.fromEntries(placed.map(([name, probe]) => [name, getComputedStyle(probe).color])) as Record<
        Name,
        string
      >;
  };
  const [read, readMarkers] = [place(tokens), place(markerTokens)];
  canvas.after(probes);
  const colours = { ...read(), markers: readMarkers() };
  probes.remove();
  return colours;
}

/**
 * Runs the callback when the theme may have changed: the user's choice, the system's, contrast or forced colours.
 */
export function onThemeChange(callback: () => void, signal: AbortSignal): void {
  const observer = new MutationObserver(callback);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'class', 'style'] });
  signal.addEventListener('abort', () => observer.disconnect());
  for (const query of themeQueries) matchMedia(query).addEventListener('change', callback, { signal });
}
