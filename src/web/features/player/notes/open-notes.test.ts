import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Note } from '#contract/notes-api.ts';
import { ApiError } from '#web/api/api-error.ts';
import { trackedFetch } from '#web/api/connection/connection.ts';
import { sessionState } from '#web/api/session-state.ts';
import { followOutbox, outbox, pendingEntries } from '#web/outbox/page-outbox.ts';
import { openNotes } from './open-notes.ts';

const page = new EventTarget();
const place = { fromMs: 0, toMs: null };
const server = { isGone: false, has: null as string | null };
const noteOf = (text: string): Note => ({
  id: 'n',
  recordingId: 'r',
  fromMs: 0,
  toMs: null,
  text,
  revision: 1,
  createdAt: '',
  updatedAt: '',
});
const calls = {
  send: async (text: string) => {
    if (server.isGone) throw new ApiError({ code: 'offline', status: 0, problem: null });
    server.has = text;
    return noteOf(text);
  },
  read: async () => null,
};
const settled = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
const signIn = (id: string | null) => {
  const rest = {
    signUp: 'open',
    hasMail: false,
    needsSetUpCode: false,
    methods: null,
    notices: [],
    isLeaving: false,
  } as const;
  sessionState.set(
    id === null
      ? { status: 'signed-out', user: null, ...rest }
      : {
          status: 'signed-in',
          user: { id, displayName: id, email: null, locale: null, role: 'member', createdAt: '' },
          ...rest,
        },
  );
};
const only = () => {
  const [one] = openNotes.getSnapshot();
  if (!one) throw new Error('expected an open note');
  return one.saver;
};

/** The unsaved notes that this browser stores. */
const stored = () =>
  pendingEntries.getSnapshot().map(({ kind, payload }) => (kind === 'note' ? payload.text : kind));

beforeAll(() => {
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  followOutbox();
});

beforeEach(() => {
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  for (const { saver } of openNotes.getSnapshot()) openNotes.close(saver);
  Object.assign(server, { isGone: false, has: null });
  signIn('alice');
  openNotes.open(null, { id: 'n', recordingId: 'r', place }, calls);
  openNotes.enter(only());
});

/** Writes a note while offline and unmounts its row. */
async function leaveUnsaved() {
  server.isGone = true;
  only().type('Heard the lighthouse');
  openNotes.leave(only());
  await settled();
  expect(only().getSnapshot()).toMatchObject({ status: 'failed', text: 'Heard the lighthouse' });
  server.isGone = false;
}

test('keeps an unsaved note after its row is gone, and sends it when the network is back', async () => {
  await leaveUnsaved();
  page.dispatchEvent(new Event('online'));
  await settled();
  expect(server.has).toBe('Heard the lighthouse');
  expect(openNotes.getSnapshot()).toEqual([]);
});

test('sends an unsaved note when the server responds to any request again', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  await trackedFetch('/api/x').catch(() => undefined);
  await leaveUnsaved();
  vi.stubGlobal('fetch', async () => new Response());
  await trackedFetch('/api/x');
  await settled();
  expect(server.has).toBe('Heard the lighthouse');
});

test('shows the unsaved text when the note is opened again, and keeps it open when it is saved', async () => {
  await leaveUnsaved();
  openNotes.open(noteOf('of the list'), { id: 'n', recordingId: 'r', place }, calls);
  openNotes.enter(only());
  expect(only().text).toBe('Heard the lighthouse');
  page.dispatchEvent(new Event('online'));
  await settled();
  expect(only().getSnapshot().status).toBe('saved');
  expect(await openNotes.finish(only())).toBe(true);
  expect(openNotes.getSnapshot()).toEqual([]);
});

test('sends the last text when the page closes', async () => {
  only().type('To the last');
  page.dispatchEvent(new Event('pagehide'));
  await settled();
  expect(server.has).toBe('To the last');
});

test('stores typed text until the server has it', async () => {
  await leaveUnsaved();
  expect(stored()).toEqual(['Heard the lighthouse']);
  page.dispatchEvent(new Event('online'));
  await settled();
  expect([stored(), server.has]).toEqual([[], 'Heard the lighthouse']);
});

test('stores the last text when the page closes, and deletes it with a discarded note', async () => {
  server.isGone = true;
  only().type('To the last');
  page.dispatchEvent(new Event('pagehide'));
  await settled();
  expect(stored()).toEqual(['To the last']);
  openNotes.close(only());
  await settled();
  expect(stored()).toEqual([]);
});

test('stores a conflicting text until the user has decided', async () => {
  openNotes.close(only());
  const theirs = { ...noteOf('Theirs'), revision: 2 };
  const changed = {
    send: async (text: string, revision: number | null) => {
      if (revision !== 2) throw new ApiError({ code: 'note-changed', status: 409, problem: null });
      return { ...noteOf(text), revision: 3 };
    },
    read: async () => theirs,
  };
  openNotes.open(noteOf('Base'), { id: 'n', recordingId: 'r', place }, changed);
  openNotes.enter(only());
  only().type('Mine');
  openNotes.leave(only());
  await settled();
  for (let flushes = 0; flushes < 3; flushes += 1) await outbox.flush();
  expect([only().getSnapshot().status, stored()]).toEqual(['conflict', ['Mine']]);
  await only().saveMine();
  await settled();
  expect([openNotes.getSnapshot(), stored()]).toEqual([[], []]);
});

test('opens a stored note with its text, and saves it from there', async () => {
  await leaveUnsaved();
  const entry = pendingEntries.getSnapshot()[0];
  if (!entry) throw new Error('expected a stored note');
  openNotes.close(only());
  await settled();
  server.isGone = true;
  await outbox.store(entry);
  const end = openNotes.reopenStored('r', () => calls);
  await settled();
  expect(only()).toMatchObject({ text: 'Heard the lighthouse', isBehind: true });
  openNotes.enter(only());
  await only().flush();
  expect(only().getSnapshot().status).toBe('failed');
  server.isGone = false;
  await outbox.flush();
  await settled();
  expect([server.has, stored(), only().getSnapshot().status]).toEqual(['Heard the lighthouse', [], 'saved']);
  end();
});

test('removes an unsaved note with its user, and sends it only in a session of its author', async () => {
  const sent: unknown[] = [];
  // Responses are checked against the contract in development only.
  vi.stubEnv('DEV', false);
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (init.method !== 'POST') throw new TypeError('Failed to fetch');
    const principal = new Headers(init.headers).get('x-expected-principal');
    sent.push([url, principal, typeof init.body === 'string' ? JSON.parse(init.body) : null]);
    return Response.json(noteOf('Heard the lighthouse'));
  });
  await leaveUnsaved();
  signIn(null);
  await settled();
  signIn('bob');
  page.dispatchEvent(new Event('online'));
  page.dispatchEvent(new Event('pagehide'));
  await settled();
  expect([server.has, sent, openNotes.getSnapshot(), stored()]).toEqual([null, [], [], []]);
  signIn('alice');
  await vi.waitFor(() => expect(stored()).toEqual([]));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent).toEqual([
    ['/api/recordings/r/notes', 'alice', { id: 'n', text: 'Heard the lighthouse', ...place }],
  ]);
});
