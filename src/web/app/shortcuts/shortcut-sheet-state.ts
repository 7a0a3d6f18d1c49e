import { createStore } from '#base/store.ts';

const isOpen = createStore(false);

/** Whether the sheet of keyboard shortcuts is shown. It is opened by `?` and from the corner of the layout. */
export const shortcutSheet = {
  subscribe: isOpen.subscribe,
  getSnapshot: isOpen.getSnapshot,
  open: (): void => isOpen.set(true),
  close: (): void => isOpen.set(false),
};
