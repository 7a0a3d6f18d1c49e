import {
  defaultKeys,
  digitKeys,
  isKeyAction,
  keyIn,
  type ChosenKeys,
  type KeyAction,
} from './key-actions.ts';
import { matchShortcut, type KeyStroke } from './match-shortcut.ts';

const actions = Object.keys(defaultKeys).filter(isKeyAction);
const placeOf = (action: KeyAction) => action.slice(0, action.indexOf('.'));

/** Whether both can be on the screen at the same time. */
const areShownTogether = (one: KeyAction, other: KeyAction): boolean => {
  const places = [placeOf(one), placeOf(other)];
  return places[0] === places[1] || places.includes('everywhere');
};

/**
 * The character that a keystroke chooses; null for what cannot be chosen: arrows, Space, Enter, or anything with
 * Ctrl, Alt or Meta.
 */
export function keyOf(stroke: KeyStroke): string | null {
  const { key, code, ctrlKey, altKey, metaKey } = stroke;
  const name =
    matchShortcut(stroke) ?? matchShortcut({ key, code, ctrlKey, altKey, metaKey, shiftKey: false });
  return name?.length === 1 && name !== ' ' ? name : null;
}

/** The other actions that `key` would trigger where `action` works. */
export function holdersOf(chosen: ChosenKeys, action: KeyAction, key: string): readonly KeyAction[] {
  return actions.filter((other) => {
    const held = keyIn(chosen, other);
    return (
      other !== action &&
      areShownTogether(action, other) &&
      (held === key || (held === digitKeys && /^\d$/.test(key)))
    );
  });
}

/** Whether the action that has `key` could get the key of `action` instead. */
export function canSwap(chosen: ChosenKeys, action: KeyAction, key: string): boolean {
  const [holder, another] = holdersOf(chosen, action, key);
  const given = keyIn(chosen, action);
  if (!holder || another || given === null || keyIn(chosen, holder) === digitKeys) return false;
  return holdersOf(chosen, holder, given).every((other) => other === action);
}

/** Gives `action` the key. The action that had it gets the key given up if that is possible, else none. */
export function withKey(chosen: ChosenKeys, action: KeyAction, key: string): ChosenKeys {
  const left = canSwap(chosen, action, key) ? keyIn(chosen, action) : null;
  const holders = holdersOf(chosen, action, key).map((holder) => [holder, left]);
  return withoutDefaults({ ...chosen, ...Object.fromEntries(holders), [action]: key });
}

/** Switches off the key of `action`. */
export const withoutKey = (chosen: ChosenKeys, action: KeyAction): ChosenKeys => ({
  ...chosen,
  [action]: null,
});

/** Restores the default key of `action`. */
export const withDefaultKey = (chosen: ChosenKeys, action: KeyAction): ChosenKeys =>
  withoutDefaults({ ...chosen, [action]: defaultKeys[action] });

function withoutDefaults(chosen: ChosenKeys): ChosenKeys {
  return Object.fromEntries(
    Object.entries(chosen).filter(([action, key]) => !isKeyAction(action) || defaultKeys[action] !== key),
  );
}
