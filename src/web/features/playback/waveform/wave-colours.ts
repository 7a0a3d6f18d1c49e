/** The theme's colours as the canvas understands them. */
export interface WaveColours { played: string; rest: string; here: string; gap: string; window: string }

const tokens: Record<keyof WaveColours, string> = { played: '--ink', rest: '--wave', here: '--focus', gap: '--warn', window: '--focus-soft' };

/** Resolves the tokens where the canvas stands: `light-dark()` has a value only as the colour of an element. */
export function readWaveColours(canvas: HTMLCanvasElement): WaveColours {
  const probe = document.createElement('i');
  canvas.after(probe);
  const resolve = (name: keyof WaveColours): string => {
    probe.style.color = `var(${tokens[name]})`;
    return getComputedStyle(probe).color;
  };
  const colours = { played: resolve('played'), rest: resolve('rest'), here: resolve('here'), gap: resolve('gap'), window: resolve('window') };
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
