import { collectTyping } from './typing-ahead.ts';

/** A marker that was just set and can be named at once, and where the focus was. */
export interface MarkerToName {
  markerId: string;
  from: Element | null;
}

/**
 * The marker whose name gets the focus when it is there; null where that would open the keyboard of a phone
 * over the recorder.
 */
export function focusToName(markerId: string, by: 'key' | 'press'): MarkerToName | null {
  if (by === 'press' && !matchMedia('(pointer: fine)').matches) return null;
  collectTyping();
  return { markerId, from: document.activeElement };
}
