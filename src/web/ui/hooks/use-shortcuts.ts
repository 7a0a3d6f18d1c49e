import { useEffect, useEffectEvent } from 'react';
import { matchShortcut } from './match-shortcut.ts';
import { shortcutPreference } from './shortcut-preference.ts';
import { isFreeForShortcut } from './shortcut-target.ts';

export type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

/**
 * Runs a handler for a key while this component is on the screen: `{ m: addMarker, ' ': toggle, ArrowLeft: back, 'Shift+ArrowLeft': backALittle, '?': help }`.
 * Silent while someone types, in dialogs and menus, with Ctrl/Alt/Meta, and where the focused control uses the key itself.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || !shortcutPreference.getSnapshot()) return;
    const name = matchShortcut(event);
    const run = name === null ? undefined : shortcuts[name];
    if (!run || name === null || !isFreeForShortcut(event.target, name)) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handleKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
