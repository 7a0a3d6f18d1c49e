import { collectTyping } from './typing-ahead.ts';

/** A marker that was just set and can be named at once, and the element that had the focus. */
export interface MarkerToName {
  markerId: string;
  from: Element | null;
}

/**
 * Shows the name field of a marker that was just set. After a press on a touch screen, where the phone's keyboard
 * would cover the recorder, it is shown only once a name is typed, which means that there is another keyboard.
 * @param show receives the marker whose field gets the focus; null for none
 */
export function focusToName(
  markerId: string,
  by: 'key' | 'press',
  show: (toName: MarkerToName | null) => void,
): void {
  const toName = { markerId, from: document.activeElement };
  if (by === 'press' && !matchMedia('(pointer: fine)').matches) {
    show(null);
    collectTyping(() => show(toName));
    return;
  }
  collectTyping();
  show(toName);
}
