import { useEffect, useEffectEvent } from 'react';
import { spendKey } from './held-key.ts';
import { actionKeys, digitKeys, isKeyAction, isStepping, type KeyAction } from './key-actions.ts';
import { matchShortcut } from './match-shortcut.ts';
import { shortcutPreference } from './shortcut-preference.ts';
import { isFreeForShortcut } from './shortcut-target.ts';

type Handler = ((key: string) => void) | undefined;

export type Shortcuts = Readonly<Partial<Record<KeyAction, Handler>>>;

function actionOf(shortcuts: Shortcuts, key: string): KeyAction | undefined {
  const has = (wanted: string) =>
    Object.keys(shortcuts)
      .filter(isKeyAction)
      .find((action) => actionKeys[action] === wanted);
  // Plus needs Shift on most keyboards, and the equals sign is the same key without it.
  return has(key) ?? (/^\d$/.test(key) ? has(digitKeys) : undefined) ?? (key === '=' ? has('+') : undefined);
}

/** The handler of a key, and whether it repeats while the key is held. */
function findHandler(
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
 * Runs handlers for the keys of actions, and for other keys, while this component is mounted:
 * `useShortcuts({ 'player.play': toggle }, { ' ': toggle, 'Shift+ArrowLeft': backALittle })`. Ignores keys while
 * the user types, in dialogs and menus, with Ctrl/Alt/Meta, and if the focused control uses the key itself. A held
 * key runs its handler once, unless it is a step (arrows, back, faster, zoom).
 */
export function useShortcuts(shortcuts: Shortcuts, fixed: Readonly<Record<string, Handler>> = {}): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || !shortcutPreference.getSnapshot()) return;
    const name = matchShortcut(event);
    if (name === null) return;
    const { run, isStep } = findHandler(shortcuts, fixed, name);
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
