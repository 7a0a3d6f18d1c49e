import { persistedChoice } from '#web/ui/hooks/persisted-choice.ts';
import { isKeyAction, type ChosenKeys, type KeyAction } from './key-actions.ts';

/**
 * The player's marker key was N until M sets markers everywhere. Where M was chosen for another of the
 * player's actions, both stay as they were.
 */
function withFormerMarkKey(chosen: ChosenKeys): ChosenKeys {
  const has = (wanted: string) =>
    Object.entries(chosen).some(([action, key]) => key === wanted && !action.startsWith('recorder.'));
  if (chosen['player.mark'] !== undefined || !has('m')) return chosen;
  return { ...chosen, 'player.mark': has('n') ? null : 'n' };
}

/** Keeps what makes sense of what was found: it may be older than this version, or edited by hand. */
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
