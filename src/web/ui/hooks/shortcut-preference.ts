const storageKey = 'shortcuts';
const listeners = new Set<() => void>();

const read = (): boolean => {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
};

let isOn: boolean | null = null;

/** Whether one-letter shortcuts are wanted; a person who speaks to the computer switches them off (WCAG 2.1.4). */
export const shortcutPreference = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  getSnapshot: (): boolean => (isOn ??= read()),
  set(on: boolean): void {
    isOn = on;
    try {
      localStorage.setItem(storageKey, on ? 'on' : 'off');
    } catch {
      // Storage refused: the choice holds for this page.
    }
    for (const listener of listeners) listener();
  },
};
