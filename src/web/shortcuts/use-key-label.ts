import { useStore } from '#web/ui/hooks/use-store.ts';
import { chosenKeys } from './chosen-keys.ts';
import { keyIn, type KeyAction } from './key-actions.ts';
import { shortcutPreference } from './shortcut-preference.ts';

/** A key as printed on a keyboard, the same in every language. */
export function keyLabel(key: string): string {
  if (key === '-') return '−';
  return /^[A-Z]$/.test(key) ? `⇧ ${key}` : key.toUpperCase();
}

/** The current key of `action`, for a tooltip; empty if it has none. */
export function useKeyLabel(action: KeyAction): string {
  const key = keyIn(useStore(chosenKeys), action);
  return useStore(shortcutPreference) && key !== null ? keyLabel(key) : '';
}
