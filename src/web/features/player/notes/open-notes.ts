import type { Note } from '#contract/notes-api.ts';
import { createStore } from '#base/store.ts';
import { ApiError } from '#web/api/api-error.ts';
import { connection } from '#web/api/connection/connection.ts';
import { session } from '#web/api/session.ts';
import type { NoteMoment } from './note-place.tsx';
import { type NoteCalls, NoteSaver } from './note-saver.ts';

/** A note that is being written, or whose words the server could not take yet. */
export interface OpenNote {
  id: string;
  recordingId: string;
  /** Where a new one belongs; null where it is one that the list knows. */
  place: NoteMoment | null;
  saver: NoteSaver;
  userId: string | null;
}

const store = createStore<readonly OpenNote[]>([]);
/** Those in front of the person: they close by `Done`, not by being saved. */
const shown = new Set<NoteSaver>();
let isListening = false;

const userId = (): string | null => session.getSnapshot().user?.id ?? null;

/** What somebody wrote is sent for nobody else. */
const callsFor = (owner: string | null, { send, read }: NoteCalls): NoteCalls => ({
  send: async (text, revision) => {
    if (userId() !== owner) throw new ApiError({ code: 'session-required', status: 0, problem: null });
    return send(text, revision);
  },
  read,
});

const isSettled = (saver: NoteSaver): boolean => !saver.isBehind && saver.getSnapshot().status !== 'conflict';

function drop(saver: NoteSaver): void {
  store.set(store.getSnapshot().filter((one) => one.saver !== saver));
}

async function settle(saver: NoteSaver): Promise<void> {
  await saver.flush();
  if (isSettled(saver) && !shown.has(saver)) drop(saver);
}

function retry(): void {
  for (const one of store.getSnapshot())
    if (one.saver.getSnapshot().status === 'failed' && one.userId === userId()) void settle(one.saver);
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  addEventListener('online', retry);
  connection.subscribe(() => {
    if (connection.getSnapshot() === 'there') retry();
  });
  session.subscribe(retry);
  addEventListener('pagehide', () => {
    for (const { saver } of store.getSnapshot()) void saver.flush();
  });
}

/** The notes of this page that are being written or not saved yet. They outlive their rows, not the page. */
export const openNotes = {
  subscribe: store.subscribe,
  getSnapshot: store.getSnapshot,
  /** Opens a note; null: a new one. What was not saved when it was last open is still in it. */
  open(
    note: Note | null,
    { id, recordingId, place }: Pick<OpenNote, 'id' | 'recordingId' | 'place'>,
    calls: NoteCalls,
  ): void {
    listen();
    if (store.getSnapshot().some((one) => one.id === id)) return;
    const owner = userId();
    store.set([
      { id, recordingId, place, userId: owner, saver: new NoteSaver(note, callsFor(owner, calls)) },
      ...store.getSnapshot(),
    ]);
  },
  enter(saver: NoteSaver): void {
    shown.add(saver);
  },
  /** Its row is gone: it stays until the server has its words. */
  leave(saver: NoteSaver): void {
    shown.delete(saver);
    void settle(saver);
  },
  /** Closes a note that the server has; false where it lacks something of it. */
  async finish(saver: NoteSaver): Promise<boolean> {
    await saver.flush();
    const isDone = isSettled(saver);
    if (isDone) drop(saver);
    return isDone;
  },
  close: drop,
};
