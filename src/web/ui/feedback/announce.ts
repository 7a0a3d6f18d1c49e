export type Urgency = 'polite' | 'assertive';
type Announcements = Readonly<Record<Urgency, string>>;

let current: Announcements = { polite: '', assertive: '' };
const listeners = new Set<() => void>();

/** A character nobody hears: the same words said twice must differ, or a screen reader keeps silent the second time. */
const silentMark = '\u200b';

/** Lets a screen reader say the message; `assertive` interrupts and is for what must not wait (microphone lost, silence). */
export function announce(message: string, urgency: Urgency = 'polite'): void {
  const said = current[urgency] === message ? message + silentMark : message;
  current = { ...current, [urgency]: said };
  for (const listener of listeners) listener();
}

export const announcements = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  getSnapshot: (): Announcements => current,
};
