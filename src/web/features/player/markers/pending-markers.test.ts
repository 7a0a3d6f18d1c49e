import { beforeAll, expect, test, vi } from 'vitest';
import { outbox } from '#web/outbox/page-outbox.ts';
import { sessionState } from '#web/api/session-state.ts';
import { changePending, pendingMarkers, withPending } from './pending-markers.ts';

const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
const onServer = [{ id: 's', atMs: 500, label: 'Server', colour: 'green' }] as const;
const shown = (recordingId = 'r') => withPending(onServer, pendingMarkers.getSnapshot(), recordingId);

beforeAll(() => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  const user = { id: 'ana', email: null, displayName: 'Ana', locale: null, createdAt: '' };
  sessionState.set({
    ...sessionState.getSnapshot(),
    status: 'signed-in',
    user: { ...user, role: 'member' },
  });
});

test('merges changes of one marker into one entry and shows them immediately', async () => {
  changePending('r', 'm', { isNew: true, fields: { atMs: 100, label: '', colour: 'blue' } });
  await settled();
  changePending('r', 'm', { fields: { label: 'Well' } });
  await settled();
  changePending('r', 's', { fields: { atMs: 50 } });
  await settled();
  expect(pendingMarkers.getSnapshot()).toHaveLength(2);
  expect(shown()).toEqual([
    { id: 's', atMs: 50, label: 'Server', colour: 'green' },
    { id: 'm', atMs: 100, label: 'Well', colour: 'blue' },
  ]);
  expect(shown('another')).toBe(onServer);
});

test('hides a deleted marker, and keeps in its entry that the server may have it', async () => {
  changePending('r', 'm', { isRemoved: true, fields: {} });
  await settled();
  expect(shown().map(({ id }) => id)).toEqual(['s']);
  expect(pendingMarkers.getSnapshot().find(({ target }) => target === 'm')?.payload).toMatchObject({
    isNew: true,
    isRemoved: true,
  });
});

test('does not show a change of a marker that the server no longer has', async () => {
  changePending('r', 'gone', { fields: { label: 'Gone' } });
  await settled();
  expect(shown().map(({ id }) => id)).toEqual(['s']);
  for (const entry of pendingMarkers.getSnapshot()) await outbox.drop(entry);
  expect(shown()).toBe(onServer);
});
