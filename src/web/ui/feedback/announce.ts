import { createStore, type Store } from '#base/store.ts';

export type Urgency = 'polite' | 'assertive';
type Announcements = Readonly<Record<Urgency, string>>;

const current = createStore<Announcements>({ polite: '', assertive: '' });

/** An inaudible character. A message that is repeated has to differ, or a screen reader does not read it again. */
const silentMark = '\u200b';

/**
 * Announces a message to screen readers. `assertive` interrupts, for urgent messages (microphone lost, silence).
 */
export function announce(message: string, urgency: Urgency = 'polite'): void {
  const before = current.getSnapshot();
  current.set({ ...before, [urgency]: before[urgency] === message ? message + silentMark : message });
}

/** Removes both messages. */
export const clearAnnouncements = (): void => current.set({ polite: '', assertive: '' });

export const announcements: Store<Announcements> = current;
