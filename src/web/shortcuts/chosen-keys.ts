import { persistedChoice } from '#web/ui/hooks/persisted-choice.ts';
import { isKeyAction, type ChosenKeys, type KeyAction } from './key-actions.ts';

/**
 * The player's marker key was N until M set markers everywhere. If M was chosen for another action of the player,
 * both keep their former keys.
 */
function withFormerMarkKey(chosen: ChosenKeys): ChosenKeys {
  const has = (wanted: string) =>
    Object.entries(chosen).some(([action, key]) => key === wanted && !action.startsWith('recorder.'));
  if (chosen['player.mark'] !== undefined || !has('m')) return chosen;
  return { ...chosen, 'player.mark': has('n') ? null : 'n' };
}

/** Drops invalid entries: the stored text may be from another version, or edited by hand. */
export function parseChosenKeys(text: string | null): ChosenKeys {
  const found: unknown = JSON.parse(text ?? '{}');
  const entries: [string, unknown][] = Object.entries(Object(found));
  const parsed: Partial<Record<KeyAction, string | null>> = {};
  for (const [action, key] of entries) {
    if (isKeyAction(action) && (key === null || (typeof key === 'string' && key.length === 1)))
      parsed[action] = key;
  }
  return withFormerMarkKey(parsed);
}

/** The keys chosen on this device instead of the default ones. */
export const chosenKeys = persistedChoice<ChosenKeys>('keys', {
  parse: parseChosenKeys,
  print: JSON.stringify,
});
