import { expect, test, vi } from 'vitest';
import { newEntry } from '#device/outbox/outbox-entry.ts';
import { withChangesLock } from '#device/sync/changes-lock.ts';
import { sessionState } from '#web/api/session-state.ts';
import { sendEntry } from './send-entry.ts';

const signIn = (id: string): void => {
  const user = { id, email: null, displayName: id, locale: null, createdAt: '2026-01-01T00:00:00.000Z' };
  sessionState.set({
    ...sessionState.getSnapshot(),
    status: 'signed-in',
    user: { ...user, role: 'member' },
  });
};

/** The server's response to a request that names another user than that of the session (409). */
const principalChanged = (): Response =>
  Response.json(
    { title: 'Principal changed', status: 409, instance: 'urn:uuid:7', code: 'principal-changed' },
    { status: 409, headers: { 'content-type': 'application/problem+json' } },
  );

test('does not send the second call of an entry if another user signs in after the first', async () => {
  // Responses are checked against the contract only in development. Those of this server are empty.
  vi.stubEnv('DEV', false);
  let signedIn = 'alice';
  const done: string[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url === '/auth/session') return Response.json({ title: 'Down', status: 503 }, { status: 503 });
    if (new Headers(init.headers).get('x-expected-principal') !== signedIn) return principalChanged();
    done.push(`${init.method ?? 'GET'} ${url} for ${signedIn}`);
    signedIn = 'bob';
    signIn('bob');
    return new Response(null, { status: 200 });
  });
  signIn('alice');
  const entry = newEntry({ userId: 'alice', kind: 'import', target: 'r', payload: { wanted: 'purge' } });
  expect(await sendEntry(entry)).toBe('other-session');
  expect(done).toHaveLength(1);
});

test('waits until no other sender of this browser sends a change of the same recording', async () => {
  vi.stubEnv('DEV', false);
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    sent.push(url);
    return Response.json({});
  });
  signIn('alice');
  const { promise: isFirstSent, resolve: endFirst } = Promise.withResolvers<void>();
  const first = withChangesLock('r', () => isFirstSent);
  const payload = { recordingId: 'r', isNew: false, isRemoved: false, fields: { label: 'Well' } };
  const second = sendEntry(newEntry({ userId: 'alice', kind: 'marker', target: 'm', payload }));
  await sendEntry(
    newEntry({ userId: 'alice', kind: 'import', target: 'other', payload: { wanted: 'trash' } }),
  );
  expect(sent).toEqual(['/api/recordings/other']);
  endFirst();
  await Promise.all([first, second]);
  expect(sent).toEqual(['/api/recordings/other', '/api/recordings/r/markers/m']);
});

test('says that the Undo of a cancelled import undoes the move to the trash, so that its links work again', async () => {
  vi.stubEnv('DEV', false);
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    sent.push(url);
    return Response.json({});
  });
  signIn('alice');
  await sendEntry(newEntry({ userId: 'alice', kind: 'import', target: 'r', payload: { wanted: 'restore' } }));
  expect(sent).toEqual(['/api/recordings/r/restore?isUndo=true']);
});
