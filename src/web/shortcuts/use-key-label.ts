import { useStore } from '#web/ui/hooks/use-store.ts';
import { actionKeys, type KeyAction } from './key-actions.ts';
import { shortcutPreference } from './shortcut-preference.ts';

/** A key as printed on a keyboard, the same in every language. */
export function keyLabel(key: string): string {
  if (key === '-') return '−';
  return /^[A-Z]$/.test(key) ? `⇧ ${key}` : key.toUpperCase();
}

/** The key of `action`, for a tooltip; empty while the shortcuts are off. */
export const useKeyLabel = (action: KeyAction): string =>
  useStore(shortcutPreference) ? keyLabel(actionKeys[action]) : '';
