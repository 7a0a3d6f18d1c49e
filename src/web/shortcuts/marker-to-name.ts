import { collectTyping } from './typing-ahead.ts';

/** A marker that was just set and can be named at once, and the element that had the focus. */
export interface MarkerToName {
  markerId: string;
  from: Element | null;
}

/**
 * The marker whose name field gets the focus when it appears. Null after a press on a touch screen, where the
 * phone's keyboard would cover the recorder.
 */
export function focusToName(markerId: string, by: 'key' | 'press'): MarkerToName | null {
  if (by === 'press' && !matchMedia('(pointer: fine)').matches) return null;
  collectTyping();
  return { markerId, from: document.activeElement };
}
