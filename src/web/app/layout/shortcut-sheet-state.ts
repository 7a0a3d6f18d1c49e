const listeners = new Set<() => void>();
let isOpen = false;

function set(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}

/** Whether the sheet of keyboard shortcuts is shown; opened by `?` and from the corner of the layout. */
export const shortcutSheet = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  getSnapshot: (): boolean => isOpen,
  open: (): void => set(true),
  close: (): void => set(false),
};
