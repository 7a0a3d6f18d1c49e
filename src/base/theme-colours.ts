/**
 * The inline style of an element whose computed colour resolves a design token: `light-dark()` only has a value there.
 * With reduced motion, the base styles give every change a short transition, and the old colour would be read.
 */
export const colourProbeStyle = (token: string): { color: string; transitionProperty: string } => ({
  color: `var(${token})`,
  transitionProperty: 'none',
});

/** The media queries by which the system's theme changes. */
export const themeQueries = [
  '(prefers-color-scheme: dark)',
  '(prefers-contrast: more)',
  '(forced-colors: active)',
] as const;
