import { useStore } from '#web/ui/hooks/use-store.ts';
import { chosenKeys } from './chosen-keys.ts';
import { keyIn, type KeyAction } from './key-actions.ts';
import { shortcutPreference } from './shortcut-preference.ts';

/** A key as it is printed on a keyboard, the same in every language. */
export function keyLabel(key: string): string {
  if (key === '-') return '−';
  return /^[A-Z]$/.test(key) ? `⇧ ${key}` : key.toUpperCase();
}

/** The key that does `action` now, for a tooltip; empty when there is none. */
export function useKeyLabel(action: KeyAction): string {
  const key = keyIn(useStore(chosenKeys), action);
  return useStore(shortcutPreference) && key !== null ? keyLabel(key) : '';
}
