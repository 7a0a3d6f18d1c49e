import {
  onPreferenceOfOtherTab,
  readCookie,
  rememberInCookie,
  notifyOtherTabs,
} from '#web/i18n/preferences.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const listeners = new Set<() => void>();
const asTheme = (value: string | null): Theme => themes.find((theme) => theme === value) ?? 'system';
let current: Theme | null = null;

function show(theme: Theme): void {
  current = theme;
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

/**
 * Light, dark or the system's theme. Stored in a cookie, so that the server renders the page with it and nothing
 * flashes.
 */
export const themeStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  getSnapshot: (): Theme => (current ??= asTheme(readCookie('theme'))),
  choose(theme: Theme): void {
    rememberInCookie('theme', theme);
    notifyOtherTabs({ kind: 'theme', value: theme });
    show(theme);
  },
};

/** Applies the stored theme and follows the choices of other tabs. */
export function startTheme(): void {
  onPreferenceOfOtherTab('theme', (value) => show(asTheme(value)));
  show(asTheme(readCookie('theme')));
}
