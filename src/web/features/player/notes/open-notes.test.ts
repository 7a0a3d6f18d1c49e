import { beforeEach, expect, test, vi } from 'vitest';
import type { Note } from '#contract/notes-api.ts';
import { ApiError } from '#web/api/api-error.ts';
import { trackedFetch } from '#web/api/connection/connection.ts';
import { sessionState } from '#web/api/session-state.ts';
import { openNotes } from './open-notes.ts';

const page = new EventTarget();
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
  if (!one) throw new Error('a note is open');
  return one.saver;
};

beforeEach(() => {
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  for (const { saver } of openNotes.getSnapshot()) openNotes.close(saver);
  Object.assign(server, { isGone: false, has: null });
  signIn('alice');
  openNotes.open(null, { id: 'n', recordingId: 'r', place: { fromMs: 0, toMs: null } }, calls);
  openNotes.enter(only());
});

/** A note is written without a network, and its row is left. */
async function leaveUnsaved() {
  server.isGone = true;
  only().type('Heard the lighthouse');
  openNotes.leave(only());
  await settled();
  expect(only().getSnapshot()).toMatchObject({ status: 'failed', text: 'Heard the lighthouse' });
  server.isGone = false;
}

test('what could not be saved outlives its row, and is sent when the network is back', async () => {
  await leaveUnsaved();
  page.dispatchEvent(new Event('online'));
  await settled();
  expect(server.has).toBe('Heard the lighthouse');
  expect(openNotes.getSnapshot()).toEqual([]);
});

test('it is also sent when the server answers anything again', async () => {
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

test('it is there when the note is opened again, and stays open when it is saved then', async () => {
  await leaveUnsaved();
  openNotes.open(noteOf('of the list'), { id: 'n', recordingId: 'r', place: null }, calls);
  openNotes.enter(only());
  expect(only().text).toBe('Heard the lighthouse');
  page.dispatchEvent(new Event('online'));
  await settled();
  expect(only().getSnapshot().status).toBe('saved');
  expect(await openNotes.finish(only())).toBe(true);
  expect(openNotes.getSnapshot()).toEqual([]);
});

test('what was typed last goes with the page', async () => {
  only().type('To the last');
  page.dispatchEvent(new Event('pagehide'));
  await settled();
  expect(server.has).toBe('To the last');
});

test('nobody else’s session sends it, and its writer’s does', async () => {
  await leaveUnsaved();
  for (const other of [null, 'bob']) {
    signIn(other);
    page.dispatchEvent(new Event('online'));
    page.dispatchEvent(new Event('pagehide'));
    await settled();
    expect(server.has).toBe(null);
  }
  signIn('alice');
  await settled();
  expect(server.has).toBe('Heard the lighthouse');
});
