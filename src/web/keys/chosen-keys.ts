import { keptChoice } from '#web/ui/hooks/kept-choice.ts';
import { isKeyAction, type ChosenKeys, type KeyAction } from './key-actions.ts';

/** Keeps what makes sense of what was found: it may be older than this version, or edited by hand. */
function parse(text: string | null): ChosenKeys {
  const found: unknown = JSON.parse(text ?? '{}');
  const entries: [string, unknown][] = Object.entries(Object(found));
  const kept: Partial<Record<KeyAction, string | null>> = {};
  for (const [action, key] of entries) {
    if (isKeyAction(action) && (key === null || (typeof key === 'string' && key.length === 1))) kept[action] = key;
  }
  return kept;
}

/** The keys chosen on this device instead of the default ones. */
export const chosenKeys = keptChoice<ChosenKeys>('keys', { parse, print: JSON.stringify });
