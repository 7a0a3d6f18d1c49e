import { createStore, type Store } from '#base/store.ts';

export type Urgency = 'polite' | 'assertive';
type Announcements = Readonly<Record<Urgency, string>>;

const current = createStore<Announcements>({ polite: '', assertive: '' });

/**
 * A character nobody hears: the same words said twice must differ, or a screen reader keeps silent the second
 * time.
 */
const silentMark = '\u200b';

/**
 * Lets a screen reader say the message; `assertive` interrupts and is for what must not wait (microphone
 * lost, silence).
 */
export function announce(message: string, urgency: Urgency = 'polite'): void {
  const before = current.getSnapshot();
  current.set({ ...before, [urgency]: before[urgency] === message ? message + silentMark : message });
}

/** Removes both messages. */
export const clearAnnouncements = (): void => current.set({ polite: '', assertive: '' });

export const announcements: Store<Announcements> = current;
