import { useEffect, useEffectEvent } from 'react';
import { chosenKeys } from './chosen-keys.ts';
import { spendKey } from './held-key.ts';
import { digitKeys, isKeyAction, isStepping, keyIn, type KeyAction } from './key-actions.ts';
import { matchShortcut } from './match-shortcut.ts';
import { shortcutPreference } from './shortcut-preference.ts';
import { isFreeForShortcut } from './shortcut-target.ts';

type Handler = ((key: string) => void) | undefined;

export type Shortcuts = Readonly<Partial<Record<KeyAction, Handler>>>;

function actionOf(shortcuts: Shortcuts, key: string): KeyAction | undefined {
  const chosen = chosenKeys.getSnapshot();
  const has = (wanted: string) =>
    Object.keys(shortcuts)
      .filter(isKeyAction)
      .find((action) => keyIn(chosen, action) === wanted);
  // Plus needs Shift on most keyboards, and the equals sign is the same key without it.
  return has(key) ?? (/^\d$/.test(key) ? has(digitKeys) : undefined) ?? (key === '=' ? has('+') : undefined);
}

/** What a key does here, and whether it does it again and again while it is held. */
function found(
  shortcuts: Shortcuts,
  fixed: Readonly<Record<string, Handler>>,
  name: string,
): { run: Handler; isStep: boolean } {
  if (fixed[name]) return { run: fixed[name], isStep: name.includes('Arrow') };
  const action = actionOf(shortcuts, name);
  return action === undefined
    ? { run: undefined, isStep: false }
    : { run: shortcuts[action], isStep: isStepping(action) };
}

/**
 * Runs a handler for the key that was chosen for its action while this component is on the screen, and for
 * the keys that are always the same: `useShortcuts({ 'player.play': toggle }, { ' ': toggle,
 * 'Shift+ArrowLeft': backALittle })`. Silent while someone types, in dialogs and menus, with Ctrl/Alt/Meta,
 * and where the focused control uses the key itself. A key that is held runs its handler once, but where it
 * goes on in steps (arrows, back, faster, zoom).
 */
export function useShortcuts(shortcuts: Shortcuts, fixed: Readonly<Record<string, Handler>> = {}): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || !shortcutPreference.getSnapshot()) return;
    const name = matchShortcut(event);
    if (name === null) return;
    const { run, isStep } = found(shortcuts, fixed, name);
    if (!run || !isFreeForShortcut(event.target, name)) return;
    event.preventDefault();
    if (!isStep) spendKey(event);
    run(name);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handleKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
