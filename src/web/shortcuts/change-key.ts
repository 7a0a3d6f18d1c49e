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
 * The character a keystroke would choose, null for what cannot be chosen: arrows, Space, Enter, or anything
 * with Ctrl, Alt or Meta.
 */
export function keyOf(stroke: KeyStroke): string | null {
  const { key, code, ctrlKey, altKey, metaKey } = stroke;
  const name =
    matchShortcut(stroke) ?? matchShortcut({ key, code, ctrlKey, altKey, metaKey, shiftKey: false });
  return name?.length === 1 && name !== ' ' ? name : null;
}

/** The other actions that would answer to `key` where `action` works. */
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

/** Whether the one that holds `key` could take the key that `action` gives up. */
export function canSwap(chosen: ChosenKeys, action: KeyAction, key: string): boolean {
  const [holder, another] = holdersOf(chosen, action, key);
  const given = keyIn(chosen, action);
  if (!holder || another || given === null || keyIn(chosen, holder) === digitKeys) return false;
  return holdersOf(chosen, holder, given).every((other) => other === action);
}

/** Gives `action` the key. Who had it takes the one given up where that can be, and has none otherwise. */
export function withKey(chosen: ChosenKeys, action: KeyAction, key: string): ChosenKeys {
  const left = canSwap(chosen, action, key) ? keyIn(chosen, action) : null;
  const holders = holdersOf(chosen, action, key).map((holder) => [holder, left]);
  return withoutDefaults({ ...chosen, ...Object.fromEntries(holders), [action]: key });
}

/** Switches the key of `action` off. */
export const withoutKey = (chosen: ChosenKeys, action: KeyAction): ChosenKeys => ({
  ...chosen,
  [action]: null,
});

/** Puts the key of `action` back where only an off switch was. */
export const withDefaultKey = (chosen: ChosenKeys, action: KeyAction): ChosenKeys =>
  withoutDefaults({ ...chosen, [action]: defaultKeys[action] });

function withoutDefaults(chosen: ChosenKeys): ChosenKeys {
  return Object.fromEntries(
    Object.entries(chosen).filter(([action, key]) => !isKeyAction(action) || defaultKeys[action] !== key),
  );
}
