/** A marker that was just set and can be named at once, and where the focus was. */
export interface MarkerToName { markerId: string; from: Element | null }

/** The marker whose name gets the focus when it is there; null where that would bring up the keyboard of a phone over the take. */
export function focusToName(markerId: string, by: 'key' | 'press'): MarkerToName | null {
  return by === 'key' || matchMedia('(pointer: fine)').matches ? { markerId, from: document.activeElement } : null;
}

/** Gives the focus to the field, unless the person has gone somewhere else since. */
export function goToName(field: HTMLElement, { from }: MarkerToName): void {
  if (document.activeElement === from) field.focus();
}

/** Leaves the field for where the focus was, so that the keys of the take work again. */
export function comeFromName(field: HTMLElement, from: Element | null): void {
  if (from instanceof HTMLElement && from.isConnected && from !== document.body) from.focus();
  else field.blur();
}
